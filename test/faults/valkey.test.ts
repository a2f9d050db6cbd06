import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals'
import { EventSource } from 'eventsource'
import { EDGE_HEADERS } from '../../adapters/aws/env.ts'
import { ChangeCache } from '../../adapters/dynamodb/change-cache.ts'
import { StreamReader } from '../../adapters/dynamodb/stream-reader.ts'
import { ValkeyPublisher } from '../../adapters/valkey/publisher.ts'
import type { Change } from '../../core/events/ports.ts'
import { assembleDomainService } from '../../service/assemble.ts'
import { type AwsStore, openStore } from '../../service/aws-store.ts'
import { createTables, LOCAL, type LocalDynamoDb } from '../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../aws/on-dynamodb.ts'
import { sampleMail } from '../contract/sample.ts'
import { resuming } from '../support/event-source.ts'
import { eventually } from '../support/eventually.ts'
import { type Door, LightStream } from '../support/light-stream.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'
import { describeOnValkey, startValkey, type ValkeyServer } from '../support/valkey.ts'
import { inTheLongRun, ROUNDS } from './rounds.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SECRET = 'secret'
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'
const DOMAINS = ['one.example', 'two.example', 'three.example']
const KEY = 'the key'
const ADDRESSES = 4 * ROUNDS
const MAILS = 10 * ROUNDS
/**
 * Light streams, ten on an address. 10,000 take five minutes and half of the file descriptors of a
 * process.
 */
const STREAMS = Number(process.env.MAYFLY_STREAMS ?? 1000)

const describeOnBoth = (name: string, define: () => void) =>
  describeOnValkey(name, () => describeOnDynamoDb('with DynamoDB', define))

/** Three processes, Valkey, DynamoDB; the function that publishes is played by the reader of the table's stream. */
describeOnBoth('three stream services with Valkey', () => {
  let dynamo: LocalDynamoDb
  let valkey: ValkeyServer
  let secrets: TestSecrets
  let store: AwsStore
  let visibleAfter: Record<string, string>
  let env: Record<string, string>
  let reader: StreamReader
  let publisher: ValkeyPublisher
  const tasks: { child: ChildProcess; port: number }[] = []
  let turn = 0
  let balancer: Server
  let stopped = false
  let url: string
  const clients: { close(): void }[] = []

  beforeAll(async () => {
    ;[dynamo, valkey, secrets] = await Promise.all([
      sharedDynamoDb(),
      startValkey(),
      startSecrets({ [SECRET_ARN]: [SECRET] }),
    ])
    const tables = await createTables(dynamo.client)
    store = openStore({ ...tables, bucket: 'none', dynamo: dynamo.client })
    await assembleDomainService(store).configure(
      DOMAINS.map((name) => ({ name, key: KEY })),
      'verified',
    )
    const domains = await store.domains.list()
    visibleAfter = Object.fromEntries(domains.map((domain) => [domain.name, domain.visibleAfter]))
    env = {
      PATH: process.env.PATH ?? '',
      AWS_REGION: LOCAL.region,
      AWS_ACCESS_KEY_ID: LOCAL.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: LOCAL.credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      MAYFLY_MAIL_TABLE: tables.mailTable,
      MAYFLY_KEYS_TABLE: tables.keysTable,
      MAYFLY_BUCKET: 'none',
      MAYFLY_MX_HOST: 'mx.example',
      MAYFLY_RETENTION_HOURS: '24',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      MAYFLY_ORIGIN_SECRET_ARN: SECRET_ARN,
      MAYFLY_STACK_NAME: 'Test',
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_VALKEY_URL: valkey.url,
    }
    publisher = new ValkeyPublisher(valkey.url)
    reader = new StreamReader({
      // A request without an answer must end, as it does in the service.
      streams: new DynamoDBStreamsClient({
        ...LOCAL,
        endpoint: dynamo.endpoint,
        maxAttempts: 1,
        requestHandler: { requestTimeout: 5000, throwOnRequestTimeout: true },
      }),
      arn: tables.mailStreamArn,
      clock: Date.now,
      changeCache: new ChangeCache(Date.now),
      order: store.emails.order,
      follows: () => false,
      report: () => {},
      pollMs: () => 20,
    })
    const changes: Change[] = []
    reader.subscribe((change) => changes.push(change))
    await reader.start()
    // One at a time until it succeeds, as Lambda does with a stream.
    void (async () => {
      while (!stopped) {
        const change = changes[0]
        if (change === undefined) await sleep(5)
        else
          await publisher.publish(change).then(
            () => changes.shift(),
            () => sleep(20),
          )
      }
    })()
    url = await startBalancer()
  })

  afterAll(async () => {
    stopped = true
    for (const client of clients) client.close()
    for (const { child } of tasks) child.kill('SIGKILL')
    balancer?.closeAllConnections()
    balancer?.close()
    await reader?.stop()
    publisher?.close()
    await valkey?.kill()
    await secrets?.close()
    await dynamo?.stop()
  })

  /**
   * Stores a mail with a copy for each address. It states the `visibleAfter` of the domains, as
   * every receiver of mail does: without it, mail of the first two seconds after a registration
   * counts as older than the registration.
   */
  const storeMail = (addresses: string[]) => store.emails.store(sampleMail(addresses, { visibleAfter }))

  const running = () => tasks.filter(({ child }) => child.exitCode === null && child.signalCode === null)

  /** Starts missing tasks, as ECS does. */
  beforeEach(async () => {
    while (running().length < 3) tasks.push(await startTask())
  })

  async function startTask() {
    const child = spawn(process.execPath, ['sse-service/index.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const port = Promise.withResolvers<number>()
    let output = ''
    createInterface({ input: child.stdout! }).on('line', (line) => {
      output += `${line}\n`
      const { message, port: number } = JSON.parse(line)
      if (message === 'ready') port.resolve(number)
    })
    void once(child, 'exit').then(([code]) => port.reject(new Error(`ended with ${code}: ${output}`)))
    return { child, port: await port.promise }
  }

  /**
   * Does the work of the load balancer: a connection goes to the next running task, with the
   * headers of CloudFront.
   */
  function nextDoor(): Door {
    const { port } = running()[turn++ % running().length]!
    const viewer = `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}:1`
    return { port, headers: { [EDGE_HEADERS.secret]: SECRET, [EDGE_HEADERS.viewer]: viewer } }
  }

  async function startBalancer(): Promise<string> {
    balancer = createServer((incoming, outgoing) => {
      const { port, headers: added } = nextDoor()
      const headers = { ...incoming.headers, ...added }
      const onward = request(
        { port, host: '127.0.0.1', path: incoming.url, headers, agent: false },
        (answer) => {
          outgoing.writeHead(answer.statusCode!, answer.headers)
          answer.pipe(outgoing)
          answer.on('error', () => outgoing.destroy())
        },
      )
      onward.on('error', () => outgoing.destroy())
      outgoing.on('close', () => onward.destroy())
      onward.end()
    })
    balancer.listen(0, '127.0.0.1')
    await once(balancer, 'listening')
    return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`
  }

  /** A client that behaves like a browser, and the ids that it received. */
  function follow(path: string): { ids: string[]; open: Promise<void>; close(): void } {
    const ids: string[] = []
    const opened = Promise.withResolvers<void>()
    const source = new EventSource(url + path, { fetch: resuming() })
    source.addEventListener('open', () => opened.resolve())
    source.addEventListener('message', ({ data }) => {
      const { type, email } = JSON.parse(data)
      if (type === 'new-email') ids.push(email.id)
    })
    source.addEventListener('error', ({ code }) => {
      if (source.readyState === EventSource.CLOSED) opened.reject(new Error(`refused with ${code}`))
    })
    const client = { ids, open: opened.promise, close: () => source.close() }
    clients.push(client)
    return client
  }

  inTheLongRun(
    'one is killed and Valkey restarted while mail comes in: nothing is missed, nothing comes twice',
    async () => {
      const addresses = Array.from({ length: ADDRESSES }, (_, i) => `bot${i}@${DOMAINS[i % DOMAINS.length]}`)
      const followed = addresses.flatMap((address) => [
        { address, ...follow(`/api/sse/${address}?key=${encodeURIComponent(KEY)}`) },
        { address, ...follow(`/api/sse/${address}?key=${encodeURIComponent(KEY)}`) },
      ])
      const overall = follow(`/api/user-dashboard/sse?key=${encodeURIComponent(KEY)}`)
      await Promise.all([...followed.map(({ open }) => open), overall.open])
      // A first mail for each shows that every stream delivers.
      const first = await storeMail(addresses)
      await eventually(
        'the first mail at each client',
        () => [overall, ...followed].map(({ ids }) => ids.length),
        ([all = 0, ...each]) => all >= first.length && each.every((count) => count > 0),
      )

      const stored = new Map(first.map(({ address, id }) => [address, [id]]))
      for (let n = 0; n < MAILS; n++) {
        const some = addresses.filter((_, i) => (i + n) % 3 === 0)
        for (const email of await storeMail(some)) stored.get(email.address)!.push(email.id)
        if (n === Math.floor(MAILS / 4)) tasks[0]!.child.kill('SIGKILL')
        if (n === Math.floor(MAILS / 2)) {
          await valkey.kill()
          await storeMail([addresses[0]!]).then(([email]) => stored.get(addresses[0]!)!.push(email!.id))
          await valkey.start()
        }
      }
      const all = [...stored.values()].flat().sort()
      const end = Date.now() + 120_000
      const isDone = () =>
        overall.ids.length >= all.length &&
        followed.every(({ address, ids }) => ids.length >= stored.get(address)!.length)
      while (!isDone() && Date.now() < end) await sleep(50)
      // A repeated event would arrive now.
      await sleep(500)
      for (const { close } of [...followed, overall]) close()
      for (const { address, ids } of followed) expect(ids).toEqual(stored.get(address))
      expect(overall.ids.toSorted()).toEqual(all)
    },
    240_000,
  )

  inTheLongRun(
    `${STREAMS} streams, one process killed and Valkey restarted: nothing is missed, nothing comes twice`,
    async () => {
      const addresses = Array.from(
        { length: STREAMS / 10 },
        (_, i) => `many${i}@${DOMAINS[i % DOMAINS.length]}`,
      )
      const streams = Array.from({ length: STREAMS }, (_, n) => {
        const address = addresses[n % addresses.length]!
        return {
          address,
          stream: new LightStream(`/api/sse/${address}?key=${encodeURIComponent(KEY)}`, nextDoor),
        }
      })
      clients.push(...streams.map(({ stream }) => stream))
      let next = 0
      const openSome = async () => {
        while (next < STREAMS) await streams[next++]!.stream.open()
      }
      await Promise.all(Array.from({ length: 50 }, openSome))

      const stored = new Map<string, string[]>(addresses.map((address) => [address, []]))
      const mail = async (to: string[]) => {
        for (const { address, id } of await storeMail(to)) stored.get(address)!.push(id)
      }
      await mail(addresses)
      for (let n = 0; n < 12; n++) {
        await mail(addresses.filter((_, i) => (i + n) % 3 === 0))
        if (n === 3) running()[0]!.child.kill('SIGKILL')
        if (n === 7) {
          // The streams of the killed process have reconnected and received what came meanwhile.
          await eventually(
            'the end of the reconnects',
            () => streams.filter(({ stream }) => !stream.isOpen).length,
            (closed) => closed === 0,
          )
          await valkey.kill()
          await mail(addresses.slice(0, 10))
          await valkey.start()
        }
      }
      const refused = () => streams.flatMap(({ stream }) => stream.refused ?? [])
      const isDone = () =>
        streams.every(({ address, stream }) => stream.ids.length >= stored.get(address)!.length)
      const end = Date.now() + 240_000
      while (!isDone() && refused().length === 0 && Date.now() < end) await sleep(100)
      // A repeated event would arrive now.
      await sleep(500)
      for (const { stream } of streams) stream.close()
      expect(refused()).toEqual([])
      expect(streams.filter(({ address, stream }) => !same(stream.ids, stored.get(address)!))).toEqual([])
      const told = streams.reduce((sum, { stream }) => sum + stream.ids.length, 0)
      const opened = streams.reduce((sum, { stream }) => sum + stream.opened, 0)
      process.stderr.write(`${STREAMS} streams opened ${opened} times, told of ${told} emails, each once\n`)
      // All streams reconnected when Valkey was gone, and those of the killed process once more.
      expect(opened).toBeGreaterThan(2 * STREAMS)
    },
    480_000,
  )
})

function same(told: string[], stored: string[]): boolean {
  return told.length === stored.length && told.every((id, i) => id === stored[i])
}
