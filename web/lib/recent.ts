import { BrowserStorage } from './storage.ts'

const RECENT = 'mayfly.recent'
const RECENT_MAX = 8
const storage = new BrowserStorage('localStorage')

/** The inboxes that were opened in this browser, the latest first. */
export function recentAddresses(): string[] {
  try {
    const saved: unknown = JSON.parse(storage.get(RECENT) ?? '[]')
    return Array.isArray(saved) ? saved.filter((address) => typeof address === 'string') : []
  } catch {
    return []
  }
}

/** Makes an address the latest one. */
export function remember(address: string): void {
  const others = recentAddresses().filter((other) => other !== address)
  storage.set(RECENT, JSON.stringify([address, ...others].slice(0, RECENT_MAX)))
}

export function forget(address: string): void {
  storage.set(RECENT, JSON.stringify(recentAddresses().filter((other) => other !== address)))
}
