import { Aws, Names } from 'aws-cdk-lib'
import type { Construct } from 'constructs'

/** Length of the longest Region name with a hyphen before it. */
const REGION_LENGTH = '-ap-southeast-3'.length

/**
 * Returns a name for a resource whose name is unique in the whole account, over all Regions:
 * CloudFront functions, policies, VPC origins and access controls. CDK's default names for these
 * leave out the stack name or the Region (github.com/aws/aws-cdk/issues/34336), so a second
 * deployment in the account would fail.
 *
 * @param maxLength maximum length that the service accepts, in characters; at least 40
 */
export function accountName(construct: Construct, maxLength: number): string {
  return `${localName(construct, maxLength - REGION_LENGTH)}-${Aws.REGION}`
}

/** Returns a name that is unique in the account and Region, and known at synthesis. */
export function localName(construct: Construct, maxLength: number): string {
  return Names.uniqueResourceName(construct, { maxLength, separator: '-', allowedSpecialCharacters: '-' })
}

/**
 * Returns the name of a log group that AWS services write to. A delivery to another name adds its
 * ARN to the Region's resource policy for logs, which is limited to 5,120 characters and never
 * shrinks; names under this prefix are covered by a wildcard
 * (docs.aws.amazon.com/AmazonCloudWatch/latest/logs, AWS-logs-and-resource-policy.html).
 */
export function vendedLogsName(construct: Construct): string {
  return `/aws/vendedlogs/${localName(construct, 200)}`
}
