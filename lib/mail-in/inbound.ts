import { Duration } from 'aws-cdk-lib'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { ENV } from '../../adapters/aws/env.ts'
import type { FunctionsProps } from '../common.ts'
import type { Config } from '../config/resolved.ts'
import { grantStorage } from '../grants.ts'
import { HandlerFunction, type HandlerSettings } from '../handler-function.ts'
import type { Storage } from '../storage.ts'
import { ReceiptRules } from './receipt-rules.ts'
import { Reconciler } from './reconciler.ts'

/** A 40 MB message takes 2 s; the rest is a margin for a slow store. */
const INGEST_TIMEOUT = Duration.seconds(60)
/**
 * Messages of one invocation, which are stored concurrently: five of 40 MB fit into the memory, and
 * those of one address share a transaction (docs/decisions/aws-small-batches.md).
 */
const BATCH_SIZE = 5
/**
 * Six times the function's time-out
 * (docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html).
 */
const VISIBILITY_TIMEOUT = Duration.seconds(360)
/**
 * Attempts before a message is a dead letter. The first eight of a message that meets contention
 * take seconds, and the pauses after the others grow to an hour (lambdas/ingest.ts): more than
 * 12 hours in total, so an outage of DynamoDB or S3 of half a day makes no dead letters.
 */
const MAX_RECEIVE_COUNT = 24

export interface InboundProps extends FunctionsProps {
  /** Value of the dimension of this project's metrics. */
  name: string
  config: Pick<
    Config,
    'domains' | 'inbound' | 'receiptRuleSet' | 'ingestConcurrency' | 'reservedConcurrency' | 'encryptionKey'
  >
}

/**
 * Mail in: SES rule → S3 → SNS → SQS → lambdas/ingest.ts; or smtp-service → S3 → the same queue.
 */
export class Inbound extends Construct {
  readonly queue: Queue
  /** Messages of the queue that failed too often. */
  readonly deadLetters: Queue
  /**
   * Notifications of SES that SNS could not deliver to the queue. It is a queue of its own, because
   * SQS moves only messages back that came from a queue (API_StartMessageMoveTask). Undefined if
   * SES receives no mail.
   */
  readonly subscriptionDeadLetters: Queue | undefined
  readonly ingest: LambdaFunction
  /** Undefined if SES receives no mail. */
  readonly receiptRules: ReceiptRules | undefined
  /** Undefined if SES receives no mail. */
  readonly reconciler: LambdaFunction | undefined

  constructor(scope: Construct, id: string, { storage, handlers, environment, config, name }: InboundProps) {
    super(scope, id)
    const encryption = encryptionOf(config.encryptionKey)
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', config.encryptionKey)
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      // The maximum of SQS: their senders received an acceptance.
      retentionPeriod: Duration.days(14),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
      ...encryption,
    })
    this.ingest = this.#ingest(storage, handlers, environment, { ...config, name })
    if (config.inbound.includes('ses')) {
      this.subscriptionDeadLetters = deadLetterQueue(this, 'SubscriptionDeadLetters', config.encryptionKey)
      this.receiptRules = this.#receive(storage, config, this.subscriptionDeadLetters)
      const { queue } = this
      this.reconciler = new Reconciler(this, 'Reconciler', { storage, handlers, environment, queue }).function
    }
  }

  #ingest(
    storage: Storage,
    handlers: HandlerSettings,
    environment: Record<string, string>,
    { ingestConcurrency, reservedConcurrency, name }: InboundProps['config'] & { name: string },
  ): LambdaFunction {
    const ingest = new HandlerFunction(this, 'Ingest', {
      ...handlers,
      handler: 'ingest',
      description: 'Stores received mail',
      memoryMiB: 1536,
      timeout: INGEST_TIMEOUT,
      environment: { ...environment, [ENV.queueUrl]: this.queue.queueUrl, [ENV.stackName]: name },
      reservedConcurrency: reservedConcurrency.ingest,
    }).function
    grantStorage(ingest, storage, {
      mailTable: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
      keysTable: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      read: ['raw'],
      write: ['parts'],
      tag: ['raw'],
      delete: ['raw', 'parts'],
    })
    ingest.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: BATCH_SIZE,
        reportBatchItemFailures: true,
        // A burst leaves the account's concurrency to other functions. Without this bound a
        // throttled receive would count as an attempt.
        maxConcurrency: ingestConcurrency,
      }),
    )
    ingest.node.addDependency(storage.empties)
    return ingest
  }

  #receive(
    storage: Storage,
    { receiptRuleSet, domains, encryptionKey }: InboundProps['config'],
    deadLetters: Queue,
  ): ReceiptRules {
    // enforceSSL adds a Deny statement, which would become the whole policy; ReceiptRules allows
    // SES to publish.
    const topic = new Topic(this, 'Received', {
      enforceSSL: true,
      ...(encryptionKey && { masterKey: encryptionKey }),
    })
    topic.addSubscription(
      new SqsSubscription(this.queue, { rawMessageDelivery: true, deadLetterQueue: deadLetters }),
    )
    const shared =
      receiptRuleSet === undefined
        ? undefined
        : { name: receiptRuleSet, domains: domains.map(({ name }) => name) }
    const rules = new ReceiptRules(this, 'Rules', { storage, topic, shared })
    // A notification that arrives before the queue accepts it, or is subscribed, would be lost.
    rules.node.addDependency(this.queue)
    return rules
  }
}

/** A queue of messages that failed, for the longest time that SQS keeps them. */
export function deadLetterQueue(scope: Construct, id: string, key: IKey | undefined): Queue {
  return new Queue(scope, id, { enforceSSL: true, retentionPeriod: Duration.days(14), ...encryptionOf(key) })
}

/** Returns the encryption props of a queue. */
export function encryptionOf(key: IKey | undefined): { encryptionMasterKey?: IKey } {
  return key === undefined ? {} : { encryptionMasterKey: key }
}
