import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { ReadableStream } from 'node:stream/web'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { openWriter, type Writer } from '../../adapters/sqlite/writer.ts'
import { CATCH_ALL } from '../../core/access/catch-all.ts'
import { newDomain } from '../../core/access/registration.ts'
import { Intake } from '../../local-service/intake.ts'
import { createLogger } from '../../local-service/log.ts'
import { ReaderFailure } from '../../local-service/readers.ts'
import { ReadingBudget } from '../../local-service/reading-budget.ts'
import { startReader } from '../../local-service/start-reader.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import { temporaryDirectory } from '../adapters/sqlite/store-temporary.ts'
import { uniqueMessageId } from '../contract/sample.ts'

const ADDRESS = 'bot@mayfly.test'
const OPTIONS = { retentionMs: 3_600_000, catchAll: false }

function threadPriorities(): number[] {
  return readdirSync('/proc/self/task').map((id) => getPriority(Number(id)))
}

describe('a reader thread', () => {
  let writer: Writer
  let remove: () => void

  beforeEach(async () => {
    const directory = temporaryDirectory()
    remove = directory.remove
    writer = openWriter({ dir: directory.dir, publish: () => {} })
    await writer.domains.change('mayfly.test', undefined, newDomain('mayfly.test', 'verified', Date.now()))
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await writer.close()
    remove()
  })

  const envelope = () => ({
    messageId: uniqueMessageId(),
    mailFrom: null,
    recipients: [ADDRESS],
    verdicts: NO_VERDICTS,
  })
  const raw = (size: number) =>
    Buffer.concat([Buffer.from('Subject: s\r\n\r\n'), Buffer.alloc(size, 'text \r\n')])

  test('stores a message that it receives, and a message that the store already holds', async () => {
    const reader = startReader(writer, OPTIONS)
    const stored = envelope()
    await writer.blobs.put(stored.messageId, 'raw', raw(2_000_000))
    const ids = [
      ...(await reader.receive({ envelope: envelope(), bytes: raw(100_000) })),
      ...(await reader.receive({ envelope: stored })),
    ]
    await reader.end('the test has ended')
    const { emails } = await writer.emails.page(ADDRESS, { limit: 10 })
    expect(emails.map(({ id }) => id)).toEqual(ids.reverse())
    expect(emails.map(({ size }) => size)).toEqual([2_000_014, 100_014])
  })

  test('that ends during a message fails it, and the next reader stores the message once', async () => {
    const job = { envelope: envelope() }
    await writer.blobs.put(job.envelope.messageId, 'raw', raw(20_000_000))
    const reader = startReader(writer, OPTIONS)
    const received = reader.receive(job)
    const failed = expect(received).rejects.toBeInstanceOf(ReaderFailure)
    await reader.end('it was killed')
    await failed
    const next = startReader(writer, OPTIONS)
    const ids = await next.receive(job)
    await next.end('the test has ended')
    expect((await writer.emails.page(ADDRESS, { limit: 10 })).emails.map(({ id }) => id)).toEqual(ids)
  })

  test('rejects a message that was removed before it is read, and reads the next one', async () => {
    const reader = startReader(writer, OPTIONS)
    await expect(reader.receive({ envelope: envelope() })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await reader.receive({ envelope: envelope(), bytes: raw(100) })).toHaveLength(1)
    await reader.end('the test has ended')
  })

  test('accepts mail for every domain where the service does', async () => {
    await writer.domains.change(CATCH_ALL, undefined, newDomain(CATCH_ALL, 'verified', Date.now()))
    const reader = startReader(writer, { ...OPTIONS, catchAll: true })
    const job = { envelope: { ...envelope(), recipients: ['bot@any.example'] }, bytes: raw(100) }
    expect(await reader.receive(job)).toHaveLength(1)
    await reader.end('the test has ended')
  })

  // Other systems have no priorities of threads.
  const onLinux = process.platform === 'linux' ? test : test.skip
  onLinux('has a low priority, and a lower one when it yields', async () => {
    const reader = startReader(writer, OPTIONS)
    await reader.receive({ envelope: envelope(), bytes: raw(100) })
    // The tests themselves may run with a low priority.
    const own = getPriority()
    const before = threadPriorities()
    reader.yieldToOthers()
    const after = threadPriorities()
    await reader.end('the test has ended')
    expect(Math.max(...before)).toBe(Math.max(own, 5))
    expect(Math.max(...after)).toBe(19)
  })

  onLinux('is ready when it has loaded its code, and knows the CPU time that it used', async () => {
    const reader = startReader(writer, OPTIONS)
    await reader.ready
    const before = reader.usedMs()
    await reader.receive({ envelope: envelope(), bytes: raw(5_000_000) })
    const used = reader.usedMs() - before
    await reader.end('the test has ended')
    expect([before > 0, used > 0]).toEqual([true, true])
    expect(reader.usedMs()).toBe(0)
  })

  test('is used for a large message and not for a small one', async () => {
    const intake = new Intake(writer, { ...OPTIONS, log: await createLogger('silent', false) })
    const client = { address: '127.0.0.1', helo: '' }
    const connection = jest.spyOn(writer, 'connection')
    await intake.deliver(envelope(), { bytes: raw(250_000) }, client)
    expect(connection).not.toHaveBeenCalled()
    await intake.deliver(envelope(), { stream: ReadableStream.from([raw(300_000)]) }, client)
    expect(connection).toHaveBeenCalledTimes(1)
    await intake.close()
    expect((await writer.emails.page(ADDRESS, { limit: 10 })).emails).toHaveLength(2)
  })
  test('that cannot start leaves no byte of the message, which the sender keeps', async () => {
    const intake = new Intake(writer, { ...OPTIONS, log: await createLogger('silent', false) })
    const starting = jest.spyOn(writer, 'connection').mockImplementation(() => {
      throw new Error('no thread is free')
    })
    const message = { stream: ReadableStream.from([raw(300_000)]) }
    const delivered = intake.deliver(envelope(), message, { address: '127.0.0.1', helo: '' })
    await expect(delivered).rejects.toThrow('no thread is free')
    starting.mockRestore()
    expect(await writer.blobs.open('1', 'raw')).toBeUndefined()
    await intake.close()
  })

  test('is used for messages that arrive together, when the first ones have cost too much', async () => {
    const intake = new Intake(writer, { ...OPTIONS, log: await createLogger('silent', false) })
    const spend = jest.spyOn(ReadingBudget.prototype, 'spend')
    jest.spyOn(ReadingBudget.prototype, 'allows').mockImplementation(() => spend.mock.calls.length < 3)
    const client = { address: '127.0.0.1', helo: '' }
    const connection = jest.spyOn(writer, 'connection')
    await Promise.all(
      Array.from({ length: 6 }, () => intake.deliver(envelope(), { bytes: raw(1000) }, client)),
    )
    expect([spend.mock.calls.length, connection.mock.calls.length]).toEqual([3, 1])
    await intake.close()
    expect((await writer.emails.page(ADDRESS, { limit: 10 })).emails).toHaveLength(6)
  })

  test('is not used after many small messages that arrive together', async () => {
    const intake = new Intake(writer, { ...OPTIONS, log: await createLogger('silent', false) })
    const client = { address: '127.0.0.1', helo: '' }
    const connection = jest.spyOn(writer, 'connection')
    await Promise.all(
      Array.from({ length: 200 }, () => intake.deliver(envelope(), { bytes: raw(1000) }, client)),
    )
    await intake.deliver(envelope(), { bytes: raw(1000) }, client)
    expect(connection).not.toHaveBeenCalled()
    await intake.close()
  })
})
