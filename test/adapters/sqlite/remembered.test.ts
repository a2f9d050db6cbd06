import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { visibleAfter } from '../../../adapters/sqlite/domains.ts'
import { Remembered } from '../../../adapters/sqlite/transaction.ts'
import { domainPart } from '../../../core/address.ts'
import {
  HOUR_MS,
  putDomain,
  sampleDomain,
  sampleMail,
  uniqueAddress,
  uniqueMessageId,
} from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

/** What the store remembers between mails is what it would read again. */

const NOW = 1_800_000_000_000
let opened: OpenWriting

beforeEach(() => {
  opened = openWriting(() => NOW)
})
afterEach(() => opened.close())

const retentions = () =>
  opened.db.all<{ message: number; hours: number }>(
    `SELECT message, retention_ms / ${HOUR_MS} AS hours FROM retentions ORDER BY message`,
  )
const sample = (hours: number, messageId = uniqueMessageId()) =>
  sampleMail([uniqueAddress()], { messageId, retentionMs: hours * HOUR_MS })
const store = (mail: ReturnType<typeof sampleMail>) => opened.ports.emails.store(mail)

/** Fails after the message was inserted. */
function failing(mail: ReturnType<typeof sampleMail>): Promise<unknown> {
  opened.db.raw.exec("CREATE TEMP TRIGGER t BEFORE INSERT ON emails BEGIN SELECT raise(ABORT, 'no'); END")
  const stored = store(mail)
  opened.db.raw.exec('DROP TRIGGER t')
  return stored.catch((error: unknown) => error)
}

test('mail that was accepted for an earlier registration is refused after other mail was stored', async () => {
  const { domains } = opened.ports
  const domain = await putDomain(domains, sampleDomain())
  const mailFor = (visibleAfter: string) =>
    store(sampleMail([uniqueAddress(domain.name)], { visibleAfter: { [domain.name]: visibleAfter } }))
  expect(await mailFor(domain.visibleAfter)).toHaveLength(1)
  const anew = await putDomain(domains, { ...domain, registeredAt: domain.registeredAt + 1 })
  expect(await mailFor(domain.visibleAfter)).toEqual([])
  expect(await mailFor(anew.visibleAfter)).toHaveLength(1)
})

test('a domain that was unknown is known once it is registered', async () => {
  const domain = sampleDomain()
  const address = uniqueAddress(domain.name)
  const expecting = (visibleAfter: string) =>
    store(sampleMail([address], { visibleAfter: { [domainPart(address)]: visibleAfter } }))
  expect(await expecting('')).toEqual([])
  const { visibleAfter } = await putDomain(opened.ports.domains, domain)
  expect(await expecting(visibleAfter)).toHaveLength(1)
})

test('at most 1000 names of strangers are remembered', () => {
  const transaction = { db: opened.db, remembered: new Remembered() }
  const sizes = Array.from({ length: 2500 }, (_, n) => {
    visibleAfter(transaction, `d${n}.test`)
    return transaction.remembered.visibleAfter.size
  })
  expect(Math.max(...sizes)).toBe(1000)
})

test('a series of messages begins with each other retention', async () => {
  const mails = [1, 1, 2, 2, 1].map((hours) => sample(hours))
  for (const mail of mails) await store(mail)
  expect(retentions()).toEqual(
    [0, 2, 4].map((n) => ({ message: Number(mails[n]!.messageId), hours: mails[n]!.retentionMs / HOUR_MS })),
  )
})

test('an older message that is stored later begins a series of its own, and the newest one is read again', async () => {
  const older = sample(2)
  const newer = sample(1)
  await store(newer)
  await store(older)
  await store(sample(1))
  expect(retentions().map(({ hours }) => hours)).toEqual([2, 1])
})

test('the series of a message that could not be stored is not remembered', async () => {
  await failing(sample(1))
  expect(retentions()).toEqual([])
  await store(sample(1))
  expect(retentions()).toHaveLength(1)
})

test('an older message that is stored later is found when it expires', async () => {
  const older = sample(1)
  await store(sample(1))
  await store(older)
  expect(retentions()).toContainEqual({ message: Number(older.messageId), hours: 1 })
})

test('a registration whose commit failed is not remembered', async () => {
  const { domains } = opened.ports
  const domain = await putDomain(domains, sampleDomain())
  opened.db.raw.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE numbers (n INTEGER PRIMARY KEY);
    CREATE TABLE pairs (n INTEGER REFERENCES numbers DEFERRABLE INITIALLY DEFERRED);
  `)
  const mail = () =>
    sampleMail([uniqueAddress(domain.name)], { visibleAfter: { [domain.name]: domain.visibleAfter } })
  const together = await Promise.allSettled([
    domains.change(domain.name, domain, { ...domain, registeredAt: domain.registeredAt + 1 }),
    store(mail()),
    opened.writing.group.run(() => opened.db.run('INSERT INTO pairs VALUES (99)')),
  ])
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await store(mail())).toHaveLength(1)
})
