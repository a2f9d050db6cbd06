import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { AllMail } from '../../web/all-mail/all-mail.ts'
import { EVERYTHING } from '../../web/lib/address.ts'
import { credentials } from '../../web/lib/credentials.ts'
import type { ToPage } from '../../web/stream/messages.ts'
import { email } from './email.ts'

const [FIRST, SECOND] = ['01M84WWW9H36WCNK6VY98FDKB1', '01M84WWW9H36WCNK6VY98FDKB2']
const LISTED = [email(FIRST, { address: 'a@x.test' }), email(SECOND, { address: 'b@y.test' })]

describe('the mail of all addresses', () => {
  let requests: string[]
  let domainKeys: (string | null)[]
  let kept: unknown[]
  let stored: typeof LISTED

  beforeEach(() => {
    // The stream of a page has a timer that never ends.
    jest.useFakeTimers()
    requests = []
    domainKeys = []
    kept = []
    stored = LISTED
    const answer = (path: string): object => {
      if (path === '/api/session') return { expires_at: '2027-01-01T00:00:00Z' }
      if (path === '/api/info') return { link_check: true }
      if (path.startsWith('/api/emails?')) return { emails: stored, next_cursor: null }
      return { success: true, links: [], email: stored[0], deleted: 2 }
    }
    Object.assign(globalThis, {
      addEventListener: () => {},
      fetch: async (path: string, init: RequestInit) => {
        if (!/^.api.(?:session|info)$/.test(path)) requests.push(`${init.method} ${decodeURIComponent(path)}`)
        if (init.keepalive) kept.push(path)
        domainKeys.push(new Headers(init.headers).get('X-Domain-Key'))
        return new Response(JSON.stringify(answer(path)))
      },
    })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const CALLS: [name: string, call: (mail: AllMail, id: string) => Promise<unknown>, request: string][] = [
    ['is read', (mail, id) => mail.whole(id), `GET /api/emails/b@y.test/${SECOND}`],
    ['is deleted', (mail, id) => mail.remove(id), `DELETE /api/emails/b@y.test/${SECOND}`],
    [
      'has its links checked',
      (mail, id) => mail.checkLinks(id),
      `POST /api/emails/b@y.test/${SECOND}/link-check`,
    ],
  ]

  test.each(CALLS)('an email that was listed %s in its inbox', async (_, call, request) => {
    const mail = new AllMail()
    await mail.list({})
    requests = []
    await call(mail, SECOND)
    expect(requests).toEqual([request])
  })

  test.each(CALLS)('an email that a link names %s after a search for its inbox', async (_, call, request) => {
    await call(new AllMail(), SECOND)
    expect(requests).toEqual([expect.stringMatching(/^GET \/api\/emails\?.*limit=1/), request])
  })

  test.each(CALLS)('an email that is not there any more %s nowhere', async (_, call) => {
    stored = [LISTED[0]!]
    await expect(call(new AllMail(), SECOND)).rejects.toMatchObject({ code: 'email_not_found', status: 404 })
    expect(requests).toHaveLength(1)
  })

  test('all emails are deleted, also by a page that is left at once', async () => {
    expect(await new AllMail().clear()).toBe(2)
    expect([requests, kept]).toEqual([['DELETE /api/emails'], ['/api/emails']])
  })

  test('the addresses of the 5,000 emails that were listed last are known', async () => {
    const mail = new AllMail()
    stored = Array.from({ length: 5001 }, (_, n) => email(String(n), { address: `${n}@x.test` }))
    await mail.list({})
    for (const id of ['1', '0']) {
      requests = []
      // The search for an email that is not known finds none.
      stored = []
      await mail.whole(id).catch(() => {})
      expect([id, requests[0]]).toEqual([
        id,
        id === '1' ? 'GET /api/emails/1@x.test/1' : expect.stringMatching(/^GET \/api\/emails\?/),
      ])
    }
  })

  test('a page hears of the stream until it leaves, and the inbox of what arrives is known', async () => {
    const heard: ToPage[] = []
    const sources: { url: string; onmessage?: (message: object) => void; close: () => void }[] = []
    class EventSource {
      url: string
      constructor(url: string) {
        this.url = url
        sources.push(this)
      }
      close() {}
    }
    const document = { visibilityState: 'visible', addEventListener: () => {} }
    Object.assign(globalThis, { EventSource, document, location: { origin: 'http://a.test' } })
    const mail = new AllMail()
    mail.follow({ address: EVERYTHING, key: undefined, receive: (message) => heard.push(message) })
    expect(sources.map(({ url }) => new URL(url).pathname)).toEqual(['/api/sse'])
    const event = { type: 'new-email', email: LISTED[1] } as const
    sources[0]?.onmessage?.({ data: JSON.stringify(event), lastEventId: '' })
    expect(heard.at(-1)).toEqual({ type: 'event', event })
    await mail.whole(SECOND)
    expect(requests).toEqual([`GET /api/emails/b@y.test/${SECOND}`])
    mail.leave()
    const before = heard.length
    sources[0]?.onmessage?.({ data: JSON.stringify(event), lastEventId: '' })
    expect(heard.length).toBe(before)
  })

  test('a part of an email is read with the key of its domain', async () => {
    credentials.setDomainKey('y.test', 'sesame')
    await new AllMail().part(`/api/emails/b%40y.test/${SECOND}/raw`)
    expect([requests, domainKeys]).toEqual([[`GET /api/emails/b@y.test/${SECOND}/raw`], ['sesame']])
  })
})
