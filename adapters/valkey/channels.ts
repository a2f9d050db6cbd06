import { createHash } from 'node:crypto'
import { domainPart } from '../../core/address.ts'
import type { Change } from '../../core/events/ports.ts'

const HASH_LENGTH = 16

/**
 * The channel with the changes of the emails of a domain, or of one address. A channel of an address
 * has its hash, because a sender chooses how long an address is.
 */
export function channelOf(name: string): string {
  if (!name.includes('@')) return `mayfly:mail:${name}`
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH)
  return `mayfly:mail:${domainPart(name)}:${hash}`
}

/** Changes of domains go to every task, because any domain may join the streams of its key. */
export const DOMAINS_CHANNEL = 'mayfly:domains'

/**
 * A change of mail is published on the channel of its address and on that of its domain, so that a
 * task with streams of some addresses of a busy domain gets the mail of these addresses only.
 */
export function channelsOfChange(change: Change): string[] {
  if (change.type === 'domain') return [DOMAINS_CHANNEL]
  return [channelOf(change.address), channelOf(change.domain)]
}
