import { editDistance } from './options.ts'
import type { Email, RefusedMail } from './wire.ts'

const RECENT_MS = 60_000
const SHOWN_MAX = 5
/** Edits between two addresses of which one is probably a misspelt form of the other. */
const SIMILAR_EDITS = 2

/**
 * The refusals of the last minute for this address or a similar one, the nearest address first.
 * Only the operator gets refusals, so the service has the clock of the test or one near it.
 */
export function refusalsFor(address: string, refusals: RefusedMail[]): RefusedMail[] {
  return nearest(refusals, ({ at, recipient }) => ({ at, distance: distance(address, recipient ?? '') }))
}

/** The mail of the last minute that arrived at a similar address, the nearest address first. */
export function strayMail(address: string, emails: Email[]): Email[] {
  const others = emails.filter((email) => folded(email.address) !== folded(address))
  return nearest(others, (email) => ({ at: email.received_at, distance: distance(address, email.address) }))
}

function nearest<T>(items: T[], of: (item: T) => { at: string; distance: number }): T[] {
  return items
    .map((item) => ({ item, ...of(item) }))
    .filter(({ at, distance }) => distance <= SIMILAR_EDITS && Date.now() - Date.parse(at) < RECENT_MS)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, SHOWN_MAX)
    .map(({ item }) => item)
}

/** Edits; an address with the same local part counts as similar, whatever its domain is. */
function distance(a: string, b: string): number {
  const [one, other] = [folded(a), folded(b)]
  const edits = editDistance(one, other)
  const isSameName = one.split('@')[0] === other.split('@')[0]
  return isSameName ? Math.min(edits, SIMILAR_EDITS) : edits
}

function folded(address: string): string {
  return address.normalize('NFC').toLowerCase()
}
