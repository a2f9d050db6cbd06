import { Problem } from '../../../core/errors.ts'
import { MINUTE_MS, PAGE_SESSION_REQUESTS_PER_MINUTE, SECOND_MS } from '../../../core/limits.ts'
import { json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { isOwnPage, sessionCookie, sessionTokenIn } from '../page-session.ts'
import { basePathOf } from '../service.ts'
import { SessionAnswer } from '../wire/access.ts'

/**
 * Opens a session for a page of this service, or answers with the one that the page has already.
 */
export const openSession = endpoint({
  method: 'POST',
  path: '/api/session',
  name: 'openSession',
  tag: 'Service',
  description:
    'For the pages of this service only: a browser names them in `Sec-Fetch-Site`. The cookie is HttpOnly and SameSite=Strict. Other clients use an API key.',
  summary: 'A session for the pages of this service, as a cookie that replaces the API key in their requests',
  access: 'public',
  answers: {
    201: {
      description: 'The session; the secret is in Set-Cookie only',
      schema: SessionAnswer,
      headers: ['Set-Cookie'],
    },
  },
  handle: async ({ service, head }) => {
    if (!isOwnPage(head)) {
      throw new Problem('cross_site', 'Only the pages of this service have sessions. Use an API key.')
    }
    const session = await service.pageSessions.open(sessionTokenIn(head))
    const answer = json(
      {
        success: true,
        expires_at: new Date(session.expiresAt).toISOString(),
        rate_limit: { limit: PAGE_SESSION_REQUESTS_PER_MINUTE, window_seconds: MINUTE_MS / SECOND_MS },
      },
      201,
    )
    answer.headers.append('Set-Cookie', sessionCookie(head, session, basePathOf(service.info.baseUrl)))
    return answer
  },
})
