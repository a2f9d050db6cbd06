import { beforeEach, expect, test } from '@jest/globals'
import { Lineage } from '../../../adapters/dynamodb/stream-shards.ts'

let lineage: Lineage

beforeEach(() => {
  lineage = new Lineage()
})

/** A list of shards as DynamoDB returns it: closed shards have a last sequence number. */
const list = (...shards: [id: string, parent?: string, isOpen?: boolean][]) =>
  lineage.update(
    shards.map(([ShardId, ParentShardId, isOpen = true]) => ({
      ShardId,
      ParentShardId,
      SequenceNumberRange: { EndingSequenceNumber: isOpen ? undefined : '9' },
    })),
  )

test('shards that are open in the first list are read from now on, closed ones are not read', () => {
  expect(list(['old', undefined, false], ['a', 'old'], ['b'])).toEqual([
    { id: 'a', from: 'LATEST' },
    { id: 'b', from: 'LATEST' },
  ])
  expect(list(['old', undefined, false], ['a', 'old'], ['b'])).toEqual([])
})

test('a shard that appears later is read from its beginning, after its parent has ended', () => {
  list(['a'])
  const later: Parameters<typeof list> = [
    ['a'],
    ['left', 'a'],
    ['right', 'a'],
    ['grandchild', 'left'],
    ['new'],
  ]
  expect(list(...later)).toEqual([{ id: 'new', from: 'TRIM_HORIZON' }])
  expect(list(...later)).toEqual([])
  lineage.ended('a')
  expect(list(...later).map(({ id }) => id)).toEqual(['left', 'right'])
  lineage.ended('left')
  expect(list(...later)).toEqual([{ id: 'grandchild', from: 'TRIM_HORIZON' }])
})

test('a shard whose parent is no longer listed is read from its beginning', () => {
  list(['a'])
  lineage.ended('a')
  expect(list(['child', 'a'])).toEqual([{ id: 'child', from: 'TRIM_HORIZON' }])
  expect(list(['orphan', 'of one that was never seen'])).toEqual([{ id: 'orphan', from: 'TRIM_HORIZON' }])
})

test('each ended shard that is no longer listed is forgotten', () => {
  list(['a'], ['b'], ['c'])
  for (const id of ['a', 'b']) lineage.ended(id)
  expect(list(['c'])).toEqual([])
  expect(list(['a'], ['b'], ['c']).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('a shard that is being read is not started again after it was missing from one list', () => {
  list(['a'], ['b'])
  expect(list(['b'])).toEqual([])
  expect(list(['a'], ['b'])).toEqual([])
})

test('an empty list does not count as the first list', () => {
  expect(list()).toEqual([])
  expect(list(['a'])).toEqual([{ id: 'a', from: 'LATEST' }])
})

test('a shard is childless until a child is listed', () => {
  list(['a'], ['b', 'x'])
  expect(['a', 'b', 'x'].map((id) => lineage.isChildless(id))).toEqual([true, true, false])
  list(['a'], ['b', 'x'], ['c', 'a'])
  expect(lineage.isChildless('a')).toBe(false)
  // The end of an unknown shard has no effect.
  lineage.ended('unknown')
  expect(list(['a'], ['b', 'x'], ['c', 'a'])).toEqual([])
})
