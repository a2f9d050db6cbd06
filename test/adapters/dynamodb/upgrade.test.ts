import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Heads } from '../../../adapters/dynamodb/heads.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { createTables, type LocalDynamoDb, type LocalTables } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import {
  FIRST_ID,
  HOUR_MS,
  readReplay,
  sampleMail,
  uniqueAddress,
  uniqueDomain,
} from '../../contract/sample.ts'
import { type Process, Processes } from './processes.ts'
import { Version020 } from './version-0.2.0.ts'

/**
 * During a deployment over version 0.2.0, functions and tasks of both versions use the tables at
 * the same time. Each version has its own heads and its own parts of the log.
 */
describeOnDynamoDb('While programs of 0.2.0 still run, a reader misses no email', () => {
  let dynamo: LocalDynamoDb
  let tables: LocalTables
  let processes: Processes
  let older: Version020

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    tables = await createTables(dynamo.client)
    processes = new Processes(dynamo, tables)
    older = new Version020(dynamo.client, tables)
  }, 40_000)
  afterAll(async () => {
    processes.end()
    await dynamo.stop()
  })

  /** Ids of one ms have a random order. */
  const nextMs = () => sleep(2)
  const start = (): Process => processes.start(Date.now() + HOUR_MS)

  /** The id of a new email, whose writer is held back after it has created an id. */
  async function slowly(address: string, meanwhile: () => Promise<void>): Promise<string> {
    const { emails, faults } = start()
    const held = faults.hold(0)
    const storing = emails.store(sampleMail([address]))
    await held.reached
    await nextMs()
    await meanwhile()
    held.release()
    const [email] = await storing
    return email?.id ?? ''
  }

  async function slowlyOlder(address: string, meanwhile: () => Promise<void>): Promise<string> {
    const store = await older.begin(address)
    await nextMs()
    await meanwhile()
    return store()
  }

  const storeNew = async (address: string) => (await start().emails.store(sampleMail([address])))[0]?.id ?? ''

  describe('of an address', () => {
    test.each([
      ['0.2.0 overtakes a writer of this version', slowly, (address: string) => older.store(address)],
      ['a writer of this version overtakes one of 0.2.0', slowlyOlder, storeNew],
    ])('although %s', async (_, slow, fast) => {
      const address = uniqueAddress()
      const { emails } = start()
      const since = async (after: string) =>
        (await emails.page(address, { limit: 10, after })).emails.map(({ id }) => id)
      let seen = ''
      const late = await slow(address, async () => {
        seen = await fast(address)
        expect(await since(FIRST_ID)).toEqual([seen])
      })
      expect(await since(seen)).toEqual([late])
    })
  })

  describe('of a domain', () => {
    const replay = async (domain: string, after: string) => {
      const { emails } = await readReplay(start().emails.replay({ domains: [domain] }, after, 100))
      return emails.map(({ id }) => id)
    }
    const [newReader, olderReader] = [replay, (domain: string, after: string) => older.newer(domain, after)]

    test.each([
      ['a stream of this version is ahead of a writer of 0.2.0', slowlyOlder, storeNew, newReader],
      ['a stream of 0.2.0 is ahead of a writer of this version', slowly, storeNew, olderReader],
      ['a stream of 0.2.0 is ahead of a writer of 0.2.0', slowlyOlder, storeNew, olderReader],
      ['a stream of this version is ahead of one', slowly, storeNew, newReader],
    ])('although %s', async (_, slow, fast, read) => {
      const domain = uniqueDomain()
      let seen = ''
      const late = await slow(uniqueAddress(domain), async () => {
        seen = await fast(uniqueAddress(domain))
        expect(await read(domain, FIRST_ID)).toContain(seen)
        // The client received this id, and continues with it.
        await read(domain, seen)
      })
      expect(await read(domain, seen)).toEqual([late])
    })

    test('although a stream of 0.2.0 knows one part of the log only', async () => {
      const domain = uniqueDomain()
      const addresses = Array.from({ length: 16 }, () => uniqueAddress(domain))
      const ids = await Promise.all(addresses.map(storeNew))
      expect(await older.newer(domain, FIRST_ID)).toEqual(ids.sort())
    })
  })

  test('after the upgrade, an email advances one head again, and earlier emails are found', async () => {
    const ends = Date.now()
    const headsAt = (now: number) => new Heads(new Table(dynamo.client, tables.keysTable), () => now, ends)
    const domain = uniqueDomain()
    const address = uniqueAddress(domain)
    const [shared, own] = headsAt(ends - 1).of(address)
    expect(shared).toMatch(`head#${domain}#`)
    expect(headsAt(ends).of(address)).toEqual([own])
    const stored = [
      await older.store(address),
      await storeNew(address),
      (await processes.start(ends).emails.store(sampleMail([address])))[0]?.id,
    ]
    const { emails } = await readReplay(
      processes.start(ends).emails.replay({ domains: [domain] }, FIRST_ID, 10),
    )
    expect(emails.map(({ id }) => id)).toEqual(stored)
  })
})
