import { promises as dns } from 'node:dns'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { authenticate } from 'mailauth'
// @ts-expect-error The package declares no types for it.
import { MimeStructureStartFinder } from 'mailauth/lib/dkim/mime-structure-start-finder.js'
import { SECOND_MS } from '../../core/limits.ts'
import { NO_VERDICTS, type Verdict, type Verdicts } from '../../reading/message.ts'
import { affordable, type Examined } from './affordable-message.ts'

/**
 * The sender waits for its reply during the look-ups. A check that takes longer counts as failed.
 */
const LOOK_UPS_MS = 8 * SECOND_MS

/** DNS queries for one message: its sender chooses their names. */
const QUERIES_MAX = 20

/**
 * mailauth looks for the first part of a multipart body, in each form in which it hashes the body. Nothing here uses
 * the place, and finding it costs more than the hash.
 */
MimeStructureStartFinder.prototype.setBoundary = () => {}

export interface Sender {
  /** IP address. */
  address: string
  /** The name in its EHLO or HELO. */
  helo: string
  /** The envelope sender; null for a bounce. */
  mailFrom: string | null
}

export interface AuthenticationOptions {
  /** The host name of this service. */
  name: string
  /** `ip` or `ip:port`; empty for the system's servers. */
  dnsServers: string[]
  /** Time for the look-ups after the message is complete. */
  lookUpsMs?: number
}

/**
 * Checks SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489). The verdicts are those of Amazon
 * SES: `pass`, `fail`, `gray` for neither, and `processing_failed` if DNS gave no answer. No mail
 * is refused because of a verdict, and no content of a message makes `check` reject. Signatures that
 * would cost much more than the message itself are not checked, and then the verdict is `gray`.
 */
export class Authentication {
  readonly #name: string
  readonly #lookUpsMs: number
  readonly #resolver: dns.Resolver

  constructor({ name, dnsServers, lookUpsMs = LOOK_UPS_MS }: AuthenticationOptions) {
    this.#name = name
    this.#lookUpsMs = lookUpsMs
    this.#resolver = new dns.Resolver({ timeout: 2 * SECOND_MS, tries: 2 })
    if (dnsServers.length > 0) this.#resolver.setServers(dnsServers)
  }

  /** Returns the verdicts. Reads the message to its end in every case. */
  async check(message: AsyncIterable<Uint8Array>, sender: Sender): Promise<Verdicts> {
    const examined: Examined = { isPartial: false }
    const stream = Readable.from(affordable(message, examined), { objectMode: false })
    // The writer of the stream waits until all of it is read.
    const drained = () => stream.on('error', () => {}).resume()
    const checked = this.#ask(stream, sender, examined).catch(() => FAILED)
    const bounded = new Promise((resolve) => stream.once('close', resolve)).then(() =>
      sleep(this.#lookUpsMs, FAILED, { ref: false }),
    )
    return Promise.race([checked, bounded]).finally(drained)
  }

  async #ask(stream: Readable, { address, helo, mailFrom }: Sender, examined: Examined): Promise<Verdicts> {
    let queries = 0
    const { spf, dkim, dmarc } = await authenticate(stream, {
      ip: address,
      helo,
      sender: mailFrom ?? '',
      mta: this.#name,
      disableArc: true,
      disableBimi: true,
      // The declared type is too narrow: mailauth also takes MX records, which are objects.
      resolver: async (name, type) => {
        if (++queries > QUERIES_MAX) {
          examined.isPartial = true
          throw Object.assign(new Error('too many queries'), { code: 'ENOTFOUND' })
        }
        return this.#resolver.resolve(name, type) as Promise<string[]>
      },
    })
    // mailauth calls a body that differs from the signed one `neutral`.
    const signatures = dkim.results.map(({ status: { result } }) => (result === 'neutral' ? 'fail' : result))
    // A signature that was not checked could have passed.
    const certain = (verdict: Verdict) => (examined.isPartial && verdict !== 'pass' ? 'gray' : verdict)
    return {
      ...NO_VERDICTS,
      spf: verdictOf(spf === false ? 'none' : spf.status.result),
      dkim: certain(verdictOf(signatures.includes('pass') ? 'pass' : (signatures[0] ?? 'none'))),
      dmarc: certain(verdictOf(dmarc === false || dmarc === undefined ? 'none' : dmarc.status.result)),
    }
  }
}

const FAILED: Verdicts = {
  ...NO_VERDICTS,
  spf: 'processing_failed',
  dkim: 'processing_failed',
  dmarc: 'processing_failed',
}

/** The verdict for a result of RFC 8601, section 2.7. */
function verdictOf(result: string): Verdict {
  if (result === 'pass' || result === 'fail') return result
  return result === 'temperror' || result === 'permerror' ? 'processing_failed' : 'gray'
}
