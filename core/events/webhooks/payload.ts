import { Buffer } from 'node:buffer'
import { cut } from '../../../reading/mime/text.ts'
import { domainPart } from '../../address.ts'
import type { Email } from '../../inbox/email.ts'
import { matches } from '../../inbox/filter.ts'
import { WEBHOOK_BODY_BYTES, WEBHOOK_TEXT_BYTES } from '../../limits.ts'
import type { Webhook } from './ports.ts'

/** Returns the id of one email for one webhook, the same on every attempt. */
export function deliveryId(webhook: string, email: string): string {
  return `msg_${webhook}_${email}`
}

/** Whether the webhook receives this email. */
export function concerns({ target, filter }: Webhook, email: Email): boolean {
  const same =
    'address' in target ? target.address === email.address : target.domain === domainPart(email.address)
  return same && matches(email, filter)
}

/**
 * Returns the email as a webhook receives it: with a shorter text, and within the size that
 * receivers accept (Standard Webhooks: payloads under 20 KB). If it does not fit, the least
 * important fields are cut first: links, then recipients, then the text.
 */
export function fitted(email: Email): Email {
  let smaller: Email = cutText(email, WEBHOOK_TEXT_BYTES)
  if (size(smaller) > WEBHOOK_BODY_BYTES) smaller = { ...smaller, links: within(smaller.links, 4096) }
  if (size(smaller) > WEBHOOK_BODY_BYTES) {
    smaller = { ...smaller, to: within(smaller.to, 2048), cc: within(smaller.cc, 1024) }
  }
  if (size(smaller) > WEBHOOK_BODY_BYTES) smaller = cutText(smaller, 512)
  return smaller
}

function cutText(email: Email, bytes: number): Email {
  const bodyText = cut(email.bodyText, bytes)
  return bodyText.length === email.bodyText.length ? email : { ...email, bodyText, bodyTextTruncated: true }
}

/** Returns the first items, as many as fit. */
function within<T>(items: T[], bytes: number): T[] {
  let left = bytes
  return items.filter((item) => {
    left -= size(item)
    return left > 0
  })
}

function size(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
