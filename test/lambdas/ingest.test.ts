import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { ENV, PREFIXES, STORED_TAG } from '../../adapters/aws/env.ts'
import { DynamoMessages } from '../../adapters/dynamodb/messages.ts'
import { S3Blobs } from '../../adapters/s3/blobs.ts'
import { type ObjectStore, startObjectStore } from '../../bench/support/object-store.ts'
import { Problem } from '../../core/errors.ts'
import { DAY_MS, WEBHOOK_BODY_BYTES } from '../../core/limits.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { BUCKET, type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, sampleWebhook, unique } from '../contract/sample.ts'
import { synthesise } from '../lib/synth.ts'
import { listening } from '../support/http-server.ts'
import { collectLog, type LogLine } from '../support/logged.ts'

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
  /** SQS: the requests that make a message visible again, the jobs of webhooks, and its status. */
  let queue: Awaited<ReturnType<typeof listening>>
  const returned: Json[] = []
  const jobs: Json[] = []
  let queueStatus = 200
  let logged: LogLine[]

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
        const asked = (await json(request)) as Json
        const isJob = asked.QueueUrl === process.env[ENV.webhookQueueUrl]
        if (queueStatus === 200) (isJob ? jobs : returned).push(isJob ? JSON.parse(asked.MessageBody) : asked)
        response.statusCode = queueStatus
        const MD5OfMessageBody = isJob && createHash('md5').update(asked.MessageBody).digest('hex')
        response.end(JSON.stringify({ MD5OfMessageBody }))
      }),
    )
    s3 = await startObjectStore()
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      [ENV.retentionHours]: '24',
      AWS_ENDPOINT_URL_SQS: queue.url,
      [ENV.queueUrl]: `${queue.url}/123456789012/notifications`,
      [ENV.webhookQueueUrl]: `${queue.url}/123456789012/webhooks`,
      [ENV.eventBus]: 'ours',
      [ENV.stackName]: 'Mayfly-1',
      AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
    })
    ;({ handler } = (await import('../../lambdas/ingest.ts')) as never)
    store = deployment.store
    domain = (await putDomain(store.domains, sampleDomain())).name
  })
  beforeEach(() => {
    logged = collectLog().lines
    queueStatus = 200
    refuses = false
    for (const list of [events, returned, jobs]) list.length = 0
  })
  afterEach(() => void jest.restoreAllMocks())
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
    // MAYFLY_RETENTION_HOURS
    for (const { receivedAt, expiresAt } of emails) expect(expiresAt - receivedAt).toBe(DAY_MS)
    // A raw message that is stored expires with its emails (lib/storage.ts).
    expect(s3.tags.get(path(name))).toEqual({ [STORED_TAG.name]: STORED_TAG.value })
  })

  test('a mail for no registered domain is stored for nobody, and its raw message is not marked', async () => {
    const name = unique()
    s3.objects.set(path(name), MESSAGE)
    expect(await handler(received(name, ['bot@unknown.example']))).toEqual({ batchItemFailures: [] })
    expect(s3.tags.has(path(name))).toBe(false)
    expect(events).toEqual([])
    expect(logged).toEqual([{ level: 'info', message: 'mail', messageId: name, stored: 0 }])
  })

  test('a stored mail whose raw message cannot be marked is not handled again', async () => {
    const name = unique()
    s3.objects.set(path(name), MESSAGE)
    const failing = jest.spyOn(S3Blobs.prototype, 'expireWithEmails').mockRejectedValue(new Error('denied'))
    expect(await handler(received(name, [`marked@${domain}`]))).toEqual({ batchItemFailures: [] })
    expect(failing).toHaveBeenCalledTimes(1)
    expect(logged.map(({ level, message, messageId }) => [level, message, messageId])).toEqual([
      ['warn', 'the raw message is kept for the time of the queues', name],
      ['info', 'mail', name],
    ])
  })

  test('returns only the messages of a batch that failed; a test notification of SES is none', async () => {
    const [name, missing] = [unique(), unique()]
    s3.objects.set(path(name), MESSAGE)
    const batch = [received(missing, [`bot@${domain}`]), received(name, [`batch@${domain}`])]
    const test = {
      messageId: 'test',
      body: JSON.stringify({ notificationType: 'AmazonSnsSubscriptionSucceeded' }),
    }
    const Records = [...batch.flatMap((event) => (event as Json).Records), test]
    expect(await handler({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: missing }] })
    expect((await store.emails.page(`batch@${domain}`, { limit: 10 })).emails).toHaveLength(1)
  })

  test('queues a job for each webhook of an email, again if that failed', async () => {
    const [name, address] = [unique(), `hook@${domain}`]
    s3.objects.set(path(name), MESSAGE)
    const webhook = sampleWebhook(Date.now(), { target: { address } })
    await store.webhooks.add(webhook, 20)
    queueStatus = 400
    expect(await handler(received(name, [address]))).toEqual({
      batchItemFailures: [{ itemIdentifier: name }],
    })
    // Events are put after the jobs are queued.
    expect(events).toEqual([])
    queueStatus = 200
    expect(await handler(received(name, [address]))).toEqual({ batchItemFailures: [] })
    const [email] = (await store.emails.page(address, { limit: 1 })).emails
    expect(jobs).toMatchObject([{ webhook: webhook.id, address, email: email!.id, attempts: 0 }])
    expect(returned).toEqual([])
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
    const { Records } = received('failing', [`bot@${domain}`]) as { Records: object[] }
    const attributes = { ApproximateReceiveCount: String(failed.attempt) }
    const record = { ...Records[0], receiptHandle: 'handle', attributes }
    expect(await handler({ Records: [record] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'failing' }],
    })
    failing.mockRestore()
    const expected = {
      QueueUrl: process.env[ENV.queueUrl],
      ReceiptHandle: 'handle',
      VisibilityTimeout: expect.any(Number),
    }
    expect(returned).toEqual(failed.isSoon ? [expected] : [])
    const line = { level: 'error', message: 'mail was not handled', messageId: 'failing' }
    const error = expect.stringContaining(failed.error.message)
    expect(logged).toEqual([
      { ...line, attempt: String(failed.attempt), error },
      // CloudWatch extracts the metric of the alarm "Mail fails" from it.
      expect.objectContaining({ _aws: expect.anything(), Stack: 'Mayfly-1', FailedAttempts: 1 }),
    ])
  })

  test.each([
    { random: 0, queue: 200, seconds: [1] },
    { random: 0.9999, queue: 200, seconds: [5] },
    // The message returns after the visibility time-out then.
    { random: 0, queue: 400, seconds: [] },
  ])('contention returns a message after 1 to 5 s: %j', async ({ random, queue: status, seconds }) => {
    const error = new Problem('unavailable', 'contention')
    const failing = jest.spyOn(DynamoMessages.prototype, 'delivered').mockRejectedValue(error)
    const chance = jest.spyOn(Math, 'random').mockReturnValue(random)
    queueStatus = status
    const { Records } = received('failing', [`bot@${domain}`]) as Json
    const failures = await handler({ Records: [{ ...Records[0], receiptHandle: 'handle' }] })
    failing.mockRestore()
    chance.mockRestore()
    expect(failures).toEqual({ batchItemFailures: [{ itemIdentifier: 'failing' }] })
    expect(returned.map(({ VisibilityTimeout }) => VisibilityTimeout)).toEqual(seconds)
    expect(logged.filter(({ level }) => level).map(({ level, message }) => [level, message])).toEqual([
      ['error', 'mail was not handled'],
      ...(status === 200 ? [] : [['warn', 'the message returns after the visibility time-out only']]),
    ])
  })

  test('an outage of twelve hours uses up no message: the pauses grow to an hour', async () => {
    const error = new Problem('unavailable', 'an outage')
    const failing = jest.spyOn(DynamoMessages.prototype, 'delivered').mockRejectedValue(error)
    const [queueOfTemplate] = Object.entries(synthesise().all('AWS::SQS::Queue'))
      .filter(([id]) => id.startsWith('MayflyInboundQueue'))
      .map(([, properties]) => properties)
    const { VisibilityTimeout: usual, RedrivePolicy } = queueOfTemplate!
    let seconds = 0
    const pauses: number[] = []
    for (let attempt = 1; attempt <= RedrivePolicy.maxReceiveCount; attempt++) {
      returned.length = 0
      const { Records } = received('failing', [`bot@${domain}`]) as Json
      const attributes = { ApproximateReceiveCount: String(attempt) }
      await handler({ Records: [{ ...Records[0], receiptHandle: 'handle', attributes }] })
      const pause = returned.at(-1)?.VisibilityTimeout ?? usual
      // The last attempt must come after the outage.
      if (attempt < RedrivePolicy.maxReceiveCount) seconds += pause
      pauses.push(pause)
    }
    failing.mockRestore()
    expect(seconds / 3600).toBeGreaterThan(12)
    // After the quick retries each pause is longer than the one before, until it is an hour.
    const growing = pauses.slice(pauses.indexOf(usual), pauses.indexOf(3600) + 1)
    expect(growing.length).toBeGreaterThan(3)
    expect(growing).toEqual([...new Set(growing)].sort((a, b) => a - b))
    expect(Math.max(...pauses)).toBe(3600)
  })

  test('returns a notification to the queue if its object is missing and was never stored', async () => {
    const name = unique()
    expect(await handler(received(name, [`bot@${domain}`]))).toEqual({
      batchItemFailures: [{ itemIdentifier: name }],
    })
  })
})
