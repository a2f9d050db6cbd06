import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { ENV, PREFIXES, STORED_TAG, TABLES } from '../adapters/aws/env.ts'
import type { Config } from './config/resolved.ts'
import type { Emptier } from './operations/emptier.ts'

const HOURS_PER_DAY = 24
/**
 * The longest that a notification waits in the queue and then in the dead-letter queue
 * (lib/mail-in/inbound.ts). A raw message that is not stored yet must still be there.
 */
const QUEUE_DAYS = 14

/**
 * Units a second that the tables take at most, which bounds what a flood costs (docs/security.md,
 * "What one client address can cost on AWS"). The same for a table and for its index.
 */
const UNITS_MIN = 10_000
const UNITS_PER_REQUEST = 50
const UNITS_PER_INGEST_FUNCTION = 2_000
/** The quota of a table in a new account; a higher value is refused. */
export const UNITS_MAX = 40_000

export interface StorageProps extends Pick<Config, 'throttle' | 'ingestConcurrency'> {
  retentionHours: number
  emptier: Emptier
  /** Encrypts the tables and the bucket; undefined: AWS owns the keys. */
  encryptionKey: IKey | undefined
}

/**
 * The two tables and the bucket. The stack deletes them with itself: mail lives for a day, and keys
 * are free.
 */
export class Storage extends Construct {
  /** Emails and domains; its stream publishes them. */
  readonly mailTable: Table
  /** API keys, quotas and rate windows, whose writes would flood the stream. */
  readonly keysTable: Table
  /** Messages and their parts. */
  readonly bucket: Bucket
  /**
   * Every writer to the bucket must depend on it: it empties the bucket after deletion has removed
   * them.
   */
  readonly empties: Construct
  /** Environment variables with the names of these resources. */
  readonly environment: Record<string, string>
  readonly encryptionKey: IKey | undefined

  constructor(scope: Construct, id: string, props: StorageProps) {
    super(scope, id)
    const { retentionHours, emptier, encryptionKey } = props
    this.encryptionKey = encryptionKey
    const units = unitsOf(props)
    this.mailTable = this.#mailTable(units)
    this.keysTable = new Table(this, 'Keys', {
      partitionKey: text(TABLES.keys.partitionKey),
      timeToLiveAttribute: TABLES.keys.timeToLive,
      ...this.#common(),
      ...units,
    })
    this.bucket = this.#bucket(retentionHours)
    this.empties = emptier.empties(this.bucket)
    this.environment = {
      [ENV.mailTable]: this.mailTable.tableName,
      [ENV.keysTable]: this.keysTable.tableName,
      [ENV.bucket]: this.bucket.bucketName,
      [ENV.retentionHours]: String(retentionHours),
    }
  }

  /** ARN of the mail table's stream. */
  get streamArn(): string {
    return this.mailTable.tableStreamArn!
  }

  #common() {
    return {
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.DESTROY,
      ...(this.encryptionKey && {
        encryption: TableEncryption.CUSTOMER_MANAGED,
        encryptionKey: this.encryptionKey,
      }),
    }
  }

  #mailTable(units: Units): Table {
    const { partitionKey, sortKey, timeToLive, index } = TABLES.mail
    const table = new Table(this, 'Inboxes', {
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      timeToLiveAttribute: timeToLive,
      // The old image tells the stream service that an email was read.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      ...this.#common(),
      ...units,
    })
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      projectionType: ProjectionType.KEYS_ONLY,
      ...units,
    })
    return table
  }

  #bucket(retentionHours: number): Bucket {
    // One day more than the retention: S3 counts whole days, and the bytes must outlive the email.
    const storedDays = Math.ceil(retentionHours / HOURS_PER_DAY) + 1
    return new Bucket(this, 'Messages', {
      // The default encryption of the bucket. The KMS option of SES's S3 action is another one: it
      // encrypts on the client side (docs.aws.amazon.com/ses/latest/dg/receiving-email-action-s3.html).
      ...(this.encryptionKey
        ? {
            encryption: BucketEncryption.KMS,
            encryptionKey: this.encryptionKey,
            bucketKeyEnabled: true,
          }
        : { encryption: BucketEncryption.S3_MANAGED }),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [
        // A raw message outlives its notification, and expires with its emails once they are
        // stored.
        { prefix: PREFIXES.raw, expiration: Duration.days(Math.max(storedDays, QUEUE_DAYS + 1)) },
        {
          prefix: PREFIXES.raw,
          tagFilters: { [STORED_TAG.name]: STORED_TAG.value },
          expiration: Duration.days(storedDays),
        },
        { prefix: PREFIXES.parts, expiration: Duration.days(storedDays) },
        { prefix: PREFIXES.answers, expiration: Duration.days(1) },
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      // Downloads redirect to presigned URLs of this bucket, and browsers follow them from the
      // pages' origin.
      cors: [
        { allowedMethods: [HttpMethods.GET, HttpMethods.HEAD], allowedOrigins: ['*'], allowedHeaders: ['*'] },
      ],
      removalPolicy: RemovalPolicy.DESTROY,
    })
  }
}

interface Units {
  maxReadRequestUnits: number
  maxWriteRequestUnits: number
}

/** The limits of a table, which grow with what the configuration lets in. */
function unitsOf({ throttle, ingestConcurrency }: Pick<Config, 'throttle' | 'ingestConcurrency'>): Units {
  const within = (units: number) => Math.min(UNITS_MAX, Math.max(UNITS_MIN, units))
  return {
    maxReadRequestUnits: within(throttle.requestsPerSecond * UNITS_PER_REQUEST),
    maxWriteRequestUnits: within(ingestConcurrency * UNITS_PER_INGEST_FUNCTION),
  }
}

function text(name: string) {
  return { name, type: AttributeType.STRING }
}
