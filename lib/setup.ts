import { CustomResource, Duration, Validations } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { ENV } from '../adapters/aws/env.ts'
import { grantStorage } from './grants.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import type { Inbound } from './inbound.ts'
import type { Storage } from './storage.ts'

export interface SetupProps {
  inbound: Inbound
  storage: Storage
  handlers: HandlerSettings
  environment: Record<string, string>
  /** Names of the domains of the configuration. */
  domains: string[]
}

/**
 * What CloudFormation cannot do by itself: lambdas/setup.ts makes the rule set the active one of the Region and
 * registers the domains of the configuration; when the stack goes, it leaves another's active rule set alone.
 */
export class Setup extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { inbound, storage, handlers, environment, domains }: SetupProps,
  ) {
    super(scope, id)
    const setup = new HandlerFunction(this, 'Setup', {
      ...handlers,
      handler: 'setup',
      description: 'Activates the receipt rule set and registers the configured domains at a deployment',
      memoryMiB: 512,
      timeout: Duration.minutes(5),
      environment: { ...environment, [ENV.domains]: domains.join(',') },
    }).function
    grantStorage(setup, storage, { mailTable: 'read and write' })
    const actions = ['ses:SetActiveReceiptRuleSet', 'ses:DescribeActiveReceiptRuleSet']
    setup.addToRolePolicy(new PolicyStatement({ actions, resources: ['*'] }))
    Validations.of(setup.role!).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'There is one active rule set in an account and Region: these two actions take no resource.',
    })
    const resource = new CustomResource(this, 'Active', {
      serviceToken: setup.functionArn,
      resourceType: 'Custom::MayflySetup',
      // Whatever is changed here runs the function again.
      properties: { ruleSet: inbound.ruleSet.receiptRuleSetName, domains },
    })
    resource.node.addDependency(inbound.rule)
  }
}
