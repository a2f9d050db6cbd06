import { expect, test } from '@jest/globals'
import type { RequestHead } from '../../../adapters/http/head.ts'
import {
  isOwnPage,
  sessionCookie,
  sessionTokenIn,
  takesPageSession,
} from '../../../adapters/http/page-session.ts'

function headOf(origin: string, headers: Record<string, string> = {}): RequestHead {
  return { origin, header: (name: string) => headers[name] } as RequestHead
}

const SESSION = { token: 'mfs_t', expiresAt: 0, validMs: 86_399_900 }
const COMMON = 'Path=/api; Max-Age=86399; HttpOnly; SameSite=Strict'

test.each([
  ['http://box.example', `mayfly_session=mfs_t; ${COMMON}`],
  ['https://box.example', `mayfly_session=mfs_t; ${COMMON}; Secure`],
  ['http://127.0.0.1:8080', `mayfly_session_8080=mfs_t; ${COMMON}`],
])('the cookie of a session at %s', (origin, cookie) => {
  expect(sessionCookie(headOf(origin), SESSION, '')).toBe(cookie)
  expect(sessionCookie(headOf(origin), SESSION, '/mail')).toBe(cookie.replace('/api', '/mail/api'))
})

test.each([
  // Browsers send Sec-Fetch-Site to these origins, so a request without it is not a page's.
  ['https://box.example', {}, false],
  ['http://127.0.0.1:8080', {}, false],
  ['http://localhost', { Origin: 'http://localhost' }, false],
  ['https://box.example', { 'Sec-Fetch-Site': 'same-origin' }, true],
  ['http://box.example', { 'Sec-Fetch-Site': 'same-site' }, false],
  ['http://box.example:8080', {}, true],
  ['http://box.example:8080', { Origin: 'http://box.example:8080' }, true],
  ['http://box.example:8080', { Origin: 'http://box.example' }, false],
  ['http://box.example:8080', { Origin: 'http://evil.example:8080' }, false],
  ['http://box.example:8080', { Origin: 'null' }, false],
])('whether a request to %s with %j is of a page of this origin: %s', (origin, headers, expected) => {
  const head = headOf(origin, { Cookie: 'mayfly_session=t; mayfly_session_8080=t', ...headers })
  expect([isOwnPage(head), sessionTokenIn(head)]).toEqual([expected, expected ? 't' : undefined])
})

test.each([
  ['a=1; mayfly_session=t ; b=2', 't'],
  ['mayfly_session=t=', 't='],
  ['mayfly_session_8080=t', undefined],
  ['xmayfly_session=t', undefined],
  ['', undefined],
])('the token in the cookies %j is %j', (Cookie, token) => {
  expect(sessionTokenIn(headOf('http://box.example', { Cookie }))).toBe(token)
})

test('a request without cookies has no token', () => {
  expect(sessionTokenIn(headOf('http://box.example'))).toBeUndefined()
})

test.each([
  ['api key', 'header', false, true],
  // Keys, webhooks and the tools of agents need a key of their own.
  ['api key', undefined, true, false],
  ['bearer', 'header', true, false],
  ['public', 'header', true, false],
  ['operator', undefined, true, true],
  ['operator', undefined, false, false],
] as const)(
  'an endpoint for %s, with its inbox from %s, takes a session if this machine is meant (%s): %s',
  (access, inbox, isForThisMachine, isTaken) => {
    expect(takesPageSession({ access, ...(inbox && { inbox }) }, { isForThisMachine })).toBe(isTaken)
  },
)
