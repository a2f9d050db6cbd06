/** Some rounds of it in every run of the tests; `npm run test:faults` has 10,000. */
import '../hostile/private-mail.test.ts'
