import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation'
import { type AttributeValue, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { eventually } from '../support/eventually.ts'
import type { Cloud } from './cloud.ts'
import { EMULATED } from './emulator.ts'

/** The bucket of `cdk bootstrap` in the account of the emulator. */
const BOOTSTRAP_BUCKET = 'cdk-hnb659fds-assets-000000000000-us-east-1'

type Item = Record<string, AttributeValue>

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url)

/**
 * The template of version 0.2.0 for the domain old.example, as CDK synthesised it, but each
 * function only confirms custom resources.
 */
export async function templateOf020(): Promise<string> {
  return gunzipSync(await readFile(fixture('aws/mayfly-0.2.0.template.json.gz'))).toString()
}

/**
 * What version 0.2.0 stored in January 2026 for 100 years: two domains, an API key, and three
 * messages with four emails. Binary attributes and objects are in base64.
 */
export async function dataOf020(): Promise<{
  mail: Item[]
  keys: Item[]
  objects: Record<string, Buffer>
}> {
  const { mail, keys, objects } = JSON.parse(
    await readFile(fixture('store/mayfly-0.2.0.aws.json'), 'utf8'),
    (name, value) => (name === 'B' ? Buffer.from(value, 'base64') : value),
  )
  const decoded = Object.entries(objects as Record<string, string>).map(
    ([key, content]) => [key, Buffer.from(content, 'base64')] as const,
  )
  return { mail, keys, objects: Object.fromEntries(decoded) }
}

/** The tables and the bucket of version 0.1.0, with their logical ids. */
export const TEMPLATE_OF_010 = JSON.stringify({
  Resources: {
    StorageMail2F16B83F: table('pk', 'sk'),
    StorageKeys12664C02: table('pk'),
    StorageMessagesEB8091F1: { Type: 'AWS::S3::Bucket' },
    OriginSecret5DDC59F1: { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: {} } },
  },
})

function table(...keys: string[]) {
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
      KeySchema: keys.map((name, i) => ({ AttributeName: name, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
    },
  }
}

/** The stacks, tables and buckets of an account, as the root user sees them. */
export class OlderStacks {
  readonly #endpoint: string
  readonly #cloudFormation: CloudFormationClient
  readonly #dynamo: DynamoDBClient
  readonly #s3: S3Client

  constructor({ endpoint }: Cloud) {
    this.#endpoint = endpoint
    const client = { ...EMULATED, endpoint }
    this.#cloudFormation = new CloudFormationClient(client)
    this.#dynamo = new DynamoDBClient(client)
    this.#s3 = new S3Client({ ...client, forcePathStyle: true })
  }

  async create(StackName: string, template: string): Promise<void> {
    const Key = `${StackName}.json`
    await this.#s3.send(new PutObjectCommand({ Bucket: BOOTSTRAP_BUCKET, Key, Body: template }))
    const TemplateURL = `${this.#endpoint}/${BOOTSTRAP_BUCKET}/${Key}`
    const Capabilities = ['CAPABILITY_IAM' as const]
    await this.#cloudFormation.send(new CreateStackCommand({ StackName, TemplateURL, Capabilities }))
    const created = async () =>
      (await this.#cloudFormation.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0]?.StackStatus
    const status = await eventually(
      `the stack ${StackName}`,
      created,
      (seen) => seen !== 'CREATE_IN_PROGRESS',
    )
    if (status !== 'CREATE_COMPLETE') throw new Error(`${StackName} is ${status}`)
  }

  /** Physical ids of a stack's resources by their logical ids. */
  async resources(StackName: string): Promise<Map<string, string>> {
    const { StackResourceSummaries = [] } = await this.#cloudFormation.send(
      new ListStackResourcesCommand({ StackName }),
    )
    const live = StackResourceSummaries.filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE')
    return new Map(
      live.map(({ LogicalResourceId = '', PhysicalResourceId = '' }) => [
        LogicalResourceId,
        PhysicalResourceId,
      ]),
    )
  }

  /** Logical ids of the resources that deployments began to create, change or delete. */
  async touched(StackName: string): Promise<Set<string>> {
    const { StackEvents = [] } = await this.#cloudFormation.send(
      new DescribeStackEventsCommand({ StackName }),
    )
    return new Set(StackEvents.map(({ LogicalResourceId = '' }) => LogicalResourceId))
  }

  async put(table: string, items: Item[]): Promise<void> {
    for (const Item of items) await this.#dynamo.send(new PutItemCommand({ TableName: table, Item }))
  }

  async items(table: string): Promise<Item[]> {
    return (await this.#dynamo.send(new ScanCommand({ TableName: table }))).Items ?? []
  }

  async putObjects(bucket: string, objects: Record<string, Buffer>): Promise<void> {
    for (const [Key, Body] of Object.entries(objects))
      await this.#s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  }

  close(): void {
    this.#cloudFormation.destroy()
    this.#dynamo.destroy()
    this.#s3.destroy()
  }
}
