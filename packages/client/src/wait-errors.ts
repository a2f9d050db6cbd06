import { MayflyError } from './errors.ts'
import type { Mail } from './mail.ts'
import type { RefusedMail } from './wire.ts'

/**
 * No matching mail arrived in time. The message lists the mails that did arrive, those from before
 * the inbox was opened, refusals, and mail for similar addresses, so that the cause is obvious.
 *
 * @example
 * const error = await inbox.waitForCode({ timeout: 5_000 }).catch((error) => error)
 * if (error instanceof MailTimeoutError) console.log(error.arrived.map((mail) => mail.subject))
 */
export class MailTimeoutError extends MayflyError {
  override name = 'MailTimeoutError'
  /** The mail that was waited for, in words. */
  readonly filter: string
  readonly waitedMs: number
  /** The mails that arrived meanwhile and that no wait has returned, oldest first. */
  readonly arrived: Mail[]
  /** Up to five mails from before the inbox was opened, which waits do not return, newest first. */
  readonly earlier: Mail[]
  /**
   * Mail of the last minute that the service refused for this address or one that looks like it;
   * empty without an operator's key.
   */
  readonly refused: RefusedMail[]
  /**
   * Mail of the last minute that arrived at an address that looks like this one, where it may have
   * been sent by mistake, with an empty `text`; empty for a client that may not read all mail.
   */
  readonly stray: Mail[]
  /**
   * A page of a service on this machine that shows the wait beside the mail, and which filter
   * refused each; null for other services, which do not record requests.
   */
  readonly activityUrl: string | null

  constructor(address: string, filter: string, waited: Waited, found: Found) {
    const { arrived, earlier, refused, stray = [], returned = false, activityUrl = null } = found
    const parts = [
      `No ${filter} arrived for ${address} within ${duration(waited)}.`,
      arrived.length > 0 ? `These mails arrived:\n${arrived.map(line).join('\n')}` : '',
      earlier.length > 0
        ? `Before this inbox was opened, there arrived:\n${earlier.map(line).join('\n')}\n` +
          'Pass `history: true` to `inbox()`, or open the inbox before the mail is sent.'
        : '',
      refused.length > 0 ? `The service refused:\n${refused.map(refusal).join('\n')}` : '',
      ...stray.map((mail) => `${arrival(mail)}; this inbox is ${address}.`),
      returned && arrived.length > 0
        ? 'Mails that earlier waits have returned are not listed: a wait returns each mail once.'
        : '',
    ].filter((part) => part !== '')
    const nothing = returned
      ? 'Earlier waits have returned all mail that arrived, each mail once. `waitForMail()` gives code and link of one.'
      : 'No other mail arrived either. Was it sent to this address, and to this service?'
    const text = (parts.length > 1 ? parts : [...parts, nothing]).join(parts.length > 2 ? '\n' : ' ')
    super('timeout', activityUrl === null ? text : `${text}\nWhy: ${activityUrl}`)
    this.activityUrl = activityUrl
    this.filter = filter
    this.waitedMs = waited.waitedMs
    this.arrived = arrived
    this.earlier = earlier
    this.refused = refused
    this.stray = stray
  }
}

/** How long a wait took, and its time-out, if the call named one. */
export interface Waited {
  waitedMs: number
  timeout: number | undefined
}

/** What explains a wait without a result. */
export interface Found {
  arrived: Mail[]
  earlier: Mail[]
  refused: RefusedMail[]
  stray?: Mail[]
  /** Whether an earlier wait has returned mail. */
  returned?: boolean
  activityUrl?: string | null
}

/**
 * A mail arrived during `expectNoMail`.
 *
 * @example
 * const error = await inbox.expectNoMail().catch((error) => error)
 * if (error instanceof UnexpectedMailError) console.log(error.mail.subject)
 */
export class UnexpectedMailError extends MayflyError {
  override name = 'UnexpectedMailError'
  readonly mail: Mail

  constructor(address: string, mail: Mail, expected = 'no mail') {
    super('unexpected_mail', `Expected ${expected} for ${address}, but this one arrived:\n${line(mail)}`)
    this.mail = mail
  }
}

function line(mail: Mail): string {
  const counts = [count(mail.codes.length, 'code'), count(mail.links.length, 'link')].join(', ')
  const action = mail.links.length > 0 && mail.actionLink === null ? ', no action link' : ''
  const sender = mail.from.address ?? mail.from.name ?? 'unknown sender'
  return `  ${mail.receivedAt.toISOString()}  ${sender}  "${mail.subject}"  (${counts}${action})`
}

function count(n: number, word: string): string {
  return `${n || 'no'} ${word}${n === 1 ? '' : 's'}`
}

function refusal({ at, recipient, reply, code }: RefusedMail): string {
  return `  ${at}  ${recipient}  ${code} ${reply}`
}

function arrival({ address, receivedAt }: Mail): string {
  const seconds = Math.max(0, Math.round((Date.now() - receivedAt.getTime()) / 1000))
  return `Mail for ${address} arrived ${seconds} s ago`
}

/** A time-out below this number of milliseconds was probably meant in seconds. */
const SECONDS_MAX = 120

function duration({ waitedMs, timeout }: Waited): string {
  if (timeout !== undefined && timeout > 0 && timeout < 1000) {
    return timeout > SECONDS_MAX ? `${timeout} ms` : `${timeout} ms (\`timeout\` is in milliseconds)`
  }
  return `${Math.round(waitedMs / 100) / 10} s`
}
