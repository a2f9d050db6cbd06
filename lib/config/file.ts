import * as v from 'valibot'
import { anyObject, anyText, flag, number, object, oneOf, text, texts } from './form.ts'

const SECRET = /^arn:aws:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+$/
const VPC_ID = /^vpc-[0-9a-f]{8,17}$/
const SUBNET_ID = /^subnet-[0-9a-f]{8,17}$/
const WAYS = ['ses', 'smtp'] as const

const zone = object({
  id: text(/^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone, such as Z0123456789ABCDEFGHIJ'),
  name: anyText,
})

const host = object({
  name: anyText,
  certificateArn: text(
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
    'the ARN of an ACM certificate in us-east-1, the only Region whose certificates CloudFront accepts',
  ),
  zone: v.optional(zone),
})

const tasks = object({
  count: v.optional(number),
  maxCount: v.optional(number),
  cpu: v.optional(number),
  memoryMiB: v.optional(number),
  spot: v.optional(flag),
})

const smtp = object({
  host: v.optional(anyText),
  zone: v.optional(zone),
  certificateSecretArn: v.optional(text(SECRET, 'the complete ARN of a secret with `cert` and `key`')),
  tasks: v.optional(tasks),
})

/** @param few the fault of too few ids */
function subnets(least: number, few: string) {
  return v.pipe(
    texts,
    v.minLength(least, few),
    v.rawCheck(({ dataset: { typed, value }, addIssue }) => {
      if (!typed) return
      for (const id of value)
        if (!SUBNET_ID.test(id)) addIssue({ message: `has "${id}", which is no id of a subnet` })
      if (new Set(value).size < value.length) addIssue({ message: 'has an id twice' })
    }),
  )
}

const vpc = object({
  id: text(VPC_ID, 'the id of a VPC, such as vpc-0123456789abcdef0'),
  subnets: subnets(2, 'must have two ids of subnets or more'),
  publicSubnets: v.optional(subnets(1, 'must have an id of a subnet')),
})

const TAG_NAME = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u
const tags = v.pipe(
  anyObject,
  v.record(
    v.pipe(v.string(), v.regex(TAG_NAME, 'AWS does not accept')),
    text(/^.{0,256}$/s, 'a text of at most 256 characters'),
  ),
)

/** The form of mayfly.config.json; docs/aws.md describes each field. */
export const CONFIG_FILE = object({
  stackName: v.optional(
    text(/^[A-Za-z][A-Za-z0-9-]{0,39}$/, 'a name of letters, digits and hyphens'),
    'Mayfly',
  ),
  tags: v.optional(tags, {}),
  permissionsBoundary: v.optional(
    text(/^arn:aws[a-z-]*:iam::(aws|\d{12}):policy\/[\w+=,.@/-]+$/, 'the ARN of an IAM policy'),
  ),
  terminationProtection: v.optional(flag, false),
  domains: v.optional(
    v.array(
      object({
        name: anyText,
        zone: v.optional(zone),
        identity: v.optional(oneOf('create', 'existing')),
      }),
      'must be a list',
    ),
    [],
  ),
  retentionHours: v.optional(number),
  inbound: v.optional(
    v.custom<(typeof WAYS)[number][]>(
      isWays,
      'must be ["ses"], ["smtp"], or both; MX records name the first one',
    ),
  ),
  smtp: v.optional(smtp),
  receiptRuleSet: v.optional(anyText),
  takeOver: v.optional(flag),
  inboundLimit: v.optional(object({ mailsPerHour: number, stop: v.optional(flag) })),
  silenceHours: v.optional(number),
  canary: v.optional(anyText),
  ingestConcurrency: v.optional(number),
  reservedConcurrency: v.optional(object({ api: v.optional(number), ingest: v.optional(number) })),
  alarmEmail: v.optional(anyText),
  operatorKeysSecretArn: v.optional(text(SECRET, 'the complete ARN of a secret with API keys')),
  host: v.optional(host),
  live: v.optional(oneOf('fargate', 'web-function')),
  tasks: v.optional(tasks),
  fanOut: v.optional(oneOf('direct', 'valkey')),
  vpc: v.optional(vpc),
  availabilityZones: v.optional(texts),
  encryptionKey: v.optional(
    text(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, 'the ARN of a KMS key'),
  ),
  accessLogs: v.optional(flag),
  logRetentionDays: v.optional(number),
  throttle: v.optional(object({ requestsPerSecond: v.optional(number), burst: v.optional(number) })),
  webAcl: v.optional(
    object({
      arn: v.optional(
        text(
          /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
          'the ARN of a web ACL for CloudFront, which is in us-east-1',
        ),
      ),
      requestsPerFiveMinutes: v.optional(number),
    }),
  ),
})

export type ConfigFileFields = v.InferOutput<typeof CONFIG_FILE>
export type ZoneFields = v.InferOutput<typeof zone>
export type VpcFields = v.InferOutput<typeof vpc>

function isWays(value: unknown): boolean {
  const isWay = (item: unknown) => WAYS.some((way) => way === item)
  return Array.isArray(value) && value.every(isWay) && new Set(value).size === value.length
}
