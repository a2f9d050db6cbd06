import type { App } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'

/** A finding of cdk-nag's AwsSolutions pack that is accepted: rule, path of the construct, and why. */
type Accepted = [rule: RegExp, path: RegExp, reason: string]

const ACCEPTED: Accepted[] = [
  [
    /^SMG4$/,
    /\/OriginSecret\//,
    'CloudFront receives it at a deployment; docs/runbook.md says how to replace it.',
  ],
  [
    /^DDB3$/,
    /\/Storage\//,
    'Emails live for a day and keys are free: a restore would bring back deleted mail.',
  ],
  [
    /^S1$/,
    /\/(Storage\/Messages|Edge\/Pages\/Files|Sse\/Code)\//,
    'Access logs would outlive mail of a day; the other buckets hold public files and code.',
  ],
  [/^IAM5\[.*:delivery:\*\]$/, /\/AccessLogs\//, 'AWS chooses the id of a delivery.'],
  [
    /^IAM5\[Resource::\*\]$/,
    /\/AccessLogs\//,
    'The rights to the resource policy of a log group accept no resource.',
  ],
  [/^IAM5\[Resource::.*:stack\/[\w-]+\/\*\]$/, /\/Calls\/StackOutput\//, 'AWS chooses the id of a stack.'],
  [/^SQS3$/, /\/(Inbound|Webhooks)\/\w*DeadLetters\//, 'It is a dead-letter queue.'],
  [
    /^VPC7$/,
    /\/Network\/Vpc\//,
    'Only load balancers accept connections; flow logs would cost more than the rest.',
  ],
  [
    /^ECS4$/,
    /\/Network\/Cluster\//,
    'The lag of the reader and the metrics of the load balancer replace Container Insights.',
  ],
  [/^ECS2$/, /\/(Sse|Smtp)\/Task\//, 'Names of resources, no secrets: the programs read those themselves.'],
  [
    /^ELB2$/,
    /\/(Sse|Smtp)\/LoadBalancer\//,
    'Access logs would hold domain keys in queries; a network load balancer logs TLS only.',
  ],
  [/^EC23$/, /\/Smtp\/LoadBalancerGroup\//, 'A mail exchanger accepts mail from anywhere.'],
  [
    /^APIG4$/,
    /\/Rest\/Api\//,
    'Half of the endpoints are public; the others count X-API-Key, which a cached authorizer cannot.',
  ],
  [/^CFR1$/, /\/Edge\/Distribution\//, 'Callers are everywhere.'],
  [/^CFR2$/, /\/Edge\/Distribution\//, 'A web ACL costs 6 dollars a month, so it is an option.'],
  [
    /^CFR3$/,
    /\/Edge\/Distribution\//,
    'The option accessLogs uses standard logging v2, which the rule does not know.',
  ],
  [
    /^CFR4$/,
    /\/Edge\/Distribution\//,
    'CloudFront’s default certificate has no minimum; with a host it is TLS 1.2.',
  ],
  [
    /^CFR5$/,
    /\/Edge\/Distribution\//,
    'The VPC origin is plain HTTP inside of AWS: an internal load balancer has no certificate.',
  ],
  [
    /^IAM5\[Resource::<\w+\.Arn>\/(inbound|parts|answers)\/\*\]$/,
    /./,
    'Objects are named by incoming mail; the prefix is the narrowest resource.',
  ],
  [/^IAM5\[Resource::<\w+\.Arn>\/\*\]$/, /\/Emptier\//, 'It deletes every object of the bucket.'],
  [
    /^IAM5\[Resource::\S+:identity\/\*\]$/,
    /\/Verification\//,
    'Identities are named by callers; a tag limits creating and deleting.',
  ],
  [/^IAM5\[Resource::\*\]$/, /\/(Setup|Receiving)\//, 'These actions of SES accept no resource.'],
  [/^IAM5\[Resource::\*\]$/, /\/EdgePrefixList\//, 'Describing prefix lists accepts no resource.'],
  [
    /^IAM5\[Resource::\*\]$/,
    /\/(Sse|Smtp)\/Task\/ExecutionRole\//,
    'ecr:GetAuthorizationToken accepts no resource.',
  ],
  [
    /^IAM5\[Resource::\*\]$/,
    /\/Valkey\/Publish\//,
    'Network interfaces and streams that do not exist yet have no name.',
  ],
  [
    /^IAM5\[Resource::\S+AWSServiceRoleForECS\]$/,
    /\/EcsServiceRole\//,
    'The one role of ECS, in any account.',
  ],
  [
    /^IAM5\[Action::kms:(ReEncrypt|GenerateDataKey)\*\]$/,
    /./,
    'CDK’s grant on the key of the configuration.',
  ],
  [
    /^(L1|IAM[45]\[.*\])$/,
    /\/Custom::CDKBucketDeployment/,
    'CDK’s function that copies files; its runtime and its grants are CDK’s.',
  ],
]

/** Returns the findings of cdk-nag that are not accepted, as `rule path`. */
export function nagFindings(app: App): string[] {
  return new AwsSolutionsChecks()
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => ({
        rule: ruleName.replace('AwsSolutions-', ''),
        path: constructPath ?? '',
      })),
    )
    .filter(({ rule, path }) => !ACCEPTED.some(([rules, paths]) => rules.test(rule) && paths.test(path)))
    .map(({ rule, path }) => `${rule} ${path}`)
}
