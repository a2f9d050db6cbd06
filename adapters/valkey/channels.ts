import type { Change } from '../../core/events/ports.ts'

/** The channel with the changes of a domain's emails. */
export function channelOf(domain: string): string {
  return `mayfly:mail:${domain}`
}

/** Changes of domains go to every task, because any domain may join the streams of its key. */
export const DOMAINS_CHANNEL = 'mayfly:domains'

export function channelOfChange(change: Change): string {
  return change.type === 'domain' ? DOMAINS_CHANNEL : channelOf(change.domain)
}
