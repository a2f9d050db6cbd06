import { jest } from '@jest/globals'
import { DynamoMessages } from '../../../adapters/dynamodb/messages.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import type { NewMessage } from '../../../core/inbox/ports.ts'
import { sampleMail } from '../../contract/sample.ts'
import { pause, type VirtualDynamoDb } from './virtual-dynamodb.ts'

/** The time for parsing and S3 before a mail is stored. */
const WORK_MS = 100
const BATCH = 5
/** The least pause of a function that finds no mail. */
const IDLE_MS = 10
/** Functions are starting in the first second. */
const WARM_UP_MS = 1000
/** The delay of a mail that returns to the queue (lambdas/ingest.ts). */
const RETURN_MIN_MS = 1000
const RETURN_SPREAD_MS = 4000

export interface Load {
  /** Mails a second. */
  rate: number
  seconds: number
  functions: number
  /** The recipient of the nth mail. */
  address: (n: number) => string
  /** See NewMessage. */
  visibleAfter?: Record<string, string>
}

export interface Outcome {
  /** Mails stored per second while mails arrive, after the first second. */
  perSecond: number
  /** Quantiles of the ms from arrival until stored. */
  p50: number
  p99: number
  /** Attempts that failed, after which the mail returned to the queue. */
  sentBack: number
  conflictsPerMail: number
}

interface Waiting {
  mail: NewMessage
  at: number
}

/**
 * Runs the real adapters on the fake timers of Jest: functions take batches from a queue, spend
 * 100 ms on each mail, and store all mails of a batch concurrently, as lambdas/ingest.ts does.
 * Resolves when all mails are stored.
 */
export async function ingest(dynamo: VirtualDynamoDb, load: Load): Promise<Outcome> {
  const { rate, seconds, functions, address, visibleAfter = {} } = load
  const queue: Waiting[] = []
  const delays: number[] = []
  let sentBack = 0
  const total = rate * seconds
  const began = Date.now()
  const handle = async (emails: DynamoMessages, waiting: Waiting) => {
    await pause(WORK_MS * (0.75 + Math.random() / 2))
    try {
      await emails.store(waiting.mail)
      delays.push(Date.now() - waiting.at)
    } catch {
      sentBack++
      void pause(RETURN_MIN_MS + Math.random() * RETURN_SPREAD_MS).then(() => queue.push(waiting))
    }
  }
  const work = async () => {
    const emails = openEmails(dynamo)
    while (delays.length < total) {
      const batch = queue.splice(0, BATCH)
      await Promise.all(batch.map((waiting) => handle(emails, waiting)))
      if (batch.length === 0) await pause(IDLE_MS * (1 + Math.random()))
    }
  }
  const working = Array.from({ length: functions }, work)
  let full = { at: began, stored: 0 }
  for (let arrived = 0; arrived < total; ) {
    const elapsed = Date.now() - began
    if (elapsed < WARM_UP_MS) full = { at: Date.now(), stored: delays.length }
    const due = Math.min(total, Math.floor((elapsed / 1000) * rate))
    for (; arrived < due; arrived++)
      queue.push({ mail: sampleMail([address(arrived)], { visibleAfter }), at: Date.now() })
    await jest.advanceTimersByTimeAsync(2)
  }
  const perSecond = ((delays.length - full.stored) / (Date.now() - full.at)) * 1000
  while (delays.length < total) await jest.advanceTimersByTimeAsync(10)
  await jest.advanceTimersByTimeAsync(100)
  await Promise.all(working)
  delays.sort((a, b) => a - b)
  const quantile = (q: number) => delays[Math.floor(q * (delays.length - 1))] ?? 0
  const conflictsPerMail = dynamo.conflicts / total
  return { perSecond, p50: quantile(0.5), p99: quantile(0.99), sentBack, conflictsPerMail }
}

function openEmails(dynamo: VirtualDynamoDb): DynamoMessages {
  return new DynamoMessages({
    mail: new Table(dynamo.client, 'mail'),
    keys: new Table(dynamo.client, 'keys'),
    blobs: { remove: async () => {}, put: async () => {} },
    clock: Date.now,
  })
}
