import { isLoopbackName } from '../../core/access/loopback.ts'
import type { PageSession } from '../../core/access/page-sessions.ts'
import { SECOND_MS } from '../../core/limits.ts'
import type { Endpoint } from './endpoint.ts'
import type { RequestHead } from './head.ts'
import type { Service } from './service.ts'

/*
 * A page session is a cookie that the pages of this service get from POST /api/session. It replaces
 * the API key at every endpoint of an inbox (read, mark, delete, raw message, attachments); a
 * private domain also requires its key. Where only programs of this machine can call, it replaces
 * the operator's key for all mail, too. The cookie is HttpOnly and SameSite=Strict, and it counts
 * only in requests that a page of the same origin makes, so no other page can use it.
 */

/** Whether a page session replaces the API key at this endpoint. */
export function takesPageSession(
  { access, inbox }: Pick<Endpoint, 'access' | 'inbox'>,
  { isForThisMachine }: Pick<Service, 'isForThisMachine'>,
): boolean {
  return access === 'operator' ? isForThisMachine : access === 'api key' && inbox !== undefined
}

/** The token in the request's cookie, if a page of this origin sent the request. */
export function sessionTokenIn(head: RequestHead): string | undefined {
  if (!isOwnPage(head)) return undefined
  const name = `${cookieName(head)}=`
  const cookies = (head.header('Cookie') ?? '').split(';').map((cookie) => cookie.trim())
  return cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length)
}

/** The value of Set-Cookie for a session. @param basePath below which a browser reaches the API */
export function sessionCookie(head: RequestHead, { token, validMs }: PageSession, basePath: string): string {
  const seconds = Math.floor(validMs / SECOND_MS)
  const secure = head.origin.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(head)}=${token}; Path=${basePath}/api; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

/**
 * Whether a page of this origin made the request. Browsers send Sec-Fetch-Site to https and
 * loopback origins; they do not send it to other origins on plain http, where SameSite and the
 * Origin header must suffice.
 */
export function isOwnPage(head: RequestHead): boolean {
  const site = head.header('Sec-Fetch-Site')
  if (site !== undefined) return site === 'same-origin'
  const { protocol, hostname, host } = new URL(head.origin)
  if (protocol === 'https:' || isLoopbackName(hostname)) return false
  const origin = head.header('Origin')
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}

/**
 * With the port: browsers share the cookies of one host between its ports, and each service has its
 * own sessions.
 */
function cookieName(head: RequestHead): string {
  const { port } = new URL(head.origin)
  return port === '' ? 'mayfly_session' : `mayfly_session_${port}`
}
