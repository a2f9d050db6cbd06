import type { Policies, Role } from './policies.ts'
import { ACCOUNT } from './policies.ts'
import { arn, type IamRequest } from './requests.ts'

/** A request that AWS makes by itself, with the page that says so. */
export interface ServiceRequest extends IamRequest {
  page: string
}

const PAGES = {
  logs: 'lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html',
  sqs: 'lambda/latest/dg/services-sqs-configure.html',
  streams: 'lambda/latest/dg/with-ddb-create-package.html',
  network: 'lambda/latest/dg/configuration-vpc.html',
  tasks: 'AmazonECS/latest/developerguide/task_execution_IAM_role.html',
  tableKey: 'amazondynamodb/latest/developerguide/encryption.howitworks.html',
  bucketKey: 'AmazonS3/latest/userguide/UsingKMSEncryption.html',
  queueKey: 'AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html',
  secretKey: 'secretsmanager/latest/userguide/security-encryption.html',
  stacks: 'AWSCloudFormation/latest/UserGuide/control-access-with-iam.html',
  deliveries: 'AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-V2-CloudWatchLogs.html',
}

/** The requests that services of AWS make with a role, besides those of the program itself. */
export function requestsForRole(role: Role, policies: Policies, own: IamRequest[]): ServiceRequest[] {
  const plain = [
    ...logsOf(role, policies),
    ...pollsOf(role, policies),
    ...networkOf(role, policies),
    ...imagesOf(role, policies),
    ...callsOf(role, policies),
  ]
  return [...plain, ...keyRequests(policies, [...own, ...plain])]
}

function request(
  page: keyof typeof PAGES,
  actions: string[],
  resource: string,
  context = {},
): ServiceRequest[] {
  return actions.map((action) => ({ action, resource, context, page: PAGES[page] }))
}

/** Lambda and ECS write the output of a program to its log group. */
function logsOf(role: Role, policies: Policies): ServiceRequest[] {
  const groups = [
    ...policies
      .all('AWS::Lambda::Function')
      .filter(([, { Role: owner }]) => owner === role.arn)
      .map(([, { LoggingConfig }]) => LoggingConfig?.LogGroup),
    ...policies
      .all('AWS::ECS::TaskDefinition')
      .filter(([, { ExecutionRoleArn }]) => ExecutionRoleArn === role.arn)
      .map(
        ([, { ContainerDefinitions }]) => ContainerDefinitions[0].LogConfiguration.Options['awslogs-group'],
      ),
    // A web function has a second group with the suffix `.local`.
    ...policies
      .all('AWS::Lambda::WebFunctionRevision')
      .filter(([, { ServiceConfig }]) => ServiceConfig.ExecutionRoleArn === role.arn)
      .flatMap(([, { ServiceConfig }]) => {
        const { LogGroup } = ServiceConfig.TelemetryConfig.LoggingConfig
        return [LogGroup, LogGroup.replace(/Logs$/, 'LocalLogs')]
      }),
  ]
  const actions = ['logs:CreateLogStream', 'logs:PutLogEvents']
  return groups
    .filter((group) => group !== undefined)
    .flatMap((group) => request('logs', actions, arn('logs', `log-group:${group}:log-stream:x`)))
}

/** Lambda polls queues and streams with the role of the function. */
function pollsOf(role: Role, policies: Policies): ServiceRequest[] {
  if (role.runs === undefined) return []
  const name = policies.resolve({ Ref: role.runs })
  return policies
    .all('AWS::Lambda::EventSourceMapping')
    .filter(([, { FunctionName }]) => FunctionName === name)
    .flatMap(([, { EventSourceArn }]) =>
      EventSourceArn.includes(':dynamodb:')
        ? [
            ...request(
              'streams',
              ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
              EventSourceArn,
            ),
            ...request('streams', ['dynamodb:ListStreams'], '*'),
          ]
        : request(
            'sqs',
            ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
            EventSourceArn,
          ),
    )
}

function networkOf(role: Role, policies: Policies): ServiceRequest[] {
  const isInVpc = policies
    .all('AWS::Lambda::Function')
    .some(([, { Role: owner, VpcConfig }]) => owner === role.arn && VpcConfig !== undefined)
  if (!isInVpc) return []
  const actions = [
    'CreateNetworkInterface',
    'DescribeNetworkInterfaces',
    'DescribeSubnets',
    'DeleteNetworkInterface',
    'AssignPrivateIpAddresses',
    'UnassignPrivateIpAddresses',
  ]
  return request(
    'network',
    actions.map((action) => `ec2:${action}`),
    '*',
  )
}

/** ECS pulls the image of a task from ECR. */
function imagesOf(role: Role, policies: Policies): ServiceRequest[] {
  const isPulling = policies
    .all('AWS::ECS::TaskDefinition')
    .some(([, { ExecutionRoleArn }]) => ExecutionRoleArn === role.arn)
  if (!isPulling) return []
  const repository = arn('ecr', `repository/cdk-hnb659fds-container-assets-${ACCOUNT}-us-east-1`)
  return [
    ...request(
      'tasks',
      ['ecr:BatchCheckLayerAvailability', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchGetImage'],
      repository,
    ),
    ...request('tasks', ['ecr:GetAuthorizationToken'], '*'),
  ]
}

interface SdkCall {
  service: string
  action: string
  parameters: Record<string, string>
}

/** The calls of AwsCustomResource are written in the template: CDK's function makes them as they are. */
function callsOf(role: Role, policies: Policies): ServiceRequest[] {
  if (role.runs === undefined) return []
  const token = policies.arnOf(role.runs)
  const calls = policies
    .customResources()
    .filter(({ properties: { ServiceToken } }) => ServiceToken === token)
    .flatMap(({ properties: { Create, Update, Delete } }) => [Create, Update, Delete])
    .filter((call) => typeof call === 'string')
  const found = calls.map((call) => JSON.parse(call) as SdkCall).flatMap(callRequests)
  return [...new Map(found.map((one) => [`${one.action} ${one.resource}`, one])).values()]
}

function callRequests({ service, action, parameters }: SdkCall): ServiceRequest[] {
  const name = `${action[0]!.toUpperCase()}${action.slice(1)}`
  if (service === 'EC2') return request('network', [`ec2:${name}`], '*')
  if (service === 'IAM') {
    const host = parameters.AWSServiceName!
    const roles = `arn:aws:iam::${ACCOUNT}:role/aws-service-role/${host}/AWSServiceRoleForECS`
    return request('tasks', [`iam:${name}`], roles, { 'iam:AWSServiceName': host })
  }
  if (service === 'CloudFormation')
    return request(
      'stacks',
      [`cloudformation:${name}`],
      arn('cloudformation', `stack/${parameters.StackName}/x`),
    )
  if (service !== 'CloudWatchLogs') throw new Error(`calls of ${service} are not known here`)
  const of = (kind: string, id: string) =>
    request('deliveries', [`logs:${name}`], arn('logs', `${kind}:${id}`))
  if (parameters.logGroupName) return of('log-group', parameters.logGroupName)
  // The Service Authorization Reference names a destination for DeleteDeliverySource.
  if (/DeliveryDestination$|^DeleteDeliverySource$/.test(name))
    return of('delivery-destination', parameters.name!)
  if (/DeliverySource$/.test(name)) {
    const { resourceArn } = parameters
    const vended = ['cloudfront:AllowVendedLogDeliveryForResource']
    return [
      ...of('delivery-source', parameters.name!),
      ...(resourceArn ? request('deliveries', vended, resourceArn) : []),
    ]
  }
  if (name === 'CreateDelivery')
    return [
      ...of('delivery-source', parameters.deliverySourceName!),
      ...request('deliveries', [`logs:${name}`], parameters.deliveryDestinationArn!),
      ...of('delivery', 'x'),
      // CloudWatch Logs gives the log group its resource policy with the rights of the caller.
      ...request(
        'deliveries',
        ['logs:PutResourcePolicy', 'logs:DescribeResourcePolicies', 'logs:DescribeLogGroups'],
        '*',
      ),
    ]
  return of('delivery', 'x')
}

/** What a service asks AWS KMS for when a program uses an encrypted resource. */
function keyRequests(policies: Policies, requests: IamRequest[]): ServiceRequest[] {
  const key = policies.key()
  if (key === undefined) return []
  const encrypted = new Set(policies.encrypted())
  const found = requests.flatMap(({ action, resource }) => {
    const owner = [...encrypted].find((one) => resource === one || resource.startsWith(`${one}/`))
    if (owner === undefined) return []
    const [service] = action.split(':') as [string]
    const via = { 'kms:ViaService': `${service}.us-east-1.amazonaws.com` }
    return KEY_ACTIONS[service]!(action).map((name) => ({
      action: `kms:${name}`,
      resource: key,
      context: via,
      page: PAGES[KEY_PAGES[service]!],
    }))
  })
  return [...new Map(found.map((one) => [`${one.action} ${one.context['kms:ViaService']}`, one])).values()]
}

const KEY_PAGES: Record<string, keyof typeof PAGES> = {
  dynamodb: 'tableKey',
  s3: 'bucketKey',
  sqs: 'queueKey',
  secretsmanager: 'secretKey',
}

const KEY_ACTIONS: Record<string, (action: string) => string[]> = {
  // The permissions of a principal that uses the table.
  dynamodb: () => ['Encrypt', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo', 'GenerateDataKey'],
  // A multipart upload also decrypts.
  s3: (action) =>
    /Put/.test(action) ? ['GenerateDataKey', 'Decrypt'] : /GetObject/.test(action) ? ['Decrypt'] : [],
  sqs: (action) =>
    /Send/.test(action) ? ['GenerateDataKey', 'Decrypt'] : /Receive/.test(action) ? ['Decrypt'] : [],
  secretsmanager: () => ['Decrypt'],
}
