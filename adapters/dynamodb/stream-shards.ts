import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams'

export type Streams = Pick<DynamoDBStreamsClient, 'send'>

/** All shards of a stream; one answer has 100 of them at most (API_streams_DescribeStream). */
export async function listShards(streams: Streams, arn: string, abortSignal: AbortSignal): Promise<Shard[]> {
  const shards: Shard[] = []
  let last: string | undefined
  do {
    const { StreamDescription } = await streams.send(
      new DescribeStreamCommand({ StreamArn: arn, ExclusiveStartShardId: last }),
      { abortSignal },
    )
    shards.push(...(StreamDescription?.Shards ?? []))
    last = StreamDescription?.LastEvaluatedShardId
  } while (last !== undefined)
  return shards
}

export interface Start {
  id: string
  from: 'LATEST' | 'TRIM_HORIZON'
}

interface Known {
  parent: string | undefined
  state: 'waiting' | 'reading' | 'ended'
}

/**
 * Which shards are to be read, and when: a child after its parent, for only then are the records of
 * one item in order (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html). What
 * was open at first is read from now on; what came later is a child, and is read whole.
 */
export class Lineage {
  readonly #shards = new Map<string, Known>()
  #booted = false

  /** Takes in a list of all shards, and says which ones are to be read from now on. */
  update(shards: Shard[]): Start[] {
    const listed = new Map(shards.map((shard) => [shard.ShardId!, shard]))
    for (const [id, { state }] of this.#shards) {
      // A shard goes from the list a day after its end.
      if (state === 'ended' && !listed.has(id)) this.#shards.delete(id)
    }
    const latest: Start[] = []
    for (const [id, shard] of listed) {
      if (this.#shards.has(id)) continue
      const isOpen = shard.SequenceNumberRange?.EndingSequenceNumber === undefined
      const state = this.#booted ? 'waiting' : isOpen ? 'reading' : 'ended'
      this.#shards.set(id, { parent: shard.ParentShardId, state })
      if (state === 'reading') latest.push({ id, from: 'LATEST' })
    }
    if (this.#shards.size > 0) this.#booted = true
    return [...latest, ...this.#startable()]
  }

  ended(id: string): void {
    const shard = this.#shards.get(id)
    if (shard !== undefined) shard.state = 'ended'
  }

  /** Whether no child of an ended shard is listed yet: then the list is asked for again soon. */
  isChildless(id: string): boolean {
    return ![...this.#shards.values()].some(({ parent }) => parent === id)
  }

  #startable(): Start[] {
    const starts: Start[] = []
    for (const [id, shard] of this.#shards) {
      if (shard.state !== 'waiting') continue
      const parent = shard.parent === undefined ? undefined : this.#shards.get(shard.parent)
      if (parent !== undefined && parent.state !== 'ended') continue
      shard.state = 'reading'
      starts.push({ id, from: 'TRIM_HORIZON' })
    }
    return starts
  }
}
