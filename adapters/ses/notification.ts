import type { Envelope } from '../../core/inbox/receive.ts'
import type { Verdict, Verdicts } from '../../reading/message.ts'
import { PREFIXES } from '../aws/env.ts'

/** The form of a message id. */
const DELIVERY = /^[A-Za-z0-9_-]{1,128}$/

/** The message that SES sends to a topic when a rule with it is created. */
const TOPIC_CHECK = 'Successfully validated SNS topic'

/**
 * The used fields of a notification
 * (docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html).
 */
interface Notification {
  notificationType?: unknown
  mail?: { source?: unknown; timestamp?: unknown }
  receipt?: {
    recipients?: unknown
    action?: { bucketName?: unknown; objectKey?: unknown }
  } & Record<string, { status?: unknown } | undefined>
}

/**
 * The envelope in a notification of Amazon SES; undefined if the notification is not about received
 * mail.
 *
 * @param bucket the one whose objects are ours
 * @throws Error that says what is wrong with the message
 */
export function envelopeOf(message: string, bucket: string): Envelope | undefined {
  if (message.startsWith(TOPIC_CHECK)) return undefined
  const { notificationType, mail, receipt } = parse(message)
  if (typeof notificationType === 'string' && notificationType !== 'Received') return undefined
  const recipients = receipt?.recipients
  if (!Array.isArray(recipients) || !recipients.every((recipient) => typeof recipient === 'string')) {
    throw new Error('the notification has no receipt.recipients')
  }
  const { bucketName, objectKey } = receipt?.action ?? {}
  if (bucketName !== bucket)
    throw new Error(`the notification is of the bucket "${bucketName}", not "${bucket}"`)
  if (typeof objectKey !== 'string' || !objectKey.startsWith(PREFIXES.raw)) {
    throw new Error(`the object "${objectKey}" of the notification is not under ${PREFIXES.raw}`)
  }
  const key = objectKey.slice(PREFIXES.raw.length)
  if (!DELIVERY.test(key)) throw new Error(`the object "${objectKey}" has a name that SES does not give`)
  return {
    messageId: key,
    mailFrom: senderOf(mail?.source),
    recipients,
    ...receivedAt(mail?.timestamp),
    verdicts: verdictsOf(receipt),
  }
}

/**
 * The notification of our own SMTP service, in the format of SES, so that the same function
 * processes both.
 */
export function notificationOf(envelope: Envelope, bucket: string): string {
  const { messageId, mailFrom, recipients, verdicts } = envelope
  return JSON.stringify({
    notificationType: 'Received',
    mail: { timestamp: new Date(envelope.receivedAt ?? 0).toISOString(), source: mailFrom ?? '<>' },
    receipt: {
      recipients,
      spamVerdict: statusOf(verdicts.spam),
      virusVerdict: statusOf(verdicts.virus),
      spfVerdict: statusOf(verdicts.spf),
      dkimVerdict: statusOf(verdicts.dkim),
      dmarcVerdict: statusOf(verdicts.dmarc),
      action: { type: 'S3', bucketName: bucket, objectKey: PREFIXES.raw + messageId },
    },
  })
}

function parse(message: string): Notification {
  let notification: unknown
  try {
    notification = JSON.parse(message)
  } catch {
    throw new Error('the message is not JSON')
  }
  if (typeof notification === 'object' && notification !== null) return notification as Notification
  throw new Error('the message is not a notification')
}

/** When SES accepted the mail, which may have waited in the queue since. */
function receivedAt(timestamp: unknown): { receivedAt?: number } {
  const receivedAt = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(receivedAt) ? {} : { receivedAt }
}

/** Null for a bounce, whose envelope sender is empty (RFC 5321, section 4.5.5). */
function senderOf(source: unknown): string | null {
  return typeof source === 'string' && source !== '' && source !== '<>' ? source : null
}

function verdictsOf(receipt: Notification['receipt']): Verdicts {
  return {
    spam: verdictOf(receipt?.spamVerdict?.status),
    virus: verdictOf(receipt?.virusVerdict?.status),
    spf: verdictOf(receipt?.spfVerdict?.status),
    dkim: verdictOf(receipt?.dkimVerdict?.status),
    dmarc: verdictOf(receipt?.dmarcVerdict?.status),
  }
}

function statusOf(verdict: Verdict): { status: string } | undefined {
  return verdict === null ? undefined : { status: verdict.toUpperCase() }
}

/** SES reports PASS, FAIL, GRAY, PROCESSING_FAILED, or nothing if it did not check. */
function verdictOf(status: unknown): Verdict {
  const verdict = typeof status === 'string' ? status.toLowerCase() : null
  return verdict === 'pass' || verdict === 'fail' || verdict === 'gray' || verdict === 'processing_failed'
    ? verdict
    : null
}
