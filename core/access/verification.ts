import type { DnsAnswer, DnsAnswers } from './dns-answers.ts'
import { domainKeyName } from './domain-key.ts'
import type { DomainState, WantedRecord } from './ports.ts'

export interface Verification {
  domain: string
  /** Whether the MX with the best preference is this service. */
  verified: boolean
  /** The best MX that was found, otherwise the expected one. */
  mx: string
  status: 'verified' | 'pending' | 'unverified'
  private: boolean
  records: (WantedRecord & { found: boolean })[]
}

/** Returns every required DNS record of the domain and whether it was found. */
export async function wantedRecords(
  answers: DnsAnswers,
  name: string,
  expected: { mxHost: string; proofs: WantedRecord[] },
  answer: DnsAnswer,
  domain: DomainState | undefined,
): Promise<Verification['records']> {
  return [
    {
      type: 'MX',
      name,
      value: `10 ${expected.mxHost}`,
      purpose: 'Brings the mail of the domain to this service.',
      found: answer.mx.some(({ exchange }) => exchange === expected.mxHost),
    },
    ...(await Promise.all(
      expected.proofs.map(async (record) => ({ ...record, found: await answers.isThere(record) })),
    )),
    {
      type: 'TXT',
      name: domainKeyName(name),
      value: 'key=<your domain key>, or key-sha256=<its SHA-256 in hex>',
      purpose: keyPurpose(answer, domain),
      found: typeof answer.key.hash === 'string',
    },
  ]
}

function keyPurpose({ key }: DnsAnswer, domain: DomainState | undefined): string {
  if (key.hash === undefined) {
    const effect = domain === undefined ? 'the domain is not registered' : 'nothing changes who may read'
    return `Makes the domain private, but cannot be read: ${key.fault}. Until it can, ${effect}.`
  }
  if (domain?.keyMissingSince != null) {
    return (
      'Made the domain private and is gone. The domain becomes public, and its mail so far is deleted, when a ' +
      'verification 5 minutes from the first that missed it misses it too.'
    )
  }
  return 'Optional: makes the domain private.'
}
