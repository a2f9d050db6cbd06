import { ScanCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Copy } from '../../../adapters/dynamodb/copy.ts'
import { Heads } from '../../../adapters/dynamodb/heads.ts'
import { SharedCopies } from '../../../adapters/dynamodb/shared-copies.ts'
import { Table } from '../../../adapters/dynamodb/table.ts'
import { isWaiting, WaitingCopies } from '../../../adapters/dynamodb/waiting-copies.ts'
import type { NewMessage } from '../../../core/inbox/ports.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/limits.ts'
import { createTables, type LocalDynamoDb, type LocalTables } from '../../aws/dynamodb-local.ts'
import { describeOnDynamoDb, sharedDynamoDb } from '../../aws/on-dynamodb.ts'
import { sampleContent, sampleMail, uniqueAddress } from '../../contract/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { Processes } from './processes.ts'

describeOnDynamoDb('Copies of several processes that wait for one head', () => {
  let dynamo: LocalDynamoDb
  let tables: LocalTables
  let processes: Processes
  let waiting: WaitingCopies

  beforeAll(async () => {
    dynamo = await sharedDynamoDb()
    tables = await createTables(dynamo.client)
    processes = new Processes(dynamo, tables)
    waiting = new WaitingCopies(new Table(dynamo.client, tables.mailTable), Date.now)
  })
  afterAll(async () => {
    processes.end()
    await dynamo.stop()
  })

  const headOf = (address: string) =>
    new Heads(new Table(dynamo.client, tables.keysTable), Date.now).of(address)

  async function allWaiting() {
    const { Items = [] } = await dynamo.client.send(new ScanCommand({ TableName: tables.mailTable }))
    return Items.filter(({ pk }) => isWaiting(pk!.S!))
  }

  const countWaiting = async () => (await allWaiting()).length

  /** Puts a copy as a process does that has ended before any transaction stored it. */
  async function leave(address: string, mail: NewMessage): Promise<void> {
    const state = { mail, recipients: mail.recipients, known: undefined }
    await waiting.put(headOf(address), [{ state, address, minted: undefined }])
  }

  const summariesOf = async (address: string) =>
    (await processes.start().emails.page(address, { limit: 100 })).emails

  test('are stored by the process whose transaction succeeds, and found by the others', async () => {
    const address = uniqueAddress()
    const [stuck, other] = [processes.start(), processes.start()]
    // Every transaction of this process conflicts.
    stuck.faults.conflict(1000, 'transactions')
    const mails = Array.from({ length: 5 }, (_, n) =>
      sampleMail([address], { summary: sampleContent({ subject: `mail ${n}` }) }),
    )
    const storing = Promise.all(mails.map((mail) => stuck.emails.store(mail)))
    await eventually('the copies that wait', countWaiting, (count) => count === mails.length)
    other.faults.conflict(3, 'transactions')
    const [own] = await other.emails.store(sampleMail([address]))
    const stored = (await storing).flat()
    expect(stored.map(({ subject }) => subject).sort()).toEqual(mails.map((_, n) => `mail ${n}`))
    const listed = (await summariesOf(address)).reverse()
    expect(listed.map(({ id }) => id)).toEqual([...stored, own!].map(({ id }) => id).sort())
    expect(await countWaiting()).toBe(0)
  })

  test('are stored once if their process has ended, also when the message is handled again', async () => {
    const address = uniqueAddress()
    const lost = sampleMail([address])
    await leave(address, lost)
    const { emails, faults } = processes.start()
    faults.conflict(3, 'transactions')
    await emails.store(sampleMail([address]))
    // The transaction has ended the sharing, so nothing more is written.
    expect(faults.operations.at(-1)).toBe('TransactWriteItems')
    expect(await summariesOf(address)).toHaveLength(2)
    expect(await emails.store(lost)).toHaveLength(1)
    expect(await summariesOf(address)).toHaveLength(2)
  })

  test('are kept for the 15 minutes that a function may run', async () => {
    const address = uniqueAddress()
    const now = Date.now()
    await leave(address, sampleMail([address]))
    const [item] = await allWaiting()
    expect(Number(item!.ttl!.N)).toBeGreaterThanOrEqual(Math.floor((now + 15 * MINUTE_MS) / SECOND_MS))
    const { emails, faults } = processes.start()
    faults.conflict(3, 'transactions')
    await emails.store(sampleMail([address]))
    expect(await countWaiting()).toBe(0)
  })

  test('that were stored before, or whose domain is gone, hold up no other', async () => {
    const address = uniqueAddress()
    const [stored, foreign] = [
      sampleMail([address]),
      sampleMail([address], { visibleAfter: { [address.split('@')[1]!]: 'x' } }),
    ]
    const { emails, faults } = processes.start()
    await emails.store(stored)
    await leave(address, stored)
    await leave(address, foreign)
    faults.conflict(3, 'transactions')
    expect(await emails.store(sampleMail([address]))).toHaveLength(1)
    expect(await summariesOf(address)).toHaveLength(2)
    expect(await countWaiting()).toBe(0)
  })

  test('that can never be stored do not make others fail', async () => {
    const address = uniqueAddress()
    // An email's item may have 400 KB.
    const huge = sampleMail([address], { summary: sampleContent({ subject: randomText(398_000) }) })
    const { emails, faults } = processes.start()
    await leave(address, huge)
    faults.conflict(3, 'transactions')
    expect(await emails.store(sampleMail([address]))).toHaveLength(1)
    expect(await summariesOf(address)).toHaveLength(1)
  })

  test('are stored once and in order by 40 processes, whose transactions exclude each other', async () => {
    const address = uniqueAddress()
    const inFlight = new Set<string>()
    const storing = Array.from({ length: 40 }, async () => {
      const { emails, faults } = processes.start()
      faults.exclude(inFlight)
      await Promise.all([emails.store(sampleMail([address])), emails.store(sampleMail([address]))])
    })
    const seen: string[] = []
    const watch = async () => {
      const { emails } = await processes
        .start()
        .emails.page(address, { limit: 100, after: seen.at(-1) ?? '' })
      seen.push(...emails.map(({ id }) => id).reverse())
      return seen.length
    }
    await eventually('80 emails, each above the ones before', watch, (count) => count === 80)
    await Promise.all(storing)
    expect(await summariesOf(address)).toHaveLength(80)
  })

  test('whose domain is unregistered meanwhile wait no more', async () => {
    const address = uniqueAddress()
    const mail = sampleMail([address])
    const { emails, faults } = processes.start()
    faults.conflict(1000, 'transactions')
    const storing = emails.store(mail)
    const before = await countWaiting()
    await eventually('the copy that waits', countWaiting, (count) => count > before)
    mail.visibleAfter = { [address.split('@')[1]!]: 'another registration' }
    expect(await storing).toEqual([])
    expect(await countWaiting()).toBe(before)
  })
})

describe('the copies that one call shares', () => {
  const copyOf = (address: string): Copy => {
    const mail = sampleMail([address])
    return { state: { mail, recipients: [address], known: undefined }, address, minted: undefined }
  }
  const sharedOver = (waiting: object) =>
    new SharedCopies(
      { waiting: waiting as WaitingCopies, records: { find: async () => new Map() } },
      'the head',
    )

  test('need no removal once a transaction has stored and removed them', async () => {
    const [first, second] = [copyOf('a@x.example'), copyOf('b@x.example')]
    const removed: Copy[] = []
    const shared = sharedOver({
      put: async () => {},
      list: async () => [first, second],
      remove: async (_head: string, copies: Copy[]) => void removed.push(...copies),
    })
    await shared.exchange([])
    shared.stored([first])
    await shared.forget(() => true)
    expect(removed).toEqual([second])
  })

  test('are listed after the own ones were put, and a failure of that is the failure of the call', async () => {
    const steps: string[] = []
    const waiting = {
      put: async () => {
        await new Promise(setImmediate)
        steps.push('put')
      },
      list: async () => {
        steps.push('list')
        return []
      },
    }
    await sharedOver(waiting).exchange([copyOf('a@x.example')])
    expect(steps).toEqual(['put', 'list'])
    const put = () => Promise.reject(new Error('injected'))
    await expect(sharedOver({ ...waiting, put }).exchange([])).rejects.toThrow('injected')
  })
})

/** Text that does not compress. */
function randomText(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join('')
}
