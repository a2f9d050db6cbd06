import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { ENV, PREFIXES, TABLES } from '../adapters/aws/env.ts'
import type { Emptier } from './emptier.ts'

const HOURS_PER_DAY = 24

export interface StorageProps {
  retentionHours: number
  emptier: Emptier
}

/** The two tables and the bucket. All of it is deleted with the stack: mail lives for a day, and keys can be had anew. */
export class Storage extends Construct {
  /** Emails and domains; its stream announces them. */
  readonly mailTable: Table
  /** API keys, quotas and rate windows, whose writes would flood the stream. */
  readonly keysTable: Table
  /** Messages and their parts. */
  readonly bucket: Bucket
  /** What writes to the bucket is to depend on it: it empties the bucket when all of them are gone. */
  readonly empties: Construct
  /** The environment variables by which the adapters find these. */
  readonly environment: Record<string, string>

  constructor(scope: Construct, id: string, { retentionHours, emptier }: StorageProps) {
    super(scope, id)
    const { mail, keys } = TABLES
    const text = (name: string) => ({ name, type: AttributeType.STRING })
    // Named anew where the view type of the stream changed, which cannot be changed on a table.
    this.mailTable = new Table(this, 'Inboxes', {
      partitionKey: text(mail.partitionKey),
      sortKey: text(mail.sortKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: mail.timeToLive,
      // What an email was before tells the stream service that it was read.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.mailTable.addGlobalSecondaryIndex({
      indexName: mail.index.name,
      partitionKey: text(mail.index.partitionKey),
      sortKey: text(mail.index.sortKey),
      projectionType: ProjectionType.KEYS_ONLY,
    })
    this.keysTable = new Table(this, 'Keys', {
      partitionKey: text(keys.partitionKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: keys.timeToLive,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const days = Math.ceil(retentionHours / HOURS_PER_DAY)
    this.bucket = new Bucket(this, 'Messages', {
      // Not KMS: the S3 action of SES can only encrypt on its own side then, which only its Java and Ruby clients read.
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [
        // A day more than the retention: S3 counts whole days, and bytes must outlive the email that names them.
        ...[PREFIXES.raw, PREFIXES.parts].map((prefix) => ({ prefix, expiration: Duration.days(days + 1) })),
        { prefix: PREFIXES.answers, expiration: Duration.days(1) },
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      // Downloads are redirects to presigned URLs here: a browser follows them from the pages' origin.
      cors: [
        { allowedMethods: [HttpMethods.GET, HttpMethods.HEAD], allowedOrigins: ['*'], allowedHeaders: ['*'] },
      ],
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.empties = emptier.empties(this.bucket)
    this.environment = {
      [ENV.mailTable]: this.mailTable.tableName,
      [ENV.keysTable]: this.keysTable.tableName,
      [ENV.bucket]: this.bucket.bucketName,
      [ENV.retentionHours]: String(retentionHours),
    }
    Validations.of(this.mailTable).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'Emails live for a day; a restore would bring back what their owners deleted.',
    })
    Validations.of(this.keysTable).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'Counters and keys that anybody can have anew: nothing worth a restore.',
    })
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Objects live for a day and are reached by presigned URLs of minutes; access logs would outlive them.',
    })
  }
}
