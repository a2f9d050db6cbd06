/**
 * The Regions in which Amazon SES receives mail
 * (docs.aws.amazon.com/general/latest/gr/ses.html, Email receiving endpoints; checked in 2026).
 */
export const RECEIVING_REGIONS = [
  'us-east-1',
  'us-east-2',
  'us-west-2',
  'ap-northeast-1',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ca-central-1',
  'eu-central-1',
  'eu-west-1',
  'eu-west-2',
]

/** The MX target of a Region (docs.aws.amazon.com/ses/latest/dg/receiving-email-mx-record.html). */
export function mxHost(region: string): string {
  return `inbound-smtp.${region}.amazonaws.com`
}

/**
 * Two usable availability zones, by id, of each Region that has a zone without VPC origins
 * (docs.aws.amazon.com/AmazonCloudFront, private-content-vpc-origins.html); use1-az3 has no Fargate
 * on arm64 either. A zone's name differs between accounts, its id does not.
 */
export const ZONES_BY_REGION: Record<string, readonly [string, string]> = {
  'us-east-1': ['use1-az1', 'use1-az2'],
  'us-west-1': ['usw1-az1', 'usw1-az3'],
  'ap-northeast-1': ['apne1-az1', 'apne1-az4'],
  'ap-northeast-2': ['apne2-az2', 'apne2-az3'],
  'ca-central-1': ['cac1-az1', 'cac1-az2'],
}

/**
 * The Region of web ACLs for CloudFront
 * (docs.aws.amazon.com/waf/latest/APIReference/API_CreateWebACL.html).
 */
export const WEB_ACL_REGION = 'us-east-1'
