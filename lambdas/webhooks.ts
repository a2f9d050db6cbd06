/** Sends webhooks: each message of the queue is one attempt, and a failed one is queued again. */
import { readSettings, STORE_SETTINGS } from '../adapters/aws/settings.ts'
import { Queue } from '../adapters/sqs/queue.ts'
import type { WebhookJob } from '../core/events/webhooks/ports.ts'
import { assembleWebhooks } from '../service/assemble.ts'
import { webhookSettings } from '../service/aws.ts'
import { log } from '../service/aws-log.ts'
import { openStore } from '../service/aws-store.ts'
import { openOperatorKeys } from '../service/operator-keys.ts'
import { handleJob } from '../service/webhook-jobs.ts'

/**
 * The fields of an SQS event that are read (docs.aws.amazon.com/lambda/latest/dg/with-sqs.html).
 */
interface SqsEvent {
  Records: { messageId: string; body: string }[]
}

const settings = readSettings(process.env, [...STORE_SETTINGS, 'webhookQueueUrl'], ['operatorKeysArn'])
const store = openStore(settings)
const queue = new Queue(settings.webhookQueueUrl)
const operatorKeys = await openOperatorKeys(settings.operatorKeysArn)
const { delivery } = assembleWebhooks(store, webhookSettings(operatorKeys, settings.webhookQueueUrl))

/** Handles all messages concurrently: a target that hangs delays no other. */
export async function handler(event: SqsEvent): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> {
  const outcomes = await Promise.all(
    event.Records.map(async ({ messageId, body }) => {
      try {
        await handleJob({ delivery, webhooks: store.webhooks, queue }, JSON.parse(body) as WebhookJob)
        return []
      } catch (error) {
        log('error', 'a webhook attempt was not handled', { messageId, error })
        return [{ itemIdentifier: messageId }]
      }
    }),
  )
  return { batchItemFailures: outcomes.flat() }
}
