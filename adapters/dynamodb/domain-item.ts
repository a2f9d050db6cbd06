import type { Domain } from '../../core/access/ports.ts'
import { DAY_MS } from '../../core/limits.ts'
import { TABLES } from '../aws/env.ts'
import { type Item, n, number, s, text, ttl } from './attributes.ts'

/** The partition of all domains, so that one query lists them. */
export const DOMAINS = TABLES.mail.domains

/** Longer than a write of the domain's item may be on its way. */
const UNREGISTERED_KEPT_MS = DAY_MS

export function domainKey(name: string): Item {
  return { pk: s(DOMAINS), sk: s(name) }
}

/** Returns the value of the index's key for the domains of a domain key. */
export function groupOf(keyHash: string): string {
  return `key#${keyHash}`
}

/** Returns the item of a registered domain. */
export function domainItem(domain: Domain): Item {
  const { keyHash, keyMissingSince, unansweredSince, logParts } = domain
  return {
    ...domainKey(domain.name),
    ...(keyHash === null ? {} : { key_hash: s(keyHash), group: s(groupOf(keyHash)) }),
    status: s(domain.status),
    key_presented: { BOOL: domain.keyPresented },
    configured: { BOOL: domain.configured },
    key_configured: { BOOL: domain.keyConfigured },
    registered_at: n(domain.registeredAt),
    visible_after: s(domain.visibleAfter),
    checked_at: n(domain.checkedAt),
    ...(keyMissingSince === null ? {} : { key_missing_since: n(keyMissingSince) }),
    ...(unansweredSince === null ? {} : { unanswered_since: n(unansweredSince) }),
    ...(logParts === undefined ? {} : { log_parts: n(logParts) }),
    revision: s(domain.revision),
  }
}

/**
 * Returns the item of a registered domain for which no mail is stored until the item is written
 * again.
 */
export function closedItem(domain: Domain, now: number): Item {
  return { ...domainItem(domain), closed_since: n(now) }
}

/** Returns since when (Unix ms) no mail is stored for a domain; undefined if mail is stored. */
export function closedSince(item: Item): number | undefined {
  return item.closed_since === undefined ? undefined : number(item, 'closed_since')
}

/** Returns the item that remains of a domain for a day after it was unregistered. */
export function unregisteredItem({ name, visibleAfter }: Domain, revision: string, now: number): Item {
  return {
    ...domainKey(name),
    unregistered: { BOOL: true },
    visible_after: s(visibleAfter),
    revision: s(revision),
    ttl: ttl(now + UNREGISTERED_KEPT_MS),
  }
}

/**
 * Returns the domain in an item of the table or of its stream; undefined if it is unregistered.
 * @throws if the item has a form that this version does not know
 */
export function domainOf(item: Item | undefined): Domain | undefined {
  if (item === undefined || item.unregistered?.BOOL === true) return undefined
  return {
    name: text(item, 'sk'),
    status: text(item, 'status') === 'verified' ? 'verified' : 'pending',
    keyHash: item.key_hash?.S ?? null,
    keyPresented: item.key_presented?.BOOL === true,
    configured: item.configured?.BOOL === true,
    keyConfigured: item.key_configured?.BOOL === true,
    registeredAt: number(item, 'registered_at'),
    visibleAfter: text(item, 'visible_after'),
    checkedAt: optional(item, 'checked_at') ?? 0,
    keyMissingSince: optional(item, 'key_missing_since'),
    unansweredSince: optional(item, 'unanswered_since'),
    ...(item.log_parts === undefined ? {} : { logParts: number(item, 'log_parts') }),
    revision: text(item, 'revision'),
  }
}

function optional(item: Item, name: string): number | null {
  return item[name] === undefined ? null : number(item, name)
}
