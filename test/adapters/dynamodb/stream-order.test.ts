import { beforeEach, expect, test } from '@jest/globals'
import type { DomainOrder } from '../../../adapters/dynamodb/domain-order.ts'
import type { Arrived } from '../../../adapters/dynamodb/email-item.ts'
import { InOrder } from '../../../adapters/dynamodb/stream-order.ts'
import type { Change } from '../../../core/events/ports.ts'
import { CHANGE_FEED_LAG_MS } from '../../../core/limits.ts'

/** The groups of followed domains. */
let groups: Set<string>[]
/** The domains that a stream follows now. */
let followed: Set<string>
let forgotten: string[]
/** Returns the emails to publish. */
let advance: (arrived: readonly Arrived[], group: ReadonlySet<string>) => Promise<Arrived[]>
let emitted: string[]
let failures: [unknown, number][]
let now: number
let inOrder: InOrder

beforeEach(() => {
  groups = [new Set(['a', 'b']), new Set(['c'])]
  followed = new Set(['a', 'b', 'c'])
  forgotten = []
  emitted = []
  failures = []
  now = 0
  advance = async (arrived) => [...arrived].sort((one, two) => (one.email.id < two.email.id ? -1 : 1))
  const groupOf = (domain: string) => groups.find((group) => group.has(domain))
  const order = {
    isFollowed: (domain) => groupOf(domain) !== undefined,
    groupOf: (domain) => groupOf(domain) ?? new Set(),
    forget: (domain) => {
      forgotten.push(domain)
      for (const group of groups) group.delete(domain)
    },
    advance: (arrived, group) => advance(arrived, group),
  } as Pick<DomainOrder, 'isFollowed' | 'groupOf' | 'forget' | 'advance'>
  inOrder = new InOrder({
    order: order as DomainOrder,
    clock: () => now,
    follows: (domain) => followed.has(domain),
    emit: (change) => emitted.push(nameOf(change)),
    failed: async (error, faults) => void failures.push([error, faults]),
  })
})

function nameOf(change: Change): string {
  if (change.type === 'domain') return change.name
  return change.type === 'email' ? `${change.domain}${change.email.id}` : change.type
}

const email = (domain: string, id: number): Change =>
  ({ type: 'email', domain, address: `x@${domain}`, email: { id: String(id) } }) as Change
const deleted = (domain: string): Change => ({
  type: 'email-deleted',
  domain,
  address: `x@${domain}`,
  id: '1',
})

test('changes of domains, and of mail of which no stream needs an order, are published as they arrive', async () => {
  inOrder.add({ type: 'domain', name: 'a', domain: undefined })
  inOrder.add(email('other', 1))
  inOrder.add(deleted('other'))
  expect(emitted).toEqual(['a', 'other1', 'email-deleted'])
  expect(forgotten).toEqual([])
  await inOrder.release()
  expect(emitted).toHaveLength(3)
})

test('a domain keeps its order for a while after its last stream, and is forgotten at a later change', async () => {
  followed.delete('a')
  inOrder.add(email('a', 1))
  await inOrder.release()
  now = CHANGE_FEED_LAG_MS - 1
  inOrder.add(email('a', 2))
  await inOrder.release()
  expect([emitted, forgotten]).toEqual([['a1', 'a2'], []])
  now++
  inOrder.add(email('a', 3))
  await inOrder.release()
  expect(forgotten).toEqual(['a'])
  inOrder.add(email('a', 4))
  expect(emitted).toEqual(['a1', 'a2', 'a3', 'a4'])
  // Another stream began and ended: its order is kept as long.
  groups[0]!.add('a')
  inOrder.add(email('a', 5))
  await inOrder.release()
  expect(forgotten).toEqual(['a'])
})

test('a domain that is followed again is not forgotten', async () => {
  for (const [at, isFollowed] of [
    [0, false],
    [1, true],
    [CHANGE_FEED_LAG_MS, false],
    [CHANGE_FEED_LAG_MS + 1, false],
  ] as const) {
    now = at
    if (isFollowed) followed.add('a')
    else followed.delete('a')
    inOrder.add(email('a', at))
    await inOrder.release()
  }
  expect(forgotten).toEqual([])
})

test.each([
  ['its last stream has ended', () => followed.delete('a')],
  ['its order has failed', () => groups[0]!.delete('a')],
])('an email does not overtake an older one that waits when %s', async (_, happens) => {
  const held = Promise.withResolvers<void>()
  const sorted = advance
  advance = async (arrived, group) => {
    await held.promise
    return sorted(arrived, group)
  }
  inOrder.add(email('a', 1))
  const released = inOrder.release()
  happens()
  inOrder.add(email('a', 2))
  void inOrder.release()
  held.resolve()
  await released
  expect(emitted).toEqual(['a1', 'a2'])
})

test('emails of followed domains are published in their order, and their changes afterwards', async () => {
  for (const change of [email('a', 3), deleted('a'), email('b', 1)]) inOrder.add(change)
  expect(emitted).toEqual([])
  await inOrder.release()
  expect(emitted).toEqual(['b1', 'a3', 'email-deleted'])
  expect(forgotten).toEqual([])
})

test('changes without an email are published without an order', async () => {
  advance = () => Promise.reject(new Error('nothing arrived'))
  inOrder.add(deleted('a'))
  await inOrder.release()
  expect([emitted, failures]).toEqual([['email-deleted'], []])
})

test('domains that are followed together are ordered together, apart from the others', async () => {
  const seen: [string[], string[]][] = []
  const sorted = advance
  advance = (arrived, group) => {
    seen.push([arrived.map(nameOf), [...group]])
    return sorted(arrived, group)
  }
  for (const change of [email('a', 1), email('c', 2), email('b', 3)]) inOrder.add(change)
  await inOrder.release()
  expect(seen).toEqual([
    [
      ['a1', 'b3'],
      ['a', 'b'],
    ],
    [['c2'], ['c']],
  ])
})

test('a failure is reported with the number of those before it, and the emails are published once', async () => {
  const sorted = advance
  const error = new Error('throttled')
  advance = (arrived, group) => (failures.length < 2 ? Promise.reject(error) : sorted(arrived, group))
  inOrder.add(email('a', 1))
  await inOrder.release()
  expect(failures).toEqual([
    [error, 0],
    [error, 1],
  ])
  expect(emitted).toEqual(['a1'])
})

test('changes that arrive meanwhile are published afterwards, by the same run', async () => {
  const held = Promise.withResolvers<void>()
  const sorted = advance
  advance = async (arrived, group) => {
    await held.promise
    return sorted(arrived, group)
  }
  inOrder.add(email('a', 2))
  const first = inOrder.release()
  inOrder.add(email('a', 1))
  const second = inOrder.release()
  expect(second).toBe(first)
  held.resolve()
  await first
  expect(emitted).toEqual(['a2', 'a1'])
  // Another run follows.
  inOrder.add(email('a', 3))
  await inOrder.release()
  expect(emitted).toEqual(['a2', 'a1', 'a3'])
})

test('nothing is tried again after the end', async () => {
  advance = () => {
    inOrder.stop()
    for (const change of [email('a', 2), deleted('a')]) inOrder.add(change)
    return Promise.reject(new Error('throttled'))
  }
  inOrder.add(email('a', 1))
  await inOrder.release()
  expect(failures).toHaveLength(1)
  expect(emitted).toEqual([])
})
