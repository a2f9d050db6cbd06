import { expect, test } from '@jest/globals'
import { newWriteState, slowWriters, type Writer } from '../../../adapters/http/write-budget.ts'
import {
  ANSWERS_WAITING_BYTES,
  STREAM_BACKLOG_BYTES,
  STREAM_BACKLOG_MS,
  STREAM_STALL_MS,
} from '../../../core/limits.ts'

const SWEEP_MS = 250

/** A connection whose client consumes exactly the bytes that the test says. */
class Client implements Writer {
  readonly socket = { writableLength: 0, bytesWritten: 0 }
  readonly write = newWriteState(0)
  readonly name: string
  readonly client: string
  isStream = false
  isProducing = false

  constructor(name: string, waiting: number, client = name) {
    this.name = name
    this.client = client
    this.sends(waiting)
  }

  sends(bytes: number): this {
    this.socket.bytesWritten += bytes
    this.socket.writableLength += bytes
    return this
  }

  takes(bytes: number): this {
    this.socket.writableLength -= bytes
    return this
  }
}

const MIB = 1024 * 1024
const names = (clients: Client[]) => clients.map(({ name }) => name)

/** Runs `count` sweeps, and returns the names of the clients that the last one evicts. */
function evictedBy(count: number, clients: Client[], between: (sweep: number) => void = () => {}): string[] {
  let evicted: Client[] = []
  for (let sweep = 1; sweep <= count; sweep++) {
    evicted = slowWriters(clients, sweep * SWEEP_MS)
    between(sweep)
  }
  return names(evicted)
}

test('as many pending bytes as the budget evict no client', () => {
  expect(evictedBy(4, [new Client('a', ANSWERS_WAITING_BYTES)])).toEqual([])
})

test('responses that are still being produced count too', () => {
  const producing = new Client('a', ANSWERS_WAITING_BYTES)
  producing.isProducing = true
  expect(evictedBy(2, [producing])).toEqual(['a'])
})

test('above the budget, the client address with the most pending bytes is evicted first', () => {
  const many = Array.from({ length: 16 }, (_, n) => new Client(`many ${n}`, MIB, 'attacker'))
  expect(evictedBy(2, [new Client('honest', 2 * MIB), ...many])).toHaveLength(2)
  expect(
    evictedBy(3, [new Client('honest', 2 * MIB), ...many]).every((name) => name.startsWith('many')),
  ).toBe(true)
})

test('within an address the slowest client is evicted first, even if it reads a little', () => {
  const clients = ['fast', 'slow', 'slower'].map((name) => new Client(name, 6 * MIB, 'one'))
  const evicted = evictedBy(3, clients, () => {
    for (const [n, client] of clients.entries()) client.takes([5000, 500, 50][n]!)
  })
  expect(evicted).toEqual(['slower'])
})

test('of connections that are equally slow, the one with the most pending bytes is evicted first', () => {
  const clients = [6, 7, 5].map((mib) => new Client(`${mib}`, mib * MIB, 'one'))
  expect(evictedBy(2, clients)).toEqual(['7'])
})

test('after an eviction, another address may have the most pending bytes', () => {
  const clients = [new Client('a1', 6 * MIB, 'a'), new Client('a2', 6 * MIB, 'a'), new Client('b', 11 * MIB)]
  const [first, second] = evictedBy(2, clients)
  expect([first![0], second]).toEqual(['a', 'b'])
})

test('a client whose response was just sent is spared until the next sweep', () => {
  const fresh = new Client('fresh', 2 * ANSWERS_WAITING_BYTES)
  expect(evictedBy(1, [fresh])).toEqual([])
  expect(evictedBy(1, [fresh])).toEqual(['fresh'])
})

test('a client is not spared if more than four times the budget is pending', () => {
  const four = Array.from({ length: 4 }, (_, n) => new Client(`${n}`, ANSWERS_WAITING_BYTES, 'one'))
  expect(evictedBy(1, four)).toEqual([])
  const clients = Array.from({ length: 5 }, (_, n) => new Client(`${n}`, ANSWERS_WAITING_BYTES, 'one'))
  expect(evictedBy(1, clients)).toHaveLength(4)
})

test('a client that reads nothing for too long is evicted, and one that reads a little is not', () => {
  const [stalled, trickling] = [new Client('stalled', 10), new Client('trickling', 1000)]
  const sweeps = STREAM_STALL_MS / SWEEP_MS
  const each = () => trickling.takes(1)
  expect(evictedBy(sweeps, [stalled, trickling], each)).toEqual([])
  // The time counts from the first sweep, which saw the connection first.
  for (const [sweep, evicted] of [
    [1, []],
    [2, ['stalled']],
  ] as const) {
    expect(names(slowWriters([stalled, trickling], STREAM_STALL_MS + sweep * SWEEP_MS))).toEqual(evicted)
    each()
  }
})

test('a stream that lags for some seconds is evicted, and another response is not', () => {
  const [stream, answer] = [new Client('stream', STREAM_BACKLOG_BYTES + 1), new Client('answer', 2 * MIB)]
  stream.isStream = true
  const each = () => {
    for (const client of [stream, answer]) client.takes(1).sends(1)
  }
  const sweeps = STREAM_BACKLOG_MS / SWEEP_MS
  expect(evictedBy(sweeps, [stream, answer], each)).toEqual([])
  for (const [sweep, evicted] of [
    [1, []],
    [2, ['stream']],
  ] as const) {
    expect(names(slowWriters([stream, answer], STREAM_BACKLOG_MS + sweep * SWEEP_MS))).toEqual(evicted)
    each()
  }
  const small = new Client('small', STREAM_BACKLOG_BYTES)
  small.isStream = true
  expect(evictedBy(2 * sweeps, [small], () => void small.takes(1).sends(1))).toEqual([])
})

test('a stream that catches up is not evicted', () => {
  const stream = new Client('stream', STREAM_BACKLOG_BYTES + 1)
  stream.isStream = true
  const each = (sweep: number) => {
    // It catches up for a moment between two lags.
    if (sweep === 10) stream.takes(10)
    if (sweep === 12) stream.sends(10)
    stream.takes(1).sends(1)
  }
  expect(evictedBy(STREAM_BACKLOG_MS / SWEEP_MS + 4, [stream], each)).toEqual([])
})
