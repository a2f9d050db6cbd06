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

/** Resources of this construct with logical ids that the present template does not have. */
export const INCOMPATIBLE_TEMPLATE = JSON.stringify({
  Resources: {
    MayflyStorageMail2F16B83F: table('pk', 'sk'),
    MayflyStorageKeys12664C02: table('pk'),
    MayflyStorageMessagesEB8091F1: { Type: 'AWS::S3::Bucket' },
    MayflyOriginSecret5DDC59F1: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: { GenerateSecretString: {} },
    },
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

  close(): void {
    this.#cloudFormation.destroy()
    this.#dynamo.destroy()
    this.#s3.destroy()
  }
}
