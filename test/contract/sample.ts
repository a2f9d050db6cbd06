import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Domain, DomainState, Domains } from '../../core/access/ports.ts'
import { newDomain } from '../../core/access/registration.ts'
import type { Webhook } from '../../core/events/webhooks/ports.ts'
import type { Email } from '../../core/inbox/email.ts'
import type { NewMessage, ReplayBatch } from '../../core/inbox/ports.ts'
import { lastUlidOf } from '../../core/ulid.ts'
import type { EmailSummary } from '../../reading/message.ts'

/*
 * What the suites store. Every name is new, so that the suites can run on a store that others use
 * and that keeps the data of earlier runs.
 */

export const HOUR_MS = 60 * 60 * 1000

/** An id before all others. */
export const FIRST_ID = lastUlidOf(0)

let lastMessageId = randomInt(2 ** 40) * 2 ** 12

/** A message id, greater than the one before it. A whole number, because the store of one machine needs one. */
export function uniqueMessageId(): string {
  return String(++lastMessageId)
}

/** A part of a name, a key: `[0-9a-f]`. */
export function unique(): string {
  return randomUUID().replaceAll('-', '')
}

export function uniqueDomain(): string {
  return `d${unique()}.test`
}

export function uniqueAddress(domain = uniqueDomain()): string {
  return `bot${unique()}@${domain}`
}

export function sampleDomain(change: Partial<DomainState> = {}): DomainState {
  return { ...newDomain(uniqueDomain(), 'verified', 1_790_000_000_000), ...change }
}

/** Changes the domain from its current state, and returns the new one. */
export async function putDomain(domains: Domains, state: DomainState): Promise<Domain> {
  const before = await domains.find(state.name)
  if (!(await domains.change(state.name, before, state))) throw new Error('somebody else changed the domain')
  return (await domains.find(state.name))!
}

/** A random hex SHA-256. */
export function uniqueHash(): string {
  return randomBytes(32).toString('hex')
}

export function sampleWebhook(now: number, change: Partial<Webhook> = {}): Webhook {
  return {
    id: `wh_${unique()}`,
    keyHash: uniqueHash(),
    url: 'https://example.com/hook?a=ü',
    status: 'live',
    secret: 'whsec_c2VjcmV0',
    target: { address: 'bot@mayfly.test' },
    filter: {},
    domainKeyHash: null,
    createdAt: now,
    expiresAt: now + HOUR_MS,
    ...change,
  }
}

export function sampleContent(change: Partial<EmailSummary> = {}): EmailSummary {
  return {
    from: { name: 'Ann Lee', address: 'ann@shop.example' },
    to: [{ name: null, address: 'bot@mail.test' }],
    cc: [],
    subject: 'Your code',
    bodyText: 'It is 123456.\n',
    bodyTextTruncated: false,
    codes: ['123456'],
    links: ['https://shop.example/confirm?t=1'],
    actionLink: { url: 'https://shop.example/confirm?t=1', text: 'Confirm your address', kind: 'confirm' },
    attachmentCount: 0,
    attachments: [],
    size: 1234,
    ...change,
  }
}

export function sampleMail(
  recipients: string[],
  change: Partial<Omit<NewMessage, 'recipients'>> = {},
): NewMessage {
  return {
    messageId: uniqueMessageId(),
    recipients,
    summary: sampleContent(),
    retentionMs: 24 * HOUR_MS,
    ...change,
  }
}

/** All emails of a replay. */
export async function readReplay(
  replay: AsyncIterable<ReplayBatch>,
): Promise<{ emails: Email[]; missedBefore?: string }> {
  const emails: Email[] = []
  let missed = {}
  for await (const { emails: batch, ...rest } of replay) {
    if (emails.length === 0) missed = rest
    emails.push(...batch)
  }
  return { ...missed, emails }
}
