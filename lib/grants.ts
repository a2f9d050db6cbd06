import { type CfnElement, Stack, Validations } from 'aws-cdk-lib'
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IConstruct } from 'constructs'
import { PREFIXES, TABLES } from '../adapters/aws/env.ts'
import type { Storage } from './storage.ts'

/** DynamoDB actions by what a program does; a transaction needs those of its parts (IAM has none for it). */
const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query']
const WRITE = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']

/** `get`: single items only. */
type Access = 'get' | 'read' | 'read and write'

/** What one program may do with the storage. Each is what its code does and no more; the emulator's run proves it. */
export interface StorageAccess {
  mailTable: Access
  keysTable?: Access
  /** Whether it looks for the domains of a key. */
  index?: boolean
  /** Whether it changes domains, where it may not write to the mail table otherwise. */
  domains?: boolean
  /** Object prefixes that it may read, write and delete under. */
  read?: Prefix[]
  write?: Prefix[]
  delete?: Prefix[]
}

type Prefix = keyof typeof PREFIXES

/**
 * Grants by statements of our own: the grants of CDK allow more actions (scans, batch writes, tagging) and name
 * them with wildcards.
 */
export function grantStorage(
  grantee: IGrantable & IConstruct,
  storage: Storage,
  access: StorageAccess,
): void {
  const allow = (actions: string[], resources: string[]) =>
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources }))
  const actions = (of: Access) =>
    of === 'get' ? ['dynamodb:GetItem'] : of === 'read' ? READ : [...READ, ...WRITE]
  allow(actions(access.mailTable), [storage.mailTable.tableArn])
  if (access.index)
    allow(['dynamodb:Query'], [`${storage.mailTable.tableArn}/index/${TABLES.mail.index.name}`])
  if (access.domains) {
    const condition = { 'dynamodb:LeadingKeys': [TABLES.mail.domains] }
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['dynamodb:PutItem'],
        resources: [storage.mailTable.tableArn],
        conditions: { 'ForAllValues:StringEquals': condition },
      }),
    )
  }
  if (access.keysTable !== undefined) allow(actions(access.keysTable), [storage.keysTable.tableArn])
  // To remove what is under a prefix; and without it S3 answers 403 for an object that is not there
  // (docs.aws.amazon.com/AmazonS3, API_GetObject).
  if (access.read ?? access.delete) allow(['s3:ListBucket'], [storage.bucket.bucketArn])
  const objects = (prefixes: Prefix[]) =>
    prefixes.map((prefix) => storage.bucket.arnForObjects(`${PREFIXES[prefix]}*`))
  if (access.read) allow(['s3:GetObject'], objects(access.read))
  if (access.write) allow(['s3:PutObject', 's3:AbortMultipartUpload'], objects(access.write))
  if (access.delete) allow(['s3:DeleteObject'], objects(access.delete))
  acknowledgeObjects(grantee, storage, [
    ...(access.read ?? []),
    ...(access.write ?? []),
    ...(access.delete ?? []),
  ])
}

/** An object cannot be named before it is there; the prefix is as far as a policy can go. */
function acknowledgeObjects(grantee: IConstruct, storage: Storage, prefixes: Prefix[]): void {
  const bucket = Stack.of(storage).getLogicalId(storage.bucket.node.defaultChild as CfnElement)
  for (const prefix of new Set(prefixes)) {
    Validations.of(grantee.node.scope!).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/${PREFIXES[prefix]}*]`,
      reason:
        'Objects are named by the mail that comes; the program reads, writes or deletes any of this prefix.',
    })
  }
}
