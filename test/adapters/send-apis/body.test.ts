import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, jest, test } from '@jest/globals'
import { BoundedBodies, readBody } from '../../../adapters/send-apis/body.ts'
import { SEND_BODIES_BYTES } from '../../../core/limits.ts'

const OPTIONS = { limit: 100, room: { take: async () => {}, free: () => {} }, isShort: () => false }

function post(length?: string): Request {
  return new Request('http://127.0.0.1/ses', {
    method: 'POST',
    headers: length === undefined ? {} : { 'Content-Length': length },
  })
}

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size)
}

/** An upload that never ends. */
async function* stalled(...sizes: number[]): AsyncGenerator<Uint8Array> {
  yield* chunks(...sizes)
  await new Promise(() => {})
}

const upload = (body: AsyncIterable<Uint8Array>, client = '192.0.2.1', length?: string) => ({
  request: post(length),
  body,
  client,
})

test('a body of several chunks, in memory that another thread can take over', async () => {
  async function* halves(): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(1, 2, 3)
    yield Uint8Array.of(4, 5, 6, 7)
  }
  const body = await readBody(post('7'), halves(), OPTIONS)
  expect([...body]).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(body.buffer.byteLength).toBe(7)
})

test('a body over the limit is read to its end, so that the client gets the answer', async () => {
  let read = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks(60, 60, 60)) {
      read += chunk.length
      yield chunk
    }
  }
  await expect(readBody(post(), counted(), OPTIONS)).rejects.toMatchObject({ kind: 'too_large' })
  expect(read).toBe(180)
})

test('a body far over the limit is not read to its end', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(100)
  }
  await expect(readBody(post(), endless(), OPTIONS)).rejects.toMatchObject({ kind: 'too_large' })
})

test('a body that ends too early or fails is rejected', async () => {
  await expect(readBody(post('8'), chunks(3, 4), OPTIONS)).rejects.toMatchObject({ kind: 'invalid' })
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1)
    throw new Error('aborted')
  }
  await expect(readBody(post(), broken(), OPTIONS)).rejects.toMatchObject({ kind: 'invalid' })
})

test('small chunks leave the thread to others', async () => {
  let read = 0
  let readBefore = Number.POSITIVE_INFINITY
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks(...Array.from({ length: 90 }, () => 1))) {
      read++
      yield chunk
    }
  }
  setImmediate(() => {
    readBefore = read
  })
  expect(await readBody(post(), counted(), OPTIONS)).toHaveLength(90)
  expect(readBefore).toBeLessThan(10)
})

test('a body of many chunks needs no memory for each of them', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const heap = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const count = 100_000
  let grown = 0
  async function* measured(): AsyncGenerator<Uint8Array> {
    const before = heap()
    for (let n = 0; n < count; n++) yield new Uint8Array(1)
    grown = heap() - before
  }
  await readBody(post(), measured(), { ...OPTIONS, limit: count })
  // A race of promises for each chunk kept 30 MB.
  expect(grown).toBeLessThan(10_000_000)
})

/** How reading has ended after so many seconds: `read`, `refused` or `waits`. */
async function outcomeAfter(seconds: number, reading: Promise<unknown>): Promise<string> {
  let outcome = 'waits'
  reading.then(
    () => (outcome = 'read'),
    () => (outcome = 'refused'),
  )
  // The first chunk is small: the thread is left to others before the next one is awaited.
  for (let n = 0; n < 3; n++) await new Promise(setImmediate)
  for (let n = 0; n < seconds; n++) await jest.advanceTimersByTimeAsync(1000)
  return outcome
}

test.each([
  [true, 5, 'waits'],
  [true, 6, 'refused'],
  [false, 59, 'waits'],
  [false, 60, 'refused'],
])('a client stalls, others need its room: %s; after %i s it %s', async (isShort, seconds, expected) => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  try {
    const reading = readBody(post(), stalled(4), { ...OPTIONS, isShort: () => isShort })
    expect(await outcomeAfter(seconds, reading)).toBe(expected)
  } finally {
    jest.useRealTimers()
  }
})

test('the time for which a body waits for room is not that of its client', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  try {
    const room = { take: () => new Promise<void>((taken) => setTimeout(taken, 20_000)), free: () => {} }
    const reading = readBody(post(), chunks(4), { ...OPTIONS, room, isShort: () => true })
    expect(await outcomeAfter(21, reading)).toBe('read')
  } finally {
    jest.useRealTimers()
  }
})

test('uploads that stall hold only what they sent, whatever length they announce', async () => {
  const bodies = new BoundedBodies(40_000_000)
  const announced = '54000000'
  for (let n = 0; n < 100; n++) {
    void bodies.use(upload(stalled(100_000), '192.0.2.1', announced), async () => {})
  }
  await new Promise(setImmediate)
  expect(await bodies.use(upload(chunks(2_000)), async () => 'handled')).toBe('handled')
  expect(await bodies.use(upload(chunks(1_000_000)), async () => 'handled')).toBe('handled')
})

test('a body is read while another one waits for its sender, however large a message may be', async () => {
  const bodies = new BoundedBodies(SEND_BODIES_BYTES)
  const handled: string[] = []
  void bodies.use(upload(stalled(1_000_000), 'a'), async () => void handled.push('a'))
  await new Promise(setImmediate)
  await bodies.use(upload(chunks(1_000_000), 'b'), async () => void handled.push('b'))
  // The first one would be refused if the other one had to wait for its room.
  expect(handled).toEqual(['b'])
})

test.each([
  ['is read', chunks(300_000_000)],
  ['is handled', chunks(8)],
])('a request that fails while its body %s leaves its room to the next one', async (_, body) => {
  const bodies = new BoundedBodies(40_000_000)
  await expect(
    bodies.use(upload(body), async () => {
      throw new Error('the provider failed')
    }),
  ).rejects.toThrow('the provider failed')
  const outcomes = await Promise.all(
    ['a', 'b'].map((client) => bodies.use(upload(chunks(50_000_000), client), async () => 'handled')),
  )
  expect(outcomes).toEqual(['handled', 'handled'])
})
