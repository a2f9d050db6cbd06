import { CustomResource, Duration, Validations } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct, type IConstruct } from 'constructs'
import { grantStorage } from './grants.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import type { Storage } from './storage.ts'

export interface SetupProps {
  storage: Storage
  handlers: HandlerSettings
  environment: Record<string, string>
  domains: string[]
  /** The receipt rule set that is to be active; undefined where that is not for us to say. */
  ruleSet: string | undefined
  takeOver: boolean
  /** Everything else. */
  after: IConstruct[]
}

/**
 * What CloudFormation cannot do by itself: lambdas/setup.ts registers the domains of the configuration and makes
 * the rule set the active one of the Region. It is the last step of a deployment, so that one which fails takes
 * nobody's mail, and the first of a deletion, which gives back what was active before.
 */
export class Setup extends Construct {
  constructor(scope: Construct, id: string, props: SetupProps) {
    super(scope, id)
    const { storage, handlers, environment, domains, ruleSet, takeOver } = props
    const setup = new HandlerFunction(this, 'Setup', {
      ...handlers,
      handler: 'setup',
      description: 'Activates the receipt rule set and registers the configured domains at a deployment',
      memoryMiB: 512,
      timeout: Duration.minutes(5),
      environment,
    }).function
    grantStorage(setup, storage, { mailTable: 'read and write', keysTable: 'read and write' })
    if (ruleSet !== undefined) {
      const actions = ['ses:SetActiveReceiptRuleSet', 'ses:DescribeActiveReceiptRuleSet']
      setup.addToRolePolicy(new PolicyStatement({ actions, resources: ['*'] }))
      Validations.of(setup.role!).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'There is one active rule set in an account and Region: these two actions take no resource.',
      })
    }
    const resource = new CustomResource(this, 'Active', {
      serviceToken: setup.functionArn,
      resourceType: 'Custom::MayflySetup',
      // Whatever is changed here runs the function again.
      properties: { ruleSet: ruleSet ?? '', takeOver: String(takeOver), domains },
    })
    resource.node.addDependency(setup, ...props.after)
  }
}
