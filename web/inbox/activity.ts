import type { InferOutput } from 'valibot'
import type * as wire from '../../adapters/http/wire/activity.ts'
import { editDistance } from '../../core/nearest.ts'
import type { Refusal } from '../all-mail/refusals.ts'

export type ActivityAnswer = InferOutput<typeof wire.ActivityAnswer>
export type ClientRequest = ActivityAnswer['requests'][number]
export type MissedEmail = NonNullable<ClientRequest['wait']>['missed'][number]
type ArrivedEmail = ActivityAnswer['emails'][number]

/** Edits between two addresses of which one is probably a misspelt form of the other. */
const SIMILAR_EDITS = 2

/** Requests, emails and refusals between which there is no long pause: usually one run of a test. */
export interface Session {
  /** Unix ms. */
  from: number
  to: number
  /** The earliest first. */
  requests: ClientRequest[]
  emails: ArrivedEmail[]
  refusals: Refusal[]
}

/** A pause of this length ends a session. */
const PAUSE_MS = 60_000
/** The shortest time that is drawn, so that the bar of a quick request is not as wide as the page. */
const SHORTEST_MS = 2000

/**
 * The sessions in which there were requests or refusals, the latest first.
 * @param refusals those for the address of the inbox
 */
export function sessionsOf(
  { requests, emails }: ActivityAnswer,
  refusals: Refusal[],
  nowMs: number,
): Session[] {
  const events = [
    ...requests.map((request) => ({
      from: Date.parse(request.started_at),
      to: endOf(request, nowMs),
      request,
    })),
    ...emails.map((email) => ({ ...moment(email.received_at), email })),
    ...refusals.map((refusal) => ({ ...moment(refusal.at), refusal })),
  ].sort((a, b) => a.from - b.from)
  const sessions: Session[] = []
  for (const { from, to, ...event } of events) {
    let session = sessions.at(-1)
    if (session === undefined || from - session.to > PAUSE_MS) {
      session = { from, to, requests: [], emails: [], refusals: [] }
      sessions.push(session)
    }
    session.to = Math.max(session.to, to)
    if ('request' in event) session.requests.push(event.request)
    else if ('email' in event) session.emails.push(event.email)
    else session.refusals.push(event.refusal)
  }
  return sessions
    .filter(({ requests, refusals }) => requests.length + refusals.length > 0)
    .map((session) => ({ ...session, to: Math.max(session.to, session.from + SHORTEST_MS) }))
    .reverse()
}

function moment(time: string): { from: number; to: number } {
  const at = Date.parse(time)
  return { from: at, to: at }
}

/** The refusals of mail for an address, or for one like it: with the same name, or with a typing error. */
export function refusalsFor(address: string, refusals: Refusal[]): Refusal[] {
  const nameOf = (text: string) => text.slice(0, text.lastIndexOf('@'))
  return refusals.filter(({ recipient }) => {
    if (recipient === null) return false
    const other = recipient.toLowerCase()
    return nameOf(other) === nameOf(address) || editDistance(other, address) <= SIMILAR_EDITS
  })
}

/** Where a time is in a session, in percent. */
export function positionIn({ from, to }: Session, ms: number): number {
  return Math.min(100, Math.max(0, (100 * (ms - from)) / (to - from)))
}

/** When the request was answered; now, if it was not. */
export function endOf({ started_at, ms }: ClientRequest, nowMs: number): number {
  return ms === null ? Math.max(nowMs, Date.parse(started_at)) : Date.parse(started_at) + ms
}

/** The result of a request, and whether that is good or bad news. */
export function outcomeOf(
  request: ClientRequest,
  nowMs: number,
): { text: string; tone: 'good' | 'warn' | 'bad' | '' } {
  const { status, ms, wait } = request
  const time = seconds(ms ?? endOf(request, nowMs) - Date.parse(request.started_at))
  if (status === null)
    return { text: wait === null ? `running for ${time}` : `waiting for ${time}`, tone: '' }
  if (status >= 400) return { text: `${status} after ${time}`, tone: 'bad' }
  if (wait === null) return { text: `${status} after ${time}`, tone: '' }
  if (wait.found !== null) {
    return { text: `answered with “${wait.found.subject || 'No subject'}” after ${time}`, tone: 'good' }
  }
  return { text: `no email in ${time}`, tone: 'warn' }
}

/** The filter of a wait in words; the target of any other request. */
export function wantedBy({ method, target, wait }: ClientRequest): string {
  if (wait === null) return `${method} ${target || '/'}`
  const parts = Object.entries(wait.filter).map(([name, value]) => `${name}: ${value}`)
  return `wait ${parts.join(', ') || 'for any email'}`
}

export function seconds(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  return ms < 10_000 ? `${(ms / 1000).toFixed(1).replace('.0', '')} s` : `${Math.round(ms / 1000)} s`
}
