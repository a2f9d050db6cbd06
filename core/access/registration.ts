import { DNS_UNANSWERED_MS, KEY_MISSING_MS } from '../limits.ts'
import type { DnsAnswer } from './dns-answers.ts'
import type { Domain, DomainState } from './ports.ts'

/**
 * The rules by which DNS answers change a registration. Nothing opens a private domain except a key
 * record that was missing twice, KEY_MISSING_MS apart.
 */

/** A domain without any DNS answer yet. */
export function newDomain(name: string, status: Domain['status'], registeredAt: number): DomainState {
  return {
    name,
    status,
    keyHash: null,
    keyPresented: false,
    configured: false,
    keyConfigured: false,
    registeredAt,
    checkedAt: 0,
    keyMissingSince: null,
    unansweredSince: null,
  }
}

/** A domain that DNS points here for the first time; undefined if its key record cannot be read. */
export function registered(
  name: string,
  { askedAt, key }: DnsAnswer,
  status: Domain['status'],
  now: number,
): DomainState | undefined {
  if (key.hash === undefined) return undefined
  return { ...newDomain(name, status, now), keyHash: key.hash, checkedAt: askedAt }
}

/** A registered domain that DNS still points here. */
export function confirmed(
  known: Domain,
  { askedAt, key }: DnsAnswer,
  status: Domain['status'],
  now: number,
): DomainState {
  const same = { ...known, status, checkedAt: askedAt, unansweredSince: null, keyMissingSince: null }
  if (known.keyConfigured || key.hash === undefined) return same
  if (key.hash !== null) {
    return { ...same, keyHash: key.hash, keyPresented: known.keyPresented && key.hash === known.keyHash }
  }
  if (known.keyHash === null) return same
  const since = known.keyMissingSince ?? askedAt
  return askedAt - since < KEY_MISSING_MS ? { ...same, keyMissingSince: since } : opened(same, now)
}

/** A registered domain that DNS points elsewhere; undefined if that unregisters it. */
export function left(known: Domain, { askedAt }: DnsAnswer): DomainState | undefined {
  return known.configured ? { ...known, checkedAt: askedAt, unansweredSince: null } : undefined
}

/** A registered domain without a definite DNS answer; undefined if that has lasted too long. */
export function unanswered(known: Domain, now: number): DomainState | undefined {
  const since = known.unansweredSince ?? now
  if (now - since >= DNS_UNANSWERED_MS && !known.configured) return undefined
  return { ...known, unansweredSince: since }
}

/** Makes the domain public and registers it again, so that its earlier mail is removed. */
export function opened(state: DomainState, now: number): DomainState {
  return {
    ...state,
    keyHash: null,
    keyPresented: false,
    keyMissingSince: null,
    registeredAt: Math.max(now, state.registeredAt + 1),
  }
}
