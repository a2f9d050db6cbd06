import type { Mail } from './mail.ts'
import type { Problem } from './wire.ts'

/** Anything that this library refuses or gives up, with what to do about it in the message. */
export class MayflyError extends Error {
  override name = 'MayflyError'
  /** A `code` of the service's problem answers, or `unreachable`, `not_mayfly`, `invalid_url`, `timeout`, `unexpected_mail`. */
  readonly code: string
  /** HTTP status, where the service answered. */
  readonly status: number | undefined
  /** Finds the request in the service's log. */
  readonly requestId: string | undefined

  constructor(
    code: string,
    message: string,
    more: { status?: number; requestId?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.status = more.status
    this.requestId = more.requestId
  }
}

/** What the caller can do about a refusal, where the service cannot know it. */
const ADVICE: Record<string, string> = {
  api_key_invalid: 'Is MAYFLY_API_KEY (or `apiKey`) of this service? Leave it out to be given one.',
  api_key_expired: 'Leave MAYFLY_API_KEY (or `apiKey`) out to be given a new one.',
  key_quota_exceeded: 'Set MAYFLY_API_KEY (or `apiKey`) to a key that you have, so that none is taken.',
  domain_key_missing: 'Give it as `new Mayfly({ domainKey })`, or set MAYFLY_DOMAIN_KEY.',
  domain_not_found: 'GET /api/domains lists those that are; `inbox({ domain })` chooses one.',
}

/** A problem answer of the service as an error. */
export function refused({ code, title, detail, status, request_id }: Problem): MayflyError {
  const advice = ADVICE[code]
  return new MayflyError(code, [`${title}.`, detail, advice].filter(Boolean).join(' '), {
    status,
    requestId: request_id,
  })
}

/** Nothing in time. Says what did come, so that a wrong filter shows at once. */
export class MailTimeoutError extends MayflyError {
  override name = 'MailTimeoutError'
  /** What was waited for, in words. */
  readonly filter: string
  readonly waitedMs: number
  /** What did come to the inbox meanwhile, oldest first. */
  readonly arrived: Mail[]

  constructor(address: string, filter: string, waitedMs: number, arrived: Mail[]) {
    const came =
      arrived.length === 0
        ? 'Nothing else came either. Was it sent to this address, and to this service?'
        : `What did come:\n${arrived.map(line).join('\n')}`
    super('timeout', `No ${filter} came for ${address} in ${seconds(waitedMs)}. ${came}`)
    this.filter = filter
    this.waitedMs = waitedMs
    this.arrived = arrived
  }
}

/** `expectNoMail` saw one. */
export class UnexpectedMailError extends MayflyError {
  override name = 'UnexpectedMailError'
  readonly mail: Mail

  constructor(address: string, mail: Mail) {
    super('unexpected_mail', `A mail came for ${address} that should not have:\n${line(mail)}`)
    this.mail = mail
  }
}

function line(mail: Mail): string {
  const has = [count(mail.codes.length, 'code'), count(mail.links.length, 'link')].join(', ')
  const link = mail.links.length > 0 && mail.actionLink === null ? ', none of them for an action' : ''
  const sender = mail.from.address ?? mail.from.name ?? 'nobody'
  return `  ${mail.receivedAt.toISOString()}  ${sender}  "${mail.subject}"  (${has}${link})`
}

function count(n: number, word: string): string {
  return `${n || 'no'} ${word}${n === 1 ? '' : 's'}`
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}
