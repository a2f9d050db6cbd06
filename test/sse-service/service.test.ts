import { DynamoDBStreamsClient, GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { EDGE_HEADERS, ENV } from '../../adapters/aws/env.ts'
import { DynamoLimits } from '../../adapters/dynamodb/limits.ts'
import { DynamoMessages } from '../../adapters/dynamodb/messages.ts'
import { StreamReader } from '../../adapters/dynamodb/stream-reader.ts'
import { StreamRecords } from '../../adapters/dynamodb/stream-records.ts'
import { RequestScheduler } from '../../adapters/http/request-scheduler.ts'
import { hashKey } from '../../core/access/api-keys.ts'
import type { Domain } from '../../core/access/ports.ts'
import type { Email } from '../../core/inbox/email.ts'
import { MINUTE_MS, WRONG_DOMAIN_KEYS_PER_MINUTE } from '../../core/limits.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { Health } from '../../sse-service/health.ts'
import { type SseService, startSseService } from '../../sse-service/service.ts'
import { Processes } from '../adapters/dynamodb/processes.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { FIRST_ID, putDomain, sampleDomain, sampleMail, unique, uniqueAddress } from '../contract/sample.ts'
import { type OpenStream, openStream } from '../support/event-source.ts'
import { eventually } from '../support/eventually.ts'
import { collectLog } from '../support/logged.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

const SECRET = 'origin-secret'
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'
const HEADERS = { [EDGE_HEADERS.secret]: SECRET, [EDGE_HEADERS.viewer]: '192.0.2.1:50000' }
const SLOW_MS = 40

describeOnDynamoDb('the stream service', () => {
  let deployment: LocalDeployment
  let processes: Processes
  let secrets: TestSecrets
  let store: AwsStore
  let env: Record<string, string | undefined>
  let service: SseService
  /** What the service does every minute. */
  let everyMinute: (() => void)[]
  const open: OpenStream[] = []

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    secrets = await startSecrets({ [SECRET_ARN]: [SECRET] })
    processes = new Processes(deployment.dynamo, deployment.tables)
    store = deployment.store
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = secrets.url
    env = {
      ...deployment.variables,
      [ENV.mailStreamArn]: deployment.tables.mailStreamArn,
      [ENV.mxHost]: 'mx.test',
      [ENV.retentionHours]: '24',
      [ENV.originSecretArn]: SECRET_ARN,
      [ENV.stackName]: 'test',
      [ENV.port]: '0',
      [ENV.streamPollMs]: '20',
    }
    const schedule = jest.spyOn(globalThis, 'setInterval')
    service = await startSseService(env)
    everyMinute = schedule.mock.calls.filter(([, ms]) => ms === MINUTE_MS).map(([run]) => run as () => void)
    schedule.mockRestore()
  })
  afterAll(async () => {
    for (const stream of open) stream.close()
    await service?.stop(1000)
    await secrets?.close()
    processes?.end()
    await deployment?.close()
  })

  async function stream(path: string): Promise<OpenStream> {
    const opened = await openStream(`http://127.0.0.1:${service.port}${path}`, HEADERS)
    open.push(opened)
    return opened
  }

  /** Registers domains with a common key. */
  async function group(count: number): Promise<{ key: string; domains: Domain[] }> {
    const key = unique()
    const domains: Domain[] = []
    for (let n = 0; n < count; n++) {
      const state = sampleDomain({ keyHash: hashKey(key), keyPresented: true, status: 'verified' })
      domains.push(await putDomain(store.domains, state))
    }
    return { key, domains }
  }

  const to = (recipients: string[], domains: Domain[]) =>
    sampleMail(recipients, {
      visibleAfter: Object.fromEntries(domains.map(({ name, visibleAfter }) => [name, visibleAfter])),
    })

  const idsOf = ({ events }: OpenStream) => events.map(({ id }) => id)

  test.each([
    ['streamMaxMs', '0', '1 to 900000'],
    ['streamMaxMs', '900001', '1 to 900000'],
    ['streamPollMs', '9', '10 to 10000'],
    ['streamPollMs', '10001', '10 to 10000'],
    ['port', '65536', '0 to 65535'],
  ] as const)('does not start with %s=%s, which must be from %s', async (setting, value, bounds) => {
    await expect(startSseService({ ...env, [ENV[setting]]: value })).rejects.toThrow(
      `${ENV[setting]} must be a number from ${bounds}, not "${value}"`,
    )
  })

  test('does not start without the stream of the table or Valkey', async () => {
    await expect(startSseService({ ...env, [ENV.mailStreamArn]: '' })).rejects.toThrow(
      `${ENV.mailStreamArn} is missing`,
    )
  })

  test('reads the stream of the table less than once a second while no client listens', async () => {
    const readsAt: number[] = []
    const { send } = DynamoDBStreamsClient.prototype
    const sending = jest.spyOn(DynamoDBStreamsClient.prototype, 'send').mockImplementation(function (
      this: DynamoDBStreamsClient,
      ...args: unknown[]
    ) {
      if (args[0] instanceof GetRecordsCommand) readsAt.push(performance.now())
      return Reflect.apply(send, this, args)
    })
    await eventually(
      '3 reads of the stream',
      () => readsAt,
      ({ length }) => length >= 3,
    )
    sending.mockRestore()
    const pauses = readsAt.slice(1).map((at, n) => at - readsAt[n]!)
    // A busy machine makes the pauses longer, never shorter.
    expect(Math.min(...pauses)).toBeGreaterThan(1100)
  })

  test('keeps an idle connection for longer than the load balancer does', async () => {
    const { headers } = await fetch(`http://127.0.0.1:${service.port}/healthz`)
    expect(headers.get('keep-alive')).toBe('timeout=130')
  })

  test('answers health checks without the secret of CloudFront, and writes its metrics every minute', async () => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/healthz`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ healthy: true, late: false, reader_lag_ms: expect.any(Number) })
    const { domains, key } = await group(1)
    const opened = await stream(`/api/sse/${uniqueAddress(domains[0]!.name)}?key=${key}`)
    const { lines, restore } = collectLog()
    for (const run of everyMinute) run()
    restore()
    opened.close()
    expect(lines).toContainEqual(
      expect.objectContaining({ Stack: 'test', OpenStreams: 1, ReaderLag: expect.any(Number) }),
    )
  })

  test.each(['/api/sse/a@b.example', '/api/user-dashboard/sse', '/api/emails/a@b.example/wait', '/mcp'])(
    'refuses %s without the secret of CloudFront',
    async (path) => {
      for (const secret of [{}, { [EDGE_HEADERS.secret]: 'guess' }]) {
        const headers = { ...HEADERS, [EDGE_HEADERS.secret]: '', ...secret }
        const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers })
        const requestId = answer.headers.get('X-Request-Id')
        expect(requestId).toMatch(/^[\da-f-]{36}$/)
        expect([answer.status, await answer.json()]).toMatchObject([
          403,
          { code: 'wrong_door', request_id: requestId },
        ])
      }
    },
  )

  test('a client of several domains gets the emails that a slow writer stored while the client was away', async () => {
    const { key, domains } = await group(2)
    const [slow, fast] = [processes.start(), processes.start()]
    const first = await stream(`/api/user-dashboard/sse?key=${key}`)
    const held = slow.faults.hold(0)
    const storing = slow.emails.store(to([uniqueAddress(domains[0]!.name)], domains))
    await held.reached
    const [seen] = await fast.emails.store(to([uniqueAddress(domains[1]!.name)], domains))
    await first.until(1)
    expect(idsOf(first)).toEqual([seen!.id])
    first.close()
    held.release()
    const [late] = await storing
    const second = await stream(`/api/user-dashboard/sse?key=${key}&last_event_id=${seen!.id}`)
    await second.until(1)
    expect(idsOf(second)).toEqual([late!.id])
  })

  test('all clients of several domains get the same events, wherever they resume', async () => {
    const { key, domains } = await group(3)
    const writers = Array.from({ length: 3 }, () => processes.start())
    for (const { faults } of writers) faults.slow(() => Math.random() ** 4 * SLOW_MS)
    const whole = await stream(`/api/user-dashboard/sse?key=${key}`)
    const stored: Email[] = []
    const writing = Promise.all(
      writers.map(async ({ emails }, n) => {
        for (let i = 0; i < 5; i++) {
          const name = domains[(n + i) % 3]!.name
          stored.push(...(await emails.store(to([uniqueAddress(name), uniqueAddress(name)], domains))))
        }
      }),
    )
    const total = 3 * 5 * 2
    // This client disconnects after every few events, and resumes from the last id.
    const pieces: string[] = []
    while (pieces.length < total) {
      const last = pieces.at(-1)
      const piece = await stream(`/api/user-dashboard/sse?key=${key}&last_event_id=${last ?? '0'.repeat(26)}`)
      await piece.until(Math.min(7, total - pieces.length))
      piece.close()
      pieces.push(...idsOf(piece))
    }
    await writing
    await whole.until(total)
    const sorted = stored.map(({ id }) => id).sort()
    expect(pieces).toEqual(sorted)
    expect(idsOf(whole)).toEqual(sorted)
  })

  test('a stream that fails before its first event gets the emails that arrive before the client is back', async () => {
    const { key, domains } = await group(1)
    const barrier = jest
      .spyOn(DynamoMessages.prototype, 'barrier')
      .mockRejectedValueOnce(new Error('injected'))
    const opened = await stream(`/api/user-dashboard/sse?key=${key}`)
    await eventually('the end of the first connection', () => opened.breaks === 1)
    const stored = await store.emails.store(to([uniqueAddress(domains[0]!.name)], domains))
    await opened.until(1)
    expect(idsOf(opened)).toEqual(stored.map(({ id }) => id))
    expect(barrier).toHaveBeenCalledTimes(1)
    barrier.mockRestore()
  })

  test('a replay lets other requests run between its batches', async () => {
    const { key, domains } = await group(1)
    const address = uniqueAddress(domains[0]!.name)
    await store.emails.store(to([address], domains))
    const next = jest.spyOn(RequestScheduler.prototype, 'next')
    const opened = await stream(`/api/sse/${address}?key=${key}&last_event_id=${FIRST_ID}`)
    await opened.until(1)
    await eventually(
      'a turn of the scheduler',
      () => next.mock.calls,
      ({ length }) => length > 0,
    )
    next.mockRestore()
  })

  test('the log has an error where a change was lost, and a warning where a read is repeated', async () => {
    const { domains } = await group(1)
    const { lines, restore } = collectLog()
    const logged = (type: string) =>
      eventually(
        `a line about ${type}`,
        () => lines.find(({ message }) => message === `stream reader: ${type}`),
        (line) => line !== undefined,
      )
    const broken = new Error('not as this version writes it')
    const reading = jest.spyOn(StreamRecords.prototype, 'of').mockImplementationOnce(() => {
      throw broken
    })
    await store.emails.store(to([uniqueAddress(domains[0]!.name)], domains))
    await logged('unknown-record')
    reading.mockRestore()
    const sending = jest
      .spyOn(DynamoDBStreamsClient.prototype, 'send')
      .mockImplementationOnce(() => Promise.reject(new Error('no answer')) as never)
    await logged('fault')
    sending.mockRestore()
    restore()
    const levels = lines.map(({ message, level }) => [message, level])
    expect(levels).toContainEqual(['stream reader: unknown-record', 'error'])
    expect(levels).toContainEqual(['stream reader: fault', 'warn'])
  })

  test('a stream reports that an email was read or deleted, and that an inbox was cleared', async () => {
    const { key, domains } = await group(1)
    const address = uniqueAddress(domains[0]!.name)
    const events = 'new-email,email-read,email-deleted,inbox-cleared'
    const opened = await stream(`/api/sse/${address}?key=${key}&events=${events}`)
    const { emails } = processes.start()
    const [one] = await emails.store(to([address], domains))
    await emails.store(to([address], domains))
    await emails.markRead(address, one!.id)
    await emails.remove(address, one!.id)
    await emails.removeAll(address)
    await opened.until(5)
    expect(opened.events.map(({ data }) => data.type)).toEqual([
      'new-email',
      'new-email',
      'email-read',
      'email-deleted',
      'inbox-cleared',
    ])
  })

  test('the right key is rejected while the limit of wrong keys is still being counted', async () => {
    const { key, domains } = await group(1)
    const released = Promise.withResolvers<void>()
    const { take } = DynamoLimits.prototype
    const counting = jest.spyOn(DynamoLimits.prototype, 'take').mockImplementation(async function (
      this: DynamoLimits,
      ...use
    ) {
      await released.promise
      return take.apply(this, use)
    })
    const url = `http://127.0.0.1:${service.port}/api/sse/${uniqueAddress(domains[0]!.name)}`
    const headers = { ...HEADERS, [EDGE_HEADERS.viewer]: '198.51.100.77:4711' }
    const guess = async (guessed: string) => {
      const answer = await fetch(`${url}?key=${guessed}`, { headers })
      await answer.body?.cancel()
      return answer.status
    }
    const wrong = Array.from({ length: WRONG_DOMAIN_KEYS_PER_MINUTE }, () => guess('wrong'))
    await eventually(
      `${WRONG_DOMAIN_KEYS_PER_MINUTE} counted keys`,
      () => counting.mock.calls,
      ({ length }) => length === WRONG_DOMAIN_KEYS_PER_MINUTE,
    )
    expect(await guess(key)).toBe(429)
    released.resolve()
    expect(new Set(await Promise.all(wrong))).toEqual(new Set([403]))
    counting.mockRestore()
  })

  test('a stop gives clients reconnection times spread over one second for each 100 of them', async () => {
    const { key, domains } = await group(1)
    const url = `http://127.0.0.1:${service.port}/api/sse/${uniqueAddress(domains[0]!.name)}?key=${key}`
    const answers: Response[] = []
    // All at once, some would wait for the store longer than a busy machine lets them.
    while (answers.length < 400)
      answers.push(...(await Promise.all(Array.from({ length: 40 }, () => fetch(url, { headers: HEADERS })))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const texts = answers.map((answer) => answer.text())
    const answering = jest.spyOn(Health.prototype, 'stop')
    await service.stop(30_000)
    const health = answering.mock.contexts[0] as Health
    expect(health.answer().status).toBe(503)
    answering.mockRestore()
    const ended = await Promise.all(texts)
    expect(ended.filter((text) => !/retry: \d+\n\n$/.test(text))).toEqual([])
    const retries = ended.map((text) => Number(/retry: (\d+)\n\n$/.exec(text)![1]))
    // The times are spread over 4 s after the first second, in which no client reconnects; streams
    // of earlier tests may still be open.
    expect(Math.max(...retries)).toBeGreaterThan(3500)
    expect(Math.max(...retries)).toBeLessThanOrEqual(1000 + 10 * (400 + open.length))
  })

  test('a stop ends after the last request and then the reader of changes', async () => {
    const own = await startSseService(env)
    const held = Promise.withResolvers<void>()
    const stopReader = StreamReader.prototype.stop
    const reading = jest.spyOn(StreamReader.prototype, 'stop')
    reading.mockImplementation(async function (this: StreamReader) {
      await held.promise
      await stopReader.call(this)
    })
    const answering = Promise.withResolvers<Response>()
    const asking = jest.spyOn(Health.prototype, 'answer').mockReturnValue(answering.promise as never)
    const asked = fetch(`http://127.0.0.1:${own.port}/healthz`)
    await eventually('the request', () => asking.mock.calls.length === 1)
    let isStopped = false
    const stopping = own.stop(60_000).then(() => {
      isStopped = true
    })
    try {
      await new Promise(setImmediate)
      expect(reading).not.toHaveBeenCalled()
      answering.resolve(new Response('late'))
      expect(await (await asked).text()).toBe('late')
      await eventually('the stop of the reader', () => reading.mock.calls.length === 1)
      await new Promise(setImmediate)
      expect(isStopped).toBe(false)
    } finally {
      answering.resolve(new Response())
      held.resolve()
      await stopping
    }
    asking.mockRestore()
    reading.mockRestore()
  })
})
