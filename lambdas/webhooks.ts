/** Tells webhooks of new emails: a queue of jobs, each of which goes back there until it is done. */
import { readSettings, STORE_SETTINGS } from '../adapters/aws/settings.ts'
import { Queue } from '../adapters/sqs/queue.ts'
import type { WebhookJob } from '../core/events/webhooks/ports.ts'
import { joinWebhooks } from '../service/aws.ts'
import { log } from '../service/aws-log.ts'
import { openStore } from '../service/aws-store.ts'
import { handleJob } from '../service/webhook-jobs.ts'

/** What is read of an SQS event (docs.aws.amazon.com/lambda/latest/dg/with-sqs.html). */
interface SqsEvent {
  Records: { messageId: string; body: string }[]
}

const settings = readSettings(process.env, [...STORE_SETTINGS, 'webhookQueueUrl'])
const store = openStore(settings)
const queue = new Queue(settings.webhookQueueUrl)
const { delivery } = joinWebhooks(store)

/** All at once: a target that hangs holds up none of the others. */
export async function handler(event: SqsEvent): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> {
  const outcomes = await Promise.all(
    event.Records.map(async ({ messageId, body }) => {
      try {
        await handleJob({ delivery, webhooks: store.webhooks, queue }, JSON.parse(body) as WebhookJob)
        return []
      } catch (error) {
        log('error', 'a webhook was not told', { messageId, error })
        return [{ itemIdentifier: messageId }]
      }
    }),
  )
  return { batchItemFailures: outcomes.flat() }
}
