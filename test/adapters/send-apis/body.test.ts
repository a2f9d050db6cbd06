import { expect, test } from '@jest/globals'
import { announcedBytes, BoundedBodies, readBody } from '../../../adapters/send-apis/body.ts'
import { SEND_BODIES_BYTES } from '../../../core/limits.ts'

function post(length?: string): Request {
  return new Request('http://127.0.0.1/ses', {
    method: 'POST',
    headers: length === undefined ? {} : { 'Content-Length': length },
  })
}

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size)
}

test.each([
  [undefined, 100],
  ['7', 7],
  ['700', 100],
  ['-1', 100],
  ['x', 100],
])('a request with Content-Length %s reserves %i bytes of a limit of 100', (length, bytes) => {
  expect(announcedBytes(post(length), 100)).toBe(bytes)
})

test('a body of several chunks', async () => {
  expect(await readBody(post('7'), chunks(3, 4), 100)).toHaveLength(7)
})

test('a body over the limit is read to its end, so that the client gets the answer', async () => {
  let read = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks(60, 60, 60)) {
      read += chunk.length
      yield chunk
    }
  }
  await expect(readBody(post(), counted(), 100)).rejects.toMatchObject({ kind: 'too_large' })
  expect(read).toBe(180)
})

test('a body far over the limit is not read to its end', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(100)
  }
  await expect(readBody(post(), endless(), 100)).rejects.toMatchObject({ kind: 'too_large' })
})

test('a body that ends too early or fails is rejected', async () => {
  await expect(readBody(post('8'), chunks(3, 4), 100)).rejects.toMatchObject({ kind: 'invalid' })
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1)
    throw new Error('aborted')
  }
  await expect(readBody(post(), broken(), 100)).rejects.toMatchObject({ kind: 'invalid' })
})

test.each([
  ['is read', post(String(SEND_BODIES_BYTES)), async () => {}],
  [
    'is handled',
    post(),
    async () => {
      throw new Error('the provider failed')
    },
  ],
])('a request that fails while its body %s leaves its place to the next one', async (_, request, handle) => {
  // One request reserves all bytes that bodies may hold.
  const bodies = new BoundedBodies(SEND_BODIES_BYTES)
  await expect(bodies.use(request, chunks(8), handle)).rejects.toThrow()
  const outcome = await Promise.race([
    bodies.use(post(), chunks(8), async () => 'handled'),
    new Promise((resolve) => setImmediate(resolve, 'waits for a place')),
  ])
  expect(outcome).toBe('handled')
})
