import {
  type _Record,
  type DescribeStreamCommandOutput,
  ExpiredIteratorException,
  type GetRecordsCommandOutput,
  type GetShardIteratorCommandOutput,
  ResourceNotFoundException,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams'
import { DOMAINS } from '../../../adapters/dynamodb/domain-item.ts'
import { emailItem } from '../../../adapters/dynamodb/email-item.ts'
import type { Streams } from '../../../adapters/dynamodb/stream-shards.ts'
import { type Email, emailOf } from '../../../core/inbox/email.ts'
import { sampleContent } from '../../contract/sample.ts'

const PAGE = 100
const HOUR_MS = 3_600_000

interface FakeShard {
  parent: string | undefined
  records: _Record[]
  closed: boolean
  /** Records before this one were trimmed. */
  trimmed: number
}

interface Input {
  ExclusiveStartShardId?: string
  ShardId: string
  ShardIteratorType: string
  SequenceNumber?: string
  ShardIterator: string
}

/**
 * A DynamoDB stream in memory, with the behaviour that DynamoDB Local lacks: shards that close,
 * split and disappear, iterators that expire, records that are trimmed, and requests that fail.
 */
export class FakeStream {
  readonly shards = new Map<string, FakeShard>()
  /** The names of the commands received so far. */
  readonly calls: string[] = []
  /** Runs before each request is answered; the request fails if it throws. */
  before: (name: string, input: Input) => void = () => {}
  /** Runs when a request is answered, before the answer arrives. */
  after: (name: string) => void = () => {}
  readonly #expired = new Set<string>()
  #issued = 0
  #sequence = 0

  get streams(): Streams {
    return {
      send: (command: { constructor: { name: string }; input: Input }) => this.#send(command),
    } as never
  }

  open(id: string, parent?: string): void {
    this.shards.set(id, { parent, records: [], closed: false, trimmed: 0 })
  }

  close(id: string): void {
    this.shards.get(id)!.closed = true
  }

  add(id: string, record: Omit<_Record, 'dynamodb'> & { dynamodb?: object }): void {
    const SequenceNumber = String(++this.#sequence).padStart(21, '0')
    this.shards.get(id)!.records.push({ ...record, dynamodb: { ...record.dynamodb, SequenceNumber } })
  }

  /** Makes every iterator that was returned so far expire. */
  expireAll(): void {
    for (let n = 1; n <= this.#issued; n++) this.#expired.add(String(n))
  }

  async #send(command: { constructor: { name: string }; input: Input }): Promise<object> {
    const name = command.constructor.name.replace('Command', '')
    this.calls.push(name)
    await new Promise((resolve) => setImmediate(resolve))
    this.before(name, command.input)
    const answer = this.#answer(name, command.input)
    this.after(name)
    return answer
  }

  #answer(name: string, input: Input): object {
    if (name === 'DescribeStream') return this.#describe(input)
    return name === 'GetRecords' ? this.#records(input) : this.#iterator(input)
  }

  #describe({ ExclusiveStartShardId }: Input): Omit<DescribeStreamCommandOutput, '$metadata'> {
    const ids = [...this.shards.keys()]
    const start = ExclusiveStartShardId === undefined ? 0 : ids.indexOf(ExclusiveStartShardId) + 1
    const page = ids.slice(start, start + PAGE)
    return {
      StreamDescription: {
        Shards: page.map((id) => {
          const { parent, closed } = this.shards.get(id)!
          return {
            ShardId: id,
            ParentShardId: parent,
            SequenceNumberRange: {
              StartingSequenceNumber: '1',
              EndingSequenceNumber: closed ? '9' : undefined,
            },
          }
        }),
        LastEvaluatedShardId: start + PAGE < ids.length ? page.at(-1) : undefined,
      },
    }
  }

  #iterator(input: Input): Omit<GetShardIteratorCommandOutput, '$metadata'> {
    const { records, trimmed } = this.#shard(input.ShardId)
    const after = records.findIndex(({ dynamodb }) => dynamodb!.SequenceNumber === input.SequenceNumber) + 1
    const places: Record<string, number> = {
      LATEST: records.length,
      TRIM_HORIZON: trimmed,
      AFTER_SEQUENCE_NUMBER: after,
    }
    const at = places[input.ShardIteratorType]
    if (at === undefined) throw new Error(`there is no shard iterator of type ${input.ShardIteratorType}`)
    if (at < trimmed) throw new TrimmedDataAccessException({ message: 'trimmed', $metadata: {} })
    return { ShardIterator: this.#issue(input.ShardId, at) }
  }

  #records({ ShardIterator }: Input): Omit<GetRecordsCommandOutput, '$metadata'> {
    const [serial, id, place] = ShardIterator.split('|') as [string, string, string]
    const { records, closed, trimmed } = this.#shard(id)
    if (this.#expired.has(serial)) throw new ExpiredIteratorException({ message: 'expired', $metadata: {} })
    const at = Number(place)
    if (at < trimmed) throw new TrimmedDataAccessException({ message: 'trimmed', $metadata: {} })
    const found = records.slice(at, at + PAGE)
    const next = at + found.length
    return {
      Records: found,
      NextShardIterator: closed && next === records.length ? undefined : this.#issue(id, next),
    }
  }

  #shard(id: string): FakeShard {
    const shard = this.shards.get(id)
    if (shard === undefined) throw new ResourceNotFoundException({ message: 'gone', $metadata: {} })
    return shard
  }

  #issue(id: string, at: number): string {
    return `${++this.#issued}|${id}|${at}`
  }
}

/** The stream record of an email that was stored. */
export function inserted(id: string, address = 'bot@mail.test'): _Record & { email: Email } {
  const content = sampleContent()
  const email = emailOf(content, address, id, HOUR_MS)
  const item = emailItem(content, email, 'delivery')
  return {
    email,
    eventName: 'INSERT',
    dynamodb: { Keys: { pk: item.pk!, sk: item.sk! }, NewImage: item },
  } as _Record & { email: Email }
}

/** The stream record of a domain that was unregistered. */
export function unregistered(name: string): _Record {
  return { eventName: 'REMOVE', dynamodb: { Keys: { pk: { S: DOMAINS }, sk: { S: name } } } }
}
