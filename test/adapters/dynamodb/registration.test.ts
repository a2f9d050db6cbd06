import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import type { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { s } from '../../../adapters/dynamodb/attributes.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import type { Domain, Domains } from '../../../core/access/ports.ts'
import { newDomain } from '../../../core/access/registration.ts'
import { Live } from '../../../core/events/live.ts'
import { WebhookDelivery } from '../../../core/events/webhooks/delivery.ts'
import type { WebhookRequest } from '../../../core/events/webhooks/ports.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { Mailbox } from '../../../core/inbox/mailbox.ts'
import { openStore } from '../../../service/aws-store.ts'
import { type AwsLiveStore, openLiveStore } from '../../../sse-service/live-store.ts'
import { createTables, LOCAL, type LocalDynamoDb, type LocalTables } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import {
  FIRST_ID,
  readReplay,
  sampleMail,
  sampleWebhook,
  uniqueAddress,
  uniqueDomain,
  uniqueHash,
} from '../../contract/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { Faults } from './faults.ts'
import { Processes } from './processes.ts'

const DELAYS_MS = [0, 3500, 12_000]

/** How the domain gets its next registration. */
const CHANGES = {
  'another owner registers it': async (domains: Domains, before: Domain) => {
    const { name } = before
    await until(() => domains.change(name, before, undefined))
    const after = { ...newDomain(name, 'verified', before.registeredAt + 1), keyHash: uniqueHash() }
    await until(() => domains.change(name, undefined, after))
  },
  'it becomes public': async (domains: Domains, before: Domain) => {
    const after = { ...before, keyHash: null, registeredAt: before.registeredAt + 1 }
    await until(() => domains.change(before.name, before, after))
  },
}

async function until(done: () => Promise<boolean>): Promise<void> {
  expect(await done()).toBe(true)
}

describeOnDynamoDb('Mail of an earlier registration', () => {
  let dynamo: LocalDynamoDb
  let tables: LocalTables
  let processes: Processes
  let streams: DynamoDBStreamsClient
  let store: AwsLiveStore
  let live: Live
  const clock = () => Date.now() + processes.offset
  const s3 = { send: async () => ({}) } as unknown as S3Client

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    tables = await createTables(dynamo.client)
    processes = new Processes(dynamo, tables)
    streams = new DynamoDBStreamsClient({ ...LOCAL, endpoint: dynamo.endpoint, maxAttempts: 1 })
    const options = { ...tables, bucket: 'none', clock, dynamo: dynamo.client, s3, streams }
    store = openLiveStore({ ...options, report: () => {}, pollMs: () => 5 })
    await store.changeFeed.start()
    live = new Live(store.changeFeed, store.emails, clock)
  })
  afterAll(async () => {
    live.stop()
    await store.changeFeed.stop()
    streams.destroy()
    processes.end()
    await dynamo.stop()
  })

  /**
   * Domains whose every write takes a while, in which `meanwhile` runs; of each write that is lost,
   * the SDK receives no response and sends it again.
   */
  function slowDomains(delayMs: number, lost: boolean, meanwhile: () => Promise<void>): Domains {
    const client = new DynamoDBClient({ ...LOCAL, endpoint: dynamo.endpoint, maxAttempts: 2 })
    client.middlewareStack.add(
      (next, context) => {
        let attempts = 0
        return async (args) => {
          if (context.commandName !== PutItemCommand.name) return next(args)
          attempts++
          processes.offset += delayMs
          await meanwhile()
          const answer = await next(args)
          if (!lost || attempts > 1) return answer
          throw Object.assign(new Error('the response was lost'), { code: 'ECONNRESET' })
        }
      },
      { step: 'finalizeRequest', priority: 'low' },
    )
    return openStore({ ...tables, bucket: 'none', clock, dynamo: client, s3 }).domains
  }

  /** Stores a mail as the ingest function does. Returns no email if it must be handled again. */
  async function storeNow(address: string, name: string): Promise<Email[]> {
    const known = await store.domains.find(name)
    if (known === undefined) return []
    const mail = sampleMail([address], { visibleAfter: { [name]: known.visibleAfter } })
    return store.emails.store(mail).catch((error) => {
      expect(error).toMatchObject({ code: 'unavailable' })
      return []
    })
  }

  /** Registers a domain, and registers it again with mail arriving at each moment of it. */
  async function registerAgain(how: keyof typeof CHANGES, delayMs: number, lost: boolean) {
    const name = uniqueDomain()
    const address = uniqueAddress(name)
    await store.domains.change(name, undefined, { ...newDomain(name, 'verified', 1), keyHash: uniqueHash() })
    const first = (await store.domains.find(name))!
    const earlier = (await storeNow(address, name)).map(({ id }) => id)
    const later: string[] = []
    // Two writers that have read the domain, and are still about to store.
    const mail = () => sampleMail([address], { visibleAfter: { [name]: first.visibleAfter } })
    const overtaken = [processes.start(), processes.start()]
    const held = overtaken.map(({ faults }) => faults.hold(1))
    const storing = overtaken.map(({ emails }) => emails.store(mail()))
    await Promise.all(held.map(({ reached }) => reached))
    const meanwhile = async () => {
      const accepted = await store.domains.find(name)
      const emails = await storeNow(address, name)
      // After a lost response, the new registration is there before the SDK's second request.
      const own = accepted?.visibleAfter === first.visibleAfter ? earlier : later
      own.push(...emails.map(({ id }) => id))
    }
    await CHANGES[how](slowDomains(delayMs, lost, meanwhile), first)
    for (const { release } of held) release()
    earlier.push(...(await Promise.all(storing)).flat().map(({ id }) => id))
    const domain = (await store.domains.find(name))!
    return { address, domain, earlier, later }
  }

  const cases = Object.keys(CHANGES).flatMap((how) =>
    DELAYS_MS.flatMap((delayMs) =>
      [false, true].map((lost) => ({ how: how as keyof typeof CHANGES, delayMs, lost })),
    ),
  )

  test.each(cases)(
    '$how: nothing shows it, with $delayMs ms for a write, lost: $lost',
    async ({ how, delayMs, lost }) => {
      const { address, domain, earlier, later } = await registerAgain(how, delayMs, lost)
      expect(earlier.length).toBeGreaterThan(1)
      const inbox = { address, registration: domain }
      const mailbox = new Mailbox(store.emails, store.blobs)
      const listed = async () =>
        (await mailbox.list(inbox, { limit: 10 })).emails.map(({ id }) => id).reverse()
      expect(await listed()).toEqual(later)
      for (const id of earlier)
        await expect(mailbox.read(inbox, id)).rejects.toMatchObject({ code: 'email_not_found' })

      // A stream and a wait that begin before all mail, and a webhook.
      const streamed: string[] = []
      const end = live.follow(
        { topic: { addresses: [address], domains: [domain] }, after: FIRST_ID, client: 'c' },
        {
          email: ({ email }) => void streamed.push(email.id),
          gap: () => {},
          ready: () => undefined,
          end: () => {},
        },
      )
      const posted = await postedOf(domain, address, earlier)
      const [visible] = await storeNow(address, domain.name)
      expect(await postedOf(domain, address, [visible!.id])).toHaveLength(1)
      await eventually(
        'the new email in the stream',
        () => streamed,
        ({ length }) => length > later.length,
      )
      end()
      expect({ streamed, posted }).toEqual({ streamed: [...later, visible!.id], posted: [] })
      expect(await listed()).toEqual([...later, visible!.id])

      await mailbox.purge(domain.name, domain.visibleAfter)
      for (const id of earlier) expect(await store.emails.find(address, id)).toBeUndefined()
      expect(await store.emails.find(address, visible!.id)).toBeDefined()
    },
  )

  /** What a webhook that the domain's owner has now receives of these emails. */
  async function postedOf(domain: Domain, address: string, ids: string[]): Promise<WebhookRequest[]> {
    const posted: WebhookRequest[] = []
    const webhook = sampleWebhook(clock(), { domainKeyHash: domain.keyHash, target: { address } })
    const delivery = new WebhookDelivery({
      webhooks: { find: async () => webhook, remove: async () => {}, activate: async () => {} },
      emails: store.emails,
      domains: store.domains,
      keys: { find: async () => ({ hash: '', purpose: '', createdAt: 0, expiresAt: Infinity }) },
      sender: {
        check: async () => {},
        send: async (request) => {
          posted.push(request)
          return { status: 204, ms: 1 }
        },
      },
      wire: (email) => email,
      clock,
      random: () => 0,
    })
    for (const email of ids) {
      await delivery.attempt({ webhook: webhook.id, address, email, attempts: 0, due: 0 })
    }
    return posted
  }

  test('mail waits while the domain is closed, and the domain opens again if its process has ended', async () => {
    const name = uniqueDomain()
    const address = uniqueAddress(name)
    await store.domains.change(name, undefined, { ...newDomain(name, 'verified', 1), keyHash: uniqueHash() })
    const before = (await store.domains.find(name))!
    const client = new DynamoDBClient({ ...LOCAL, endpoint: dynamo.endpoint, maxAttempts: 1 })
    const faults = new Faults(client)
    const { domains } = openStore({ ...tables, bucket: 'none', clock, dynamo: client, s3 })
    const operations = ['PutItem', 'BatchGetItem', 'Query', 'Query', 'Query', 'Query', 'PutItem']
    const held = faults.hold(operations.length - 1)
    const changing = domains.change(name, before, { ...before, keyHash: null, registeredAt: 2 })
    await held.reached
    expect(faults.operations).toEqual(operations)
    const mail = sampleMail([address], { visibleAfter: { [name]: before.visibleAfter } })
    expect(await storeNow(address, name)).toEqual([])
    expect(await store.domains.find(name)).toMatchObject({ ...before, revision: expect.any(String) })
    processes.offset += 61_000
    await expect(store.emails.store(mail)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await store.emails.store(mail)).toHaveLength(1)
    held.release()
    expect(await changing).toBe(false)
    expect(await store.domains.find(name)).toMatchObject({ ...before, revision: expect.any(String) })
    client.destroy()
  })

  test('a registration that was overtaken by another one and by its end changes nothing', async () => {
    const name = uniqueDomain()
    const client = new DynamoDBClient({ ...LOCAL, endpoint: dynamo.endpoint, maxAttempts: 1 })
    const { domains } = openStore({ ...tables, bucket: 'none', clock, dynamo: client, s3 })
    const held = new Faults(client).hold(6)
    const changing = domains.change(name, undefined, newDomain(name, 'verified', 2))
    await held.reached
    await store.domains.change(name, undefined, newDomain(name, 'verified', 1))
    await store.domains.change(name, (await store.domains.find(name))!, undefined)
    held.release()
    expect(await changing).toBe(false)
    expect(await store.domains.find(name)).toBeUndefined()
    expect((await store.domains.list()).map((domain) => domain.name)).not.toContain(name)
    client.destroy()
  })

  test('the parts of the log stay when a domain changes, and when their number grows, no email is missed', async () => {
    const name = uniqueDomain()
    const addresses = Array.from({ length: 20 }, () => uniqueAddress(name))
    await store.domains.change(name, undefined, newDomain(name, 'verified', 1))
    for (const address of addresses) await storeNow(address, name)
    const small = (await store.domains.find(name))!
    await until(() => store.domains.change(name, small, { ...small, logParts: 8 }))
    const stored: Email[] = []
    for (const address of addresses) stored.push(...(await storeNow(address, name)))
    const big = (await store.domains.find(name))!
    await until(() => store.domains.change(name, big, { ...big, status: 'pending' }))
    expect(await store.domains.find(name)).toMatchObject({ logParts: 8, status: 'pending' })
    const { emails } = await readReplay(store.emails.replay({ domains: [name] }, FIRST_ID, 100))
    expect(emails).toHaveLength(2 * addresses.length)
    for (const { address, id } of stored) await store.emails.remove(address, id)
    expect(await entriesOf(name, 8)).toBe(addresses.length)
  })

  async function entriesOf(name: string, parts: number): Promise<number> {
    const table = new Table(dynamo.client, tables.mailTable)
    const partitions = Array.from({ length: parts }, (_, part) => `${name}#${part}`)
    const pages = await Promise.all(
      partitions.map((partition) =>
        table.query({ key: '#pk = :pk', values: { ':pk': s(`log#${partition}`) } }),
      ),
    )
    return pages.reduce((sum, { items }) => sum + items.length, 0)
  }

  test('also when the clock of a writer was ten seconds ahead', async () => {
    const name = uniqueDomain()
    const address = uniqueAddress(name)
    await store.domains.change(name, undefined, newDomain(name, 'verified', 1))
    processes.offset += 10_000
    expect(await storeNow(address, name)).toHaveLength(1)
    processes.offset -= 10_000
    for (const how of Object.values(CHANGES)) {
      await how(store.domains, (await store.domains.find(name))!)
      const registration = (await store.domains.find(name))!
      const { emails } = await store.emails.page(address, { limit: 1, after: registration.visibleAfter })
      expect(emails).toEqual([])
    }
  })

  test('a client that invents an id of the future does not move the ids of later mail', async () => {
    const name = uniqueDomain()
    const addresses = [uniqueAddress(name), uniqueAddress(name)]
    for await (const _ of store.emails.replay({ addresses }, `7${'Z'.repeat(25)}`, 10))
      expect(_).toBeUndefined()
    const [email] = await store.emails.store(sampleMail([addresses[0]!]))
    expect(email!.receivedAt).toBeLessThan(clock() + 60_000)
  })
})
