import { Duration } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { ENV } from '../../adapters/aws/env.ts'
import { HandlerFunction, type HandlerSettings } from '../handler-function.ts'
import type { ReceiptRules } from './receipt-rules.ts'

/**
 * Turns the receipt rules off and on, for an alarm and for an operator: lambdas/receipt-switch.ts.
 */
export class ReceiptSwitch extends Construct {
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, handlers: HandlerSettings, rules: ReceiptRules) {
    super(scope, id)
    this.function = new HandlerFunction(this, 'Switch', {
      ...handlers,
      handler: 'receipt-switch',
      isStoreless: true,
      description: 'Turns receiving by SES off and on',
      memoryMiB: 256,
      timeout: Duration.minutes(1),
      environment: { [ENV.ruleSet]: rules.ruleSetName, [ENV.rules]: rules.ruleNames.join(',') },
    }).function
    // These actions accept no resource (Service Authorization Reference, Amazon SES).
    const actions = ['ses:DescribeReceiptRule', 'ses:UpdateReceiptRule']
    this.function.addToRolePolicy(new PolicyStatement({ actions, resources: ['*'] }))
  }
}
