import { Aws, CfnResource, CustomResource, Duration, Lazy, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { STATEFUL_TYPES } from '../../adapters/aws/env.ts'
import { HandlerFunction, type HandlerSettings } from '../handler-function.ts'

/** Parts of this construct that hold data, by the beginning of their logical ids. */
const PARTS = 'OriginSecret|Storage|Inbound|Webhooks'

/**
 * The first step of a deployment: lambdas/upgrade-guard.ts refuses it if the deployed stack has a
 * table, bucket, secret or queue of this construct that the template does not have. CloudFormation
 * would delete that resource with its data. All other resources depend on this step, so nothing has
 * changed when it fails.
 */
export class UpgradeGuard extends Construct {
  readonly #check: CustomResource

  /** @param service the construct whose data is guarded */
  constructor(scope: Construct, id: string, service: Construct, handlers: HandlerSettings) {
    super(scope, id)
    const guard = new HandlerFunction(this, 'Guard', {
      bundles: handlers.bundles,
      logRetentionDays: handlers.logRetentionDays,
      handler: 'upgrade-guard',
      isStoreless: true,
      description: 'Refuses a deployment that would delete mail or keys',
      memoryMiB: 256,
      timeout: Duration.minutes(2),
      environment: {},
    }).function
    guard.addToRolePolicy(
      new PolicyStatement({ actions: ['cloudformation:ListStackResources'], resources: [Aws.STACK_ID] }),
    )
    this.#check = new CustomResource(this, 'Check', {
      serviceToken: guard.functionArn,
      resourceType: 'Custom::MayflyUpgradeGuard',
      properties: {
        // A change of the list runs the function again.
        kept: Lazy.list({ produce: () => statefulIds(service) }),
        guarded: `^${idPrefix(service)}(?:${PARTS})\\w*$`,
      },
    })
  }

  /** Delays all resources of a construct until the check has passed. */
  protect(construct: Construct): void {
    construct.node.addDependency(this.#check)
  }
}

function statefulIds(service: Construct): string[] {
  const stack = Stack.of(service)
  return service.node
    .findAll()
    .filter((construct): construct is CfnResource => CfnResource.isCfnResource(construct))
    .filter(({ cfnResourceType }) => STATEFUL_TYPES.includes(cfnResourceType))
    .map((resource) => stack.resolve(resource.logicalId) as string)
    .sort()
}

/** Returns the beginning of all logical ids of a construct's resources. */
function idPrefix(service: Construct): string {
  const { length } = Stack.of(service).node.path
  return service.node.path.slice(length).replace(/[^A-Za-z0-9]/g, '')
}
