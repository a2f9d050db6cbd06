import { describe, expect, test } from '@jest/globals'
import { FIRST_MESSAGES, ReadingBudget } from '../../local-service/reading-budget.ts'

/** A budget of a service that has read its first messages. */
function warmBudget(now: () => number): ReadingBudget {
  const budget = new ReadingBudget(now)
  for (let n = 0; n < FIRST_MESSAGES; n++) budget.spend('first', 0, 0)
  return budget
}

describe('the CPU budget of the ingest thread', () => {
  test('is not touched by the first messages, which also compile the code', () => {
    const budget = new ReadingBudget(() => 0)
    for (let n = 0; n < FIRST_MESSAGES; n++) budget.spend('a', 2048, 60)
    expect(budget.allows('a')).toBe(true)
    budget.spend('a', 2048, 60)
    expect(budget.allows('a')).toBe(false)
  })

  test('is not exhausted by any amount of plain mail', () => {
    const budget = warmBudget(() => 0)
    for (let n = 0; n < 10_000; n++) budget.spend('a', 2048, 0.5)
    expect(budget.allows('a')).toBe(true)
  })

  test('is not exhausted by plain mail that a clock of 4 or 10 ms measures', () => {
    for (const [mails, tickMs] of [
      [20, 4],
      [50, 10],
    ] as const) {
      const budget = warmBudget(() => 0)
      for (let n = 0; n < 10_000; n++) budget.spend('a', 2048, n % mails === 0 ? tickMs : 0)
      expect(budget.allows('a')).toBe(true)
    }
  })

  test('is exhausted by expensive mail among cheap mail', () => {
    const budget = warmBudget(() => 0)
    for (let n = 0; n < 40; n++) budget.spend('a', 32 * 1024, n % 4 === 0 ? 32 : 2)
    expect(budget.allows('a')).toBe(false)
  })

  test('is exhausted by expensive mail, only for its client, and recovers', () => {
    let now = 0
    const budget = warmBudget(() => now)
    for (let n = 0; n < 10; n++) budget.spend('a', 2048, 20)
    expect(budget.allows('a')).toBe(false)
    expect(budget.allows('b')).toBe(true)
    now = 10_000
    expect(budget.allows('a')).toBe(true)
  })

  test.each([
    ['2 ms and a debt of 50 ms are free', 0, 52],
    ['100 KB may take 3 ms more', 100 * 1024, 55],
  ])('%s', (_, bytes, ms) => {
    for (const [spent, isAllowed] of [
      [ms, true],
      [ms + 0.01, false],
    ] as const) {
      const budget = warmBudget(() => 0)
      budget.spend('a', bytes, spent)
      expect([spent, budget.allows('a')]).toEqual([spent, isAllowed])
    }
  })

  test('is repaid by half a ms with each cheap mail', () => {
    const budget = warmBudget(() => 0)
    budget.spend('a', 0, 62)
    for (let n = 0; n < 19; n++) budget.spend('a', 0, 0)
    expect(budget.allows('a')).toBe(false)
    budget.spend('a', 0, 0)
    expect(budget.allows('a')).toBe(true)
  })

  test('is forgiven by 50 ms in a second', () => {
    let now = 0
    const budget = warmBudget(() => now)
    budget.spend('a', 0, 102)
    now = 999
    expect(budget.allows('a')).toBe(false)
    now = 1000
    expect(budget.allows('a')).toBe(true)
  })

  test('is kept for 10,000 clients with a debt', () => {
    const budget = warmBudget(() => 0)
    for (let n = 0; n < 10_000; n++) budget.spend(`client ${n}`, 0, 100)
    budget.spend('cheap', 0, 1)
    expect(budget.allows('client 0')).toBe(false)
    budget.spend('one more', 0, 100)
    expect([budget.allows('client 0'), budget.allows('one more')]).toEqual([true, false])
  })

  test('keeps a bounded number of clients', () => {
    const budget = warmBudget(() => 0)
    for (let n = 0; n < 25_000; n++) budget.spend(`client ${n}`, 100, 100)
    expect(budget.allows('client 0')).toBe(true)
    expect(budget.allows('client 24999')).toBe(false)
  })
})
