import { RemovalPolicy, Validations } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources'
import type { Construct } from 'constructs'

/** docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/LocationsOfEdgeServers.html */
const NAME = 'com.amazonaws.global.cloudfront.origin-facing'

/**
 * The id of the prefix list of CloudFront's servers: AWS documents its name, and its id is another one in each
 * Region. Looked up at the deployment, so that a synth needs no account.
 */
export function edgePrefixList(scope: Construct): string {
  const call = {
    service: 'EC2',
    action: 'describeManagedPrefixLists',
    parameters: { Filters: [{ Name: 'prefix-list-name', Values: [NAME] }] },
    physicalResourceId: PhysicalResourceId.of(NAME),
    outputPaths: ['PrefixLists.0.PrefixListId'],
  }
  const logGroup = new LogGroup(scope, 'EdgePrefixListLogs', {
    retention: RetentionDays.ONE_WEEK,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const role = new Role(scope, 'EdgePrefixListRole', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  })
  logGroup.grantWrite(role)
  const lookup = new AwsCustomResource(scope, 'EdgePrefixList', {
    resourceType: 'Custom::EdgePrefixList',
    onCreate: call,
    onUpdate: call,
    policy: AwsCustomResourcePolicy.fromStatements([
      new PolicyStatement({ actions: ['ec2:DescribeManagedPrefixLists'], resources: ['*'] }),
    ]),
    installLatestAwsSdk: false,
    role,
    logGroup,
  })
  Validations.of(lookup).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'Describing prefix lists takes no resource (Service Authorization Reference, Amazon EC2).',
  })
  return lookup.getResponseField('PrefixLists.0.PrefixListId')
}
