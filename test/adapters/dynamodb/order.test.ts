import { crc32 } from 'node:zlib'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { ChangeCache } from '../../../adapters/dynamodb/change-cache.ts'
import { LOG_PARTS } from '../../../adapters/dynamodb/domain-log.ts'
import type { Arrived } from '../../../adapters/dynamodb/email-item.ts'
import { Heads } from '../../../adapters/dynamodb/heads.ts'
import { StreamReader } from '../../../adapters/dynamodb/stream-reader.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { lastUlidOf } from '../../../core/ulid.ts'
import { openStore } from '../../../service/aws-store.ts'
import { createTables, LOCAL, type LocalDynamoDb, type LocalTables } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import {
  FIRST_ID,
  HOUR_MS,
  putDomain,
  readReplay,
  sampleDomain,
  sampleMail,
  uniqueAddress,
  uniqueDomain,
} from '../../contract/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { type Process, Processes } from './processes.ts'

/** The requests that store a mail for 25 recipients: each of them is held back in turn. */
const STEPS = [0, 1]
const SLOW_MS = 60
/** How far ids may be ahead of the clock. Longer than a test waits: no writer may wait for its clock to catch up. */
const AHEAD_MS = HOUR_MS

describeOnDynamoDb('A reader that asks for ids greater than the last one it saw misses no email', () => {
  let dynamo: LocalDynamoDb
  let tables: LocalTables
  let processes: Processes

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    tables = await createTables(dynamo.client)
    processes = new Processes(dynamo, tables)
  })
  afterAll(async () => {
    processes.end()
    await dynamo.stop()
  })

  const idsOf = (emails: Email[]) => emails.map(({ id }) => id)

  async function newerInDomains({ emails }: Process, domains: string[], after: string): Promise<string[]> {
    return idsOf((await readReplay(emails.replay({ domains }, after, 1000))).emails)
  }

  /**
   * Process A is about to send a request of its store; B stores an email, `look` reads, then A
   * continues.
   */
  async function overtake(step: number, slow: string, fast: string, look: (id: string) => Promise<void>) {
    const [a, b] = [processes.start(), processes.start()]
    const held = a.faults.hold(step)
    // Each request stores the emails of 24 recipients.
    const recipients = [...Array.from({ length: 24 * step }, () => uniqueAddress()), slow]
    const storing = a.emails.store(sampleMail(recipients))
    await held.reached
    const [seen] = await b.emails.store(sampleMail([fast]))
    await look(seen!.id)
    held.release()
    const email = (await storing).find(({ address }) => address === slow)
    return { email: email!, seen: seen! }
  }

  describe('of an address', () => {
    test.each(STEPS)('although another writer overtakes the first one at its request %d', async (step) => {
      const address = uniqueAddress()
      const reader = processes.start()
      const since = async (after: string) =>
        idsOf((await reader.emails.page(address, { limit: 10, after })).emails)
      let before: string[] = []
      const { email, seen } = await overtake(step, address, address, async (id) => {
        before = await since(FIRST_ID)
        expect(before).toContain(id)
      })
      expect(before).not.toContain(email.id)
      expect(await since(seen.id)).toEqual([email.id])
    })
  })

  describe('of several domains', () => {
    test.each(STEPS)(
      'although another writer overtakes the writer of one domain at its request %d',
      async (step) => {
        const domains = [uniqueDomain(), uniqueDomain()]
        const reader = processes.start()
        for (const [slow, fast] of [domains, domains.toReversed(), [domains[0], domains[0]]]) {
          let before: string[] = []
          const { email, seen } = await overtake(step, uniqueAddress(slow), uniqueAddress(fast), async () => {
            before = await newerInDomains(reader, domains, FIRST_ID)
          })
          expect(before).toContain(seen.id)
          const later = await newerInDomains(reader, domains, before.at(-1)!)
          expect(before).not.toContain(email.id)
          expect(later).toContain(email.id)
        }
      },
    )
  })

  test('because a new id is always greater than the id up to which the address is settled', async () => {
    const address = uniqueAddress()
    const ahead = lastUlidOf(Date.now() + AHEAD_MS)
    await processes.start().emails.barrier({ addresses: [address] }, ahead)
    const [email] = await processes.start().emails.store(sampleMail([address]))
    expect(email!.id > ahead).toBe(true)
  })

  test('and gets no email from before a domain was registered again, although its writer was overtaken', async () => {
    let ago = 60_000
    const clock = () => Date.now() - ago
    const store = openStore({ ...tables, bucket: 'none', dynamo: dynamo.client, clock })
    const domain = await putDomain(store.domains, sampleDomain())
    const address = uniqueAddress(domain.name)
    const [slow, fast] = [processes.start(), processes.start()]
    // The slow writer has read the domain, and is about to store.
    const held = slow.faults.hold(1)
    const mail = () => sampleMail([address], { visibleAfter: { [domain.name]: domain.visibleAfter } })
    const storing = slow.emails.store(mail())
    await held.reached
    expect(slow.faults.operations).toEqual(['GetItem', 'TransactWriteItems'])
    const [before] = await fast.emails.store(mail())
    ago = 0
    const anew = await putDomain(store.domains, { ...domain, registeredAt: domain.registeredAt + 1 })
    held.release()
    expect(await storing).toEqual([])
    expect(before!.id <= anew.visibleAfter).toBe(true)
    expect(await newerInDomains(fast, [domain.name], anew.visibleAfter)).toEqual([])
  })

  test('because two emails never have the same id, even if many heads are raised to the same one', async () => {
    const domain = uniqueDomain()
    const ahead = lastUlidOf(Date.now() + AHEAD_MS)
    await processes.start().emails.barrier({ domains: [domain] }, ahead)
    const stored = await Promise.all(
      Array.from({ length: 4 }, () => processes.start().emails.store(sampleMail([uniqueAddress(domain)]))),
    )
    const ids = idsOf(stored.flat())
    expect(new Set(ids).size).toBe(4)
    for (const id of ids) expect(id > ahead).toBe(true)
  })

  test('and gets each email once, after all earlier ones, whatever the order of the stream records', async () => {
    const { emails } = processes.start()
    const domain = uniqueDomain()
    const store = async () => (await emails.store(sampleMail([uniqueAddress(domain)])))[0]!
    const before = await store()
    await emails.barrier({ domains: [domain] }, FIRST_ID)
    const { order } = emails
    const told = async (...arrived: Email[]) => {
      const changes = arrived.map((email): Arrived => {
        return { type: 'email', domain, address: email.address, email, keyHash: null }
      })
      return idsOf((await order.advance(changes, order.groupOf(domain))).map(({ email }) => email))
    }
    // An email that was stored before its domain was followed has no order.
    expect(await told(before)).toEqual([before.id])
    const [first, second, third] = [await store(), await store(), await store()]
    expect(await told(second)).toEqual([first.id, second.id])
    expect(await told(first)).toEqual([])
    expect(await told(second, third)).toEqual([third.id])
    expect(await told(before)).toEqual([before.id])
  })

  test('because a stream fails with the one that began to follow its domain, and the next one has an order', async () => {
    const domain = uniqueDomain()
    const { order } = processes.start().emails
    const raising = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const raise = jest.spyOn(Heads.prototype, 'raise').mockImplementationOnce(() => {
      raising.resolve()
      return answer.promise
    })
    const first = order.barrier([domain], FIRST_ID)
    await raising.promise
    const both = Promise.allSettled([first, order.newest([domain], FIRST_ID, 10)])
    const injected = new Error('injected')
    answer.reject(injected)
    expect(await both).toEqual([injected, injected].map((reason) => ({ status: 'rejected', reason })))
    expect(order.isFollowed(domain)).toBe(false)
    expect(await order.newest([domain], FIRST_ID, 10)).toEqual([])
    expect(order.isFollowed(domain)).toBe(true)
    raise.mockRestore()
  })

  test('although its domain has more emails than one query evaluates: it gets the newest', async () => {
    const domain = uniqueDomain()
    const { emails } = processes.start()
    // In one part of the log, of which a query evaluates 100.
    const addresses = Array.from({ length: 500 }, () => uniqueAddress(domain))
      .filter((address) => crc32(address) % LOG_PARTS === 0)
      .slice(0, 102)
    const stored = idsOf(await emails.store(sampleMail(addresses))).sort()
    const newest = await emails.order.newest([domain], FIRST_ID, 3)
    expect(newest.map(({ id }) => id)).toEqual(stored.slice(-3).reverse())
  })

  test('although several writers are slow at every request', async () => {
    const domains = [uniqueDomain(), uniqueDomain()]
    const addresses = [...domains, domains[0]].map((domain) => uniqueAddress(domain))
    const writers = Array.from({ length: 3 }, () => processes.start())
    for (const { faults } of writers) faults.slow(() => Math.random() ** 4 * SLOW_MS)

    const reader = processes.start()
    const streams = new DynamoDBStreamsClient({ ...LOCAL, endpoint: dynamo.endpoint })
    const feed = new StreamReader({
      streams,
      arn: tables.mailStreamArn,
      clock: Date.now,
      changeCache: new ChangeCache(Date.now),
      order: reader.emails.order,
      report: () => {},
      pollMs: () => 10,
    })
    await feed.start()
    // From here on the domains are followed.
    expect(await newerInDomains(reader, domains, FIRST_ID)).toEqual([])
    const live: string[] = []
    feed.subscribe((change) => {
      if (change.type === 'email' && domains.includes(change.domain)) live.push(change.email.id)
    })

    let storing = true
    /** Polls for emails newer than the newest one that it received. */
    const follow = async (newer: (after: string) => Promise<string[]>) => {
      const seen: string[] = []
      for (let last = false; !last; ) {
        last = !storing
        seen.push(...(await newer(seen.at(-1) ?? FIRST_ID)))
      }
      return seen
    }
    const ofAddress = (address: string) =>
      follow(async (after) => {
        const { emails } = await reader.emails.page(address, { limit: 100, after })
        return idsOf(emails).reverse()
      })
    const others = [processes.start(), processes.start()]
    const following = Promise.all([
      ...addresses.map(ofAddress),
      ...others.map((other) => follow((after) => newerInDomains(other, domains, after))),
    ])
    const stored = await Promise.all(
      writers.map(async ({ emails }) => {
        const own: Email[] = []
        for (let n = 0; n < 8; n++) {
          const recipients = n % 4 === 0 ? addresses : [addresses[n % 3]!]
          own.push(...(await emails.store(sampleMail(recipients))))
        }
        return own
      }),
    )
    storing = false
    const all = stored.flat()
    const sorted = idsOf(all).sort()
    const seen = await following
    for (const [i, address] of addresses.entries()) {
      expect(seen[i]).toEqual(idsOf(all.filter((email) => email.address === address)).sort())
    }
    for (const domain of seen.slice(addresses.length)) expect(domain).toEqual(sorted)
    await eventually(
      `${sorted.length} live emails`,
      () => live,
      ({ length }) => length >= sorted.length,
    )
    expect(live).toEqual(sorted)
    await feed.stop()
    streams.destroy()
  })

  test.each([
    ['an address', false],
    ['the domains of a key', true],
  ])(
    'an event for a stream of %s has the key that its domain had when the email was stored',
    async (_, followed) => {
      const clock = Date.now
      const streams = new DynamoDBStreamsClient({ ...LOCAL, endpoint: dynamo.endpoint, maxAttempts: 1 })
      const writer = processes.start()
      const store = openStore({ ...tables, bucket: 'none', dynamo: dynamo.client })
      const feed = new StreamReader({
        streams,
        arn: tables.mailStreamArn,
        clock,
        changeCache: new ChangeCache(clock),
        order: writer.emails.order,
        follows: () => followed,
        report: () => {},
        pollMs: () => 5,
      })
      await feed.start()
      const open = await putDomain(store.domains, sampleDomain())
      const address = uniqueAddress(open.name)
      if (followed) await writer.emails.barrier({ domains: [open.name] }, FIRST_ID)
      const keys: unknown[] = []
      feed.subscribe((change) => {
        if (change.type === 'email' && change.address === address) keys.push(change.keyHash)
      })
      const registrations = { [open.name]: open.visibleAfter }
      const mail = () => sampleMail([address], { visibleAfter: registrations })
      await writer.emails.store(mail())
      await putDomain(store.domains, { ...open, keyHash: 'a key' })
      await writer.emails.store(mail())
      await eventually(
        '2 keys of the domain',
        () => keys,
        ({ length }) => length === 2,
      )
      expect(keys).toEqual([null, 'a key'])
      await feed.stop()
      streams.destroy()
    },
  )
})
