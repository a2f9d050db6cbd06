import type { Domain } from '../access/ports.ts'
import type { Scope } from '../inbox/ports.ts'
import type { EndReason, InboxChange, NewEmail } from './sink.ts'
import type { Subscription } from './subscription.ts'

/**
 * The scope of a stream: some addresses, every domain of a key, or all mail. `domains` are their
 * domains without duplicates, as they were when access was checked; none for all mail, whose access
 * belongs to no domain.
 */
export type Topic =
  | { addresses: readonly string[]; domains: readonly Domain[] }
  | { keyHash: string; domains: readonly Domain[] }
  | AllMailTopic

export interface AllMailTopic {
  allMail: true
  domains: readonly never[]
}
export const ALL_MAIL: AllMailTopic = { allMail: true, domains: [] }

export type EventType = 'new-email' | InboxChange['type']

/** A stream, and what it follows. */
export interface Follower {
  subscription: Subscription
  events: ReadonlySet<EventType>
  /**
   * The domains as they were when access was checked; the stream ends when the key of one changes.
   * By name, or a single domain without a Map, because most streams follow one address and the Map
   * would be most of their memory. Undefined for all mail.
   */
  opened: Domain | Map<string, Domain> | undefined
  close: () => void
}

/**
 * Whether the email is newer than the domain's registration. It may be published after a later
 * registration.
 */
export function isVisible(follower: Follower, { domain, email }: NewEmail): boolean {
  return follower.opened === undefined || email.id > openedAs(follower, domain).visibleAfter
}

/**
 * Whether the change is of an email that the stream could see. A new registration removes earlier
 * emails.
 */
export function isVisibleChange(follower: Follower, change: InboxChange): boolean {
  if (change.type === 'inbox-cleared' || follower.opened === undefined) return true
  return change.id > openedAs(follower, change.domain).visibleAfter
}

/** Whether the email was stored under another key than the one that was checked. */
export function isUnderOtherKey(
  follower: Follower,
  { domain, keyHash }: { domain: string; keyHash?: string | null },
): boolean {
  if (!keyHash || follower.opened === undefined) return false
  return keyHash !== openedAs(follower, domain).keyHash
}

/** Returns the domains of a topic as a follower keeps them. */
export function openedOf(topic: Topic): Follower['opened'] {
  if ('allMail' in topic) return undefined
  const [first, ...others] = topic.domains
  return 'addresses' in topic && first !== undefined && others.length === 0
    ? first
    : new Map(topic.domains.map((domain) => [domain.name, domain]))
}

/** A domain of the stream as it was when access was checked. */
export function openedAs({ opened }: Follower, domain: string): Domain {
  return opened instanceof Map ? opened.get(domain)! : opened!
}

/** The names of the domains of a stream over all domains of a key. */
export function openedNames({ opened }: Follower): string[] {
  return opened instanceof Map ? [...opened.keys()] : []
}

/** Ends a stream, once. */
export function end({ subscription, close }: Follower, reason: EndReason, withinMs?: number): void {
  if (!subscription.isOpen) return
  close()
  subscription.sink.end(reason, withinMs)
}

/** Returns what the store reads for a stream: of domains those that it has by now, if it is open. */
export function scopeOf(topic: Exclude<Topic, AllMailTopic>, follower?: Follower): Scope {
  if ('addresses' in topic) return { addresses: [...topic.addresses] }
  return { domains: follower === undefined ? topic.domains.map(({ name }) => name) : openedNames(follower) }
}
