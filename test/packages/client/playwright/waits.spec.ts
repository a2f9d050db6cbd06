import { expect, test } from '../../../../packages/client/src/fixtures/playwright.ts'

/** How long a wait without a time-out may take now; a getter that only subclasses may use. */
const waitMs = (mayfly: object) => (mayfly as { defaultWaitMs: number }).defaultWaitMs

const WITHOUT_A_LIMIT_MS = 10_000

let client: object

// The clock of a test does not run in this hook.
test.beforeAll(({ mayfly }) => {
  client = mayfly
  expect(waitMs(mayfly)).toBe(WITHOUT_A_LIMIT_MS)
})

// A client of its own would ask for the key again.
test.beforeEach(({ mayfly }) => expect(mayfly).toBe(client))

test('ends before a test that has a limit', ({ mayfly }) => {
  test.setTimeout(60_000)
  expect(waitMs(mayfly)).toBeLessThanOrEqual(58_000)
  expect(waitMs(mayfly)).toBeGreaterThan(WITHOUT_A_LIMIT_MS)
})

test('takes ten seconds in a test without a limit', ({ mayfly }) => {
  test.setTimeout(0)
  expect(waitMs(mayfly)).toBe(WITHOUT_A_LIMIT_MS)
})
