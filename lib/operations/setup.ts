import { CustomResource, Duration } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct, type IConstruct } from 'constructs'
import type { FunctionsProps } from '../common.ts'
import { grantStorage } from '../grants.ts'
import { HandlerFunction } from '../handler-function.ts'

export interface SetupProps extends FunctionsProps {
  domains: string[]
  /** The receipt rule set to activate; undefined if this deployment does not decide that. */
  ruleSet: string | undefined
  takeOver: boolean
  /** All other constructs. */
  after: IConstruct[]
}

/**
 * The last step of a deployment: lambdas/setup.ts registers the configured domains and activates
 * the receipt rule set of the Region, so that a failed deployment changes no mail flow. It is the
 * first step of a deletion, and activates the rule set that was active before.
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
    grantStorage(setup, storage, { mailTable: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'] })
    if (ruleSet !== undefined) {
      // A Region has one active rule set, so these actions accept no resource.
      const actions = ['ses:SetActiveReceiptRuleSet', 'ses:DescribeActiveReceiptRuleSet']
      setup.addToRolePolicy(new PolicyStatement({ actions, resources: ['*'] }))
      // The rule set that was active before.
      grantStorage(setup, storage, { keysTable: ['GetItem', 'PutItem'] })
    }
    const resource = new CustomResource(this, 'Active', {
      serviceToken: setup.functionArn,
      resourceType: 'Custom::MayflySetup',
      // A change of any of these runs the function again.
      properties: { ruleSet: ruleSet ?? '', takeOver: String(takeOver), domains },
    })
    resource.node.addDependency(...props.after)
  }
}
