import type { Socket } from 'node:net'
import {
  ANSWERS_WAITING_BYTES,
  STREAM_BACKLOG_BYTES,
  STREAM_BACKLOG_MS,
  STREAM_STALL_MS,
} from '../../core/limits.ts'

/**
 * The bytes that an answer holds outside of its socket while it is produced: pieces of a file, and
 * of gzip.
 */
const PRODUCING_BYTES = 128 * 1024
/**
 * A multiple of the budget above which even a client with a new answer is evicted.
 */
const FRESH_FACTOR = 4

/** The state of a connection at the last sweep. */
export interface WriteState {
  /** Bytes that the client had taken in all. */
  taken: number
  /** Whether bytes waited for the client. */
  waited: boolean
  /** When the client last took something, or had nothing to take. */
  movedAt: number
  /** Since when more than STREAM_BACKLOG_BYTES wait. */
  slowSince: number | undefined
}

/** A connection with the answer that is sent on it. */
export interface Writer {
  socket: Pick<Socket, 'writableLength' | 'bytesWritten'>
  /** The client's network. */
  client: string
  isStream: boolean
  /** Whether more of the answer will be produced. */
  isProducing: boolean
  write: WriteState
}

interface Waiting<W> {
  writer: W
  bytes: number
  /** Bytes that were taken since the last sweep. */
  rate: number
  isFresh: boolean
}

export function newWriteState(now: number): WriteState {
  return { taken: 0, waited: false, movedAt: now, slowSince: undefined }
}

/**
 * The connections to evict: those whose clients take nothing for too long, streams that lag behind,
 * and, while more than ANSWERS_WAITING_BYTES wait in all, the slowest connections of the client
 * address with the most waiting bytes. Bytes count from when they are produced until the client has
 * taken them. To be called at each sweep of all connections.
 * @param now by performance.now()
 */
export function slowWriters<W extends Writer>(writers: Iterable<W>, now: number): W[] {
  const evicted: W[] = []
  const waiting: Waiting<W>[] = []
  for (const writer of writers) {
    const one = look(writer, now)
    if (one === undefined) continue
    if (isTooSlow(writer, now)) evicted.push(writer)
    else waiting.push(one)
  }
  return [...evicted, ...overBudget(waiting)]
}

/** Updates the state of a connection. Returns undefined if no bytes wait on it. */
function look<W extends Writer>(writer: W, now: number): Waiting<W> | undefined {
  const { socket, write, isProducing } = writer
  const bytes = socket.writableLength
  const taken = socket.bytesWritten - bytes
  const isFresh = !write.waited
  const rate = taken - write.taken
  write.taken = taken
  write.waited = bytes > 0
  if (rate > 0 || isFresh) write.movedAt = now
  if (bytes <= STREAM_BACKLOG_BYTES) write.slowSince = undefined
  else write.slowSince ??= now
  if (bytes === 0) return undefined
  return { writer, bytes: bytes + (isProducing ? PRODUCING_BYTES : 0), rate, isFresh }
}

function isTooSlow({ write, isStream }: Writer, now: number): boolean {
  const isStalled = now - write.movedAt > STREAM_STALL_MS
  const lags = isStream && write.slowSince !== undefined && now - write.slowSince > STREAM_BACKLOG_MS
  return isStalled || lags
}

function overBudget<W extends Writer>(waiting: Waiting<W>[]): W[] {
  let total = waiting.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total <= ANSWERS_WAITING_BYTES) return []
  const mayGo = total > FRESH_FACTOR * ANSWERS_WAITING_BYTES ? waiting : waiting.filter((one) => !one.isFresh)
  const byClient = Map.groupBy(
    mayGo.toSorted((a, b) => b.rate - a.rate || a.bytes - b.bytes),
    ({ writer }) => writer.client,
  )
  const sums = new Map(
    [...byClient].map(([client, own]) => [client, own.reduce((sum, { bytes }) => sum + bytes, 0)]),
  )
  const evicted: W[] = []
  while (total > ANSWERS_WAITING_BYTES) {
    const [client, sum] = [...sums].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0])
    const slowest = byClient.get(client)?.pop()
    if (slowest === undefined) break
    evicted.push(slowest.writer)
    total -= slowest.bytes
    sums.set(client, sum - slowest.bytes)
  }
  return evicted
}
