import { beforeEach, describe, expect, test } from '@jest/globals'
import { AllMail } from '../../web/all-mail/all-mail.ts'
import { credentials } from '../../web/lib/credentials.ts'
import { email } from './email.ts'

const [FIRST, SECOND] = ['01M84WWW9H36WCNK6VY98FDKB1', '01M84WWW9H36WCNK6VY98FDKB2']
const LISTED = [email(FIRST, { address: 'a@x.test' }), email(SECOND, { address: 'b@y.test' })]

describe('the mail of all addresses', () => {
  let requests: string[]
  let domainKeys: (string | null)[]
  let stored: typeof LISTED

  beforeEach(() => {
    requests = []
    domainKeys = []
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
        domainKeys.push(new Headers(init.headers).get('X-Domain-Key'))
        return new Response(JSON.stringify(answer(path)))
      },
    })
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
  test('a part of an email is read with the key of its domain', async () => {
    credentials.setDomainKey('y.test', 'sesame')
    await new AllMail().part(`/api/emails/b%40y.test/${SECOND}/raw`)
    expect([requests, domainKeys]).toEqual([[`GET /api/emails/b@y.test/${SECOND}/raw`], ['sesame']])
  })
})
