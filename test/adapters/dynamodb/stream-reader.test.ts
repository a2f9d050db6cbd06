import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { ChangeCache } from '../../../adapters/dynamodb/change-cache.ts'
import type { DomainOrder } from '../../../adapters/dynamodb/domain-order.ts'
import { type ReaderEvent, StreamReader } from '../../../adapters/dynamodb/stream-reader.ts'
import type { Change } from '../../../core/events/ports.ts'
import { ulidSource } from '../../../core/ulid.ts'
import { eventually } from '../../support/eventually.ts'
import { FakeStream, inserted, unregistered } from './fake-stream.ts'
import { failing } from './faults.ts'

const MINUTE_MS = 60_000
/** The reader's pauses are shorter by this factor. */
const FASTER = 20

/** The identity in records of items that DynamoDB itself has expired. */
const BY_TTL = { userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' } }

/** An order without any open stream over domains. */
const everyoneUnfollowed = {
  isFollowed: () => false,
} satisfies Partial<DomainOrder> as unknown as DomainOrder

describe('The stream reader', () => {
  let stream: FakeStream
  let reader: StreamReader
  let changeCache: ChangeCache
  let heard: Change[]
  let events: ReaderEvent[]
  let offset: number
  const clock = () => Date.now() + offset
  let mint: () => string

  beforeEach(() => {
    const { setTimeout } = globalThis
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((end: () => void, ms = 0) => setTimeout(end, ms / FASTER)) as typeof setTimeout)
    stream = new FakeStream()
    offset = 0
    heard = []
    events = []
    mint = ulidSource(clock, randomBytes)
    open(everyoneUnfollowed)
  })
  afterEach(async () => {
    await reader.stop()
    jest.restoreAllMocks()
  })

  function open(order: DomainOrder, discoverMs = 50 * FASTER, pollMs = 5 * FASTER): void {
    changeCache = new ChangeCache(clock)
    const report = (event: ReaderEvent) => void events.push(event)
    const options = { streams: stream.streams, arn: 'arn', clock, changeCache, order, report }
    reader = new StreamReader({ ...options, pollMs: () => pollMs, discoverMs })
    reader.subscribe((change) => heard.push(change))
  }

  /** Stores an email, and returns its id. */
  function store(shard: string, id = mint()): string {
    stream.add(shard, inserted(id))
    return id
  }

  const ids = () =>
    heard.map((one) => (one.type === 'email' ? one.email.id : one.type === 'domain' ? one.name : one.type))
  const kinds = () => events.map(({ type }) => type)

  async function expectHeard(...expected: string[]): Promise<void> {
    await eventually(
      `${expected.length} changes`,
      () => heard,
      ({ length }) => length >= expected.length,
    )
    expect(ids()).toEqual(expected)
  }

  /** The commands that the reader has sent since. */
  async function calls(name: string, more: number): Promise<void> {
    const count = () => stream.calls.filter((call) => call === name).length
    const start = count()
    await eventually(`${start + more} reads`, count, (reads) => reads >= start + more)
  }

  test('publishes complete emails that are stored after its start', async () => {
    stream.open('a')
    store('a')
    await reader.start()
    const record = inserted(mint())
    stream.add('a', record)
    await eventually(
      '1 change',
      () => heard,
      ({ length }) => length === 1,
    )
    expect(heard).toEqual([
      { type: 'email', domain: 'mail.test', address: record.email.address, email: record.email },
    ])
    expect(events).toEqual([])
  })

  test('is ready only after it has read all open shards', async () => {
    stream.open('a')
    stream.open('b')
    let failures = 3
    stream.before = (name, { ShardIterator }) => {
      if (name === 'GetRecords' && ShardIterator.includes('|b|') && failures-- > 0) {
        throw failing('ThrottlingException')
      }
    }
    await reader.start()
    expect(failures).toBeLessThanOrEqual(0)
    const missed = store('b')
    await expectHeard(missed)
  })

  test('reads child shards after their parents, and grandchildren after them', async () => {
    stream.open('parent')
    await reader.start()
    const expected = [store('parent')]
    for (let n = 0; n < 250; n++) expected.push(store('parent'))
    stream.close('parent')
    stream.open('left', 'parent')
    expected.push(store('left'))
    stream.close('left')
    stream.open('grandchild', 'left')
    expected.push(store('grandchild'))
    await expectHeard(...expected)
    stream.open('right', 'parent')
    const late = store('right')
    await expectHeard(...expected, late)
  })

  test('finds the children of a closed shard before the next listing is due, even if they appear late', async () => {
    open(everyoneUnfollowed, 10 * MINUTE_MS)
    stream.open('parent')
    await reader.start()
    stream.open('early', 'parent')
    stream.close('parent')
    await expectHeard(store('early'))
    const looks = () => stream.calls.filter((call) => call === 'DescribeStream').length
    const before = looks()
    stream.close('early')
    await eventually('another look', looks, (count) => count > before)
    stream.open('late', 'early')
    store('late')
    await eventually(
      '2 changes',
      () => heard,
      ({ length }) => length === 2,
    )
    // No further child is expected.
    const after = looks()
    await new Promise((resolve) => setTimeout(resolve, 2300))
    expect(looks()).toBeLessThanOrEqual(after + 1)
  })

  test('reads again at once after a hundred records, because more are likely', async () => {
    open(everyoneUnfollowed, 10 * MINUTE_MS, 10 * MINUTE_MS)
    stream.open('parent')
    const expected: string[] = []
    stream.before = (name) => {
      if (name !== 'GetShardIterator' || stream.shards.has('child')) return
      stream.close('parent')
      stream.open('child', 'parent')
      for (let n = 0; n < 250; n++) expected.push(store('child'))
    }
    await reader.start()
    await eventually(
      '250 changes',
      () => heard,
      ({ length }) => length === 250,
    )
    expect(ids()).toEqual(expected)
    expect(stream.calls.filter((call) => call === 'GetRecords')).toHaveLength(4)
  })

  test('continues in the children of a shard that closes during the start', async () => {
    stream.open('parent')
    stream.before = (name) => {
      if (name !== 'GetShardIterator' || stream.shards.has('child')) return
      stream.close('parent')
      stream.open('child', 'parent')
      store('child')
    }
    await reader.start()
    await eventually(
      '1 change',
      () => heard,
      ({ length }) => length === 1,
    )
  })

  test('does not read shards that closed before its start', async () => {
    stream.open('old')
    store('old')
    stream.close('old')
    stream.open('new', 'old')
    await reader.start()
    await expectHeard(store('new'))
  })

  test('reads more shards than one listing returns', async () => {
    for (let n = 0; n < 230; n++) stream.open(`shard-${n}`)
    await reader.start()
    const expected = [0, 99, 100, 101, 200, 229].map((n) => store(`shard-${n}`))
    await eventually(
      `${expected.length} changes`,
      () => heard,
      ({ length }) => length >= expected.length,
    )
    expect(ids().sort()).toEqual(expected)
  })

  test('continues after the last record when an iterator has expired', async () => {
    stream.open('a')
    await reader.start()
    const first = store('a')
    await expectHeard(first)
    stream.expireAll()
    const types: string[] = []
    stream.before = (name, input) => {
      if (name === 'GetShardIterator') types.push(input.ShardIteratorType)
    }
    await expectHeard(first, store('a'), store('a'))
    expect(types).toEqual(['AFTER_SEQUENCE_NUMBER'])
    expect(events).toEqual([])
  })

  test('misses no record when an iterator expires before it has returned one', async () => {
    stream.open('a')
    // Longer ago than the clocks of two machines may differ.
    offset = -10_000
    store('a')
    offset = 0
    await reader.start()
    stream.before = (name) => {
      if (name === 'GetRecords') throw failing('TimeoutError')
    }
    await eventually(
      'an event of the reader',
      () => events,
      ({ length }) => length > 0,
    )
    const missed = store('a')
    // The clock of another writer is a few seconds behind.
    const late = store('a', ulidSource(() => clock() - 4000, randomBytes)())
    stream.expireAll()
    stream.before = () => {}
    await expectHeard(missed, late)
  })

  test('misses no record that was stored before a late iterator arrived, which has expired', async () => {
    stream.open('a')
    const stored: string[] = []
    stream.after = (name) => {
      if (name !== 'GetShardIterator' || stored.length > 0) return
      stored.push(store('a'))
      offset += 6 * MINUTE_MS
      stream.expireAll()
    }
    await reader.start()
    await expectHeard(...stored, store('a'))
  })

  test('renews an iterator that has returned no record before it expires, and misses nothing', async () => {
    stream.open('a')
    await reader.start()
    const made = () => stream.calls.filter((call) => call === 'GetShardIterator').length
    const before = made()
    offset += 11 * MINUTE_MS
    await calls('GetShardIterator', 1)
    await calls('GetRecords', 5)
    expect(made()).toBe(before + 1)
    stream.expireAll()
    const first = store('a')
    await expectHeard(first)

    stream.open('b')
    await calls('DescribeStream', 2)
    offset += 11 * MINUTE_MS
    const more = [store('b'), store('a')]
    await eventually(
      '3 changes',
      () => heard,
      ({ length }) => length === 3,
    )
    expect(ids().toSorted()).toEqual([first, ...more])
  })

  test('does not skip a record that is written while an iterator is renewed', async () => {
    stream.open('a')
    await reader.start()
    let missed: string | undefined
    stream.before = (name) => {
      if (name === 'GetShardIterator') missed ??= store('a')
    }
    offset += 11 * MINUTE_MS
    await eventually('the change that is missed', () => missed)
    await expectHeard(missed!)
  })

  test('reports trimmed records as lost, and continues with the remaining ones', async () => {
    stream.open('a')
    await reader.start()
    const first = store('a')
    await expectHeard(first)
    stream.before = (name) => {
      if (name === 'GetRecords') throw failing('TimeoutError')
    }
    await eventually(
      'an event of the reader',
      () => events,
      ({ length }) => length > 0,
    )
    store('a')
    const left = store('a')
    stream.shards.get('a')!.trimmed = 2
    stream.before = () => {}
    await expectHeard(first, left)
    expect(events.filter(({ type }) => type === 'lost')).toEqual([
      { type: 'lost', shard: 'a', reason: expect.stringContaining('trimmed') },
    ])
  })

  test('reports a shard that has disappeared as lost, and continues with the others', async () => {
    stream.open('a')
    stream.open('b')
    await reader.start()
    stream.shards.delete('a')
    await eventually(
      '1 event of the reader',
      () => events,
      ({ length }) => length === 1,
    )
    expect(events[0]).toMatchObject({ type: 'lost', shard: 'a' })
    await expectHeard(store('b'))
    expect(events).toHaveLength(1)
  })

  test('becomes ready although a shard disappears during the start', async () => {
    stream.open('a')
    stream.open('b')
    stream.before = (name) => {
      if (name === 'GetShardIterator') stream.shards.delete('a')
    }
    await reader.start()
    await expectHeard(store('b'))
  })

  test('is not ready while its iterators expire before the first read', async () => {
    stream.open('a')
    let isReady = false
    const wasReady: boolean[] = []
    stream.before = (name) => {
      if (name === 'GetRecords' && wasReady.push(isReady) <= 3) stream.expireAll()
    }
    await reader.start().then(() => {
      isReady = true
    })
    expect(wasReady.slice(0, 4)).toEqual([false, false, false, false])
  })

  test.each([
    'ThrottlingException',
    'LimitExceededException',
    'ProvisionedThroughputExceededException',
    'TimeoutError',
    'AccessDeniedException',
  ])('reports %s, continues, and publishes each record once', async (name) => {
    stream.open('a')
    let count = 0
    stream.before = () => {
      if (++count % 3 === 0) throw failing(name)
    }
    await reader.start()
    const expected = []
    for (let n = 0; n < 3; n++) {
      expected.push(store('a'))
      await calls('GetRecords', 1)
    }
    stream.close('a')
    stream.open('b', 'a')
    expected.push(store('b'))
    await expectHeard(...expected)
    expect(new Set(kinds())).toEqual(new Set(['fault']))
  })

  test('publishes that an email was read or deleted, but not that it has expired', async () => {
    stream.open('a')
    await reader.start()
    const [read, deleted, expired] = [inserted(mint()), inserted(mint()), inserted(mint())]
    const seen = { ...read.dynamodb!.NewImage, read: { BOOL: true } }
    const { Keys } = read.dynamodb!
    stream.add('a', {
      eventName: 'MODIFY',
      dynamodb: { Keys, OldImage: read.dynamodb!.NewImage, NewImage: seen },
    })
    stream.add('a', { eventName: 'MODIFY', dynamodb: { Keys, OldImage: seen, NewImage: seen } })
    stream.add('a', { eventName: 'REMOVE', dynamodb: { Keys: expired.dynamodb!.Keys }, ...BY_TTL })
    stream.add('a', { eventName: 'REMOVE', dynamodb: { Keys: deleted.dynamodb!.Keys } })
    await eventually(
      '2 changes',
      () => heard,
      ({ length }) => length >= 2,
    )
    const of = { domain: 'mail.test', address: 'bot@mail.test' }
    expect(heard).toEqual([
      { type: 'email-read', ...of, id: read.email.id },
      { type: 'email-deleted', ...of, id: deleted.email.id },
    ])
  })

  test('publishes a cleared inbox once, and treats at most a minute of removals as part of it', async () => {
    stream.open('a')
    await reader.start()
    const clearing = { pk: { S: 'address#bot@mail.test' }, sk: { S: '!clearing' } }
    const removal = () => ({
      eventName: 'REMOVE' as const,
      dynamodb: { Keys: inserted(mint()).dynamodb!.Keys! },
    })
    const begins = () =>
      stream.add('a', { eventName: 'INSERT', dynamodb: { Keys: clearing, NewImage: clearing } })
    begins()
    stream.add('a', removal())
    stream.add('a', removal())
    stream.add('a', { eventName: 'REMOVE', dynamodb: { Keys: clearing } })
    stream.add('a', { eventName: 'REMOVE', dynamodb: { Keys: clearing } })
    begins()
    stream.add('a', unregistered('gone.test'))
    await eventually(
      '2 changes',
      () => heard,
      ({ length }) => length === 2,
    )
    offset += 2 * MINUTE_MS
    stream.add('a', removal())
    stream.add('a', { eventName: 'REMOVE', dynamodb: { Keys: clearing }, ...BY_TTL })
    await eventually(
      '3 changes',
      () => heard,
      ({ length }) => length === 3,
    )
    expect(ids()).toEqual(['inbox-cleared', 'gone.test', 'email-deleted'])
  })

  test('several inboxes are cleared at the same time', async () => {
    stream.open('a')
    await reader.start()
    const ofAddress = (name: string) => ({ pk: { S: `address#${name}@mail.test` }, sk: { S: '!clearing' } })
    const names = ['one', 'two', 'three']
    for (const name of names) {
      const Keys = ofAddress(name)
      stream.add('a', { eventName: 'INSERT', dynamodb: { Keys, NewImage: Keys } })
    }
    for (const name of names) {
      const { pk, sk } = ofAddress(name)
      stream.add('a', { eventName: 'REMOVE', dynamodb: { Keys: { pk, sk: { S: mint() } } } })
      stream.add('a', { eventName: 'REMOVE', dynamodb: { Keys: { pk, sk } } })
    }
    await eventually(
      '3 changes',
      () => heard,
      ({ length }) => length === 3,
    )
    const of = (name: string) => ({ domain: 'mail.test', address: `${name}@mail.test` })
    expect(heard).toEqual(names.map((name) => ({ type: 'inbox-cleared', ...of(name) })))
  })

  test('ignores records of other items, and reports records that it cannot read', async () => {
    stream.open('a')
    await reader.start()
    const record = inserted(mint())
    stream.add('a', {
      eventName: 'INSERT',
      dynamodb: { Keys: { pk: { S: 'log#mail.test' }, sk: { S: mint() } } },
    })
    const strange = [
      {},
      { eventName: 'INSERT' as const, dynamodb: { Keys: { pk: { S: 'other#1' }, sk: { S: 'x' } } } },
      { eventName: 'INSERT' as const, dynamodb: { Keys: record.dynamodb!.Keys } },
      {
        eventName: 'INSERT' as const,
        dynamodb: {
          Keys: record.dynamodb!.Keys,
          NewImage: { ...record.dynamodb!.NewImage, summary: { B: Buffer.from('no brotli') } },
        },
      },
      { eventName: 'INSERT' as const, dynamodb: { Keys: { pk: { S: 'domains' }, sk: { S: 'x.test' } } } },
    ]
    for (const one of strange) stream.add('a', one)
    stream.add('a', unregistered('gone.test'))
    const email = store('a')
    await expectHeard('gone.test', email)
    expect(heard[0]).toEqual({ type: 'domain', name: 'gone.test', domain: undefined })
    const sequences = new Set(events.map((event) => event.type === 'unknown-record' && event.sequence))
    expect(kinds()).toEqual(strange.map(() => 'unknown-record'))
    expect([...sequences].filter((sequence) => /^\d+$/.test(String(sequence)))).toHaveLength(strange.length)
  })

  test('keeps the domains that changed recently', async () => {
    stream.open('a')
    await reader.start()
    stream.add('a', unregistered('gone.test'))
    await eventually(
      '1 change',
      () => heard,
      ({ length }) => length === 1,
    )
    expect(changeCache.domains()).toEqual(['gone.test'])
    offset += 2 * MINUTE_MS
    store('a')
    await eventually(
      '2 changes',
      () => heard,
      ({ length }) => length === 2,
    )
    expect(changeCache.domains()).toEqual([])
  })

  test('measures its lag', async () => {
    stream.open('a')
    await reader.start()
    reader.lag()
    stream.before = () => {
      throw failing('TimeoutError')
    }
    await eventually(
      'an event of the reader',
      () => events,
      ({ length }) => length > 0,
    )
    const late = store('a')
    offset += MINUTE_MS
    expect(reader.lag().readMs).toBeGreaterThanOrEqual(MINUTE_MS)
    stream.before = () => {}
    await expectHeard(late)
    const { recordMs: lateBy } = reader.lag()
    expect(lateBy).toBeGreaterThanOrEqual(MINUTE_MS)
    expect(lateBy).toBeLessThan(2 * MINUTE_MS)
    await calls('GetRecords', 2)
    reader.lag()
    await calls('GetRecords', 2)
    const { recordMs, readMs } = reader.lag()
    expect(recordMs).toBe(0)
    expect(readMs).toBeLessThan(MINUTE_MS)
    // A closed shard does not count as lagging.
    stream.close('a')
    stream.open('b', 'a')
    await expectHeard(late, store('b'))
    offset += MINUTE_MS
    await calls('GetRecords', 2)
    reader.lag()
    expect(reader.lag().readMs).toBeLessThan(MINUTE_MS)
  })

  test('sends no request after it has stopped', async () => {
    stream.open('a')
    await reader.start()
    await reader.stop()
    const before = stream.calls.length
    store('a')
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(stream.calls).toHaveLength(before)
    expect(heard).toEqual([])
  })

  test('doubles its wait after each failure, with jitter, and resets it after a success', async () => {
    stream.open('a')
    await reader.start()
    const fail = (name: string) => {
      if (name === 'GetRecords') throw failing('TimeoutError')
    }
    stream.before = fail
    // A slow machine looks after the third one.
    await eventually(
      '3 events of the reader',
      () => events,
      ({ length }) => length >= 3,
    )
    stream.before = () => {}
    await expectHeard(store('a'))
    const failures = events.length
    stream.before = fail
    await eventually(
      'one more event of the reader',
      () => events,
      ({ length }) => length > failures,
    )
    const waits = events.map((event) => (event.type === 'fault' ? event.retryMs : 0))
    for (const [wait, most] of [
      [waits[0], 200],
      [waits[1], 400],
      [waits[2], 800],
      [waits[failures], 200],
    ]) {
      expect(wait).toBeGreaterThanOrEqual(most! / 2)
      expect(wait).toBeLessThanOrEqual(most!)
    }
  })

  test('rejects its start if it is stopped before it is ready', async () => {
    stream.before = () => {
      throw failing('TimeoutError')
    }
    const started = reader.start()
    await eventually(
      'an event of the reader',
      () => events,
      ({ length }) => length > 0,
    )
    await reader.stop()
    await expect(started).rejects.toThrow('stopped')
  })
})
