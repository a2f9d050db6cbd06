/**
 * Runs every hour: queues each raw message of SES again that has no email an hour after it was
 * stored, because its notification was lost. Each message is looked at once. Mail of an outage is
 * still in the queue then, and is stored once, however often it is queued.
 */
import { dynamoClient, s3Client } from '../adapters/aws/clients.ts'
import { readSettings, STORE_SETTINGS } from '../adapters/aws/settings.ts'
import { n, number, s, text } from '../adapters/dynamodb/attributes.ts'
import { MessageRecords } from '../adapters/dynamodb/message-records.ts'
import { Table } from '../adapters/dynamodb/table.ts'
import { headOf, type RawObject, rawMessages } from '../adapters/s3/raw-messages.ts'
import { notificationOf } from '../adapters/ses/notification.ts'
import { HEADER_BYTES, recoveredEnvelope } from '../adapters/ses/recovered.ts'
import { Queue } from '../adapters/sqs/queue.ts'
import { HOUR_MS, MINUTE_MS } from '../core/limits.ts'
import { inParallel } from '../core/parallel.ts'
import { log } from '../service/aws-log.ts'

/** Most mail is stored within seconds. */
const WAIT_MS = HOUR_MS
/** Left of the function's time for a page and for saving what was done. */
const MARGIN_MS = MINUTE_MS
const WINDOW = 20
const KEY = { pk: s('reconcile#progress') }

/** Messages that were stored in this time, of which those up to `after` are done. */
interface Progress {
  since: number
  until: number
  /** '' if the run begins. */
  after: string
}

const settings = readSettings(process.env, [...STORE_SETTINGS, 'queueUrl'])
const keys = new Table(dynamoClient(), settings.keysTable)
const records = new MessageRecords(keys)
const s3 = s3Client()
const queue = new Queue(settings.queueUrl)

/** Returns how many messages were queued again. */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<{ queued: number }> {
  const { since, until, after } = await begin()
  let queued = 0
  let last = after
  for await (const page of rawMessages(s3, settings.bucket, after)) {
    if (context.getRemainingTimeInMillis() < MARGIN_MS) {
      await save({ since, until, after: last })
      log('warn', 'the next run continues', { queued, after: last })
      return { queued }
    }
    const due = page.filter(({ storedAt }) => storedAt > since && storedAt <= until)
    queued += (await inParallel(due, WINDOW, queueIfLost)).filter(Boolean).length
    last = page.at(-1)?.messageId ?? last
  }
  await save({ since: until, until: 0, after: '' })
  if (queued > 0) log('warn', 'mail without an email was queued again', { queued })
  return { queued }
}

/** Returns what the last run left, or the time since its end. */
async function begin(): Promise<Progress> {
  const item = await keys.get(KEY)
  const known = item && {
    since: number(item, 'since'),
    until: number(item, 'until'),
    after: text(item, 'after'),
  }
  if (known !== undefined && known.after !== '') return known
  return { since: known?.since ?? 0, until: Date.now() - WAIT_MS, after: '' }
}

async function save({ since, until, after }: Progress): Promise<void> {
  await keys.put({ ...KEY, since: n(since), until: n(until), after: s(after) })
}

async function queueIfLost({ messageId, storedAt }: RawObject): Promise<boolean> {
  if ((await records.find(messageId)) !== undefined) return false
  const head = await headOf(s3, settings.bucket, messageId, HEADER_BYTES)
  const envelope = recoveredEnvelope(messageId, head, storedAt)
  if (envelope === undefined) return false
  await queue.send(notificationOf(envelope, settings.bucket))
  return true
}
