import type { DynamoWebhooks } from '../adapters/dynamodb/webhooks.ts'
import type { Queue } from '../adapters/sqs/queue.ts'
import { domainPart } from '../core/address.ts'
import type { WebhookDelivery } from '../core/events/webhooks/delivery.ts'
import { concerns } from '../core/events/webhooks/payload.ts'
import type { WebhookJob } from '../core/events/webhooks/ports.ts'
import type { Email } from '../core/inbox/email.ts'
import { SECOND_MS } from '../core/limits.ts'

/** docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const DELAY_MAX_SECONDS = 900

/**
 * Queues a job for each webhook that matches one of these emails. Emails that are handled again are
 * queued again, and sent under the same webhook id.
 */
export async function enqueueWebhooks(
  webhooks: Pick<DynamoWebhooks, 'watching'>,
  queue: Pick<Queue, 'send'>,
  emails: Email[],
): Promise<void> {
  if (emails.length === 0) return
  const topics = new Set(emails.flatMap(({ address }) => [address, domainPart(address)]))
  const watching = await webhooks.watching([...topics])
  const now = Date.now()
  const jobs = emails.flatMap((email) =>
    watching
      .filter((webhook) => concerns(webhook, email))
      .map((webhook) => ({
        webhook: webhook.id,
        address: email.address,
        email: email.id,
        attempts: 0,
        due: now,
      })),
  )
  await Promise.all(jobs.map((job) => enqueue(queue, job)))
}

/** Queues a job with a delay until it is due, at most the maximum of SQS. */
export function enqueue(queue: Pick<Queue, 'send'>, job: WebhookJob): Promise<void> {
  const seconds = Math.ceil((job.due - Date.now()) / SECOND_MS)
  const delaySeconds = Math.min(Math.max(seconds, 0), DELAY_MAX_SECONDS)
  return queue.send(JSON.stringify(job), { delaySeconds, group: job.webhook })
}

/**
 * Makes one attempt. A job that is due after the maximum delay of SQS is queued again until it is
 * due.
 */
export async function handleJob(
  {
    delivery,
    webhooks,
    queue,
  }: {
    delivery: Pick<WebhookDelivery, 'attempt'>
    webhooks: Pick<DynamoWebhooks, 'record'>
    queue: Pick<Queue, 'send'>
  },
  job: WebhookJob,
): Promise<void> {
  if (job.due > Date.now()) return enqueue(queue, job)
  const { next, attempt } = await delivery.attempt(job)
  // The next attempt is queued before this one is recorded, so that a crash in between loses no
  // job. An email that waits for its webhook to become live was not attempted.
  const attempts = attempt === undefined ? job.attempts : job.attempts + 1
  if (next !== undefined) await enqueue(queue, { ...job, attempts, due: next })
  if (attempt !== undefined) await webhooks.record(job.webhook, attempt)
}
