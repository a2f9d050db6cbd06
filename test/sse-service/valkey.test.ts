import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { Valkey } from 'iovalkey'
import { EDGE_HEADERS, ENV } from '../../adapters/aws/env.ts'
import { channelOf } from '../../adapters/valkey/channels.ts'
import { ValkeyPublisher } from '../../adapters/valkey/publisher.ts'
import { hashKey } from '../../core/access/api-keys.ts'
import type { Domain } from '../../core/access/ports.ts'
import { MINUTE_MS } from '../../core/limits.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { type SseService, startSseService } from '../../sse-service/service.ts'
import { openValkeyStore } from '../../sse-service/valkey-store.ts'
import { LOCAL } from '../aws/dynamodb-local.ts'
import { BUCKET, type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, sampleMail, unique, uniqueAddress } from '../contract/sample.ts'
import { type OpenStream, openStream } from '../support/event-source.ts'
import { eventually } from '../support/eventually.ts'
import { collectLog } from '../support/logged.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'
import { describeOnValkey, startValkey, type ValkeyServer } from '../support/valkey.ts'

const SECRET = 'origin-secret'
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'
const HEADERS = { [EDGE_HEADERS.secret]: SECRET, [EDGE_HEADERS.viewer]: '192.0.2.1:50000' }

const describeOnBoth = (name: string, define: () => void) =>
  describeOnValkey(name, () => describeOnDynamoDb('with DynamoDB', define))

describeOnBoth('the stream service with Valkey', () => {
  let deployment: LocalDeployment
  let valkey: ValkeyServer
  let publisher: ValkeyPublisher
  let secrets: TestSecrets
  let store: AwsStore
  let service: SseService
  let key: string
  let domains: Domain[]
  const open: OpenStream[] = []

  beforeAll(async () => {
    ;[deployment, valkey, secrets] = await Promise.all([
      openLocalDeployment(),
      startValkey(),
      startSecrets({ [SECRET_ARN]: [SECRET] }),
    ])
    store = deployment.store
    publisher = new ValkeyPublisher(valkey.url)
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = secrets.url
    service = await startSseService({
      ...deployment.variables,
      [ENV.valkeyUrl]: valkey.url,
      [ENV.mxHost]: 'mx.test',
      [ENV.retentionHours]: '24',
      [ENV.originSecretArn]: SECRET_ARN,
      [ENV.stackName]: 'test',
      [ENV.port]: '0',
    })
  })

  beforeEach(async () => {
    key = unique()
    const state = () => sampleDomain({ keyHash: hashKey(key), keyPresented: true, status: 'verified' })
    domains = [await putDomain(store.domains, state()), await putDomain(store.domains, state())]
  })

  afterAll(async () => {
    for (const stream of open) stream.close()
    await service?.stop(10_000)
    publisher?.close()
    await secrets?.close()
    await valkey?.kill()
    await deployment?.close()
  })

  async function stream(path: string): Promise<OpenStream> {
    const opened = await openStream(`http://127.0.0.1:${service.port}${path}`, HEADERS)
    open.push(opened)
    return opened
  }

  /** Stores an email and publishes it as lambdas/publish.ts does. Returns its id. */
  async function receive(address: string): Promise<string> {
    const visibleAfter = Object.fromEntries(domains.map((domain) => [domain.name, domain.visibleAfter]))
    const [email] = await store.emails.store(sampleMail([address], { visibleAfter }))
    await publisher.publish({ type: 'email', domain: address.split('@')[1]!, address, email: email! })
    return email!.id
  }

  test('sends the emails of every domain of a key', async () => {
    const opened = await stream(`/api/user-dashboard/sse?key=${key}`)
    const ids: string[] = []
    for (const { name } of domains) ids.push(await receive(uniqueAddress(name)))
    await opened.until(2)
    expect(opened.events.map(({ id }) => id).sort()).toEqual(ids.sort())
  })

  test('finds a domain whose change arrived before the index of the table has it', async () => {
    const dynamoThatLags = new DynamoDBClient({ ...LOCAL, endpoint: deployment.dynamo.endpoint })
    dynamoThatLags.middlewareStack.add(
      (next) => async (args) =>
        'IndexName' in args.input
          ? { output: { $metadata: {}, Items: [] } as never, response: undefined }
          : next(args),
      { step: 'initialize' },
    )
    const { changeFeed, domains: seen } = openValkeyStore({
      ...deployment.tables,
      bucket: BUCKET,
      dynamo: dynamoThatLags,
      valkeyUrl: valkey.url,
      follows: () => false,
      followed: () => new Set(),
      onGap: () => {},
      report: () => {},
    })
    await changeFeed.start()
    const arrived: unknown[] = []
    changeFeed.subscribe(() => arrived.push('after its end'))()
    changeFeed.subscribe((change) => arrived.push(change))
    const [domain] = domains as [Domain]
    await seen.find(domain.name)
    expect(await seen.withKey(hashKey(key))).toEqual([])
    await publisher.publish({ type: 'domain', name: domain.name, domain })
    await eventually('the change of the domain', () => arrived[0])
    expect(arrived).toMatchObject([{ type: 'domain', name: domain.name }])
    expect((await seen.withKey(hashKey(key))).map(({ name }) => name)).toEqual([domain.name])
    await changeFeed.stop()
    dynamoThatLags.destroy()
  })

  test('covers a topic once its changes arrive, forgets it without streams, and stops to listen', async () => {
    let now = Date.now()
    const schedule = jest.spyOn(globalThis, 'setInterval')
    const [{ name: idle }] = domains as [Domain]
    const followed = uniqueAddress(idle)
    const { changeFeed } = openValkeyStore({
      ...deployment.tables,
      bucket: BUCKET,
      dynamo: deployment.dynamo.client,
      valkeyUrl: valkey.url,
      clock: () => now,
      follows: () => false,
      followed: () => new Set([followed]),
      onGap: () => {},
      report: () => {},
    })
    await changeFeed.start()
    const forget = schedule.mock.calls.find(([, ms]) => ms === MINUTE_MS)![0] as () => void
    schedule.mockRestore()

    valkey.hang()
    let covered = 0
    const covering = [{ domains: [{ name: idle }] }, { addresses: [followed] }].map((topic) =>
      changeFeed.cover!(topic).then(() => covered++),
    )
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    expect(covered).toBe(0)
    valkey.goOn()
    await Promise.all(covering)

    const admin = new Valkey(valkey.url)
    const subscribers = async () => {
      const answer = await admin.pubsub('NUMSUB', channelOf(idle), channelOf(followed))
      return [Number(answer[1]), Number(answer[3])]
    }
    expect(await subscribers()).toEqual([1, 1])
    forget()
    now += 3 * MINUTE_MS
    expect(await subscribers()).toEqual([1, 1])
    forget()
    await eventually('only the followed address', subscribers, ([first]) => first === 0)
    expect(await subscribers()).toEqual([0, 1])
    await changeFeed.stop()
    await eventually('no subscriber', subscribers, ([, second]) => second === 0)
    admin.disconnect()
  })

  test('ends every stream when it loses Valkey, so that clients return and miss nothing', async () => {
    const address = uniqueAddress(domains[0]!.name)
    const ended = await fetch(`http://127.0.0.1:${service.port}/api/sse/${address}?key=${key}`, {
      headers: HEADERS,
    })
    const text = ended.text()
    const { lines, restore } = collectLog()
    await valkey.kill()
    expect(await text).toMatch(/retry: \d+\n\n$/)
    await valkey.start()
    restore()
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', message: 'Valkey: disconnected' }))
  })
})
