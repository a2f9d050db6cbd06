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

/** An iterator is good for 15 minutes (API_streams_GetShardIterator). */
const LATEST_REFRESH_MS = 10 * MINUTE_MS

/** Where to go on when there is no iterator. */
type Position =
  /** Nothing was read yet of what came since. */
  | { type: 'LATEST'; since: number }
  | { type: 'TRIM_HORIZON' }
  | { type: 'AFTER_SEQUENCE_NUMBER'; sequence: string }

export interface Batch {
  records: _Record[]
  /** The shard has been read to its end. */
  end: boolean
  /** False when the place was lost and has to be found anew by the next call. */
  placed: boolean
}

export interface ShardParts {
  streams: Streams
  arn: string
  start: Start
  clock: Clock
  signal: AbortSignal
  /** Told when records are gone that were not read. */
  lost: (shard: string, reason: string) => void
}

/** Reads one shard, and knows where it is when an iterator gets lost. */
export class ShardIterator {
  readonly #parts: ShardParts
  #position: Position
  #iterator: string | undefined
  /** Of the last record that was read: they grow within a shard (API_streams_StreamRecord). */
  #sequence = -1n
  #since: number | undefined

  constructor(parts: ShardParts) {
    this.#parts = parts
    const { from } = parts.start
    this.#position = from === 'LATEST' ? { type: from, since: parts.clock() } : { type: from }
  }

  /**
   * When reading LATEST began, if that place was lost before any record was read: then what is read
   * from here on goes farther back, and whatever happened before that time is not wanted.
   */
  get since(): number | undefined {
    return this.#since
  }

  /**
   * The next records. Rejects when DynamoDB does not answer; the next call then goes on at the same
   * place. After an iterator has expired or its records are trimmed, it finds its place anew and
   * returns none.
   */
  async read(): Promise<Batch> {
    try {
      return await this.#read()
    } catch (error) {
      if (error instanceof ExpiredIteratorException) this.#expired()
      else if (error instanceof TrimmedDataAccessException) this.#trimmed()
      else if (error instanceof ResourceNotFoundException) {
        // A shard goes a day after its end.
        this.#parts.lost(this.#parts.start.id, 'the shard is gone')
        return { records: [], end: true, placed: true }
      } else throw error
      return { records: [], end: false, placed: false }
    }
  }

  async #read(): Promise<Batch> {
    this.#iterator ??= await this.#place()
    const position = this.#position
    // An iterator that never saw a record stays at a place that is trimmed some day. A new one is
    // made before the old one is read for the last time, so that no record falls between them.
    const stale = position.type === 'LATEST' && this.#parts.clock() - position.since > LATEST_REFRESH_MS
    const since = this.#parts.clock()
    const fresh = stale ? await this.#iteratorAt({ type: 'LATEST', since }) : undefined
    const output = await this.#parts.streams.send(new GetRecordsCommand({ ShardIterator: this.#iterator }), {
      abortSignal: this.#parts.signal,
    })
    const records = (output.Records ?? []).filter((record) => sequenceOf(record) > this.#sequence)
    if (fresh !== undefined && records.length === 0 && output.NextShardIterator !== undefined) {
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

  /** A first iterator, and from when on it counts. */
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

  /** LATEST would skip what came since, so everything is read. */
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
