import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources'
import { Construct } from 'constructs'

/** docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/LocationsOfEdgeServers.html */
const EDGE_PREFIX_LIST = 'com.amazonaws.global.cloudfront.origin-facing'
const ECS_ROLE = 'aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS'

/**
 * API calls during a deployment for which CloudFormation has no resource, made by CDK's own
 * function.
 */
export class SdkCalls extends Construct {
  /** The props of every AwsCustomResource: a stack has one function for all of them, with one role. */
  readonly common: { role: Role; logGroup: LogGroup; installLatestAwsSdk: false }

  /** Returns the calls of a service, which are created at their first use. */
  static of(service: Construct): SdkCalls {
    return (service.node.tryFindChild('Calls') as SdkCalls | undefined) ?? new SdkCalls(service, 'Calls')
  }

  private constructor(scope: Construct, id: string) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_WEEK,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    this.common = { role, logGroup, installLatestAwsSdk: false }
  }

  /**
   * Returns the id of the prefix list of CloudFront's servers. AWS documents its name; the id
   * differs between Regions. The deployment looks it up, so that synthesis needs no account.
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
      ...this.common,
      resourceType: 'Custom::EdgePrefixList',
      onCreate: call,
      onUpdate: call,
      policy: AwsCustomResourcePolicy.fromStatements([
        new PolicyStatement({ actions: ['ec2:DescribeManagedPrefixLists'], resources: ['*'] }),
      ]),
    })
    return lookup.getResponseField(path)
  }

  /**
   * Returns the value of the only output of a stack in another Region. CloudFormation's exports and
   * imports work within a Region only.
   */
  outputOf(stackName: string, region: string): string {
    const path = 'Stacks.0.Outputs.0.OutputValue'
    const call = {
      service: 'CloudFormation',
      action: 'describeStacks',
      region,
      parameters: { StackName: stackName },
      physicalResourceId: PhysicalResourceId.of(stackName),
      outputPaths: [path],
    }
    const lookup = new AwsCustomResource(this, 'StackOutput', {
      ...this.common,
      resourceType: 'Custom::StackOutput',
      onCreate: call,
      onUpdate: call,
      policy: AwsCustomResourcePolicy.fromStatements([
        new PolicyStatement({
          actions: ['cloudformation:DescribeStacks'],
          resources: [`arn:${Aws.PARTITION}:cloudformation:${region}:${Aws.ACCOUNT_ID}:stack/${stackName}/*`],
        }),
      ]),
    })
    return lookup.getResponseField(path)
  }

  /**
   * Creates the service-linked role of ECS if the account has none. ECS creates it with the first
   * cluster, and the first service fails if that takes too long. A CloudFormation resource would
   * fail where the role already exists.
   */
  ecsServiceRole(): Construct {
    return new AwsCustomResource(this, 'EcsServiceRole', {
      ...this.common,
      resourceType: 'Custom::EcsServiceRole',
      onCreate: {
        service: 'IAM',
        action: 'createServiceLinkedRole',
        parameters: { AWSServiceName: 'ecs.amazonaws.com' },
        physicalResourceId: PhysicalResourceId.of('ecs.amazonaws.com'),
        // The error of IAM if the role already exists (API_CreateServiceLinkedRole).
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
  }
}
