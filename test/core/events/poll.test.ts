import { describe, expect, test } from '@jest/globals'
import { pollForEmail } from '../../../core/events/poll.ts'
import type { Email } from '../../../core/inbox/email.ts'

describe('a wait that asks the store again and again', () => {
  const email = { id: '1' } as Email
  const never = new AbortController().signal

  test('returns an existing email at once', async () => {
    expect(await pollForEmail({ timeoutMs: 60_000, signal: never }, async () => email)).toBe(email)
  })

  test('finds an email that arrives later, even in the last moment', async () => {
    let asked = 0
    const there = async () => (++asked === 3 ? email : null)
    expect(await pollForEmail({ timeoutMs: 1500, signal: never }, there)).toBe(email)
    expect(asked).toBe(3)
  })

  test('returns null when the time is over', async () => {
    expect(await pollForEmail({ timeoutMs: 50, signal: never }, async () => null)).toBeNull()
  })

  test('ends when its client disconnects', async () => {
    const given = new AbortController()
    const waiting = pollForEmail({ timeoutMs: 600_000, signal: given.signal }, async () => null)
    given.abort()
    expect(await waiting).toBeNull()
  })

  test('rejects when the store fails', async () => {
    const failing = () => Promise.reject(new Error('no store'))
    await expect(pollForEmail({ timeoutMs: 50, signal: never }, failing)).rejects.toThrow('no store')
  })
})
