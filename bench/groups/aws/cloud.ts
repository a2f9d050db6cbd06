import { randomBytes } from 'node:crypto'
import { S3Client } from '@aws-sdk/client-s3'
import { EDGE_HEADERS, ENV, PREFIXES } from '../../../adapters/aws/env.ts'
import { hashKey, mintApiKey } from '../../../core/access/api-keys.ts'
import { newDomain } from '../../../core/access/registration.ts'
import { DAY_MS } from '../../../core/limits.ts'
import { type AwsStore, openStore } from '../../../service/aws-store.ts'
import { startSecrets } from '../../../test/support/secrets.ts'
import { type BenchDynamoDb, CREDENTIALS, REGION } from '../../support/dynamodb.ts'
import type { ObjectStore } from '../../support/object-store.ts'

export const BUCKET = 'mail'
export const DOMAIN = 'mayfly.test'
const SECRET = 'benchmark'
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'

/** The emulated AWS, and how handlers are called. */
export interface Cloud {
  /** The environment of a handler. */
  env: Record<string, string>
  /** API keys; each allows 120 requests a minute. */
  keys: string[]
  request(path: string, key?: string): unknown
  /** Stores a message where SES stores it; returns the event that announces it. */
  received(name: string, message: Buffer, recipient: string): unknown
  close(): Promise<void>
}

export async function prepareCloud(dynamo: BenchDynamoDb, s3: ObjectStore): Promise<Cloud> {
  const secrets = await startSecrets({ [SECRET_ARN]: [SECRET] })
  const store = storeOf(dynamo, s3)
  const now = Date.now()
  const domain = { ...newDomain(DOMAIN, 'verified', now), configured: true }
  await store.domains.change(DOMAIN, undefined, domain)
  const keys = Array.from({ length: 40 }, () => mintApiKey(randomBytes))
  for (const key of keys) {
    const times = { createdAt: now, expiresAt: now + DAY_MS }
    await store.keys.add({ hash: hashKey(key), purpose: 'benchmark', ...times })
  }
  return {
    env: {
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      [ENV.mailTable]: dynamo.mailTable,
      [ENV.keysTable]: dynamo.keysTable,
      [ENV.queueUrl]: 'http://127.0.0.1:1/notifications',
      [ENV.stackName]: 'bench',
      [ENV.webhookQueueUrl]: 'http://127.0.0.1:1/queue',
      [ENV.bucket]: BUCKET,
      [ENV.mxHost]: 'mx.mayfly.test',
      // No server listens there, so that a scheduled verification asks no public DNS server.
      [ENV.dnsServer]: '127.0.0.1:9',
      [ENV.retentionHours]: '24',
      [ENV.originSecretArn]: SECRET_ARN,
    },
    keys,
    close: secrets.close,
    request: (path, key) => ({
      rawPath: path,
      rawQueryString: '',
      isBase64Encoded: false,
      requestContext: { requestId: 'benchmark', http: { method: 'GET' } },
      headers: {
        [EDGE_HEADERS.secret]: SECRET,
        [EDGE_HEADERS.viewer]: '198.51.100.7:50000',
        [EDGE_HEADERS.path]: path,
        ...(key === undefined ? {} : { 'x-api-key': key }),
      },
    }),
    received(name, message, recipient) {
      const objectKey = `${PREFIXES.raw}${name}`
      s3.objects.set(`/${BUCKET}/${objectKey}`, message)
      const notification = {
        notificationType: 'Received',
        mail: { source: 'sender@shop.example' },
        receipt: { recipients: [recipient], action: { bucketName: BUCKET, objectKey } },
      }
      return { Records: [{ messageId: name, body: JSON.stringify(notification) }] }
    },
  }
}

export function storeOf({ client, mailTable, keysTable }: BenchDynamoDb, s3: ObjectStore): AwsStore {
  return openStore({
    mailTable,
    keysTable,
    bucket: BUCKET,
    dynamo: client,
    s3: new S3Client({
      endpoint: s3.endpoint,
      region: REGION,
      credentials: CREDENTIALS,
      forcePathStyle: true,
    }),
  })
}
