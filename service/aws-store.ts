import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { S3Client } from '@aws-sdk/client-s3'
import { dynamoClient, s3Client } from '../adapters/aws/clients.ts'
import type { ChangeCache } from '../adapters/dynamodb/change-cache.ts'
import { DynamoDomains } from '../adapters/dynamodb/domains.ts'
import { DynamoKeys } from '../adapters/dynamodb/keys.ts'
import { DynamoLimits } from '../adapters/dynamodb/limits.ts'
import { DynamoMessages } from '../adapters/dynamodb/messages.ts'
import { Table } from '../adapters/dynamodb/table.ts'
import { DynamoWebhooks } from '../adapters/dynamodb/webhooks.ts'
import { S3Blobs } from '../adapters/s3/blobs.ts'
import { limitedTo } from '../adapters/ses/limited.ts'
import type { MailProvider } from '../core/access/ports.ts'
import type { Clock } from '../core/clock.ts'
import type { ServicePorts } from './assemble.ts'
import { NO_PROVIDER } from './defaults.ts'

export interface StoreOptions {
  mailTable: string
  keysTable: string
  bucket: string
  clock?: Clock
  /** Recent changes, in a process that reads the table's stream. */
  changeCache?: ChangeCache
  /** For tests; by default created from the environment. */
  dynamo?: DynamoDBClient
  s3?: S3Client
}

/** Every port on AWS but ChangeFeed, which sse-service/live-store.ts adds. */
export interface AwsStore extends ServicePorts {
  emails: DynamoMessages
  blobs: S3Blobs
  webhooks: DynamoWebhooks
}

/** Opens the store of a process, without a request. Call it once, outside of the handler. */
export function openStore(options: StoreOptions): AwsStore {
  const { clock = Date.now, changeCache, dynamo = dynamoClient(), s3 = s3Client() } = options
  const mail = new Table(dynamo, options.mailTable)
  const keys = new Table(dynamo, options.keysTable)
  const blobs = new S3Blobs(s3, options.bucket)
  return {
    emails: new DynamoMessages({ mail, keys, blobs, clock }),
    blobs,
    domains: new DynamoDomains(mail, clock, changeCache),
    keys: new DynamoKeys(keys),
    limits: new DynamoLimits(keys),
    webhooks: new DynamoWebhooks(keys, clock),
    clock,
  }
}

export interface ProviderOptions {
  /** See MAIL_PROVIDERS. @default 'ses' */
  mailProvider?: string | undefined
  /** Value of the tag on SES identities. */
  identityOwner?: string | undefined
}

/** Returns what receives mail for the domains of this store. */
export function openMailProvider(
  { domains }: Pick<AwsStore, 'domains'>,
  { mailProvider = 'ses', identityOwner: owner = '' }: ProviderOptions,
): MailProvider {
  if (mailProvider === 'smtp') return NO_PROVIDER
  const isConfigured = async (name: string) => (await domains.find(name))?.configured === true
  const ses = lazy(async () => {
    const { openProvider } = await import('../adapters/ses/client.ts')
    return openProvider({ owner, isConfigured })
  })
  return mailProvider === 'ses-shared' ? limitedTo(isConfigured, ses) : ses
}

/**
 * Loads the provider when it is first used: a cold start of a function that verifies nothing must
 * not pay for it.
 */
function lazy(load: () => Promise<MailProvider>): MailProvider {
  let loading: Promise<MailProvider> | undefined
  const provider = () => {
    loading ??= load()
    return loading
  }
  return {
    claim: async (domain) => (await provider()).claim(domain),
    release: async (domain) => (await provider()).release(domain),
  }
}
