import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { ENV, PREFIXES } from '../../adapters/aws/env.ts'
import { DynamoMessages } from '../../adapters/dynamodb/messages.ts'
import { type ObjectStore, startObjectStore } from '../../bench/support/object-store.ts'
import { Problem } from '../../core/errors.ts'
import { WEBHOOK_BODY_BYTES } from '../../core/limits.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { BUCKET, type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, unique } from '../contract/sample.ts'
import { listening } from '../support/http-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests read JSON of any shape
type Json = any

const MESSAGE = Buffer.from(
  'From: ann@shop.example\r\nSubject: Your code\r\n\r\nYour verification code is 739105.\r\n',
)

/** The handler with DynamoDB Local and the part of S3 that it uses. */
describeOnDynamoDb('the intake of mail from SES', () => {
  let deployment: LocalDeployment
  let s3: ObjectStore
  let store: AwsStore
  let domain: string
  let handler: (event: object) => Promise<{ batchItemFailures: object[] }>
  /** EventBridge: the events that it received, and whether it refuses. */
  let bus: Awaited<ReturnType<typeof listening>>
  const events: Json[] = []
  let refuses = false
  /** SQS: the requests that make a message visible again. */
  let queue: Awaited<ReturnType<typeof listening>>
  const returned: Json[] = []

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    bus = await listening(
      createServer(async (request, response) => {
        const { Entries } = (await json(request)) as Json
        if (!refuses) events.push(...Entries)
        const answers = Entries.map(() => (refuses ? { ErrorCode: 'InternalFailure' } : { EventId: '1' }))
        response.end(JSON.stringify({ FailedEntryCount: refuses ? answers.length : 0, Entries: answers }))
      }),
    )
    queue = await listening(
      createServer(async (request, response) => {
        returned.push(await json(request))
        response.end('{}')
      }),
    )
    s3 = await startObjectStore()
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      [ENV.retentionHours]: '24',
      AWS_ENDPOINT_URL_SQS: queue.url,
      [ENV.queueUrl]: `${queue.url}/123456789012/notifications`,
      // No webhook is registered, so nothing is sent there.
      [ENV.webhookQueueUrl]: 'http://127.0.0.1:1/queue',
      [ENV.eventBus]: 'ours',
      AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
    })
    ;({ handler } = (await import('../../lambdas/ingest.ts')) as never)
    store = deployment.store
    domain = (await putDomain(store.domains, sampleDomain())).name
  })
  afterAll(async () => {
    await bus?.close()
    await queue?.close()
    await s3?.stop()
    await deployment?.close()
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

  test('stores the message in the object, once', async () => {
    const [name, address] = [unique(), `bot@${domain}`]
    s3.objects.set(path(name), MESSAGE)
    for (let n = 0; n < 2; n++) {
      expect(await handler(received(name, [address]))).toEqual({ batchItemFailures: [] })
    }
    const { emails } = await store.emails.page(address, { limit: 10 })
    expect(emails.map(({ codes }) => codes)).toEqual([['739105']])
  })

  test('accepts a repeated notification of a mail that was deleted with its bytes', async () => {
    const [name, address] = [unique(), `gone@${domain}`]
    s3.objects.set(path(name), MESSAGE)
    await handler(received(name, [address]))
    const [email] = (await store.emails.page(address, { limit: 1 })).emails
    expect(await store.emails.remove(address, email!.id)).toMatchObject({ last: true })
    s3.objects.delete(path(name))
    expect(await handler(received(name, [address]))).toEqual({ batchItemFailures: [] })
    expect((await store.emails.page(address, { limit: 1 })).emails).toEqual([])
  })

  test('puts an event for each email on the bus, and returns a mail to the queue if that fails', async () => {
    const [name, addresses] = [unique(), [`one@${domain}`, `two@${domain}`]]
    s3.objects.set(path(name), MESSAGE)
    events.length = 0
    refuses = true
    expect(await handler(received(name, addresses))).toEqual({
      batchItemFailures: [{ itemIdentifier: name }],
    })
    refuses = false
    expect(await handler(received(name, addresses))).toEqual({ batchItemFailures: [] })
    for (const event of events)
      expect(event).toMatchObject({ EventBusName: 'ours', Source: 'mayfly', DetailType: 'email.received' })
    const told = events.map(({ Detail }) => JSON.parse(Detail))
    const stored = await Promise.all(addresses.map((address) => store.emails.page(address, { limit: 1 })))
    expect(told.map(({ domain: of, email }) => [of, email.id, email.codes]).sort()).toEqual(
      stored.map(({ emails: [email] }) => [domain, email!.id, ['739105']]).sort(),
    )
  })

  test('puts an event that is no larger than the body of a webhook', async () => {
    const name = unique()
    const body = 'a line of a long mail\r\n'.repeat(2000)
    s3.objects.set(path(name), Buffer.concat([MESSAGE, Buffer.from(body)]))
    events.length = 0
    await handler(received(name, [`long@${domain}`]))
    expect(events).toHaveLength(1)
    const { email } = JSON.parse(events[0].Detail)
    expect(email.body_text_truncated).toBe(true)
    expect(Buffer.byteLength(events[0].Detail)).toBeLessThan(WEBHOOK_BODY_BYTES / 2)
  })

  test.each([
    { attempt: 1, error: new Problem('unavailable', 'contention'), isSoon: true },
    { attempt: 8, error: new Problem('unavailable', 'contention'), isSoon: true },
    // An outage must not use up the attempts within seconds.
    { attempt: 9, error: new Problem('unavailable', 'contention'), isSoon: false },
    { attempt: 1, error: new Error('a fault of this program'), isSoon: false },
  ])('attempt $attempt that fails by $error.message returns within seconds: $isSoon', async (failed) => {
    const failing = jest.spyOn(DynamoMessages.prototype, 'delivered').mockRejectedValue(failed.error)
    returned.length = 0
    const { Records } = received('failing', [`bot@${domain}`]) as { Records: object[] }
    const attributes = { ApproximateReceiveCount: String(failed.attempt) }
    const record = { ...Records[0], receiptHandle: 'handle', attributes }
    expect(await handler({ Records: [record] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'failing' }],
    })
    failing.mockRestore()
    const seconds = expect.any(Number)
    const expected = {
      QueueUrl: process.env[ENV.queueUrl],
      ReceiptHandle: 'handle',
      VisibilityTimeout: seconds,
    }
    expect(returned).toEqual(failed.isSoon ? [expected] : [])
    for (const { VisibilityTimeout } of returned) {
      expect(VisibilityTimeout).toBeGreaterThanOrEqual(1)
      expect(VisibilityTimeout).toBeLessThanOrEqual(5)
    }
  })

  test('returns a notification to the queue if its object is missing and was never stored', async () => {
    const name = unique()
    expect(await handler(received(name, [`bot@${domain}`]))).toEqual({
      batchItemFailures: [{ itemIdentifier: name }],
    })
  })
})
