import type { Change } from '../../core/events/ports.ts'

/** What happens to the emails of a domain is on a channel of the domain. */
export function channelOf(domain: string): string {
  return `mayfly:mail:${domain}`
}

/** What happens to domains is for everybody: any of them may join the streams of its key. */
export const DOMAINS_CHANNEL = 'mayfly:domains'

export function channelOfChange(change: Change): string {
  return change.type === 'domain' ? DOMAINS_CHANNEL : channelOf(change.domain)
}
