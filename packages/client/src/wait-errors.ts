import { MayflyError } from './errors.ts'
import type { Mail } from './mail.ts'

/**
 * No matching mail arrived in time. The message lists the mails that did arrive, so that a wrong
 * filter is obvious.
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

  constructor(address: string, filter: string, waitedMs: number, arrived: Mail[]) {
    const summary =
      arrived.length === 0
        ? 'No other mail arrived either. Was it sent to this address, and to this service?'
        : `These mails arrived:\n${arrived.map(line).join('\n')}`
    super('timeout', `No ${filter} arrived for ${address} within ${seconds(waitedMs)}. ${summary}`)
    this.filter = filter
    this.waitedMs = waitedMs
    this.arrived = arrived
  }
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

  constructor(address: string, mail: Mail) {
    super('unexpected_mail', `Expected no mail for ${address}, but this one arrived:\n${line(mail)}`)
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

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}
