import { Aws, Stack } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import {
  AwsCustomResource,
  AwsCustomResourcePolicy,
  type AwsSdkCall,
  PhysicalResourceId,
  PhysicalResourceIdReference,
} from 'aws-cdk-lib/custom-resources'
import { Construct } from 'constructs'
import { accountName, vendedLogsName } from '../names.ts'
import type { SdkCalls } from '../sdk-calls.ts'

/** The Region of CloudFront's deliveries, and of the log group that they write to. */
const REGION = 'us-east-1'
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
  calls: SdkCalls
  logRetentionDays: number
}

/**
 * Requests at CloudFront, in a log group in us-east-1: standard logging v2. A deployment in another
 * Region cannot create these resources by CloudFormation, so CDK's function calls the API of
 * us-east-1 (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging.html).
 */
export class AccessLogs extends Construct {
  readonly #calls: SdkCalls

  constructor(scope: Construct, id: string, { distribution, logRetentionDays, calls }: AccessLogsProps) {
    super(scope, id)
    this.#calls = calls
    // Deployments of all Regions share us-east-1.
    const name = accountName(this, NAME_LENGTH)
    const logGroupName = `${vendedLogsName(this)}-${Aws.REGION}`
    const group = this.#logGroup(logGroupName, logRetentionDays)
    const arn = Stack.of(this).formatArn({
      service: 'cloudfront',
      region: '',
      resource: 'distribution',
      resourceName: distribution.distributionId,
    })
    const source = this.#source(name, arn)
    const destinationResourceArn = this.#arn('log-group', logGroupName)
    const destination = this.#resource('Destination', {
      create: call('putDeliveryDestination', name, {
        name,
        outputFormat: 'json',
        deliveryDestinationConfiguration: { destinationResourceArn },
      }),
      remove: call('deleteDeliveryDestination', name, { name }),
      actions: ['logs:PutDeliveryDestination', 'logs:DeleteDeliveryDestination'],
      resources: [this.#arn('delivery-destination', name)],
    })
    destination.node.addDependency(group)
    const delivery = this.#delivery(name)
    delivery.node.addDependency(source, destination)
  }

  #logGroup(logGroupName: string, retentionInDays: number): AwsCustomResource {
    const resources = [this.#arn('log-group', logGroupName)]
    const group = this.#resource('Group', {
      create: {
        ...call('createLogGroup', logGroupName, { logGroupName }),
        ignoreErrorCodesMatching: 'ResourceAlreadyExistsException',
      },
      remove: call('deleteLogGroup', logGroupName, { logGroupName }),
      actions: ['logs:CreateLogGroup', 'logs:DeleteLogGroup'],
      resources,
    })
    const retention = this.#resource('Retention', {
      create: call('putRetentionPolicy', logGroupName, { logGroupName, retentionInDays }),
      actions: ['logs:PutRetentionPolicy'],
      resources,
    })
    retention.node.addDependency(group)
    return group
  }

  #source(name: string, resourceArn: string): AwsCustomResource {
    return this.#resource('Source', {
      create: call('putDeliverySource', name, { name, logType: 'ACCESS_LOGS', resourceArn }),
      remove: call('deleteDeliverySource', name, { name }),
      actions: ['logs:PutDeliverySource', 'logs:DeleteDeliverySource'],
      resources: [this.#arn('delivery-source', name)],
      more: [
        // IAM's reference names this resource for the action; the API names the source.
        new PolicyStatement({
          actions: ['logs:DeleteDeliverySource'],
          resources: [this.#arn('delivery-destination', name)],
        }),
        new PolicyStatement({
          actions: ['cloudfront:AllowVendedLogDeliveryForResource'],
          resources: [resourceArn],
        }),
      ],
    })
  }

  /** A delivery has an id of its own, which only the answer to its creation names. */
  #delivery(name: string): AwsCustomResource {
    const deliveryDestinationArn = this.#arn('delivery-destination', name)
    const parameters = { deliverySourceName: name, deliveryDestinationArn, recordFields: FIELDS }
    return this.#resource('Delivery', {
      create: {
        ...call('createDelivery', '', parameters),
        physicalResourceId: PhysicalResourceId.fromResponse('delivery.id'),
      },
      remove: {
        ...call('deleteDelivery', '', { id: new PhysicalResourceIdReference() }),
        physicalResourceId: undefined,
      },
      isCreatedOnce: true,
      actions: ['logs:CreateDelivery', 'logs:DeleteDelivery'],
      resources: [this.#arn('delivery', '*'), this.#arn('delivery-source', name), deliveryDestinationArn],
      // CloudWatch Logs gives the log group its resource policy with the rights of the caller
      // (docs.aws.amazon.com/AmazonCloudWatch/latest/logs,
      // AWS-logs-infrastructure-V2-CloudWatchLogs.html); without that policy no log is delivered.
      // IAM's reference has no resource for these actions.
      more: [
        new PolicyStatement({
          actions: ['logs:PutResourcePolicy', 'logs:DescribeResourcePolicies', 'logs:DescribeLogGroups'],
          resources: ['*'],
        }),
      ],
    })
  }

  #resource(
    id: string,
    calls: {
      create: AwsSdkCall
      remove?: AwsSdkCall
      /** Whether a second creation would fail. */
      isCreatedOnce?: boolean
      actions: string[]
      resources: string[]
      /** Statements with other resources. */
      more?: PolicyStatement[]
    },
  ): AwsCustomResource {
    const { create, remove, isCreatedOnce, actions, resources, more = [] } = calls
    return new AwsCustomResource(this, id, {
      ...this.#calls.common,
      resourceType: `Custom::AccessLogs${id}`,
      onCreate: create,
      ...(!isCreatedOnce && { onUpdate: create }),
      ...(remove && { onDelete: remove }),
      policy: AwsCustomResourcePolicy.fromStatements([new PolicyStatement({ actions, resources }), ...more]),
    })
  }

  #arn(kind: string, name: string): string {
    return `arn:${Aws.PARTITION}:logs:${REGION}:${Aws.ACCOUNT_ID}:${kind}:${name}`
  }
}

function call(action: string, physicalId: string, parameters: object): AwsSdkCall {
  return {
    service: 'CloudWatchLogs',
    action,
    region: REGION,
    parameters,
    physicalResourceId: PhysicalResourceId.of(physicalId),
  }
}
