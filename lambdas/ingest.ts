/** Stores mail that Amazon SES received: a queue of its notifications, by SNS with raw envelope. */
import { PREFIXES } from '../adapters/aws/env.ts'
import { numberOf, readSettings, STORE_SETTINGS } from '../adapters/aws/settings.ts'
import { envelopeOf } from '../adapters/ses/notification.ts'
import { Queue } from '../adapters/sqs/queue.ts'
import type { Opened } from '../core/inbox/ports.ts'
import { type ReadMail, receive } from '../core/inbox/receive.ts'
import { HOUR_MS, READING_LIMITS } from '../core/limits.ts'
import { parseMail } from '../reading/read.ts'
import { log } from '../service/aws-log.ts'
import { openStore } from '../service/aws-store.ts'
import { enqueueWebhooks } from '../service/webhook-jobs.ts'

/** What is read of an SQS event (docs.aws.amazon.com/lambda/latest/dg/with-sqs.html). */
interface SqsEvent {
  Records: { messageId: string; body: string; attributes?: { ApproximateReceiveCount?: string } }[]
}

const needed = [...STORE_SETTINGS, 'retentionHours', 'webhookQueueUrl'] as const
const settings = readSettings(process.env, needed, ['eventBus'])
const retentionMs = numberOf('retentionHours', settings.retentionHours, 1, 8760) * HOUR_MS
const store = openStore(settings)
const queue = new Queue(settings.webhookQueueUrl)
const events =
  settings.eventBus === undefined
    ? undefined
    : new (await import('../service/received-events.ts')).ReceivedEvents(settings.eventBus)

/** Each message by itself: one that fails is handed back to the queue, and in the end to the dead letters. */
export async function handler(event: SqsEvent): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> {
  const batchItemFailures: { itemIdentifier: string }[] = []
  for (const { messageId, body, attributes } of event.Records) {
    try {
      await ingest(body)
    } catch (error) {
      log('error', 'mail was not handled', { messageId, attempt: attributes?.ApproximateReceiveCount, error })
      batchItemFailures.push({ itemIdentifier: messageId })
    }
  }
  return { batchItemFailures }
}

const read: ReadMail = (raw, saveAttachment) => parseMail(raw, saveAttachment, READING_LIMITS)

async function ingest(message: string): Promise<void> {
  const envelope = envelopeOf(message, settings.bucket)
  if (envelope === undefined) return
  const { messageId: messageKey } = envelope
  // A queue may give a message again when its emails were deleted, and the bytes with them.
  const emails =
    (await store.emails.delivered(messageKey)) ??
    (await receive(store, envelope, () => rawMessage(messageKey), { read, retentionMs }))
  // After the emails are safe, and again when this function ended in between: it is called again then.
  await enqueueWebhooks(store.webhooks, queue, emails)
  await events?.put(emails)
  log('info', 'mail', { envelope: messageKey, stored: emails.length })
}

async function rawMessage(messageId: string): Promise<Opened> {
  const opened = await store.blobs.open(messageId, 'raw')
  if (opened === undefined) throw new Error(`There is no object ${PREFIXES.raw}${messageId}`)
  return opened
}
