import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { BlobStore, Part } from '../../core/inbox/ports.ts'
import type { Open, Opened } from './opened.ts'
import { uniqueMessageId } from './sample.ts'

const KB = 1024
const MB = 1024 * 1024

/** The obligations of BlobStore in core/inbox/ports.ts. */
export function blobsContract(name: string, open: Open<{ blobs: BlobStore }>): void {
  describe(`BlobStore: ${name}`, () => {
    let store: Opened<{ blobs: BlobStore }>
    let blobs: BlobStore

    beforeAll(async () => {
      store = await open()
      blobs = store.blobs
    })
    afterAll(() => store.close())

    async function read(messageId: string, part: Part): Promise<Buffer | undefined> {
      const opened = await blobs.open(messageId, part)
      if (opened === undefined) return undefined
      const chunks: Uint8Array[] = []
      for await (const chunk of opened.stream) chunks.push(chunk)
      const whole = Buffer.concat(chunks)
      expect(opened.size).toBe(whole.length)
      return whole
    }

    /** Not `toEqual`, which takes seconds for millions of bytes. */
    async function expectPart(messageId: string, part: Part, content: Uint8Array): Promise<void> {
      const found = await read(messageId, part)
      expect(found?.length).toBe(content.length)
      expect(found?.equals(content)).toBe(true)
    }

    test('has no part that was not stored', async () => {
      expect(await blobs.open(uniqueMessageId(), 'raw')).toBeUndefined()
      const messageId = uniqueMessageId()
      await blobs.put(messageId, 'raw', randomBytes(10))
      expect(await blobs.open(messageId, 'body')).toBeUndefined()
      expect(await blobs.open(messageId, 'attachments/0')).toBeUndefined()
    })

    test.each([0, 1, 8191, 256 * KB - 1, 256 * KB, 256 * KB + 1, 512 * KB, 5 * MB, 5 * MB + 1])(
      'keeps %d bytes, given at once or as a stream',
      async (size) => {
        const messageId = uniqueMessageId()
        const content = randomBytes(size)
        await blobs.put(messageId, 'raw', content)
        await expectPart(messageId, 'raw', content)
        await blobs.put(messageId, 'body', pieces(content, 64 * KB))
        await expectPart(messageId, 'body', content)
      },
    )

    test.each([
      [3000, 1],
      [5 * MB, 77_777],
      [5 * MB, 1_234_567],
      [9 * MB, 9 * MB],
    ])('keeps a stream of %d bytes that comes in pieces of %d', async (size, piece) => {
      const messageId = uniqueMessageId()
      const content = randomBytes(size)
      await blobs.put(messageId, 'attachments/3', pieces(content, piece))
      await expectPart(messageId, 'attachments/3', content)
    })

    test('keeps a stream of pieces of all sizes, empty ones too', async () => {
      const messageId = uniqueMessageId()
      const sizes = [0, 1, 300_000, 0, 0, 262_144, 7, 999_999, 0]
      const parts = sizes.map((size) => randomBytes(size))
      async function* uneven() {
        yield* parts
      }
      await blobs.put(messageId, 'raw', uneven())
      await expectPart(messageId, 'raw', Buffer.concat(parts))
    })

    test('keeps an empty stream as an empty part', async () => {
      const messageId = uniqueMessageId()
      await blobs.put(messageId, 'body', pieces(Buffer.alloc(0), 1))
      await expectPart(messageId, 'body', Buffer.alloc(0))
    })

    test('keeps the bytes as they were at the call, even if their buffer changes later', async () => {
      const messageId = uniqueMessageId()
      const buffer = Buffer.alloc(100_000)
      async function* reusing() {
        for (let n = 1; n <= 9; n++) yield buffer.fill(n)
      }
      await blobs.put(messageId, 'raw', reusing())
      await expectPart(messageId, 'raw', Buffer.concat(range(9).map((n) => Buffer.alloc(100_000, n + 1))))

      const around = Buffer.from('before|inside|after')
      const view = around.subarray(7, 13)
      await blobs.put(messageId, 'body', view)
      expect(view.toString()).toBe('inside')
      around.fill(0)
      await expectPart(messageId, 'body', Buffer.from('inside'))
    })

    test('returns bytes that belong to the caller', async () => {
      const messageId = uniqueMessageId()
      await blobs.put(messageId, 'raw', Buffer.from('untouched'))
      for await (const chunk of (await blobs.open(messageId, 'raw'))!.stream) chunk.fill(0)
      await expectPart(messageId, 'raw', Buffer.from('untouched'))
    })

    test('replaces a part of any size by one of any size', async () => {
      const messageId = uniqueMessageId()
      for (const size of [10, 700_000, 0, 2 * MB, 600_000, 5]) {
        const content = randomBytes(size)
        await blobs.put(messageId, 'raw', pieces(content, 100_000))
        await expectPart(messageId, 'raw', content)
      }
    })

    test('keeps the parts of different messages apart', async () => {
      const deliveries = [uniqueMessageId(), uniqueMessageId(), uniqueMessageId()]
      const parts: Part[] = ['raw', 'body', 'attachments/0', 'attachments/1', 'attachments/10']
      const contents = new Map<string, Buffer>()
      await Promise.all(
        deliveries.flatMap((messageId) =>
          parts.map((part) => {
            const content = randomBytes(1000)
            contents.set(`${messageId} ${part}`, content)
            return blobs.put(messageId, part, content)
          }),
        ),
      )
      for (const messageId of deliveries) {
        for (const part of parts) await expectPart(messageId, part, contents.get(`${messageId} ${part}`)!)
      }
    })

    test('keeps exactly one of several versions that are stored at once', async () => {
      const messageId = uniqueMessageId()
      const contents = range(4).map((n) => Buffer.alloc(600_000 + n, n))
      await Promise.all(contents.map((content) => blobs.put(messageId, 'raw', pieces(content, 50_000))))
      const found = await read(messageId, 'raw')
      expect(contents.some((content) => found!.equals(content))).toBe(true)
    })

    test.each([0, 10, 2 * MB])(
      'keeps the part that was there when a stream fails after %d bytes',
      async (size) => {
        const messageId = uniqueMessageId()
        async function* failing() {
          yield randomBytes(size)
          throw new Error('the sender went away')
        }
        await expect(blobs.put(messageId, 'raw', failing())).rejects.toThrow('the sender went away')
        expect(await blobs.open(messageId, 'raw')).toBeUndefined()

        await blobs.put(messageId, 'raw', Buffer.from('whole'))
        await expect(blobs.put(messageId, 'raw', failing())).rejects.toThrow('the sender went away')
        await expectPart(messageId, 'raw', Buffer.from('whole'))
      },
    )

    test('lets a reader stop in the middle', async () => {
      const messageId = uniqueMessageId()
      const content = randomBytes(3 * MB)
      await blobs.put(messageId, 'raw', content)
      for await (const chunk of (await blobs.open(messageId, 'raw'))!.stream) {
        expect(chunk.length).toBeGreaterThan(0)
        break
      }
      await expectPart(messageId, 'raw', content)
    })

    test('serves several readers of one part', async () => {
      const messageId = uniqueMessageId()
      const content = randomBytes(2 * MB)
      await blobs.put(messageId, 'raw', content)
      await Promise.all(range(5).map(() => expectPart(messageId, 'raw', content)))
    })

    test('removes all parts of a message, and no other parts', async () => {
      const [messageId, other] = [uniqueMessageId(), uniqueMessageId()]
      const parts: Part[] = ['raw', 'body', 'attachments/0', 'attachments/1']
      for (const part of parts) await blobs.put(messageId, part, randomBytes(300_000))
      await blobs.put(other, 'raw', Buffer.from('other'))
      await blobs.remove(messageId)
      for (const part of parts) expect(await blobs.open(messageId, part)).toBeUndefined()
      await blobs.remove(messageId)
      await expectPart(other, 'raw', Buffer.from('other'))
      await blobs.put(messageId, 'raw', Buffer.from('again'))
      await expectPart(messageId, 'raw', Buffer.from('again'))
    })

    test('removes nothing if there is nothing', async () => {
      await expect(blobs.remove(uniqueMessageId())).resolves.toBeUndefined()
    })

    test('links to a part by a URL, or not at all', async () => {
      const messageId = uniqueMessageId()
      await blobs.put(messageId, 'attachments/0', Buffer.from('linked'))
      const download = { contentType: 'text/plain', filename: 'a "b" ü.txt' }
      const link = await blobs.link(messageId, 'attachments/0', download)
      if (link === undefined) return
      const response = await fetch(link)
      expect(await response.text()).toBe('linked')
      expect(response.headers.get('content-type')).toBe('text/plain')
      expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
    })
  })
}

async function* pieces(content: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

function range(length: number): number[] {
  return Array.from({ length }, (_, n) => n)
}
