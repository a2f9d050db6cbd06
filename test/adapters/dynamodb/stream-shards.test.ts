import { beforeEach, expect, test } from '@jest/globals'
import { Lineage } from '../../../adapters/dynamodb/stream-shards.ts'

let lineage: Lineage

beforeEach(() => {
  lineage = new Lineage()
})

/** A list of shards as DynamoDB gives it: those that have ended have a last sequence number. */
const list = (...shards: [id: string, parent?: string, isOpen?: boolean][]) =>
  lineage.update(
    shards.map(([ShardId, ParentShardId, isOpen = true]) => ({
      ShardId,
      ParentShardId,
      SequenceNumberRange: { EndingSequenceNumber: isOpen ? undefined : '9' },
    })),
  )

test('what is open at first is read from now on, and what had ended is not', () => {
  expect(list(['old', undefined, false], ['a', 'old'], ['b'])).toEqual([
    { id: 'a', from: 'LATEST' },
    { id: 'b', from: 'LATEST' },
  ])
  expect(list(['old', undefined, false], ['a', 'old'], ['b'])).toEqual([])
})

test('what comes later is read whole, and not before its parent has ended', () => {
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

test('also when its parent is not listed any more', () => {
  list(['a'])
  lineage.ended('a')
  expect(list(['child', 'a'])).toEqual([{ id: 'child', from: 'TRIM_HORIZON' }])
  expect(list(['orphan', 'of one that was never seen'])).toEqual([{ id: 'orphan', from: 'TRIM_HORIZON' }])
})

test('what is being read is not begun again when one list leaves it out', () => {
  list(['a'], ['b'])
  expect(list(['b'])).toEqual([])
  expect(list(['a'], ['b'])).toEqual([])
})

test('a list of nothing is no first list', () => {
  expect(list()).toEqual([])
  expect(list(['a'])).toEqual([{ id: 'a', from: 'LATEST' }])
})

test('a shard is childless until a child of its own is listed', () => {
  list(['a'], ['b', 'x'])
  expect(['a', 'b', 'x'].map((id) => lineage.isChildless(id))).toEqual([true, true, false])
  list(['a'], ['b', 'x'], ['c', 'a'])
  expect(lineage.isChildless('a')).toBe(false)
  // Of one that it does not know nothing comes of an end.
  lineage.ended('unknown')
  expect(list(['a'], ['b', 'x'], ['c', 'a'])).toEqual([])
})
