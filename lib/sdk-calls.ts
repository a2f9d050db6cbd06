import { RemovalPolicy, Validations } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources'
import { Construct } from 'constructs'

/** docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/LocationsOfEdgeServers.html */
const EDGE_PREFIX_LIST = 'com.amazonaws.global.cloudfront.origin-facing'
const ECS_ROLE = 'aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS'

/** Calls of AWS at a deployment, by CDK's own function: what CloudFormation has no resource for. */
export class SdkCalls extends Construct {
  readonly #common: { role: Role; logGroup: LogGroup; installLatestAwsSdk: false }

  constructor(scope: Construct, id: string) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_WEEK,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    this.#common = { role, logGroup, installLatestAwsSdk: false }
  }

  /**
   * The id of the prefix list of CloudFront's servers: AWS documents its name, and its id is another one in each
   * Region. Looked up at the deployment, so that a synth needs no account.
   */
  edgePrefixList(): string {
    const path = 'PrefixLists.0.PrefixListId'
    const call = {
      service: 'EC2',
      action: 'describeManagedPrefixLists',
      parameters: { Filters: [{ Name: 'prefix-list-name', Values: [EDGE_PREFIX_LIST] }] },
      physicalResourceId: PhysicalResourceId.of(EDGE_PREFIX_LIST),
      outputPaths: [path],
    }
    const lookup = new AwsCustomResource(this, 'EdgePrefixList', {
      ...this.#common,
      resourceType: 'Custom::EdgePrefixList',
      onCreate: call,
      onUpdate: call,
      policy: AwsCustomResourcePolicy.fromStatements([
        new PolicyStatement({ actions: ['ec2:DescribeManagedPrefixLists'], resources: ['*'] }),
      ]),
    })
    Validations.of(lookup).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Describing prefix lists takes no resource (Service Authorization Reference, Amazon EC2).',
    })
    return lookup.getResponseField(path)
  }

  /**
   * The role by which ECS works, which a new account does not have: ECS makes it with the first cluster, and the
   * first service fails where that takes too long. As a resource it would fail wherever it is there already.
   */
  ecsServiceRole(): Construct {
    const role = new AwsCustomResource(this, 'EcsServiceRole', {
      ...this.#common,
      resourceType: 'Custom::EcsServiceRole',
      onCreate: {
        service: 'IAM',
        action: 'createServiceLinkedRole',
        parameters: { AWSServiceName: 'ecs.amazonaws.com' },
        physicalResourceId: PhysicalResourceId.of('ecs.amazonaws.com'),
        // What IAM says of a role that is there (API_CreateServiceLinkedRole).
        ignoreErrorCodesMatching: 'InvalidInput',
      },
      policy: AwsCustomResourcePolicy.fromStatements([
        new PolicyStatement({
          actions: ['iam:CreateServiceLinkedRole'],
          resources: [`arn:aws:iam::*:role/${ECS_ROLE}`],
          conditions: { StringEquals: { 'iam:AWSServiceName': 'ecs.amazonaws.com' } },
        }),
      ]),
    })
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:aws:iam::*:role/${ECS_ROLE}]`,
      reason: 'The one role of ECS, in whichever account this is deployed to.',
    })
    return role
  }
}
