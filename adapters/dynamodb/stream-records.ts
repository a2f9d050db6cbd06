import type { _Record } from '@aws-sdk/client-dynamodb-streams'
import type { Change } from '../../core/events/ports.ts'
import { domainPart } from '../../core/mail/address.ts'
import { type Item, text } from './attributes.ts'
import { isLog } from './domain-log.ts'
import { DOMAINS, domainOf } from './domains.ts'
import { emailFrom, partitionOf } from './email-item.ts'

/**
 * What a record of the mail table's stream (NEW_IMAGE) announces; undefined for what is none of anybody's
 * business: an email that was read, removed or has expired, and a log.
 *
 * @throws when the record has a shape that this version does not know
 */
export function announcementOf({ eventName, dynamodb }: _Record): Change | undefined {
  const keys = dynamodb?.Keys as Item | undefined
  if (keys === undefined) throw new Error('the record has no keys')
  // The record of a removal has its keys only.
  const image = dynamodb?.NewImage as Item | undefined
  const partition = text(keys, 'pk')
  if (partition === DOMAINS) {
    const domain = eventName === 'REMOVE' ? undefined : domainOf(image ?? {})
    return { type: 'domain', name: text(keys, 'sk'), domain }
  }
  if (isLog(partition)) return undefined
  if (!partition.startsWith(partitionOf(''))) throw new Error('the record is of an unknown kind of item')
  if (eventName !== 'INSERT') return undefined
  if (image === undefined) throw new Error('the record has no image')
  const email = emailFrom(image)
  return { type: 'email', domain: domainPart(email.address), email }
}
