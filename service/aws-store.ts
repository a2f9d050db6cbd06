import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { S3Client } from '@aws-sdk/client-s3'
import { dynamoClient, s3Client } from '../adapters/aws/clients.ts'
import { DynamoDomains } from '../adapters/dynamodb/domains.ts'
import { IdentityNotes } from '../adapters/dynamodb/identity-notes.ts'
import { DynamoKeys } from '../adapters/dynamodb/keys.ts'
import { DynamoLimits } from '../adapters/dynamodb/limits.ts'
import { DynamoMessages } from '../adapters/dynamodb/messages.ts'
import type { Recent } from '../adapters/dynamodb/recent.ts'
import { Table } from '../adapters/dynamodb/table.ts'
import { DynamoWebhooks } from '../adapters/dynamodb/webhooks.ts'
import { S3Blobs } from '../adapters/s3/blobs.ts'
import { limitedTo } from '../adapters/ses/limited.ts'
import type { Domains, Keys, Limits, MailProvider } from '../core/access/ports.ts'
import type { Clock } from '../core/clock.ts'
import type { BlobStore } from '../core/inbox/ports.ts'

/** Our own listener takes the mail: it wants no proof of a domain but its MX record. */
const NO_PROVIDER: MailProvider = {
  claim: async () => ({ confirmed: true, records: [] }),
  release: async () => {},
}

export interface StoreOptions {
  mailTable: string
  keysTable: string
  bucket: string
  /** Domains of the configuration: what SES knows of them is left alone. */
  configured?: Iterable<string>
  /** See MAIL_PROVIDERS; SES when it is not said. */
  mailProvider?: string
  clock?: Clock
  /** What the stream has announced of late, in a process that reads it. */
  recent?: Recent
  /** For tests; made from the environment otherwise. */
  dynamo?: DynamoDBClient
  s3?: S3Client
}

/** Every port on AWS but ChangeFeed, which live-store.ts adds. */
export interface AwsStore {
  emails: DynamoMessages
  blobs: BlobStore
  domains: Domains
  keys: Keys
  limits: Limits
  provider: MailProvider
  webhooks: DynamoWebhooks
}

/** Opens the store of a process, without a request. To be called once, outside of the handler. */
export function openStore(options: StoreOptions): AwsStore {
  const { clock = Date.now, recent, dynamo = dynamoClient(), s3 = s3Client() } = options
  const mail = new Table(dynamo, options.mailTable)
  const keys = new Table(dynamo, options.keysTable)
  const blobs = new S3Blobs(s3, options.bucket)
  return {
    emails: new DynamoMessages({ mail, keys, blobs, clock }),
    blobs,
    domains: new DynamoDomains(mail, clock, recent),
    keys: new DynamoKeys(keys),
    limits: new DynamoLimits(keys),
    webhooks: new DynamoWebhooks(keys, clock),
    provider: providerOf(keys, new Set(options.configured), options.mailProvider),
  }
}

function providerOf(keys: Table, configured: ReadonlySet<string>, name = 'ses'): MailProvider {
  if (name === 'smtp') return NO_PROVIDER
  const ses = lazyProvider(keys, configured)
  return name === 'ses-shared' ? limitedTo(configured, ses) : ses
}

/** SES is needed only when a domain is verified, so it is loaded then: every request would pay for it. */
function lazyProvider(keys: Table, configured: ReadonlySet<string>): MailProvider {
  let loading: Promise<MailProvider> | undefined
  const provider = () => {
    loading ??= import('../adapters/ses/client.ts').then(({ openProvider }) =>
      openProvider(new IdentityNotes(keys), configured),
    )
    return loading
  }
  return {
    claim: async (domain) => (await provider()).claim(domain),
    release: async (domain) => (await provider()).release(domain),
  }
}
