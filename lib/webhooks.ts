import { Duration } from 'aws-cdk-lib'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { ENV } from '../adapters/aws/env.ts'
import { grantStorage } from './grants.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import type { Inbound } from './inbound.ts'
import type { Storage } from './storage.ts'

/** A target has 15 s to answer; the rest is room for a slow store. */
const TIMEOUT = Duration.seconds(45)
/** docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html: six times the function's timeout. */
const VISIBILITY_TIMEOUT = Duration.seconds(270)
const MAX_RECEIVE_COUNT = 5
/** Requests to targets at a time are ten times as many. */
const MAX_CONCURRENCY = 20

export interface WebhooksProps {
  storage: Storage
  handlers: HandlerSettings
  environment: Record<string, string>
  /** Its function puts jobs into the queue, and its dead letters are where those go that nobody can handle. */
  inbound: Inbound
}

/** Telling webhooks: lambdas/ingest.ts → SQS → lambdas/webhooks.ts, which puts what failed back with a delay. */
export class Webhooks extends Construct {
  readonly queue: Queue

  constructor(scope: Construct, id: string, { storage, handlers, environment, inbound }: WebhooksProps) {
    super(scope, id)
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: inbound.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    })
    const url = { [ENV.webhookQueueUrl]: this.queue.queueUrl }
    const sender = new HandlerFunction(this, 'Sender', {
      ...handlers,
      handler: 'webhooks',
      description: 'Tells webhooks of new mail',
      memoryMiB: 512,
      timeout: TIMEOUT,
      environment: { ...environment, ...url },
    }).function
    grantStorage(sender, storage, { mailTable: 'get', keysTable: 'read and write' })
    sender.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 10,
        reportBatchItemFailures: true,
        maxConcurrency: MAX_CONCURRENCY,
      }),
    )
    this.queue.grantSendMessages(sender)
    this.queue.grantSendMessages(inbound.ingest)
    for (const [name, value] of Object.entries(url)) inbound.ingest.addEnvironment(name, value)
  }
}
