import { Duration, Validations } from 'aws-cdk-lib'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { grantStorage } from './grants.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import type { Settled } from './props.ts'
import { ReceiptRules } from './receipt-rules.ts'
import type { Storage } from './storage.ts'

/** A 40 MB message takes 2 s; the rest is room for a slow store. */
const INGEST_TIMEOUT = Duration.seconds(60)
/** docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html: six times the function's timeout. */
const VISIBILITY_TIMEOUT = Duration.seconds(360)
/** With the visibility timeout: half an hour of tries. */
const MAX_RECEIVE_COUNT = 5

export interface InboundProps {
  storage: Storage
  handlers: HandlerSettings
  environment: Record<string, string>
  config: Pick<Settled, 'domains' | 'inbound' | 'receiptRuleSet' | 'ingestConcurrency'>
}

/** Mail in: SES rule → S3 → SNS → SQS → lambdas/ingest.ts; or smtp-service → S3 → the same queue. */
export class Inbound extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue
  readonly ingest: LambdaFunction
  /** Undefined where SES takes no mail. */
  readonly receiptRules: ReceiptRules | undefined

  constructor(scope: Construct, id: string, { storage, handlers, environment, config }: InboundProps) {
    super(scope, id)
    this.deadLetters = new Queue(this, 'DeadLetters', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      // As long as SQS has it: what waits is mail that somebody was told is safe.
      retentionPeriod: Duration.days(14),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    })
    this.ingest = new HandlerFunction(this, 'Ingest', {
      ...handlers,
      handler: 'ingest',
      description: 'Stores received mail',
      memoryMiB: 1536,
      timeout: INGEST_TIMEOUT,
      environment,
    }).function
    grantStorage(this.ingest, storage, {
      mailTable: 'read and write',
      keysTable: 'read and write',
      read: ['raw'],
      write: ['parts'],
      delete: ['raw', 'parts'],
    })
    this.ingest.addEventSource(
      new SqsEventSource(this.queue, {
        // One at a time: a message that takes the process down would take its batch along (docs/decisions).
        batchSize: 1,
        reportBatchItemFailures: true,
        // So that a burst leaves the account's concurrency to others, and is no throttled receive, which counts
        // as a try.
        maxConcurrency: config.ingestConcurrency,
      }),
    )
    this.ingest.node.addDependency(storage.empties)
    if (config.inbound.includes('ses')) this.receiptRules = this.#receive(storage, config)

    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue itself.',
    })
  }

  #receive(storage: Storage, { receiptRuleSet, domains }: InboundProps['config']): ReceiptRules {
    // Not enforceSSL alone: its Deny becomes the whole policy of the topic, and SES may not publish any more.
    const topic = new Topic(this, 'Received', { enforceSSL: true })
    topic.addSubscription(
      new SqsSubscription(this.queue, { rawMessageDelivery: true, deadLetterQueue: this.deadLetters }),
    )
    const shared =
      receiptRuleSet === undefined
        ? undefined
        : { name: receiptRuleSet, domains: domains.map(({ name }) => name) }
    const rules = new ReceiptRules(this, 'Rules', { storage, topic, shared })
    // A notification that comes before the queue may be written to, or before it is subscribed, is lost.
    rules.node.addDependency(this.queue)
    return rules
  }
}
