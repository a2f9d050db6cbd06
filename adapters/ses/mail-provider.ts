import {
  AlreadyExistsException,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  type SESv2Client,
} from '@aws-sdk/client-sesv2'
import type { MailProvider, WantedRecord } from '../../core/access/ports.ts'
import { IDENTITY_TAG } from '../aws/env.ts'
import { translated } from '../aws/errors.ts'
import { withParents } from './parents.ts'

export interface SesParts {
  client: SESv2Client
  /** Value of IDENTITY_TAG on identities of this deployment. */
  owner: string
  /** Whether the configuration names this domain: the stack owns its identity. */
  isConfigured: (domain: string) => Promise<boolean>
}

/** The fields of an identity that this provider reads. */
interface Identity {
  name: string
  isVerified: boolean
  hasFailed: boolean
  isTagged: boolean
  records: WantedRecord[]
}

/**
 * Amazon SES receives mail for a domain with a verified identity, and for all its subdomains
 * (docs.aws.amazon.com/ses/latest/dg/receiving-email-concepts.html).
 *
 * The account may have other identities, for sending. The tag `mayfly=<owner>` marks those of this
 * deployment. Only these are deleted, IAM allows nothing else, and a later deployment with the same
 * name recognises them.
 */
export class SesMailProvider implements MailProvider {
  readonly #parts: SesParts

  constructor(parts: SesParts) {
    this.#parts = parts
  }

  async claim(domain: string): Promise<{ confirmed: boolean; records: WantedRecord[]; foreign?: boolean }> {
    const found = await Promise.all(withParents(domain).map((name) => this.#find(name)))
    const identities = found.filter((identity) => identity !== undefined)
    const own = identities.find(({ name }) => name === domain)
    const records = own?.records ?? []
    const verified = identities.filter(({ isVerified }) => isVerified)
    const ours = await Promise.all(verified.map((identity) => this.#isOurs(identity)))
    if (ours.includes(true)) return { confirmed: true, records }
    // The account has this identity for another purpose: its mail must not go to a caller.
    if (verified.length > 0) return { confirmed: false, records: [], foreign: true }
    // SES looks for the records for 72 hours. Then the identity has failed until it is created
    // again.
    if (own !== undefined && !(own.hasFailed && (await this.#isOurs(own))))
      return { confirmed: false, records }
    if (own !== undefined) await this.#delete(domain)
    return { confirmed: false, records: await this.#create(domain) }
  }

  async release(domain: string): Promise<void> {
    const identity = await this.#find(domain)
    if (identity !== undefined && (await this.#isOurs(identity)) && !(await this.#parts.isConfigured(domain)))
      await this.#delete(domain)
  }

  async #isOurs({ name, isTagged }: Identity): Promise<boolean> {
    return isTagged || this.#parts.isConfigured(name)
  }

  async #find(name: string): Promise<Identity | undefined> {
    const command = new GetEmailIdentityCommand({ EmailIdentity: name })
    const identity = await unlessAbsent(this.#parts.client.send(command))
    if (identity === undefined) return undefined
    const { VerifiedForSendingStatus, VerificationStatus, DkimAttributes, Tags = [] } = identity
    return {
      name,
      isVerified: VerifiedForSendingStatus === true || VerificationStatus === 'SUCCESS',
      hasFailed: VerificationStatus === 'FAILED',
      isTagged: Tags.some(({ Key, Value }) => Key === IDENTITY_TAG && Value === this.#parts.owner),
      records: proofs(name, DkimAttributes?.Tokens),
    }
  }

  /** @returns the records by which the owner of the domain proves it */
  async #create(domain: string): Promise<WantedRecord[]> {
    const { client, owner } = this.#parts
    const command = new CreateEmailIdentityCommand({
      EmailIdentity: domain,
      Tags: [{ Key: IDENTITY_TAG, Value: owner }],
    })
    try {
      return proofs(domain, (await client.send(command)).DkimAttributes?.Tokens)
    } catch (error) {
      // A concurrent verification created it.
      if (error instanceof AlreadyExistsException) return (await this.#find(domain))?.records ?? []
      throw translated(error)
    }
  }

  async #delete(domain: string): Promise<void> {
    await unlessAbsent(this.#parts.client.send(new DeleteEmailIdentityCommand({ EmailIdentity: domain })))
  }
}

/** Resolves with undefined if SES does not know the identity. @throws Problem `unavailable` */
async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof NotFoundException) return undefined
    throw translated(error)
  }
}

/**
 * The records of Easy DKIM
 * (docs.aws.amazon.com/ses/latest/APIReference-V2/API_DkimAttributes.html).
 */
function proofs(domain: string, tokens: string[] = []): WantedRecord[] {
  return tokens.map((token) => ({
    type: 'CNAME',
    name: `${token}._domainkey.${domain}`,
    value: `${token}.dkim.amazonses.com`,
    purpose: 'Proves to Amazon SES, which receives the mail, that you own the domain.',
  }))
}
