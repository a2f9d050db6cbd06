import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { CHUNK_BYTES } from '../../../adapters/sqlite/blobs.ts'
import type { Part } from '../../../core/inbox/ports.ts'
import { sampleMail, uniqueAddress, uniqueMessageId } from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

let opened: OpenWriting
let messageId: string

beforeEach(() => {
  opened = openWriting(Date.now)
  messageId = uniqueMessageId()
})
afterEach(() => opened.close())

const rows = (table: string) => Number(opened.db.raw.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n)
const large = Buffer.alloc(3 * CHUNK_BYTES, 1)

/** A source that acts in the middle, and records whether it was closed. */
function source(meanwhile: () => unknown) {
  const state = { isClosed: false }
  async function* pieces() {
    try {
      yield large
      await meanwhile()
      yield large
      yield large
    } finally {
      // A source may need a moment, such as for a file.
      await new Promise(setImmediate)
      state.isClosed = true
    }
  }
  return { state, pieces: pieces() }
}

test('nothing remains of an incomplete part', async () => {
  const { blobs } = opened.ports
  const { pieces } = source(() => Promise.reject(new Error('gone')))
  await expect(blobs.put(messageId, 'raw', pieces)).rejects.toThrow('gone')
  expect([rows('parts'), rows('chunks')]).toEqual([0, 0])
})

test('a part whose message is removed while it arrives is refused, and nothing of it remains', async () => {
  const { blobs } = opened.ports
  const { pieces } = source(() => blobs.remove(messageId))
  await expect(blobs.put(messageId, 'raw', pieces)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await blobs.open(messageId, 'raw')).toBeUndefined()
  expect([rows('parts'), rows('chunks')]).toEqual([0, 0])
})

test('the source of a part that cannot be stored is closed', async () => {
  const { state, pieces } = source(() => opened.db.raw.exec('DROP TABLE chunks'))
  await expect(opened.ports.blobs.put(messageId, 'raw', pieces)).rejects.toThrow()
  expect(state.isClosed).toBe(true)
})

test('a part whose first chunk cannot be stored is refused for that reason', async () => {
  opened.db.raw.exec('DROP TABLE parts')
  const { state, pieces } = source(() => undefined)
  await expect(opened.ports.blobs.put(messageId, 'raw', pieces)).rejects.toThrow(/parts/)
  expect(state.isClosed).toBe(true)
})

test('an empty part has no bytes', async () => {
  const { blobs } = opened.ports
  await blobs.put(messageId, 'raw', new Uint8Array(0))
  expect(await Array.fromAsync((await blobs.open(messageId, 'raw'))!.stream)).toEqual([])
})

test('parts in the row of a small message are replaced and removed there too', async () => {
  const { blobs } = opened.ports
  const mail = { ...sampleMail([uniqueAddress()]), messageId }
  await opened.writing.commands.storeEmails(
    mail,
    new Map<Part, Uint8Array>([
      ['raw', Buffer.from('raw')],
      ['body', Buffer.from('content')],
    ]),
  )
  const own = () => opened.db.raw.prepare('SELECT raw, body FROM messages').get()!
  expect(own()).toEqual({ raw: expect.any(Uint8Array), body: expect.any(Uint8Array) })
  await blobs.put(messageId, 'raw', Buffer.from('another'))
  expect(own()).toEqual({ raw: null, body: expect.any(Uint8Array) })
  await blobs.remove(messageId)
  expect(own()).toEqual({ raw: null, body: null })
  for (const part of ['raw', 'body'] as const) expect(await blobs.open(messageId, part)).toBeUndefined()
})
