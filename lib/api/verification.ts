import { Duration, Stack } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as RuleTarget } from 'aws-cdk-lib/aws-events-targets'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { ENV, IDENTITY_TAG } from '../../adapters/aws/env.ts'
import type { FunctionsProps } from '../common.ts'
import { grantStorage } from '../grants.ts'
import { HandlerFunction, type HandlerFunctionProps, type HandlerSettings } from '../handler-function.ts'

export interface VerificationProps extends FunctionsProps {
  originSecret: ISecret
  operatorKeys: ISecret | undefined
  /** Whether SES receives the mail of the domains that it verifies. */
  usesSes: boolean
  /** Value of the tag that marks SES identities of this deployment. */
  owner: string
}

/**
 * Verification of domains. Only these two functions may create and delete SES identities:
 * lambdas/verify.ts, which checks registered domains every five minutes, and
 * lambdas/verification.ts, which answers the endpoint.
 */
export class Verification extends Construct {
  readonly function: LambdaFunction
  readonly endpoint: LambdaFunction

  constructor(scope: Construct, id: string, props: VerificationProps) {
    super(scope, id)
    const { environment, originSecret, operatorKeys } = props
    this.function = this.#verifier('Verify', props, {
      handler: 'verify',
      description: 'Verifies every domain once a day, and pending ones every five minutes',
      memoryMiB: 512,
      timeout: Duration.minutes(4),
      environment,
    })
    this.endpoint = this.#verifier('Endpoint', props, {
      handler: 'verification',
      description: 'Answers GET /api/domain/verify',
      memoryMiB: 512,
      // An HTTP API gives up after 30 s (docs.aws.amazon.com/apigateway, HTTP API quotas).
      timeout: Duration.seconds(29),
      environment: { ...environment, [ENV.originSecretArn]: originSecret.secretArn },
    })
    originSecret.grantRead(this.endpoint)
    operatorKeys?.grantRead(this.endpoint)
    // It counts the verifications of a client.
    grantStorage(this.endpoint, props.storage, { keysTable: ['GetItem'] })
    new Rule(this, 'EveryFiveMinutes', {
      description: 'Verifies the registered domains',
      schedule: Schedule.rate(Duration.minutes(5)),
      // The next run, five minutes later, replaces one that fails.
      targets: [new RuleTarget(this.function, { retryAttempts: 0 })],
    })
  }

  #verifier(
    id: string,
    { handlers, storage, usesSes, owner }: VerificationProps,
    program: Omit<HandlerFunctionProps, keyof HandlerSettings>,
  ): LambdaFunction {
    const { function: verifier } = new HandlerFunction(this, id, { ...handlers, ...program })
    grantStorage(verifier, storage, {
      // It removes the mail of a domain that changes its owner.
      mailTable: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
      keysTable: ['UpdateItem'],
      delete: ['raw', 'parts'],
    })
    if (usesSes) this.#grantIdentities(verifier, owner)
    return verifier
  }

  /** Lets a function read identities, and create, tag and delete those of this deployment. */
  #grantIdentities(verifier: LambdaFunction, owner: string): void {
    const identities = Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })
    const allow = (actions: string[], conditions?: object) =>
      verifier.addToRolePolicy(
        new PolicyStatement({ actions, resources: [identities], ...(conditions && { conditions }) }),
      )
    allow(['ses:GetEmailIdentity'])
    allow(['ses:CreateEmailIdentity', 'ses:TagResource'], {
      StringEquals: { [`aws:RequestTag/${IDENTITY_TAG}`]: owner },
    })
    allow(['ses:DeleteEmailIdentity'], { StringEquals: { [`aws:ResourceTag/${IDENTITY_TAG}`]: owner } })
  }
}
