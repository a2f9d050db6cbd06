import type { Clock } from '../core/clock.ts'
import type { NewEnvelope } from '../core/inbox/receive.ts'
import type { RefusedMail } from '../core/inbox/refusals.ts'
import { MINUTE_MS } from '../core/limits.ts'
import type { Logger } from './log.ts'

/** Lines in a clock minute. Without a bound, strangers could fill the disk of a public host. */
const LINES_PER_MINUTE = 600

/**
 * Logs one line for each recipient whose mail was accepted or refused, so that a developer sees in
 * the console what an application sent. On a terminal only the message is printed (log.ts).
 */
export class MailLog {
  readonly #log: Logger
  readonly #clock: Clock
  #minute = 0
  #lines = 0

  constructor(log: Logger, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  accepted({ mailFrom, recipients }: NewEnvelope): void {
    for (const recipient of recipients) {
      if (!this.#hasLine()) continue
      const from = printable(mailFrom ?? '<>')
      const to = printable(recipient)
      this.#log.info({ mail: { to, from } }, `accepted mail for ${to} from ${from}`)
    }
  }

  refused({ mailFrom, recipient, code, reply }: RefusedMail): void {
    if (!this.#hasLine()) return
    const from = printable(mailFrom ?? '<>')
    const to = recipient === null ? null : printable(recipient)
    const what = to === null ? `mail from ${from}` : `mail for ${to}`
    this.#log.info({ mail: { to, from, code } }, `refused ${what}: ${code} ${printable(reply)}`)
  }

  /** Counts a line, and returns whether it is logged. */
  #hasLine(): boolean {
    const minute = Math.floor(this.#clock() / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#lines = 0
    }
    this.#lines++
    if (this.#lines === LINES_PER_MINUTE + 1) {
      this.#log.info(`more than ${LINES_PER_MINUTE} mails in this minute; the others are not listed`)
    }
    return this.#lines <= LINES_PER_MINUTE
  }
}

/**
 * Without the characters by which a client could write to the operator's terminal, or end a line of
 * the log.
 */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?')
}
