import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { LateSearch } from '../../../adapters/sqlite/late-search.ts'
import { type Findings, NOTHING_FOUND } from '../../../reading/message.ts'
import { eventually } from '../../support/eventually.ts'

/** Messages with their ids as their subjects, and what was done with them. */
function messages(ids: string[]) {
  const left = new Set(ids)
  const searched: string[] = []
  const stored: string[] = []
  let commit: (id: string) => Promise<void> = async () => {}
  const late = new LateSearch({
    searchableOf: (id) =>
      left.has(id) ? { subject: id, text: '', html: null, isTextOfHtml: false } : undefined,
    async store(id) {
      await commit(id)
      left.delete(id)
      stored.push(id)
    },
  })
  late.use(async () => ({ subject }) => {
    searched.push(subject)
    return found(subject)
  })
  return {
    late,
    searched,
    stored,
    commitBy(by: typeof commit) {
      commit = by
    },
  }
}

const found = (id: string): Findings => ({ ...NOTHING_FOUND, codes: [id] })

test('a request resolves with what was found in the messages that exist', async () => {
  const { late } = messages(['a', 'b'])
  expect(await late.search(['a', 'gone', 'b'])).toEqual({ a: found('a'), b: found('b') })
  expect(await late.search([])).toEqual({})
  late.stop()
})

test('requests have a message searched each in turn', async () => {
  const { late, searched } = messages(['a', 'b', 'c', 'x'])
  await Promise.all([late.search(['a', 'b', 'c']), late.search(['x'])])
  expect(searched).toEqual(['a', 'x', 'b', 'c'])
  late.stop()
})

test('a message is searched once while its findings are being stored', async () => {
  const { late, searched, stored, commitBy } = messages(['a'])
  const committed = Promise.withResolvers<void>()
  commitBy(() => committed.promise)
  expect(await late.search(['a'])).toEqual({ a: found('a') })
  expect(await late.search(['a'])).toEqual({ a: found('a') })
  expect(searched).toEqual(['a'])
  committed.resolve()
  await eventually('the findings to be stored', () => stored.length === 1)
  expect(await late.search(['a'])).toEqual({})
  late.stop()
})

test('a message whose findings could not be stored is searched again', async () => {
  const { late, searched, commitBy } = messages(['a'])
  commitBy(async () => {
    throw new Error('the disk is full')
  })
  expect(await late.search(['a'])).toEqual({ a: found('a') })
  await sleep(1)
  expect(await late.search(['a'])).toEqual({ a: found('a') })
  expect(searched).toEqual(['a', 'a'])
  late.stop()
})

test('without a request, messages are searched when no mail comes, the newest first', async () => {
  const { late, searched } = messages(['a', 'b', 'c'])
  for (const id of ['a', 'b', 'c']) late.later(id)
  await new Promise(setImmediate)
  expect(searched).toEqual([])
  await eventually('a search', () => searched.length === 3)
  expect(searched).toEqual(['c', 'b', 'a'])
  late.stop()
})

test('a request does not search the messages that wait for quiet', async () => {
  const { late, searched } = messages(['a', 'b'])
  late.later('a')
  await late.search(['b'])
  expect(searched).toEqual(['b'])
  await eventually('a search', () => searched.length === 2)
  expect(searched).toEqual(['b', 'a'])
  late.stop()
})

test('only some thousand messages wait', async () => {
  const ids = Array.from({ length: 10_001 }, (_, n) => `m${n}`)
  const { late, searched } = messages(ids)
  for (const id of ids) late.later(id)
  await eventually('a search of all', () => searched.length >= 10_000)
  await sleep(10)
  expect(searched).not.toContain('m10000')
  late.stop()
})

test('a long search leaves half of the time to mail', async () => {
  const ids = Array.from({ length: 20 }, (_, n) => `m${n}`)
  const { late } = messages(ids)
  late.use(async () => ({ subject }) => {
    for (const began = performance.now(); performance.now() - began < 10; );
    return found(subject)
  })
  const began = performance.now()
  await late.search(ids)
  // 200 ms of work, of which 50 ms need no rest.
  expect(performance.now() - began).toBeGreaterThan(320)
  late.stop()
})

test('an error ends its request only', async () => {
  const { late } = messages(['a', 'b'])
  late.use(async () => ({ subject }) => {
    if (subject === 'a') throw new Error('no')
    return found(subject)
  })
  const [bad, good] = await Promise.allSettled([late.search(['a']), late.search(['b'])])
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'no' } })
  expect(good).toMatchObject({ value: { b: found('b') } })
  late.stop()
})

test('an error while no mail comes stops no later search', async () => {
  const { late, searched } = messages(['a', 'b'])
  late.use(async () => ({ subject }) => {
    searched.push(subject)
    if (subject === 'a') throw new Error('no')
    return found(subject)
  })
  late.later('a')
  await eventually('a search', () => searched.length === 1)
  expect(await late.search(['b'])).toEqual({ b: found('b') })
  late.stop()
})

test('after a stop, requests are refused and nothing is searched', async () => {
  const { late, searched } = messages(['a', 'b'])
  late.later('a')
  const pending = late.search(Array.from({ length: 100 }, () => 'gone'))
  late.stop()
  late.later('b')
  await pending.catch(() => {})
  await expect(late.search(['a'])).rejects.toMatchObject({ code: 'unavailable' })
  await sleep(1200)
  expect(searched).toEqual([])
})
