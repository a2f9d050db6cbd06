import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { PREFIXES, TABLES } from '../adapters/aws/env.ts'
import type { Storage } from './storage.ts'

/**
 * Actions of DynamoDB. IAM has none for transactions; a transaction needs the actions of its parts.
 */
type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem'

type Prefix = keyof typeof PREFIXES

/**
 * The permissions of one program on the storage: exactly those that its code needs
 * (test/aws/iam/policies.test.ts).
 */
export interface StorageAccess {
  mailTable?: readonly TableAction[]
  keysTable?: readonly TableAction[]
  /** Whether it queries the domains of a key. */
  index?: boolean
  /** Whether it changes domains but may not write anything else to the mail table. */
  domains?: boolean
  /** Object prefixes under which it may read, write, tag and delete. */
  read?: Prefix[]
  write?: Prefix[]
  tag?: Prefix[]
  delete?: Prefix[]
}

/**
 * Grants access to the storage. CDK's own grants would allow more actions (scans, batch writes,
 * tagging) and use wildcards in their names.
 */
export function grantStorage(grantee: IGrantable, storage: Storage, access: StorageAccess): void {
  const allow = (actions: string[], resources: string[]) =>
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources }))
  const onTable = (actions: readonly TableAction[]) => actions.map((action) => `dynamodb:${action}`)
  if (access.mailTable) allow(onTable(access.mailTable), [storage.mailTable.tableArn])
  if (access.index)
    allow(['dynamodb:Query'], [`${storage.mailTable.tableArn}/index/${TABLES.mail.index.name}`])
  if (access.domains) grantDomainChanges(grantee, storage)
  if (access.keysTable) allow(onTable(access.keysTable), [storage.keysTable.tableArn])
  // For removing everything under a prefix. Without it S3 also answers 403 instead of 404 for a
  // missing object (docs.aws.amazon.com/AmazonS3, API_GetObject).
  if (access.read ?? access.delete) allow(['s3:ListBucket'], [storage.bucket.bucketArn])
  const objects = (prefixes: Prefix[]) =>
    prefixes.map((prefix) => storage.bucket.arnForObjects(`${PREFIXES[prefix]}*`))
  if (access.read) allow(['s3:GetObject'], objects(access.read))
  if (access.write) allow(['s3:PutObject', 's3:AbortMultipartUpload'], objects(access.write))
  if (access.tag) allow(['s3:PutObjectTagging'], objects(access.tag))
  if (access.delete) allow(['s3:DeleteObject'], objects(access.delete))
}

/** Allows writes to the partition of domains only. */
function grantDomainChanges(grantee: IGrantable, storage: Storage): void {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['dynamodb:PutItem'],
      resources: [storage.mailTable.tableArn],
      conditions: {
        'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [TABLES.mail.domains] },
      },
    }),
  )
}

/** Lets a program send messages to a queue. CDK's grant also allows reading its attributes. */
export function grantSend(grantee: IGrantable, queue: IQueue): void {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }),
  )
}
