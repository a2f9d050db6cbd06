import { describe, expect, test } from '@jest/globals'
import { Deadline } from '../../../packages/client/src/deadline.ts'
import { Keys } from '../../../packages/client/src/keys.ts'

/** A store that keeps nothing, as where there is no folder for a key file. */
function keysOf(create: (attempt: number) => string) {
  let attempts = 0
  const keys = new Keys(undefined, async () => create(++attempts))
  return { keys, attempts: () => attempts }
}

describe('the key of a client', () => {
  test('is replaced once, however many requests it was rejected for', async () => {
    const { keys, attempts } = keysOf((attempt) => `key-${attempt}`)
    const rejected = await keys.current()
    await Promise.all([keys.renew(rejected), keys.renew(rejected)])
    await keys.renew(rejected)
    expect([await keys.current(), attempts()]).toEqual(['key-2', 2])
  })

  test('that could not be created is requested again by the next call', async () => {
    const { keys } = keysOf((attempt) => {
      if (attempt === 1) throw new Error('The service starts.')
      return 'key'
    })
    await expect(keys.current()).rejects.toThrow('The service starts.')
    expect(await keys.current()).toBe('key')
  })
})

test('an abort ends the pause between two attempts', async () => {
  const controller = new AbortController()
  const deadline = new Deadline(Number.POSITIVE_INFINITY, controller.signal)
  let outcome: unknown = 'still pausing'
  deadline.sleep(600_000).catch((error: unknown) => {
    outcome = error
  })
  controller.abort('by the caller')
  await new Promise(setImmediate)
  expect(outcome).toBe('by the caller')
})
