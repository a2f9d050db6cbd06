import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { localName, vendedLogsName } from './names.ts'

/** Maximum length of the names of a delivery, in characters. */
const NAME_LENGTH = 60

/**
 * Fields of each log line
 * (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging.html). There is no
 * query and no cookie: a stream's query holds the domain key. The path holds mail addresses.
 */
const FIELDS = [
  'timestamp(ms)',
  'c-ip',
  'c-country',
  'cs-method',
  'cs-uri-stem',
  'sc-status',
  'sc-bytes',
  'time-taken',
  'x-edge-location',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
  'x-edge-request-id',
  'cs(User-Agent)',
]

export interface AccessLogsProps {
  distribution: Distribution
  logRetentionDays: number
}

/**
 * Requests at CloudFront, in a log group: standard logging v2, which only a stack in us-east-1 can
 * configure.
 */
export class AccessLogs extends Construct {
  constructor(scope: Construct, id: string, { distribution, logRetentionDays }: AccessLogsProps) {
    super(scope, id)
    const name = localName(this, NAME_LENGTH)
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: vendedLogsName(this),
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: Stack.of(this).formatArn({
        service: 'cloudfront',
        region: '',
        resource: 'distribution',
        resourceName: distribution.distributionId,
      }),
    })
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      outputFormat: 'json',
      destinationResourceArn: logGroup.logGroupArn,
    })
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.ref,
      deliveryDestinationArn: destination.attrArn,
      recordFields: FIELDS,
    })
    delivery.addResourceDependency(source)
  }
}
