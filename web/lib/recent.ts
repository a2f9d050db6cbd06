import { Kept } from './storage.ts'

const RECENT = 'mayfly.recent'
const RECENT_MAX = 8
const kept = new Kept('localStorage')

/** The addresses that were looked at in this browser, the last one first. */
export function recentAddresses(): string[] {
  try {
    const known: unknown = JSON.parse(kept.get(RECENT) ?? '[]')
    return Array.isArray(known) ? known.filter((address) => typeof address === 'string') : []
  } catch {
    return []
  }
}

/** Puts an address first. */
export function remember(address: string): void {
  const others = recentAddresses().filter((known) => known !== address)
  kept.set(RECENT, JSON.stringify([address, ...others].slice(0, RECENT_MAX)))
}

export function forget(address: string): void {
  kept.set(RECENT, JSON.stringify(recentAddresses().filter((known) => known !== address)))
}
