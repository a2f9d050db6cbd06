/**
 * The Regions in which Amazon SES receives mail
 * (docs.aws.amazon.com/general/latest/gr/ses.html, Email receiving endpoints; as known in 2026).
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
