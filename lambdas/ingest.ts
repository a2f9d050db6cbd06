/** Stores received mail: a queue of notifications of Amazon SES or smtp-service/. */
import { PREFIXES } from '../adapters/aws/env.ts'
import { readSettings, retentionMsOf, STORE_SETTINGS } from '../adapters/aws/settings.ts'
import { envelopeOf } from '../adapters/ses/notification.ts'
import { Queue } from '../adapters/sqs/queue.ts'
import { Problem } from '../core/errors.ts'
import type { Opened } from '../core/inbox/ports.ts'
import { type ReadMail, receive } from '../core/inbox/receive.ts'
import { READING_LIMITS } from '../core/limits.ts'
import { parseMail } from '../reading/read.ts'
import { log } from '../service/aws-log.ts'
import { openStore } from '../service/aws-store.ts'
import { writeOwnMetrics } from '../service/own-metrics.ts'
import { enqueueWebhooks } from '../service/webhook-jobs.ts'

/**
 * The fields of an SQS record that are read (docs.aws.amazon.com/lambda/latest/dg/with-sqs.html).
 */
interface SqsRecord {
  messageId: string
  body: string
  receiptHandle?: string
  attributes?: { ApproximateReceiveCount?: string }
}

/**
 * Attempts after which a message that met contention returns within seconds. Each later attempt is
 * followed by a longer pause, up to an hour, so that an outage of half a day does not use up the
 * attempts (lib/mail-in/inbound.ts).
 */
const QUICK_RETRIES = 8
const RETRY_MIN_SECONDS = 1
const RETRY_MAX_SECONDS = 5
const PAUSE_MIN_SECONDS = 360
const PAUSE_MAX_SECONDS = 3600

const needed = [...STORE_SETTINGS, 'retentionHours', 'queueUrl', 'webhookQueueUrl', 'stackName'] as const
const settings = readSettings(process.env, needed, ['eventBus'])
const retentionMs = retentionMsOf(settings.retentionHours)
const store = openStore(settings)
const notifications = new Queue(settings.queueUrl)
const webhookJobs = new Queue(settings.webhookQueueUrl)
const events =
  settings.eventBus === undefined
    ? undefined
    : new (await import('../service/received-events.ts')).ReceivedEvents(settings.eventBus)

/**
 * Handles the messages of a batch concurrently: those of one address are stored by one transaction.
 * A message that fails returns to the queue by itself, and finally to the dead letters.
 */
export async function handler(event: {
  Records: SqsRecord[]
}): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> {
  const batchItemFailures = (await Promise.all(event.Records.map(handleRecord))).flat()
  // Lambda counts no error for them.
  if (batchItemFailures.length > 0)
    writeOwnMetrics(
      { failedAttempts: batchItemFailures.length },
      { stackName: settings.stackName, now: Date.now() },
    )
  return { batchItemFailures }
}

/** @returns the failure, if there is one */
async function handleRecord(record: SqsRecord): Promise<{ itemIdentifier: string }[]> {
  const { messageId, body, attributes } = record
  try {
    await pauseAfter(record)
    await ingest(body)
    return []
  } catch (error) {
    log('error', 'mail was not handled', { messageId, attempt: attributes?.ApproximateReceiveCount, error })
    if (error instanceof Problem && error.code === 'unavailable') await retrySoon(record)
    return [{ itemIdentifier: messageId }]
  }
}

const read: ReadMail = (raw, saveAttachment) => parseMail(raw, saveAttachment, READING_LIMITS)

async function ingest(message: string): Promise<void> {
  const envelope = envelopeOf(message, settings.bucket)
  if (envelope === undefined) return
  const { messageId } = envelope
  // SQS may deliver a message again after its emails, and with them the bytes, were deleted.
  const emails =
    (await store.emails.delivered(messageId)) ??
    (await receive(store, envelope, () => rawMessage(messageId), { read, retentionMs }))
  // After the emails are stored, and again if the function ended in between: SQS delivers the
  // message again then.
  await enqueueWebhooks(store.webhooks, webhookJobs, emails)
  await events?.put(emails)
  await expireWithEmails(messageId, emails.length)
  log('info', 'mail', { messageId, stored: emails.length })
}

/** Makes a message that met contention or a short outage visible again within seconds. */
async function retrySoon(record: SqsRecord): Promise<void> {
  if (attemptOf(record) > QUICK_RETRIES) return
  const seconds = RETRY_MIN_SECONDS + Math.random() * (RETRY_MAX_SECONDS - RETRY_MIN_SECONDS)
  await retryAfter(record, Math.round(seconds))
}

/**
 * Hides a message that has failed often for longer than the queue does. It is called before the
 * attempt, because an attempt that runs out of time or memory ends without a further call.
 */
async function pauseAfter(record: SqsRecord): Promise<void> {
  const doublings = attemptOf(record) - QUICK_RETRIES - 1
  if (doublings > 0) await retryAfter(record, Math.min(PAUSE_MIN_SECONDS * 2 ** doublings, PAUSE_MAX_SECONDS))
}

function attemptOf({ attributes }: SqsRecord): number {
  return Number(attributes?.ApproximateReceiveCount ?? 1)
}

async function retryAfter({ receiptHandle }: SqsRecord, seconds: number): Promise<void> {
  if (receiptHandle === undefined) return
  try {
    await notifications.retryAfter(receiptHandle, seconds)
  } catch (error) {
    log('warn', 'the message returns after the visibility time-out only', { error })
  }
}

/**
 * Lets the raw message expire with its emails. The mail is stored, so a failure only keeps the
 * object longer.
 */
async function expireWithEmails(messageId: string, stored: number): Promise<void> {
  if (stored === 0) return
  try {
    await store.blobs.expireWithEmails(messageId)
  } catch (error) {
    log('warn', 'the raw message is kept for the time of the queues', { messageId, error })
  }
}

async function rawMessage(messageId: string): Promise<Opened> {
  const opened = await store.blobs.open(messageId, 'raw')
  if (opened === undefined) throw new Error(`There is no object ${PREFIXES.raw}${messageId}`)
  return opened
}
