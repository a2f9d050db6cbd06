import {
  DeleteIdentityCommand,
  GetIdentityVerificationAttributesCommand,
  type IdentityVerificationAttributes,
  type SESClient,
  VerifyDomainIdentityCommand,
} from '@aws-sdk/client-ses'
import type { MailProvider, WantedRecord } from '../../core/access/ports.ts'
import { translated } from '../aws/errors.ts'

/** Which identities were made here; whoever asks for one that is noted twice changes nothing. */
export interface IdentityNotes {
  has(domain: string): Promise<boolean>
  add(domain: string): Promise<void>
  remove(domain: string): Promise<void>
}

export interface SesParts {
  client: SESClient
  notes: IdentityNotes
  /** Domains of the configuration: their identities are the stack's own. */
  configured: ReadonlySet<string>
}

/**
 * Amazon SES takes mail for a domain whose identity is verified, and for all names below it
 * (docs.aws.amazon.com/ses/latest/dg/receiving-email-concepts.html).
 *
 * The account may have identities that others made, for sending. So those made here are noted, and only
 * these are ever deleted. The note is written after the identity: a crash in between leaves one of the
 * 10,000 identities behind; the other way round it could cost somebody else's.
 */
export class SesMailProvider implements MailProvider {
  readonly #client: SESClient
  readonly #notes: IdentityNotes
  readonly #configured: ReadonlySet<string>

  constructor({ client, notes, configured }: SesParts) {
    this.#client = client
    this.#notes = notes
    this.#configured = configured
  }

  async claim(domain: string): Promise<{ confirmed: boolean; records: WantedRecord[]; foreign?: boolean }> {
    const identities = await this.#attributes(parents(domain))
    const own = identities[domain]
    const records = own?.VerificationToken ? [proof(domain, own.VerificationToken)] : []
    const verified = Object.keys(identities).filter(
      (name) => identities[name]?.VerificationStatus === 'Success',
    )
    const ours = await Promise.all(verified.map((name) => this.#isOurs(name)))
    if (ours.includes(true)) return { confirmed: true, records }
    // Of an identity that the account has for other purposes the mail is not ours to give to whoever asks.
    if (verified.length > 0) return { confirmed: false, records: [], foreign: true }
    // SES looks for the record for 72 hours, then the identity has failed until it is asked for again.
    if (records.length > 0 && own?.VerificationStatus !== 'Failed') return { confirmed: false, records }
    const token = await this.#create(domain)
    // Without a token it was not there before.
    if (records.length === 0) await this.#notes.add(domain)
    return { confirmed: false, records: [proof(domain, token)] }
  }

  async release(domain: string): Promise<void> {
    if (this.#configured.has(domain)) return
    if (!(await this.#notes.has(domain))) return
    await this.#ask(() => this.#client.send(new DeleteIdentityCommand({ Identity: domain })))
    await this.#notes.remove(domain)
  }

  async #isOurs(name: string): Promise<boolean> {
    return this.#configured.has(name) || this.#notes.has(name)
  }

  async #attributes(names: string[]): Promise<Record<string, IdentityVerificationAttributes>> {
    const command = new GetIdentityVerificationAttributesCommand({ Identities: names })
    const output = await this.#ask(() => this.#client.send(command))
    return output.VerificationAttributes ?? {}
  }

  async #create(domain: string): Promise<string> {
    const command = new VerifyDomainIdentityCommand({ Domain: domain })
    return (await this.#ask(() => this.#client.send(command))).VerificationToken!
  }

  async #ask<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (error) {
      throw translated(error)
    }
  }
}

/** The domain and all above it that can be an identity, which have at least two labels. */
function parents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'))
}

/** docs.aws.amazon.com/ses/latest/APIReference/API_VerifyDomainIdentity.html */
function proof(domain: string, token: string): WantedRecord {
  return {
    type: 'TXT',
    name: `_amazonses.${domain}`,
    value: token,
    purpose: 'Proves to Amazon SES, which takes the mail, that the domain is yours.',
  }
}
