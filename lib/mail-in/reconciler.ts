import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as RuleTarget } from 'aws-cdk-lib/aws-events-targets'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { ENV } from '../../adapters/aws/env.ts'
import type { FunctionsProps } from '../common.ts'
import { grantSend, grantStorage } from '../grants.ts'
import { HandlerFunction } from '../handler-function.ts'

export interface ReconcilerProps extends FunctionsProps {
  /** The queue of notifications. */
  queue: Queue
}

/** Queues mail of SES again whose notification was lost: lambdas/reconcile.ts. */
export class Reconciler extends Construct {
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, { storage, handlers, environment, queue }: ReconcilerProps) {
    super(scope, id)
    const { function: reconcile } = new HandlerFunction(this, 'Reconcile', {
      ...handlers,
      handler: 'reconcile',
      description: 'Queues mail again that was received and not stored',
      memoryMiB: 512,
      timeout: Duration.minutes(15),
      environment: { ...environment, [ENV.queueUrl]: queue.queueUrl },
    })
    grantStorage(reconcile, storage, { keysTable: ['GetItem', 'PutItem'], read: ['raw'] })
    grantSend(reconcile, queue)
    this.function = reconcile
    new Rule(this, 'EveryHour', {
      description: 'Queues mail again that was not stored',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new RuleTarget(reconcile, { retryAttempts: 0 })],
    })
  }
}
