import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { pino } from 'pino'
import { openWriter, type Writer } from '../../adapters/sqlite/writer.ts'
import { newDomain } from '../../core/access/registration.ts'
import { Intake } from '../../local-service/intake.ts'
import { ReadingBudget } from '../../local-service/reading-budget.ts'
import { NO_VERDICTS } from '../../reading/message.ts'
import { temporaryDirectory } from '../adapters/sqlite/store-temporary.ts'

const ADDRESS = 'bot@mayfly.test'
const STRANGER = { address: '192.0.2.1', helo: '' }
const HERE = { address: '127.0.0.1', helo: '' }
const DOMAIN_FULL = '4.3.1 Mail for that domain fills half of the store, try again later'
const FULL = '4.3.1 The store is full, try again when mail has expired'

describe('the intake of mail', () => {
  let writer: Writer
  let remove: () => void
  let intake: Intake
  let lines: string[]

  beforeEach(async () => {
    const directory = temporaryDirectory()
    remove = directory.remove
    writer = openWriter({ dir: directory.dir, publish: () => {} })
    await writer.domains.change('mayfly.test', undefined, newDomain('mayfly.test', 'verified', Date.now()))
    lines = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    intake = new Intake(writer, { retentionMs: 3_600_000, catchAll: false, log })
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await intake.close()
    await writer.close()
    remove()
  })

  const envelope = () => ({
    mailFrom: 'ann@a.test',
    recipients: [ADDRESS],
    verdicts: NO_VERDICTS,
  })
  const raw = (size: number) =>
    Buffer.concat([Buffer.from('Subject: Hi\r\n\r\n'), Buffer.alloc(size, 'text \r\n')])

  async function* inTwo(message: Buffer): AsyncIterable<Uint8Array> {
    yield message.subarray(0, 100_000)
    yield message.subarray(100_000)
  }

  /** Of the first message of the store. */
  async function storedRaw(): Promise<Buffer | undefined> {
    const opened = await writer.blobs.open('1', 'raw')
    return opened && buffer(opened.stream as AsyncIterable<Buffer>)
  }

  test('a message that the store fails to keep is refused, and no reader thread tries again', async () => {
    const connecting = jest.spyOn(writer, 'connection')
    jest.spyOn(writer.emails, 'store').mockRejectedValue(new Error('the disk is broken'))
    const delivered = intake.deliver(envelope(), { bytes: raw(100) }, HERE)
    await expect(delivered).rejects.toThrow('the disk is broken')
    expect(connecting).not.toHaveBeenCalled()
  })

  test.each([
    ['in memory', 100_000, (message: Buffer) => ({ bytes: message })],
    ['in the store', 600_000, (message: Buffer) => ({ stream: inTwo(message) })],
  ])(
    'stores a message %s that two reader threads could not read, with the reason',
    async (_, size, given) => {
      // The client has used up its budget, so this thread reads none of its messages.
      jest.spyOn(ReadingBudget.prototype, 'allows').mockReturnValue(false)
      const { connection } = writer
      const connecting = jest
        .spyOn(writer, 'connection')
        .mockImplementation(() => ({ ...connection(), dir: '/dev/null/nowhere' }))
      const message = raw(size)
      const ids = await intake.deliver(envelope(), given(message), HERE)
      expect(connecting).toHaveBeenCalledTimes(2)
      const { emails } = await writer.emails.page(ADDRESS, { limit: 10 })
      expect(emails).toMatchObject([{ id: ids[0], subject: 'Hi', size: message.length, bodyText: '' }])
      expect((await storedRaw())?.equals(message)).toBe(true)
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        {
          level: 50,
          messageId: '1',
          reason: expect.stringContaining('/dev/null/nowhere'),
          msg: 'a message could not be read',
        },
      ])
    },
  )

  test.each([1000, 256 * 1024, 256 * 1024 + 1, 700_000])(
    'stores a message of %i bytes that did not arrive by SMTP as it is',
    async (size) => {
      const message = raw(size - 15)
      // The intake frees the memory of what it was given.
      expect(await intake.deliverWhole(envelope(), Uint8Array.from(message), '127.0.0.1')).toHaveLength(1)
      const stored = await storedRaw()
      expect([stored?.length, stored?.equals(message)]).toEqual([size, true])
    },
  )

  test.each([
    ['of a client that has its share', 'client', false],
    ['of a sender that has its share', 'sender', false],
    ['of others', 'domain', true],
  ])('has room for mail %s: %s %s', (_, full, hasRoom) => {
    const shares = jest.spyOn(writer, 'hasShare').mockImplementation((kind) => kind !== full)
    const from = { client: '2001:db8:1:2:3::4', sender: 'ann@a.test' }
    expect(intake.hasRoom(1000, from)).toBe(hasRoom)
    expect(shares.mock.calls[0]).toEqual(['client', '2001:db8:1:0::/48', 1000])
    if (full !== 'client') expect(shares.mock.calls[1]).toEqual(['sender', 'ann@a.test', 1000])
    expect([intake.hasRoom(1000), intake.hasRoom(1000, { ...from, client: '127.0.0.1' })]).toEqual([
      true,
      true,
    ])
  })

  test('refuses mail of strangers for a domain that has its share, and takes that of this machine', async () => {
    const shares = jest.spyOn(writer, 'hasShare').mockImplementation((kind) => kind !== 'domain')
    const message = () => ({ bytes: raw(1000) })
    const refused = { ...envelope(), recipients: ['Bot@Mayfly.test'] }
    await expect(intake.deliver(refused, message(), STRANGER)).rejects.toMatchObject({
      responseCode: 452,
      message: DOMAIN_FULL,
    })
    expect(shares).toHaveBeenLastCalledWith('domain', 'mayfly.test', 0)
    await expect(intake.deliverWhole(envelope(), raw(1000), '192.0.2.1')).rejects.toMatchObject({
      code: 'unavailable',
      detail: DOMAIN_FULL,
    })
    expect(await intake.deliver(envelope(), message(), HERE)).toHaveLength(1)
  })

  test('records the network and the sender of strangers only', async () => {
    const stored = jest.spyOn(writer.emails, 'store')
    await intake.deliver(envelope(), { bytes: raw(10) }, STRANGER)
    await intake.deliver({ ...envelope(), mailFrom: null }, { bytes: raw(10) }, STRANGER)
    await intake.deliver(envelope(), { bytes: raw(10) }, HERE)
    expect(stored.mock.calls.map(([{ origin }]) => origin)).toEqual([
      { client: '192.0.2.1', sender: 'ann@a.test' },
      { client: '192.0.2.1', sender: '' },
      undefined,
    ])
  })

  test('counts the bytes of messages under way, until they are stored', async () => {
    const rooms = jest.spyOn(writer, 'hasRoom')
    await intake.deliver(envelope(), { stream: inTwo(raw(300_000)) }, HERE)
    const asked = rooms.mock.calls.map(([bytes]) => bytes)
    expect(asked).toEqual([100_000, 300_015])
    intake.hasRoom(5)
    expect(rooms).toHaveBeenLastCalledWith(5)
  })

  test('refuses a message that could not be written to a full store as one for which there is no room', async () => {
    const rooms = jest.spyOn(writer, 'hasRoom')
    async function* filling(): AsyncIterable<Uint8Array> {
      yield raw(100)
      rooms.mockReturnValue(false)
      throw new Error('the disk is full')
    }
    const delivered = intake.deliver(envelope(), { stream: filling() }, HERE)
    await expect(delivered).rejects.toMatchObject({ responseCode: 452, message: FULL })
  })

  test('refuses a message that fills the store while it arrives, and keeps no byte of it', async () => {
    jest.spyOn(writer, 'hasRoom').mockImplementation((bytes) => bytes > 0 && bytes <= 100_000)
    const delivered = intake.deliver(envelope(), { stream: inTwo(raw(300_000)) }, HERE)
    await expect(delivered).rejects.toMatchObject({ responseCode: 452, message: FULL })
    expect(await storedRaw()).toBeUndefined()
    await expect(intake.deliverWhole(envelope(), raw(200_000), '127.0.0.1')).rejects.toMatchObject({
      code: 'unavailable',
      detail: FULL,
    })
  })
})
