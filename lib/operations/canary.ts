import { Duration, Stack } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as RuleTarget } from 'aws-cdk-lib/aws-events-targets'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { CANARY_SENDER, ENV } from '../../adapters/aws/env.ts'
import { HandlerFunction, type HandlerSettings } from '../handler-function.ts'

export interface CanaryProps {
  handlers: HandlerSettings
  baseUrl: string
  /** A public domain of this service that is an identity in SES. */
  domain: string
}

/**
 * Sends itself a mail every 15 minutes, from SES through the MX record and the API:
 * lambdas/canary.ts. It has no access to the storage and no key.
 */
export class Canary extends Construct {
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, { handlers, baseUrl, domain }: CanaryProps) {
    super(scope, id)
    this.function = new HandlerFunction(this, 'Canary', {
      bundles: handlers.bundles,
      logRetentionDays: handlers.logRetentionDays,
      handler: 'canary',
      isStoreless: true,
      description: 'Sends itself a mail and checks that it arrives',
      memoryMiB: 256,
      // A mail takes seconds. Some minutes are a burst that the queue smooths, and no fault.
      timeout: Duration.minutes(5),
      environment: { [ENV.baseUrl]: baseUrl, [ENV.canaryDomain]: domain },
    }).function
    // Lambda would run a failed canary twice more, and each run sends a mail, which may bounce.
    this.function.configureAsyncInvoke({ retryAttempts: 0 })
    this.function.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        resources: [Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName: domain })],
        conditions: { StringEquals: { 'ses:FromAddress': `${CANARY_SENDER}@${domain}` } },
      }),
    )
    new Rule(this, 'EveryQuarterHour', {
      description: 'Runs the canary',
      schedule: Schedule.rate(Duration.minutes(15)),
      targets: [new RuleTarget(this.function, { retryAttempts: 0 })],
    })
  }
}
