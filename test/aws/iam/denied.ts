import { ACCOUNT } from './policies.ts'
import { arn, type IamRequest } from './requests.ts'

const MAIL = arn('dynamodb', 'table/StorageInboxes')
const KEYS = arn('dynamodb', 'table/StorageKeys')
const BUCKET = 'arn:aws:s3:::storagemessages'
const ORIGIN_SECRET = arn('secretsmanager', 'secret:OriginSecret-a1B2c3')
const IDENTITY = arn('ses', 'identity/x')

/** Roles that a request must be denied to, with what it would mean. */
interface Denied extends IamRequest {
  roles: RegExp
  would: string
}

const denied = (
  roles: RegExp,
  would: string,
  [action, resource]: [string, string],
  context: IamRequest['context'] = {},
): Denied => ({ roles, would, action, resource, context })

/** No program may do this. CDK's function that copies files has CDK's own grants. */
const ALL = /^(?!CustomCDK)/

export const DENIED: Denied[] = [
  denied(ALL, 'delete the bucket of messages', ['s3:DeleteBucket', BUCKET]),
  denied(ALL, 'make the bucket public', ['s3:PutBucketPolicy', BUCKET]),
  denied(ALL, 'delete a table', ['dynamodb:DeleteTable', MAIL]),
  denied(ALL, 'read all mail at once', ['dynamodb:Scan', MAIL]),
  denied(ALL, 'read all keys at once', ['dynamodb:Scan', KEYS]),
  denied(ALL, 'query the table of keys', ['dynamodb:Query', KEYS]),
  denied(ALL, 'write into the raw messages and parts of others', ['s3:PutObject', `${BUCKET}/x`]),
  denied(ALL, 'change a role', ['iam:PutRolePolicy', `arn:aws:iam::${ACCOUNT}:role/RestHandlerRole`]),
  denied(
    ALL,
    'create the service-linked role of another service',
    [
      'iam:CreateServiceLinkedRole',
      `arn:aws:iam::${ACCOUNT}:role/aws-service-role/lex.amazonaws.com/AWSServiceRoleForLexBots`,
    ],
    { 'iam:AWSServiceName': 'lex.amazonaws.com' },
  ),
  denied(/^Sse/, 'read a raw message by the stream service', ['s3:GetObject', `${BUCKET}/inbound/x`]),
  denied(/^Sse/, 'store a message by the stream service', ['s3:PutObject', `${BUCKET}/inbound/x`]),
  denied(/^Sse/, 'write mail by the stream service', ['dynamodb:PutItem', MAIL], {
    'dynamodb:LeadingKeys': ['address#bot@mail.example.com'],
  }),
  denied(/^Sse/, 'create an API key by the stream service', ['dynamodb:PutItem', KEYS]),
  denied(/^Smtp/, 'read mail by the SMTP service', ['dynamodb:Query', MAIL]),
  denied(/^Smtp/, 'read a message by the SMTP service', ['s3:GetObject', `${BUCKET}/inbound/x`]),
  denied(/^Smtp/, 'read the keys by the SMTP service', ['dynamodb:GetItem', KEYS]),
  denied(/^(Inbound|Webhooks|Smtp|Setup|Canary|Receiving|Emptier)/, 'read the origin secret', [
    'secretsmanager:GetSecretValue',
    ORIGIN_SECRET,
  ]),
  denied(/^Webhooks/, 'read a message by the sender of webhooks', ['s3:GetObject', `${BUCKET}/parts/x`]),
  denied(/^(Canary|UpgradeGuard|Receiving|SseCheck|ValkeyPublish|Calls)/, 'read mail', [
    'dynamodb:GetItem',
    MAIL,
  ]),
  denied(/^(Rest|Inbound|Sse|Webhooks|Smtp)/, 'create an identity of SES', [
    'ses:CreateEmailIdentity',
    IDENTITY,
  ]),
  denied(/^Verification/, 'create an identity without the tag', ['ses:CreateEmailIdentity', IDENTITY]),
  denied(/^Verification/, 'delete an identity of another owner', ['ses:DeleteEmailIdentity', IDENTITY], {
    'aws:ResourceTag/mayfly': 'another deployment',
  }),
  denied(/^Canary/, 'send as another sender', ['ses:SendEmail', arn('ses', 'identity/mail.example.com')], {
    'ses:FromAddress': 'ceo@mail.example.com',
  }),
  denied(/^(?!Setup)/, 'activate a receipt rule set', ['ses:SetActiveReceiptRuleSet', '*']),
  denied(/^(?!CustomCDK|Rest|Verification|Sse|Emptier|Inbound)/, 'delete a message', [
    's3:DeleteObject',
    `${BUCKET}/inbound/x`,
  ]),
  denied(/^/, 'read a message without TLS', ['s3:GetObject', `${BUCKET}/inbound/x`], {
    'aws:SecureTransport': 'false',
  }),
]

interface DeniedService extends IamRequest {
  service: string
  would: string
}

const foreign = { 'aws:SourceAccount': '999999999999', 'aws:SourceArn': 'arn:aws:x:us-east-1:999999999999:x' }

/** Requests of AWS services that the policies of resources must deny. */
export const DENIED_SERVICES: DeniedService[] = [
  {
    service: 'ses',
    would: 'store mail for a rule of another account',
    action: 's3:PutObject',
    resource: `${BUCKET}/inbound/x`,
    context: foreign,
  },
  {
    service: 'ses',
    would: 'notify for a rule of another account',
    action: 'sns:Publish',
    resource: arn('sns', 'InboundReceived'),
    context: foreign,
  },
  {
    service: 'sns',
    would: 'queue a notification of another topic',
    action: 'sqs:SendMessage',
    resource: arn('sqs', 'InboundQueue'),
    context: foreign,
  },
  {
    service: 'cloudwatch',
    would: 'raise an alarm of another account',
    action: 'sns:Publish',
    resource: arn('sns', 'OperationsAlarms'),
    context: foreign,
  },
  {
    service: 'cloudfront',
    would: 'read pages for another distribution',
    action: 's3:GetObject',
    resource: 'arn:aws:s3:::edgepagesfiles/x',
    context: foreign,
  },
]
