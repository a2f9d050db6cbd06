import { expect, test } from '@jest/globals'
import { Topics } from '../../../core/events/topics.ts'

test.each([1, 2, 3])('%d followers of a topic are all listed until they leave', (count) => {
  const topics = new Topics<{ n: number }>()
  const followers = Array.from({ length: count }, (_, n) => ({ n }))
  const leaves = followers.map((follower) => topics.enter('a', follower))
  for (let left = 0; left < count; left++) {
    expect([...topics.of('a')]).toEqual(followers.slice(left))
    expect([...topics.all()]).toEqual([['a', followers.slice(left)]])
    expect([...topics.names()]).toEqual(['a'])
    expect(topics.has('a')).toBe(true)
    leaves[left]!()
    leaves[left]!()
  }
  expect([...topics.of('a')]).toEqual([])
  expect([...topics.names()]).toEqual([])
  expect(topics.has('a')).toBe(false)
})

test('unsubscribing twice removes no later subscriber', () => {
  const topics = new Topics<object>()
  const leave = topics.enter('a', {})
  leave()
  const next = {}
  topics.enter('a', next)
  leave()
  expect([...topics.of('a')]).toEqual([next])
  expect(topics.has('b')).toBe(false)
})
