import { describe, expect, test } from '@jest/globals'
import { Activity } from '../../../adapters/http/activity.ts'

const request = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://a.test${path}`, { headers })

describe('the requests of an inbox', () => {
  test('a wait is recorded while it waits, and then its answer', async () => {
    let now = 1000
    const activity = new Activity(() => now)
    const answer = Promise.withResolvers<Response>()
    const tracked = activity.track(request('/api/emails/Bot%2B1@a.test/wait?has=code'), answer.promise)
    expect(activity.of('bot+1@a.test')).toEqual([
      { method: 'GET', target: '/wait?has=code', startedAt: 1000 },
    ])
    now = 3500
    answer.resolve(new Response(null, { status: 204 }))
    await tracked
    expect(activity.of('bot+1@a.test')[0]?.answer).toEqual({ status: 204, ms: 2500 })
  })

  test('requests of the pages and of other endpoints are not recorded', () => {
    const activity = new Activity(() => 0)
    activity.track(request('/api/emails/a@a.test', { 'Sec-Fetch-Site': 'same-origin' }), new Response())
    activity.track(request('/api/public/emails/a@a.test'), new Response())
    expect(activity.of('a@a.test')).toEqual([])
  })

  test('old requests and inboxes are evicted', () => {
    const activity = new Activity(() => 0)
    for (let i = 0; i < 60; i++) activity.track(request(`/api/emails/a@a.test/${i}`), new Response())
    expect(activity.of('a@a.test')).toHaveLength(50)
    expect(activity.of('a@a.test')[0]?.target).toBe('/59')
    for (let i = 0; i < 200; i++) activity.track(request(`/api/emails/b${i}@a.test`), new Response())
    expect(activity.of('a@a.test')).toEqual([])
    expect(activity.of('b199@a.test')).toHaveLength(1)
  })

  test('a path that cannot be decoded and a long query do no harm', () => {
    const activity = new Activity(() => 0)
    activity.track(request('/api/emails/%E0%A4%A@a.test/latest'), new Response())
    activity.track(request(`/api/emails/a@a.test/wait?q=${'x'.repeat(5000)}`), new Response())
    expect(activity.of('a@a.test')[0]?.target).toHaveLength(300)
  })
})
