import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { ENV, PREFIXES } from '../../adapters/aws/env.ts'
import { envelopeOf } from '../../adapters/ses/notification.ts'
import { type ObjectStore, startObjectStore } from '../../bench/support/object-store.ts'
import { BUCKET, type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, sampleMail, unique } from '../contract/sample.ts'
import { collectLog } from '../support/logged.ts'
import { startSqs, type TestSqs } from '../support/sqs.ts'

const HOUR_MS = 3_600_000

/** Raw messages in a bucket, with DynamoDB Local, and a server that speaks SQS. */
describeOnDynamoDb('the reconciler', () => {
  let s3: ObjectStore
  let sqs: TestSqs
  let deployment: LocalDeployment
  let domain: string
  let handler: (
    event: unknown,
    context: { getRemainingTimeInMillis(): number },
  ) => Promise<{ queued: number }>

  beforeAll(async () => {
    s3 = await startObjectStore()
    sqs = await startSqs()
  })
  beforeEach(async () => {
    deployment = await openLocalDeployment()
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      [ENV.queueUrl]: `${sqs.url}/123456789012/notifications`,
    })
    jest.resetModules()
    handler = (await import('../../lambdas/reconcile.ts')).handler
    domain = (await putDomain(deployment.store.domains, sampleDomain())).name
    s3.objects.clear()
    sqs.sent.length = 0
    collectLog()
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await deployment.close()
  })
  afterAll(async () => {
    await sqs?.close()
    await s3?.stop()
  })

  const put = (
    name: string,
    head = `Received: from a\r\n by inbound-smtp.us-east-1.amazonaws.com with SMTP id abc for bot@${domain};\r\n`,
  ) => s3.objects.set(`/${BUCKET}/${PREFIXES.raw}${name}`, Buffer.from(`${head}Subject: x\r\n\r\ny`))
  const run = (remainingMs = 900_000) => handler({}, { getRemainingTimeInMillis: () => remainingMs })
  /** Runs when the objects are this much older. */
  const runAfter = (ms: number, remainingMs?: number) => runAt(Date.now() + ms, remainingMs)
  async function runAt(now: number, remainingMs?: number) {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now)
    const { queued } = await run(remainingMs)
    clock.mockRestore()
    return queued
  }
  const queuedIds = () => sqs.sent.map(({ MessageBody }) => envelopeOf(MessageBody, BUCKET)?.messageId)

  test('a message without an email is queued again, once, when it is an hour old', async () => {
    const name = unique()
    put(name)
    expect(await runAfter(0)).toBe(0)
    expect(await runAfter(2 * HOUR_MS)).toBe(1)
    const [message] = sqs.sent
    expect(envelopeOf(message!.MessageBody, BUCKET)).toMatchObject({
      messageId: name,
      recipients: [`bot@${domain}`],
      receivedAt: expect.any(Number),
    })
    expect(await runAfter(3 * HOUR_MS)).toBe(0)
  })

  test('a message at the border of two runs is queued by one of them', async () => {
    const [name, at] = [unique(), Date.now()]
    put(name)
    s3.storedAt.set(`/${BUCKET}/${PREFIXES.raw}${name}`, new Date(at))
    const queued: number[] = []
    for (const ms of [-1, 0, 1]) queued.push(await runAt(at + HOUR_MS + ms))
    expect(queued).toEqual([0, 1, 0])
  })

  test('a message that was stored, or that SES did not store, is not queued', async () => {
    const [stored, own] = [unique(), unique()]
    put(stored)
    put(own, 'Received: from a by mx.example;\r\n')
    await deployment.store.emails.store({ ...sampleMail([`bot@${domain}`]), messageId: stored })
    expect(await runAfter(2 * HOUR_MS)).toBe(0)
    expect(sqs.sent).toEqual([])
  })

  test('a run without time saves where it was, and the next one continues', async () => {
    const names = [unique(), unique()].sort()
    for (const name of names) put(name)
    expect(await runAfter(2 * HOUR_MS, 1000)).toBe(0)
    expect(await runAfter(2 * HOUR_MS + 1)).toBe(2)
    expect(queuedIds().sort()).toEqual(names)
  })

  test('a run that reaches the end of its time continues after the pages that are done', async () => {
    // A page has 1,000 messages, and those of other senders need no store.
    const names = Array.from({ length: 1001 }, () => unique()).sort()
    for (const name of names) put(name, 'Received: from a by mx.example;\r\n')
    const lost = [names[1]!, names[1000]!]
    for (const name of lost) put(name)
    const times = [900_000, 1000]
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * HOUR_MS)
    const context = { getRemainingTimeInMillis: () => times.shift() ?? 900_000 }
    expect(await handler({}, context)).toEqual({ queued: 1 })
    expect(await handler({}, context)).toEqual({ queued: 1 })
    clock.mockRestore()
    expect(queuedIds()).toEqual(lost)
  })

  test.each([
    ['the store does not answer', 'adapters/dynamodb/table.ts', 'Table', 'get', undefined],
    ['the queue does not answer', 'adapters/sqs/queue.ts', 'Queue', 'send', undefined],
    ['the end of a run cannot be saved', 'adapters/dynamodb/table.ts', 'Table', 'put', undefined],
    ['the place of a run without time cannot be saved', 'adapters/dynamodb/table.ts', 'Table', 'put', 1000],
  ] as const)('if %s, the run fails, and nothing is skipped', async (_, path, type, method, remainingMs) => {
    const name = unique()
    put(name)
    const { [type]: failingType } = await import(`../../${path}`)
    const failing = jest.spyOn(failingType.prototype, method).mockRejectedValue(new Error('away') as never)
    await expect(runAfter(2 * HOUR_MS, remainingMs)).rejects.toThrow('away')
    failing.mockRestore()
    jest.restoreAllMocks()
    collectLog()
    sqs.sent.length = 0
    expect(await runAfter(20 * HOUR_MS)).toBe(1)
    expect(queuedIds()).toEqual([name])
  })
})
