import { beforeEach, expect, test } from '@jest/globals'
import type { BlobStore } from '../../../core/inbox/ports.ts'
import { CollectedParts } from '../../../core/inbox/receive.ts'

const ROOM = 512 * 1024
const bytes = (length: number) => new Uint8Array(length).fill(7)

/** Parts that were put into the blob store, with their size. */
let put: string[]
let blobs: Pick<BlobStore, 'put'>
let parts: CollectedParts

beforeEach(() => {
  put = []
  blobs = {
    async put(messageId, part, content) {
      let size = 0
      if (content instanceof Uint8Array) size = content.length
      else for await (const chunk of content) size += chunk.length
      put.push(`${messageId} ${part} ${size}`)
    },
  }
  parts = new CollectedParts(blobs, 'm')
})

const collected = () => Array.from(parts.parts, ([part, { length }]) => `${part} ${length}`)

async function* chunksOf(...sizes: number[]): AsyncIterable<Uint8Array> {
  for (const size of sizes) yield bytes(size)
}

test('parts that fit into 512 KiB together are collected, and larger ones stored', async () => {
  await parts.add('raw', bytes(ROOM - 10))
  await parts.add('attachments/0', bytes(11))
  await parts.add('body', bytes(10))
  await parts.add('attachments/1', bytes(1))
  expect(collected()).toEqual([`raw ${ROOM - 10}`, 'body 10'])
  expect(put).toEqual(['m attachments/0 11', 'm attachments/1 1'])
})

test('an attachment that fits is collected whole', async () => {
  await parts.addAttachment('0', chunksOf(1, 2, ROOM - 3))
  expect(collected()).toEqual([`attachments/0 ${ROOM}`])
  expect([...parts.parts.values()].map((content) => content.every((byte) => byte === 7))).toEqual([true])
  await parts.addAttachment('1', chunksOf())
  expect([collected().length, put]).toEqual([2, []])
})

test('an attachment that does not fit is stored whole, and takes no room', async () => {
  await parts.addAttachment('0', chunksOf(1, ROOM, 5, 6))
  expect([collected(), put]).toEqual([[], [`m attachments/0 ${ROOM + 12}`]])
  await parts.add('raw', bytes(ROOM))
  expect(collected()).toEqual([`raw ${ROOM}`])
})

test.each([1, 2, 3])('a store that fails after %d chunks of an attachment ends its source', async (reads) => {
  let hasEnded = false
  async function* source() {
    try {
      for (let n = 0; n < 5; n++) yield bytes(ROOM)
    } finally {
      await new Promise(setImmediate)
      hasEnded = true
    }
  }
  blobs.put = async (_messageId, _part, content) => {
    let read = 0
    for await (const _ of content as AsyncIterable<Uint8Array>) {
      if (++read === reads) throw new Error('the disk is full')
    }
  }
  await expect(parts.addAttachment('0', source())).rejects.toThrow('the disk is full')
  expect(hasEnded).toBe(true)
})

test('a source without an end of its own may be left', async () => {
  const next = async () => ({ done: false, value: bytes(ROOM) }) as const
  blobs.put = async (_messageId, _part, content) => {
    for await (const _ of content as AsyncIterable<Uint8Array>) break
  }
  await parts.addAttachment('0', { [Symbol.asyncIterator]: () => ({ next }) })
  expect(collected()).toEqual([])
})
