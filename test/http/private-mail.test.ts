/** Every test run has some rounds of this suite; `npm run test:faults` has 3,200. */
import '../hostile/private-mail.test.ts'
