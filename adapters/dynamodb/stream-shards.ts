import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams'

export type Streams = Pick<DynamoDBStreamsClient, 'send'>

/** Returns all shards of a stream; one response lists at most 100 (API_streams_DescribeStream). */
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
 * Decides which shards are read, and when. A child is read after its parent, because only then the
 * records of one item are in order
 * (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html). Shards that were open at
 * the start are read from now on; later shards are children and are read whole.
 */
export class Lineage {
  readonly #shards = new Map<string, Known>()
  #booted = false

  /** Takes a list of all shards, and returns those that are to be read from now on. */
  update(shards: Shard[]): Start[] {
    const listed = new Map(shards.map((shard) => [shard.ShardId!, shard]))
    for (const [id, { state }] of this.#shards) {
      // The list omits a shard a day after its end.
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

  /** Whether an ended shard has no listed child yet, so that the list must be read again soon. */
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
