import { describe, expect, test } from '@jest/globals'
import { Activity, arrived, missedBy } from '../../../adapters/http/activity.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { sampleContent } from '../../contract/sample.ts'

const request = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://a.test${path}`, { headers })

describe('the requests of an inbox', () => {
  test('a wait is recorded while it waits, and then its answer', async () => {
    let now = 1000
    const activity = new Activity(() => now)
    const answer = Promise.withResolvers<Response>()
    const tracked = activity.track(request('/api/emails/Bot%2B1@a.test/wait?has=code'), () => answer.promise)
    expect(activity.of('bot+1@a.test')).toEqual([
      { method: 'GET', target: '/wait?has=code', startedAt: 1000 },
    ])
    now = 3500
    answer.resolve(new Response(null, { status: 204 }))
    await tracked
    expect(activity.of('bot+1@a.test')[0]?.answer).toEqual({ status: 204, ms: 2500 })
  })

  test('a request that fails counts as answered with 500', async () => {
    let now = 1000
    const activity = new Activity(() => now)
    const failing = Promise.withResolvers<Response>()
    const tracked = activity.track(request('/api/emails/a@a.test'), () => failing.promise)
    now = 1300
    failing.reject(new Error('a fault'))
    await expect(tracked).rejects.toThrow('a fault')
    expect(activity.of('a@a.test')[0]?.answer).toEqual({ status: 500, ms: 300 })
  })

  test('requests of the pages and of other endpoints are not recorded', () => {
    const activity = new Activity(() => 0)
    activity.track(request('/api/emails/a@a.test', { 'Sec-Fetch-Site': 'same-origin' }), () => new Response())
    activity.track(request('/api/public/emails/a@a.test'), () => new Response())
    expect(activity.of('a@a.test')).toEqual([])
  })

  test('old requests and inboxes are evicted', () => {
    const activity = new Activity(() => 0)
    for (let i = 0; i < 60; i++) activity.track(request(`/api/emails/a@a.test/${i}`), () => new Response())
    expect(activity.of('a@a.test')).toHaveLength(50)
    expect(activity.of('a@a.test')[0]?.target).toBe('/59')
    for (let i = 0; i < 199; i++) activity.track(request(`/api/emails/b${i}@a.test`), () => new Response())
    expect(activity.of('a@a.test')).toHaveLength(50)
    // The oldest inbox without a new request is evicted.
    activity.track(request('/api/emails/a@a.test'), () => new Response())
    activity.track(request('/api/emails/b199@a.test'), () => new Response())
    expect([activity.of('a@a.test').length, activity.of('b0@a.test').length]).toEqual([50, 0])
    for (let i = 0; i < 200; i++) activity.track(request(`/api/emails/b${i}@a.test`), () => new Response())
    expect(activity.of('a@a.test')).toEqual([])
    expect(activity.of('b199@a.test')).not.toEqual([])
  })

  test('a path that cannot be decoded and a long query do no harm', () => {
    const activity = new Activity(() => 0)
    activity.track(request('/api/emails/%E0%A4%A@a.test/latest'), () => new Response())
    expect(activity.of('%e0%a4%a@a.test')).toHaveLength(1)
    activity.track(request(`/api/emails/a@a.test/wait?q=${'x'.repeat(5000)}`), () => new Response())
    expect(activity.of('a@a.test')[0]?.target).toHaveLength(300)
  })

  test('of an email only a short subject and sender are kept', () => {
    const email = (length: number) => {
      const text = 'x'.repeat(length)
      return {
        ...sampleContent({ subject: text, from: { name: text, address: text } }),
        id: 'i',
        receivedAt: 7,
      }
    }
    const kept = { id: 'i', receivedAt: 7 }
    const text = 'x'.repeat(200)
    const whole = { ...kept, subject: text, from: { name: text, address: text } }
    expect([arrived(email(200) as Email), arrived(email(201) as Email)]).toEqual([whole, whole])
    const unnamed = { ...email(1), from: { name: null, address: null } }
    expect(arrived(unnamed as Email).from).toEqual({ name: null, address: null })
  })

  test('of the emails that a wait did not match, twenty that arrived since its begin are kept', () => {
    const emails = (count: number, receivedAt: number) =>
      Array.from({ length: count }, (_, n) => ({ ...sampleContent(), id: `${n}`, receivedAt })) as Email[]
    const wait = { filter: { subject: 'other' }, after: undefined, timeoutMs: 1 }
    expect(missedBy(wait, 100, emails(20, 100))).toHaveLength(20)
    expect(missedBy(wait, 100, emails(21, 100)).map(({ id }) => id)).toHaveLength(20)
    expect(missedBy(wait, 101, emails(20, 100))).toEqual([])
    expect(missedBy({ ...wait, filter: {} }, 100, emails(1, 100))).toEqual([])
  })
})
