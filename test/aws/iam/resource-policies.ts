import { ACCOUNT, isWithin, type Policies } from './policies.ts'
import { arn, type IamRequest } from './requests.ts'

/** A request of an AWS service to a resource of the stack, which the policy of the resource allows. */
export interface ResourceRequest extends IamRequest {
  service: string
}

/** What services of AWS ask of the buckets, queues and topics of a template, and of the key. */
export function requestsOfServices(policies: Policies): ResourceRequest[] {
  const plain = [
    ...received(policies),
    ...notified(policies),
    ...alarms(policies),
    ...pages(policies),
    ...code(policies),
    ...events(policies),
  ]
  return [...plain, ...keyRequestsOf(plain, policies)]
}

/**
 * A service that writes to an encrypted bucket, queue or topic encrypts with the key
 * (ses/latest/dg/receiving-email-permissions.html, sns/latest/dg/sns-key-management.html).
 */
function keyRequestsOf(requests: ResourceRequest[], policies: Policies): ResourceRequest[] {
  const key = policies.key()
  if (key === undefined) return []
  const encrypted = policies.encrypted()
  const services = requests
    .filter(({ resource }) => encrypted.some((owner) => isWithin(resource, owner)))
    .map(({ service }) => service)
  return [...new Set(services)].flatMap((service) =>
    ['kms:GenerateDataKey', 'kms:Decrypt'].map((action) => ({ service, action, resource: key, context: {} })),
  )
}

/** SES stores mail and notifies the topic, for each rule. */
function received(policies: Policies): ResourceRequest[] {
  return policies.all('AWS::SES::ReceiptRule').flatMap(([, { RuleSetName, Rule }]) => {
    const source = `arn:aws:ses:us-east-1:${ACCOUNT}:receipt-rule-set/${RuleSetName}:receipt-rule/${Rule.Name}`
    const context = { 'aws:SourceAccount': ACCOUNT, 'aws:SourceArn': source }
    const { BucketName, ObjectKeyPrefix, TopicArn } = Rule.Actions[0].S3Action
    return [
      {
        service: 'ses',
        action: 's3:PutObject',
        resource: `arn:aws:s3:::${BucketName}/${ObjectKeyPrefix}x`,
        context,
      },
      { service: 'ses', action: 'sns:Publish', resource: TopicArn, context },
    ]
  })
}

/** SNS sends to the queue of a subscription, and what it could not send to the dead letters. */
function notified(policies: Policies): ResourceRequest[] {
  return policies
    .all('AWS::SNS::Subscription')
    .filter(([, { Protocol }]) => Protocol === 'sqs')
    .flatMap(([, { Endpoint, TopicArn, RedrivePolicy }]) =>
      [Endpoint, RedrivePolicy.deadLetterTargetArn].map((resource) => ({
        service: 'sns',
        action: 'sqs:SendMessage',
        resource,
        context: { 'aws:SourceArn': TopicArn },
      })),
    )
}

function alarms(policies: Policies): ResourceRequest[] {
  const topics = policies.all('AWS::CloudWatch::Alarm').flatMap(([, { AlarmActions = [] }]) => AlarmActions)
  return [...new Set(topics as string[])]
    .filter((topic) => topic.includes(':sns:'))
    .map((resource) => ({
      service: 'cloudwatch',
      action: 'sns:Publish',
      resource,
      context: { 'aws:SourceAccount': ACCOUNT },
    }))
}

/** CloudFront reads pages; without the permission to list, a missing one would be 403. */
function pages(policies: Policies): ResourceRequest[] {
  const [[id] = ['']] = policies.all('AWS::CloudFront::Distribution')
  const context = {
    'aws:SourceArn': `arn:aws:cloudfront::${ACCOUNT}:distribution/${policies.resolve({ Ref: id })}`,
  }
  return policies
    .all('AWS::S3::Bucket')
    .map(([bucket]) => policies.arnOf(bucket))
    .filter((bucket) => bucket.endsWith('edgepagesfiles'))
    .flatMap((resource) => [
      { service: 'cloudfront', action: 's3:GetObject', resource: `${resource}/x`, context },
      { service: 'cloudfront', action: 's3:ListBucket', resource, context },
    ])
}

/** Lambda reads the code of a revision (lambda/latest/dg/web-functions.html). */
function code(policies: Policies): ResourceRequest[] {
  const buckets = policies.all('AWS::S3::Bucket').map(([id]) => policies.arnOf(id))
  const bucket = buckets.find((name) => name.endsWith('ssecode'))
  return policies.all('AWS::Lambda::WebFunctionRevision').flatMap(([, { FunctionName }]) => {
    const source = arn('lambda', `web-function/${FunctionName}/revision/x`)
    return ['s3:GetObject', 's3:GetObjectVersion'].map((action) => ({
      service: 'lambda',
      action,
      resource: `${bucket}/x`,
      context: { 'aws:SourceArn': source },
    }))
  })
}

/** EventBridge sends to the queue of `onReceived`. */
function events(policies: Policies): ResourceRequest[] {
  return policies.all('AWS::Events::Rule').flatMap(([id, { Targets }]) =>
    (Targets as { Arn: string }[])
      .filter(({ Arn }) => Arn.includes(':sqs:'))
      .map(({ Arn }) => ({
        service: 'events',
        action: 'sqs:SendMessage',
        resource: Arn,
        context: { 'aws:SourceArn': policies.arnOf(id) },
      })),
  )
}
