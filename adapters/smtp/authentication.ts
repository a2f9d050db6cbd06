import { promises as dns } from 'node:dns'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { authenticate } from 'mailauth'
import { SECOND_MS } from '../../core/limits.ts'
import { NO_VERDICTS, type Verdict, type Verdicts } from '../../reading/message.ts'

/** A sender waits for the reply meanwhile; whoever's DNS takes longer was not checked. */
const LOOK_UPS_MS = 8 * SECOND_MS

export interface Sender {
  /** IP address. */
  address: string
  /** What it called itself by HELO or EHLO. */
  helo: string
  /** The envelope sender; null for a bounce. */
  mail_from: string | null
}

export interface AuthenticationOptions {
  /** The host name of this service. */
  name: string
  /** `ip` or `ip:port`; the system's when there are none. */
  dnsServers: string[]
}

/**
 * SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489) of a message, in the words of Amazon SES: `pass`, `fail`,
 * `gray` for what is neither, `processing_failed` where DNS did not say. Nothing is refused for them, and nothing
 * that is in a message makes this reject.
 */
export class Authentication {
  readonly #name: string
  readonly #resolver: dns.Resolver

  constructor({ name, dnsServers }: AuthenticationOptions) {
    this.#name = name
    this.#resolver = new dns.Resolver({ timeout: 2 * SECOND_MS, tries: 2 })
    if (dnsServers.length > 0) this.#resolver.setServers(dnsServers)
  }

  /** The message is read to its end, however it turns out. */
  async check(message: AsyncIterable<Uint8Array>, sender: Sender): Promise<Verdicts> {
    const stream = Readable.from(message, { objectMode: false })
    // What is left of it, for whoever writes to it waits until it is read.
    const drained = () => stream.on('error', () => {}).resume()
    const checked = this.#ask(stream, sender).catch(() => FAILED)
    const bounded = new Promise((resolve) => stream.once('close', resolve)).then(() =>
      sleep(LOOK_UPS_MS, FAILED, { ref: false }),
    )
    return Promise.race([checked, bounded]).finally(drained)
  }

  async #ask(stream: Readable, { address, helo, mail_from }: Sender): Promise<Verdicts> {
    const { spf, dkim, dmarc } = await authenticate(stream, {
      ip: address,
      helo,
      sender: mail_from ?? '',
      mta: this.#name,
      disableArc: true,
      disableBimi: true,
      // Its type says less than what it takes: MX records are objects.
      resolver: (name, type) => this.#resolver.resolve(name, type) as Promise<string[]>,
    })
    // A body that is not what was signed is `neutral` to the library.
    const signatures = dkim.results.map(({ status: { result } }) => (result === 'neutral' ? 'fail' : result))
    return {
      ...NO_VERDICTS,
      spf: verdictOf(spf === false ? 'none' : spf.status.result),
      dkim: verdictOf(signatures.includes('pass') ? 'pass' : (signatures[0] ?? 'none')),
      dmarc: verdictOf(dmarc === false || dmarc === undefined ? 'none' : dmarc.status.result),
    }
  }
}

const FAILED: Verdicts = {
  ...NO_VERDICTS,
  spf: 'processing_failed',
  dkim: 'processing_failed',
  dmarc: 'processing_failed',
}

/** RFC 8601, section 2.7: the results of each method. */
function verdictOf(result: string): Verdict {
  if (result === 'pass' || result === 'fail') return result
  return result === 'temperror' || result === 'permerror' ? 'processing_failed' : 'gray'
}
