import {
  type _Record,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ResourceNotFoundException,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams'
import type { Clock } from '../../core/clock.ts'
import { MINUTE_MS } from '../../core/limits.ts'
import type { Start, Streams } from './stream-shards.ts'

/** An iterator is valid for 15 minutes (API_streams_GetShardIterator). */
const LATEST_REFRESH_MS = 10 * MINUTE_MS

/** Where to continue without an iterator. */
type Position =
  /** No record since then was read yet. */
  | { type: 'LATEST'; since: number }
  | { type: 'TRIM_HORIZON' }
  | { type: 'AFTER_SEQUENCE_NUMBER'; sequence: string }

export interface Batch {
  records: _Record[]
  /** The shard has been read to its end. */
  end: boolean
  /** False if the position was lost, and the next call must find it again. */
  placed: boolean
}

export interface ShardParts {
  streams: Streams
  arn: string
  start: Start
  clock: Clock
  signal: AbortSignal
  /** Called when records were removed before they were read. */
  lost: (shard: string, reason: string) => void
}

/** Reads one shard, and keeps its position when an iterator expires. */
export class ShardIterator {
  readonly #parts: ShardParts
  #position: Position
  #iterator: string | undefined
  /** That of the last record that was read; they grow within a shard (API_streams_StreamRecord). */
  #sequence = -1n
  #since: number | undefined

  constructor(parts: ShardParts) {
    this.#parts = parts
    const { from } = parts.start
    this.#position = from === 'LATEST' ? { type: from, since: parts.clock() } : { type: from }
  }

  /**
   * When reading at LATEST began, if that position was lost before any record was read. Reading
   * then starts further back, and records from before this time are skipped.
   */
  get since(): number | undefined {
    return this.#since
  }

  /**
   * Returns the next records. Rejects if DynamoDB does not answer; the next call then continues at
   * the same position. After an iterator has expired or its records were trimmed, it finds its
   * position again and returns no records.
   */
  async read(): Promise<Batch> {
    try {
      return await this.#read()
    } catch (error) {
      if (error instanceof ExpiredIteratorException) this.#expired()
      else if (error instanceof TrimmedDataAccessException) this.#trimmed()
      else if (error instanceof ResourceNotFoundException) {
        // DynamoDB removes a shard a day after its end.
        this.#parts.lost(this.#parts.start.id, 'the shard is gone')
        return { records: [], end: true, placed: true }
      } else throw error
      return { records: [], end: false, placed: false }
    }
  }

  async #read(): Promise<Batch> {
    this.#iterator ??= await this.#place()
    const position = this.#position
    // An iterator that never returned a record stays at a position that is trimmed some day. A new
    // one is created before the last read of the old one, so that no record is missed between them.
    const stale = position.type === 'LATEST' && this.#parts.clock() - position.since > LATEST_REFRESH_MS
    const since = this.#parts.clock()
    const fresh = stale ? await this.#iteratorAt({ type: 'LATEST', since }) : undefined
    const output = await this.#parts.streams.send(new GetRecordsCommand({ ShardIterator: this.#iterator }), {
      abortSignal: this.#parts.signal,
    })
    const records = (output.Records ?? []).filter((record) => sequenceOf(record) > this.#sequence)
    if (fresh !== undefined && records.length === 0) {
      this.#iterator = fresh
      this.#position = { type: 'LATEST', since }
    } else {
      this.#iterator = output.NextShardIterator
      this.#advance(records.at(-1))
    }
    return {
      records,
      end: output.NextShardIterator === undefined,
      placed: true,
    }
  }

  #advance(last: _Record | undefined): void {
    const sequence = last?.dynamodb?.SequenceNumber
    if (sequence === undefined) return
    this.#position = { type: 'AFTER_SEQUENCE_NUMBER', sequence }
    this.#sequence = BigInt(sequence)
  }

  /** Returns a first iterator, and the time from which its records count. */
  async #place(): Promise<string | undefined> {
    const since = this.#parts.clock()
    const iterator = await this.#iteratorAt(this.#position)
    if (this.#position.type === 'LATEST') this.#position = { type: 'LATEST', since }
    return iterator
  }

  async #iteratorAt(position: Position): Promise<string | undefined> {
    const output = await this.#parts.streams.send(
      new GetShardIteratorCommand({
        StreamArn: this.#parts.arn,
        ShardId: this.#parts.start.id,
        ShardIteratorType: position.type,
        SequenceNumber: position.type === 'AFTER_SEQUENCE_NUMBER' ? position.sequence : undefined,
      }),
      { abortSignal: this.#parts.signal },
    )
    return output.ShardIterator
  }

  /** LATEST would skip the records since then, so the whole shard is read. */
  #expired(): void {
    this.#iterator = undefined
    if (this.#position.type !== 'LATEST') return
    this.#since = this.#position.since
    this.#position = { type: 'TRIM_HORIZON' }
  }

  #trimmed(): void {
    this.#expired()
    this.#position = { type: 'TRIM_HORIZON' }
    this.#parts.lost(this.#parts.start.id, 'records were trimmed before they were read')
  }
}

function sequenceOf({ dynamodb }: _Record): bigint {
  return BigInt(dynamodb?.SequenceNumber ?? 0)
}
