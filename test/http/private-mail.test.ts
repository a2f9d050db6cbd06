/** Every test run has some rounds of this suite; `npm run test:faults` has 10,000. */
import '../hostile/private-mail.test.ts'
