import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTables, type LocalDynamoDb } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import {
  FIRST_ID,
  HOUR_MS,
  readReplay,
  sampleMail,
  uniqueAddress,
  uniqueDomain,
} from '../../contract/sample.ts'
import { everyFault, type Fault } from './faults.ts'
import { type Process, Processes } from './processes.ts'

/**
 * The operations that store a mail for two recipients and remove an email: more of them cost more.
 */
const STORE_OPERATIONS = ['TransactWriteItems', 'TransactWriteItems']
const REMOVE_OPERATIONS = ['GetItem', 'UpdateItem', 'DeleteItem', 'DeleteItem']

describeOnDynamoDb('Emails when DynamoDB fails, or two processes do the same', () => {
  let dynamo: LocalDynamoDb
  let processes: Processes
  let reader: Process
  const start = (): Process => processes.start()

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    processes = new Processes(dynamo, await createTables(dynamo.client))
    reader = start()
  })
  afterAll(async () => {
    processes.end()
    await dynamo.stop()
  })

  async function inbox(address: string) {
    return (await reader.emails.page(address, { limit: 100 })).emails
  }

  test('sends only the expected operations', async () => {
    const { emails, faults } = start()
    const [one, two] = [uniqueAddress(), uniqueAddress()]
    const others = Array.from({ length: 23 }, () => uniqueAddress())
    const [email] = await emails.store(sampleMail([one, two, ...others]))
    expect(faults.operations).toEqual(STORE_OPERATIONS)
    faults.inject(undefined)
    await emails.remove(one, email!.id)
    expect(faults.operations).toEqual(REMOVE_OPERATIONS)
  })

  test.each(everyFault(STORE_OPERATIONS.length))(
    'stores one email for each recipient in spite of %j',
    async (fault) => {
      const { emails, faults } = start()
      const domain = uniqueDomain()
      // One recipient more than fits into a transaction.
      const recipients = Array.from({ length: 25 }, () => uniqueAddress(domain))
      const mail = sampleMail(recipients)
      faults.inject(fault)
      const first = await emails.store(mail).catch((error: unknown) => error)
      if (fault.attempts === 'all') expect(first).toMatchObject({ code: 'unavailable' })
      else expect(first).toHaveLength(25)

      const stored = await start().emails.store(mail)
      expect(stored.map(({ address }) => address)).toEqual(recipients)
      if (fault.attempts === 'first') expect(stored).toEqual(first)
      const inboxes = await Promise.all(recipients.map(inbox))
      expect(inboxes).toEqual(stored.map((email) => [email]))
      const { emails: indexed } = await readReplay(emails.replay({ domains: [domain] }, FIRST_ID, 100))
      expect(indexed.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).sort())
    },
  )

  test.each(everyFault(REMOVE_OPERATIONS.length))(
    'removes the last email of a message once in spite of %j',
    async (fault) => {
      const { emails, faults } = start()
      const mail = sampleMail([uniqueAddress(), uniqueAddress()])
      const [one, two] = await emails.store(mail)
      expect(await emails.remove(one!.address, one!.id)).toEqual({ messageId: mail.messageId, last: false })

      faults.inject(fault)
      const first = await emails.remove(two!.address, two!.id).catch(() => undefined)
      faults.inject(undefined)
      const again = await emails.remove(two!.address, two!.id)
      // If the email was deleted but the caller got an error, no caller learns that it was the last
      // one: its bytes expire by the lifecycle rule of the bucket.
      const deleted = fault.operation === 3 || (fault.operation === 2 && fault.when === 'after')
      const unknown = deleted && fault.attempts === 'all'
      const told = [first, again].filter((result) => result !== undefined)
      expect(told).toEqual(unknown ? [] : [{ messageId: mail.messageId, last: true }])
      expect(await inbox(two!.address)).toEqual([])
      expect(await emails.store(mail)).toEqual([])
    },
  )

  test('reports the last email of which the removal is repeated, if all others have expired', async () => {
    const { emails, faults } = start()
    const [one, two] = [uniqueAddress(), uniqueAddress()]
    const mail = sampleMail([one], { retentionMs: HOUR_MS })
    await emails.store(mail)
    processes.offset = HOUR_MS / 2
    const stored = await emails.store({ ...mail, recipients: [one, two] })
    const email = stored.find(({ address }) => address === two)!
    processes.offset = HOUR_MS
    // The two updates of the message are done, and the email is not deleted.
    faults.inject({ operation: 3, when: 'before', attempts: 'all' })
    await expect(emails.remove(two, email.id)).rejects.toMatchObject({ code: 'unavailable' })
    expect(faults.operations).toEqual(['GetItem', 'UpdateItem', 'UpdateItem', 'DeleteItem'])
    faults.inject(undefined)
    expect(await emails.remove(two, email.id)).toEqual({ messageId: mail.messageId, last: true })
    processes.offset = 0
  })

  test('removes the bytes of a redelivered message whose emails were all removed', async () => {
    const { emails } = start()
    const mail = sampleMail([uniqueAddress()])
    const [email] = await emails.store(mail)
    await emails.store(mail)
    await emails.remove(email!.address, email!.id)
    expect(processes.forgotten).not.toContain(mail.messageId)
    expect(await emails.store(mail)).toEqual([])
    expect(processes.forgotten).toContain(mail.messageId)
  })

  describe('two processes', () => {
    test('store a message once', async () => {
      const several = [start(), start(), start()]
      for (let n = 0; n < 4; n++) {
        const mail = sampleMail([uniqueAddress(), uniqueAddress(), uniqueAddress()])
        const results = await Promise.all(several.map(({ emails }) => emails.store(mail)))
        for (const result of results) expect(result).toEqual(results[0])
        for (const email of results[0]!) expect(await inbox(email.address)).toEqual([email])
      }
    })

    test('remove a message once', async () => {
      const several = [start(), start()]
      for (let n = 0; n < 4; n++) {
        const mail = sampleMail([uniqueAddress(), uniqueAddress()])
        const stored = await several[0]!.emails.store(mail)
        const results = await Promise.all(
          several.flatMap(({ emails }) => [
            ...stored.map(({ address, id }) => emails.remove(address, id)),
            ...stored.map(async ({ address }) => {
              const { orphans } = await emails.removeAll(address)
              return orphans.length > 0 ? { messageId: orphans[0]!, last: true } : undefined
            }),
          ]),
        )
        expect(results.filter((result) => result?.last)).toEqual([{ messageId: mail.messageId, last: true }])
      }
    })

    test('assign ids in order although their clocks differ', async () => {
      const [ahead, behind] = [start(), start()]
      const address = uniqueAddress()
      processes.offset = HOUR_MS / 2
      const first = await ahead.emails.store(sampleMail([address]))
      processes.offset = 0
      const second = await behind.emails.store(sampleMail([address]))
      expect(second[0]!.id > first[0]!.id).toBe(true)
    })

    test('store one email if the first process resumes after the second one has stored it', async () => {
      const [sleeper, other] = [start(), start()]
      const mail = sampleMail(Array.from({ length: 25 }, () => uniqueAddress()))
      for (const operation of [0, 1]) {
        const again = { ...mail, messageId: `${mail.messageId}-${operation}` }
        const held = sleeper.faults.hold(operation)
        const sleeping = sleeper.emails.store(again)
        await held.reached
        const stored = await other.emails.store(again)
        held.release()
        expect(await sleeping).toEqual(stored)
        const inboxes = await Promise.all(mail.recipients.map(inbox))
        expect(inboxes.map(([newest]) => newest)).toEqual(stored)
      }
      for (const all of await Promise.all(mail.recipients.map(inbox))) expect(all).toHaveLength(2)
    })

    test('do not restore a removed email if the first process resumes late', async () => {
      const [sleeper, other] = [start(), start()]
      const address = uniqueAddress()
      const mail = sampleMail([address])
      const held = sleeper.faults.hold(0)
      const sleeping = sleeper.emails.store(mail)
      await held.reached
      const [email] = await other.emails.store(mail)
      expect(await other.emails.remove(address, email!.id)).toMatchObject({ last: true })
      held.release()
      expect(await sleeping).toEqual([])
      expect(await inbox(address)).toEqual([])
    })

    test('keep the bytes until every recipient has its email', async () => {
      const [dying, other] = [start(), start()]
      const mail = sampleMail(Array.from({ length: 25 }, () => uniqueAddress()))
      dying.faults.inject({ operation: 1, when: 'before', attempts: 'all' })
      await expect(dying.emails.store(mail)).rejects.toMatchObject({ code: 'unavailable' })
      const [one] = await inbox(mail.recipients[0]!)
      expect(await other.emails.remove(one!.address, one!.id)).toMatchObject({ last: false })
      const stored = await other.emails.store(mail)
      expect(stored.map(({ address }) => address)).toEqual(mail.recipients.slice(1))
      for (const [i, { address, id }] of stored.entries())
        expect(await other.emails.remove(address, id)).toMatchObject({ last: i === stored.length - 1 })
    })
  })

  describe('transaction conflicts', () => {
    test('are retried until the transaction succeeds', async () => {
      const { emails, faults } = start()
      faults.conflict(2)
      const [email] = await emails.store(sampleMail([uniqueAddress()]))
      const transaction = 'TransactWriteItems'
      expect(faults.operations).toEqual([transaction, transaction, 'PutItem', 'Query', transaction])
      faults.conflict(2)
      expect(await emails.remove(email!.address, email!.id)).toMatchObject({ last: true })
      expect(faults.operations).toHaveLength(REMOVE_OPERATIONS.length + 2)
    })
  })

  describe('followed domains', () => {
    const broken: Fault = { operation: 0, when: 'before', attempts: 'all' }

    test('a failure to follow a domain leaves it unfollowed, keeps the others, and can be retried', async () => {
      const { emails, faults } = start()
      const [known, other] = [uniqueDomain(), uniqueDomain()]
      const follow = (...domains: string[]) => emails.barrier({ domains }, FIRST_ID)
      const followed = () => [known, other].map((domain) => emails.order.isFollowed(domain))
      await follow(known)
      faults.inject(broken)
      await expect(follow(known, other)).rejects.toMatchObject({ code: 'unavailable' })
      expect(followed()).toEqual([true, false])
      faults.inject(undefined)
      await follow(other)
      expect(followed()).toEqual([true, true])
      emails.order.forget(other)
      expect(followed()).toEqual([true, false])
    })

    test('a failure to follow a domain also fails the changes that wait for its order', async () => {
      const { emails, faults } = start()
      const domain = uniqueDomain()
      const [email] = await start().emails.store(sampleMail([uniqueAddress(domain)]))
      const held = faults.hold(0)
      const following = emails.barrier({ domains: [domain] }, FIRST_ID)
      await held.reached
      // The smallest id, so that no head has to be raised before the change waits.
      const least = { ...email!, id: '' }
      const arrived = { type: 'email' as const, domain, address: least.address, email: least, keyHash: null }
      const ordered = emails.order.advance([arrived], new Set([domain]))
      const both = Promise.allSettled([following, ordered])
      await setImmediate()
      faults.inject(broken)
      held.release()
      for (const { status } of await both) expect(status).toBe('rejected')
    })
  })
})
