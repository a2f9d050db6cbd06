import { Aws, Names } from 'aws-cdk-lib'
import type { Construct } from 'constructs'

/** The longest name of a Region, with a hyphen before it. */
const REGION_LENGTH = '-ap-southeast-3'.length

/**
 * A name for what must have one in the whole account, over all Regions (CloudFront's functions, policies, VPC
 * origins and access controls): CDK's own names for these leave out the stack's name or the Region
 * (github.com/aws/aws-cdk/issues/34336), so that a second deployment would fail.
 *
 * @param maxLength what the service takes, in characters; at least 40
 */
export function accountName(construct: Construct, maxLength: number): string {
  return `${localName(construct, maxLength - REGION_LENGTH)}-${Aws.REGION}`
}

/** A name that is unique in the account and Region; known at synth. */
export function localName(construct: Construct, maxLength: number): string {
  return Names.uniqueResourceName(construct, { maxLength, separator: '-', allowedSpecialCharacters: '-' })
}
