import {
  DeleteIdentityCommand,
  GetIdentityVerificationAttributesCommand,
  type IdentityVerificationAttributes,
  type SESClient,
  VerifyDomainIdentityCommand,
} from '@aws-sdk/client-ses'
import type { MailProvider, WantedRecord } from '../../core/access/ports.ts'
import { translated } from '../aws/errors.ts'
import { s } from '../dynamodb/attributes.ts'
import type { Table } from '../dynamodb/table.ts'

export interface SesParts {
  client: SESClient
  keys: Table
  /** Domains of the configuration: their identities are the stack's own. */
  configured: ReadonlySet<string>
}

/**
 * Amazon SES takes mail for a domain whose identity is verified, and for all names below it
 * (docs.aws.amazon.com/ses/latest/dg/receiving-email-concepts.html).
 *
 * The account may have identities that others made, for sending. So those made here are noted in the keys table,
 * and only these are ever deleted. The note is written after the identity: a crash in between leaves one of the
 * 10,000 identities behind; the other way round it could cost somebody else's.
 */
export class SesMailProvider implements MailProvider {
  readonly #client: SESClient
  readonly #keys: Table
  readonly #configured: ReadonlySet<string>

  constructor({ client, keys, configured }: SesParts) {
    this.#client = client
    this.#keys = keys
    this.#configured = configured
  }

  async claim(domain: string): Promise<{ confirmed: boolean; records: WantedRecord[] }> {
    const identities = await this.#attributes(parents(domain))
    const own = identities[domain]
    const records = own?.VerificationToken ? [proof(domain, own.VerificationToken)] : []
    if (Object.values(identities).some(({ VerificationStatus }) => VerificationStatus === 'Success')) {
      return { confirmed: true, records }
    }
    // SES looks for the record for 72 hours, then the identity has failed until it is asked for again.
    if (records.length > 0 && own?.VerificationStatus !== 'Failed') return { confirmed: false, records }
    const token = await this.#create(domain)
    if (own === undefined) await this.#keys.put(noteOf(domain))
    return { confirmed: false, records: [proof(domain, token)] }
  }

  async release(domain: string): Promise<void> {
    if (this.#configured.has(domain)) return
    if ((await this.#keys.get(noteOf(domain))) === undefined) return
    await this.#ask(() => this.#client.send(new DeleteIdentityCommand({ Identity: domain })))
    await this.#keys.delete(noteOf(domain))
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

function noteOf(domain: string) {
  return { pk: s(`identity#${domain}`) }
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
