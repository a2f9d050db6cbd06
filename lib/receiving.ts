import { Duration, Validations } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { ENV } from '../adapters/aws/env.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import type { ReceiptRules } from './receipt-rules.ts'

/** The switch of the receipt rules, for an alarm and for an operator: lambdas/receiving.ts. */
export class Receiving extends Construct {
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, handlers: HandlerSettings, rules: ReceiptRules) {
    super(scope, id)
    this.function = new HandlerFunction(this, 'Receiving', {
      ...handlers,
      handler: 'receiving',
      description: 'Turns receiving by SES off and on',
      memoryMiB: 256,
      timeout: Duration.minutes(1),
      environment: { [ENV.ruleSet]: rules.ruleSetName, [ENV.rules]: rules.ruleNames.join(',') },
    }).function
    const actions = ['ses:DescribeReceiptRule', 'ses:UpdateReceiptRule']
    this.function.addToRolePolicy(new PolicyStatement({ actions, resources: ['*'] }))
    Validations.of(this.function.role!).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The actions on receipt rules take no resource (Service Authorization Reference, Amazon SES).',
    })
  }
}
