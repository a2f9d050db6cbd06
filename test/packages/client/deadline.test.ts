import { getEventListeners } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { Deadline } from '../../../packages/client/src/deadline.ts'
import { eventually } from '../../support/eventually.ts'

const FOREVER = Number.POSITIVE_INFINITY

describe('the time-out of a call', () => {
  afterEach(() => {
    jest.restoreAllMocks()
  })

  /** The delays of the timers that are started, none of which ends. */
  function delays(): number[] {
    const delaysMs: number[] = []
    const note = (ms = 0) => delaysMs.push(ms)
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      note(ms)
      return new AbortController().signal
    })
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((_wake: () => void, ms: number) => note(ms)) as never)
    return delaysMs
  }

  test('begins with the call', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1000)
    const deadline = new Deadline(300)
    now.mockReturnValue(1100.5)
    expect([deadline.waitedMs, deadline.leftMs]).toEqual([100.5, 199.5])
    now.mockReturnValue(1400)
    expect([deadline.waitedMs, deadline.leftMs]).toEqual([400, 0])
  })

  test('ends a request after its own time, but not before the time is over', () => {
    jest.spyOn(performance, 'now').mockReturnValue(0)
    const delaysMs = delays()
    const deadline = new Deadline(300.5)
    for (const ms of [100, 1000, undefined]) deadline.signal(ms)
    // Whole milliseconds, and two more than asked for.
    expect(delaysMs).toEqual([102, 303, 303])
  })

  test('sleeps no longer than it lasts', () => {
    jest.spyOn(performance, 'now').mockReturnValue(0)
    const delaysMs = delays()
    for (const ms of [100, 1000]) void new Deadline(300).sleep(ms)
    expect(delaysMs).toEqual([100, 300])
  })

  test('without an end is one that a timer can hold', () => {
    const delaysMs = delays()
    new Deadline(FOREVER).signal()
    void new Deadline(FOREVER).sleep(FOREVER)
    for (const ms of delaysMs) expect([ms > 86_400_000, ms < 2 ** 31]).toEqual([true, true])
  })

  test('of a caller who has aborted fails with the reason of the caller', async () => {
    const caller = AbortSignal.abort('by the caller')
    expect(() => new Deadline(1000, caller)).toThrow('by the caller')
    const controller = new AbortController()
    const deadline = new Deadline(1000, controller.signal)
    const signal = deadline.signal()
    expect(signal.aborted).toBe(false)
    controller.abort('by the caller')
    expect(signal.reason).toBe('by the caller')
    expect(() => deadline.check()).toThrow('by the caller')
    let outcome: unknown = 'still pausing'
    deadline.sleep(600_000).catch((error: unknown) => {
      outcome = error
    })
    await turn()
    expect(outcome).toBe('by the caller')
  })

  test.each([
    ['the caller', 600_000],
    ['its time', 5],
  ])('a pause that %s ends leaves no timer and no listener', async (by, ms) => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const controller = new AbortController()
    const { signal } = controller
    let outcome: unknown = 'still pausing'
    void new Deadline(FOREVER, signal).sleep(ms).then(
      () => {
        outcome = 'over'
      },
      (error: unknown) => {
        outcome = error
      },
    )
    await turn()
    if (by === 'the caller') {
      controller.abort('by the caller')
      await turn()
      expect(outcome).toBe('by the caller')
    } else {
      await eventually('the end of the pause', () => outcome === 'over')
    }
    // Jest has timers of its own, which come and go; that of the pause would stay.
    for (let n = 0; timers() > before && n < 10_000; n++) await turn()
    expect(timers()).toBeLessThanOrEqual(before)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
