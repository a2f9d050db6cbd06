import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { DynamoMessages } from '../../../adapters/dynamodb/messages.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import {
  createTables,
  describeOnDynamoDb,
  LOCAL,
  type LocalDynamoDb,
  type LocalTables,
  startDynamoDb,
} from '../../aws/dynamodb-local.ts'
import {
  FIRST_ID,
  HOUR_MS,
  readReplay,
  sampleMail,
  uniqueAddress,
  uniqueDomain,
} from '../../contract/sample.ts'
import { everyFault, Faults } from './faults.ts'

/** Operations of a store for two recipients, and of a removal: a change of these numbers changes what it costs. */
const STORE_OPERATIONS = ['Query', 'Query', 'PutItem', 'PutItem', 'PutItem']
const REMOVE_OPERATIONS = ['GetItem', 'UpdateItem', 'DeleteItem']

describeOnDynamoDb('Emails when DynamoDB fails, or two processes do the same', () => {
  let dynamo: LocalDynamoDb
  let tables: LocalTables
  let offset = 0
  const clients: DynamoDBClient[] = []
  /** Deliveries whose bytes were removed by the store. */
  const forgotten: string[] = []

  beforeAll(async () => {
    dynamo = await startDynamoDb()
    tables = await createTables(dynamo.client)
  }, 40_000)
  afterAll(async () => {
    for (const client of clients) client.destroy()
    await dynamo.stop()
  })

  /** The emails as one process has them. */
  function process() {
    const client = new DynamoDBClient({ ...LOCAL, endpoint: dynamo.endpoint, maxAttempts: 2 })
    clients.push(client)
    const emails = new DynamoMessages({
      mail: new Table(client, tables.mailTable),
      keys: new Table(client, tables.keysTable),
      blobs: { remove: async (delivery) => void forgotten.push(delivery) },
      clock: () => Date.now() + offset,
    })
    return { emails, faults: new Faults(client) }
  }

  async function inbox(address: string) {
    const { emails } = process()
    return (await emails.page(address, { limit: 100 })).emails
  }

  test('takes the operations that it should', async () => {
    const { emails, faults } = process()
    const [one, two] = [uniqueAddress(), uniqueAddress()]
    const [email] = await emails.store(sampleMail([one, two]))
    expect(faults.operations).toEqual(STORE_OPERATIONS)
    faults.inject(undefined)
    await emails.remove(one, email!.id)
    expect(faults.operations).toEqual(REMOVE_OPERATIONS)
  })

  test.each(everyFault(STORE_OPERATIONS.length))(
    'stores one email for each in spite of %j',
    async (fault) => {
      const { emails, faults } = process()
      const domain = uniqueDomain()
      const recipients = [uniqueAddress(domain), uniqueAddress(domain)]
      const mail = sampleMail(recipients)
      faults.inject(fault)
      const first = await emails.store(mail).catch((error: unknown) => error)
      if (fault.attempts === 'all') expect(first).toMatchObject({ code: 'unavailable' })
      else expect(first).toHaveLength(2)

      const stored = await process().emails.store(mail)
      expect(stored.map(({ address }) => address)).toEqual(recipients)
      if (fault.attempts === 'first') expect(stored).toEqual(first)
      for (const email of stored) expect(await inbox(email.address)).toEqual([email])
      const { emails: indexed } = await readReplay(emails.replay({ domains: [domain] }, FIRST_ID, 10))
      expect(indexed.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).sort())
    },
  )

  test.each(everyFault(REMOVE_OPERATIONS.length))(
    'removes the last copy once in spite of %j',
    async (fault) => {
      const { emails, faults } = process()
      const mail = sampleMail([uniqueAddress(), uniqueAddress()])
      const [one, two] = await emails.store(mail)
      expect(await emails.remove(one!.address, one!.id)).toEqual({ delivery: mail.delivery, last: false })

      faults.inject(fault)
      const first = await emails.remove(two!.address, two!.id).catch(() => undefined)
      faults.inject(undefined)
      const again = await emails.remove(two!.address, two!.id)
      // When every answer to the delete is lost, nobody knows that it was done: the bytes go by their lifecycle.
      const unknown = fault.operation === 2 && fault.when === 'after' && fault.attempts === 'all'
      const told = [first, again].filter((result) => result !== undefined)
      expect(told).toEqual(unknown ? [] : [{ delivery: mail.delivery, last: true }])
      expect(await inbox(two!.address)).toEqual([])
      expect(await emails.store(mail)).toEqual([])
    },
  )

  test('removes the bytes of a delivery that comes again when all of it was removed', async () => {
    const { emails } = process()
    const mail = sampleMail([uniqueAddress()])
    const [email] = await emails.store(mail)
    await emails.store(mail)
    await emails.remove(email!.address, email!.id)
    expect(forgotten).not.toContain(mail.delivery)
    expect(await emails.store(mail)).toEqual([])
    expect(forgotten).toContain(mail.delivery)
  })

  describe('two processes', () => {
    test('store a delivery once', async () => {
      const processes = [process(), process(), process()]
      for (let n = 0; n < 10; n++) {
        const mail = sampleMail([uniqueAddress(), uniqueAddress(), uniqueAddress()])
        const results = await Promise.all(processes.map(({ emails }) => emails.store(mail)))
        for (const result of results) expect(result).toEqual(results[0])
        for (const email of results[0]!) expect(await inbox(email.address)).toEqual([email])
      }
    })

    test('remove a delivery once', async () => {
      const processes = [process(), process()]
      for (let n = 0; n < 10; n++) {
        const mail = sampleMail([uniqueAddress(), uniqueAddress()])
        const stored = await processes[0]!.emails.store(mail)
        const results = await Promise.all(
          processes.flatMap(({ emails }) => [
            ...stored.map(({ address, id }) => emails.remove(address, id)),
            ...stored.map(async ({ address }) => {
              const { orphans } = await emails.removeAll(address)
              return orphans.length > 0 ? { delivery: orphans[0]!, last: true } : undefined
            }),
          ]),
        )
        expect(results.filter((result) => result?.last)).toEqual([{ delivery: mail.delivery, last: true }])
      }
    })

    test('keep to the order of ids when their clocks differ', async () => {
      const [ahead, behind] = [process(), process()]
      const address = uniqueAddress()
      offset = HOUR_MS / 2
      const first = await ahead.emails.store(sampleMail([address]))
      offset = 0
      const second = await behind.emails.store(sampleMail([address]))
      expect(second[0]!.id > first[0]!.id).toBe(true)
    })

    test('give a mail a new id that was begun long ago, and seen by nobody', async () => {
      const [one, two] = [process(), process()]
      const address = uniqueAddress()
      const late = sampleMail([address])
      one.faults.inject({ operation: 2, when: 'before', attempts: 'all' })
      await expect(one.emails.store(late)).rejects.toMatchObject({ code: 'unavailable' })

      offset += 5000
      const [seen] = await two.emails.store(sampleMail([address]))
      const [email] = await two.emails.store(late)
      expect(email!.id > seen!.id).toBe(true)
      expect(await two.emails.store(late)).toEqual([email])
      expect(await inbox(address)).toEqual([email, seen])
      expect((await two.emails.page(address, { limit: 10, after: seen!.id })).emails).toEqual([email])
      expect(await two.emails.removeAll(address)).toMatchObject({ removed: 2 })
    })

    test('store one email when the first of them wakes up late', async () => {
      const [sleeper, other] = [process(), process()]
      const address = uniqueAddress()
      const mail = sampleMail([address])
      // The third operation writes the email.
      const held = sleeper.faults.hold(2)
      const sleeping = sleeper.emails.store(mail)
      await held.reached
      offset += 5000
      const stored = await other.emails.store(mail)
      held.release()
      expect(await sleeping).toEqual(stored)
      expect(await inbox(address)).toEqual(stored)
    })

    test('leave a removed copy removed when the first of them wakes up late', async () => {
      const [sleeper, other] = [process(), process()]
      const address = uniqueAddress()
      const mail = sampleMail([address])
      const held = sleeper.faults.hold(2)
      const sleeping = sleeper.emails.store(mail)
      await held.reached
      const [email] = await other.emails.store(mail)
      expect(await other.emails.remove(address, email!.id)).toMatchObject({ last: true })
      offset += 5000
      held.release()
      expect(await sleeping).toEqual([])
      expect(await inbox(address)).toEqual([])
    })
  })
})
