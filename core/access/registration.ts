import { DNS_UNANSWERED_MS, KEY_MISSING_MS } from '../limits.ts'
import type { DnsAnswer } from './dns-answers.ts'
import type { Domain, DomainState } from './ports.ts'

/*
 * What becomes of a domain's registration: one rule for each thing that DNS can say. Nothing here opens a private
 * domain but a key record that was seen to be gone twice, KEY_MISSING_MS apart.
 */

/** A domain of which nothing is known yet. */
export function newDomain(name: string, status: Domain['status'], registered_at: number): DomainState {
  return {
    name,
    status,
    key_hash: null,
    key_presented: false,
    configured: false,
    key_configured: false,
    registered_at,
    checked_at: 0,
    key_missing_since: null,
    unanswered_since: null,
  }
}

/** A domain that DNS points here for the first time; undefined while its key record cannot be read. */
export function registered(
  name: string,
  { asked_at, key }: DnsAnswer,
  status: Domain['status'],
  now: number,
): DomainState | undefined {
  if (key.hash === undefined) return undefined
  return { ...newDomain(name, status, now), key_hash: key.hash, checked_at: asked_at }
}

/** A registered domain that DNS still points here. */
export function confirmed(
  known: Domain,
  { asked_at, key }: DnsAnswer,
  status: Domain['status'],
  now: number,
): DomainState {
  const same = { ...known, status, checked_at: asked_at, unanswered_since: null, key_missing_since: null }
  if (known.key_configured || key.hash === undefined) return same
  if (key.hash !== null) {
    return { ...same, key_hash: key.hash, key_presented: known.key_presented && key.hash === known.key_hash }
  }
  if (known.key_hash === null) return same
  const since = known.key_missing_since ?? asked_at
  return asked_at - since < KEY_MISSING_MS ? { ...same, key_missing_since: since } : opened(same, now)
}

/** A registered domain that DNS points elsewhere; undefined when that ends its registration. */
export function left(known: Domain, { asked_at }: DnsAnswer): DomainState | undefined {
  return known.configured ? { ...known, checked_at: asked_at, unanswered_since: null } : undefined
}

/** A registered domain that DNS says nothing definite of; undefined when that has gone on for too long. */
export function unanswered(known: Domain, now: number): DomainState | undefined {
  const since = known.unanswered_since ?? now
  if (now - since >= DNS_UNANSWERED_MS && !known.configured) return undefined
  return { ...known, unanswered_since: since }
}

/** Public from now on, and registered anew, so that the mail from before is gone. */
export function opened(state: DomainState, now: number): DomainState {
  return {
    ...state,
    key_hash: null,
    key_presented: false,
    key_missing_since: null,
    registered_at: Math.max(now, state.registered_at + 1),
  }
}
