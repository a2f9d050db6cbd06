import { Duration } from 'aws-cdk-lib'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { ENV } from '../../adapters/aws/env.ts'
import type { FunctionsProps } from '../common.ts'
import { grantSend, grantStorage } from '../grants.ts'
import { HandlerFunction } from '../handler-function.ts'
import { deadLetterQueue, encryptionOf, type Inbound } from '../mail-in/inbound.ts'

/** A target has 15 s to answer; the rest is a margin for a slow store. */
const TIMEOUT = Duration.seconds(45)
/**
 * Six times the function's time-out
 * (docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html).
 */
const VISIBILITY_TIMEOUT = Duration.seconds(270)
const MAX_RECEIVE_COUNT = 5
/** Each execution sends a batch of ten requests concurrently. */
const MAX_CONCURRENCY = 20

export interface WebhooksProps extends FunctionsProps {
  /** The operator's keys, whose webhooks have no record of a key in the store. */
  operatorKeys: ISecret | undefined
  /** Its function queues jobs. */
  inbound: Inbound
}

/**
 * Webhook attempts: lambdas/ingest.ts → SQS → lambdas/webhooks.ts, which queues a failed attempt
 * again with a delay.
 */
export class Webhooks extends Construct {
  readonly queue: Queue
  /** Jobs that failed too often. */
  readonly deadLetters: Queue
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, props: WebhooksProps) {
    super(scope, id)
    const { storage, handlers, environment, operatorKeys, inbound } = props
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', handlers.encryptionKey)
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
      ...encryptionOf(handlers.encryptionKey),
    })
    this.function = new HandlerFunction(this, 'Sender', {
      ...handlers,
      handler: 'webhooks',
      description: 'Sends webhooks for new mail',
      memoryMiB: 512,
      timeout: TIMEOUT,
      environment: {
        ...environment,
        ...(operatorKeys && { [ENV.operatorKeysArn]: operatorKeys.secretArn }),
      },
    }).function
    operatorKeys?.grantRead(this.function)
    const keysTable = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] as const
    grantStorage(this.function, storage, { mailTable: ['GetItem'], keysTable })
    this.function.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 10,
        reportBatchItemFailures: true,
        maxConcurrency: MAX_CONCURRENCY,
      }),
    )
    for (const program of [this.function, inbound.ingest]) this.allowJobsOf(program)
  }

  /** Lets a function queue jobs. */
  allowJobsOf(program: LambdaFunction): void {
    grantSend(program, this.queue)
    program.addEnvironment(ENV.webhookQueueUrl, this.queue.queueUrl)
  }
}
