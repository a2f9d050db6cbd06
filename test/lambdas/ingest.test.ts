import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ENV, PREFIXES } from '../../adapters/aws/env.ts'
import { type ObjectStore, startObjectStore } from '../../bench/support/object-store.ts'
import { type AwsStore, openStore } from '../../lambdas/store.ts'
import { createTables, LOCAL, type LocalDynamoDb } from '../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, unique } from '../contract/sample.ts'

const BUCKET = 'bucket'
const MESSAGE = Buffer.from(
  'From: ann@shop.example\r\nSubject: Your code\r\n\r\nYour verification code is 739105.\r\n',
)

/** The handler with DynamoDB Local and as much of S3 as it uses. */
describeOnDynamoDb('the intake of mail from SES', () => {
  let dynamo: LocalDynamoDb
  let s3: ObjectStore
  let store: AwsStore
  let domain: string
  let handler: (event: object) => Promise<{ batchItemFailures: object[] }>

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    s3 = await startObjectStore()
    const tables = await createTables(dynamo.client)
    Object.assign(process.env, {
      AWS_REGION: LOCAL.region,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      [ENV.mailTable]: tables.mailTable,
      [ENV.keysTable]: tables.keysTable,
      [ENV.bucket]: BUCKET,
      [ENV.retentionHours]: '24',
      // Nothing is put there: no webhook is registered.
      [ENV.webhookQueueUrl]: 'http://127.0.0.1:1/queue',
    })
    ;({ handler } = (await import('../../lambdas/ingest.ts')) as never)
    store = openStore({ ...tables, bucket: BUCKET, dynamo: dynamo.client })
    domain = (await putDomain(store.domains, sampleDomain())).name
  }, 40_000)
  afterAll(async () => {
    await s3.stop()
    await dynamo.stop()
  })

  const path = (name: string) => `/${BUCKET}/${PREFIXES.raw}${name}`

  function received(name: string, recipients: string[]): object {
    const notification = {
      notificationType: 'Received',
      mail: { source: 'ann@shop.example' },
      receipt: { recipients, action: { bucketName: BUCKET, objectKey: `${PREFIXES.raw}${name}` } },
    }
    return { Records: [{ messageId: name, body: JSON.stringify(notification) }] }
  }

  test('stores what the object holds, once', async () => {
    const [name, address] = [unique(), `bot@${domain}`]
    s3.objects.set(path(name), MESSAGE)
    for (let n = 0; n < 2; n++) {
      expect(await handler(received(name, [address]))).toEqual({ batchItemFailures: [] })
    }
    const { emails } = await store.emails.page(address, { limit: 10 })
    expect(emails.map(({ codes }) => codes)).toEqual([['739105']])
  })

  test('takes a notification again whose mail was deleted with its bytes', async () => {
    const [name, address] = [unique(), `gone@${domain}`]
    s3.objects.set(path(name), MESSAGE)
    await handler(received(name, [address]))
    const [email] = (await store.emails.page(address, { limit: 1 })).emails
    expect(await store.emails.remove(address, email!.id)).toMatchObject({ last: true })
    s3.objects.delete(path(name))
    expect(await handler(received(name, [address]))).toEqual({ batchItemFailures: [] })
    expect((await store.emails.page(address, { limit: 1 })).emails).toEqual([])
  })

  test('hands back what has no object and was never stored', async () => {
    const name = unique()
    expect(await handler(received(name, [`bot@${domain}`]))).toEqual({
      batchItemFailures: [{ itemIdentifier: name }],
    })
  })
})
