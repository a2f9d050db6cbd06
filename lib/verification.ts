import { Duration, Validations } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as RuleTarget } from 'aws-cdk-lib/aws-events-targets'
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { grantStorage } from './grants.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import type { Storage } from './storage.ts'

export interface VerificationProps {
  storage: Storage
  handlers: HandlerSettings
  environment: Record<string, string>
  /** Whether SES takes the mail. */
  usesSes: boolean
}

/** Asks DNS and SES again about the registered domains: lambdas/verify.ts, every five minutes. */
export class Verification extends Construct {
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, { storage, handlers, environment, usesSes }: VerificationProps) {
    super(scope, id)
    this.function = new HandlerFunction(this, 'Verify', {
      ...handlers,
      handler: 'verify',
      description: 'Verifies every domain once a day, and pending ones every five minutes',
      memoryMiB: 512,
      timeout: Duration.minutes(4),
      environment,
    }).function
    grantStorage(this.function, storage, {
      mailTable: 'read and write',
      keysTable: 'read and write',
      // Mail from before goes when a domain becomes another's.
      delete: ['raw', 'parts'],
    })
    if (usesSes) grantIdentities(this.function)
    new Rule(this, 'EveryFiveMinutes', {
      description: 'Verifies the registered domains',
      schedule: Schedule.rate(Duration.minutes(5)),
      // A run that fails is made up for five minutes later.
      targets: [new RuleTarget(this.function, { retryAttempts: 0 })],
    })
  }
}

/** Lets a function ask SES to take mail for a domain, and tell SES that it need not any more. */
export function grantIdentities(grantee: IGrantable & Construct): void {
  const actions = ['ses:VerifyDomainIdentity', 'ses:GetIdentityVerificationAttributes', 'ses:DeleteIdentity']
  grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources: ['*'] }))
  Validations.of(grantee.node.scope!).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'The identity actions of SES (2010-12-01) take no resource (Service Authorization Reference, Amazon SES).',
  })
}
