import { beforeEach, expect, test } from '@jest/globals'
import type { Domain, Domains } from '../../../core/access/ports.ts'
import { cachedDomains, DOMAIN_CACHE_MS } from '../../../core/events/cached-domains.ts'
import type { Change } from '../../../core/events/ports.ts'

const X = { name: 'x.test' } as Domain

let now: number
let asked: string[]
/** The next answer of the store. */
let answer: () => Promise<Domain | undefined>
let publish: (change: Change) => void
let domains: Domains
let subscribed: { mail?: boolean } | undefined

beforeEach(() => {
  now = 1000
  asked = []
  answer = async () => X
  const store: Domains = {
    find(name) {
      asked.push(name)
      return answer()
    },
    list: async () => [X],
    withKey: async (keyHash) => [{ ...X, keyHash }],
    change: async (name, before, after) => name === 'x.test' && before === X && after === undefined,
  }
  const feed = {
    subscribe(listener: typeof publish, options?: { mail?: boolean }) {
      publish = listener
      subscribed = options
      return () => {}
    },
  }
  domains = cachedDomains(store, feed, () => now)
})

test('a domain is read once until its time is over', async () => {
  expect(await domains.find('x.test')).toBe(X)
  now += DOMAIN_CACHE_MS - 1
  expect(await domains.find('x.test')).toBe(X)
  expect(asked).toEqual(['x.test'])
  now += 1
  await domains.find('x.test')
  expect(asked).toEqual(['x.test', 'x.test'])
})

test('a change removes only its own domain from the cache', async () => {
  await domains.find('x.test')
  await domains.find('y.test')
  publish({ type: 'domain', name: 'x.test', domain: undefined })
  publish({ type: 'inbox-cleared', name: 'y.test', domain: 'y.test', address: 'a@y.test' } as Change)
  answer = async () => undefined
  expect(await domains.find('x.test')).toBeUndefined()
  expect(await domains.find('y.test')).toBe(X)
  expect(asked).toEqual(['x.test', 'y.test', 'x.test'])
})

test('a missing domain and a failed read are not cached', async () => {
  answer = async () => undefined
  expect(await domains.find('x.test')).toBeUndefined()
  answer = () => Promise.reject(new Error('down'))
  await expect(domains.find('x.test')).rejects.toThrow('down')
  answer = async () => X
  expect(await domains.find('x.test')).toBe(X)
})

test('an answer from before a change does not remove a later one from the cache', async () => {
  const before = Promise.withResolvers<Domain | undefined>()
  answer = () => before.promise
  const first = domains.find('x.test')
  publish({ type: 'domain', name: 'x.test', domain: X })
  answer = async () => X
  await domains.find('x.test')
  before.resolve(undefined)
  expect(await first).toBeUndefined()
  await domains.find('x.test')
  expect(asked).toHaveLength(2)
})

test('every other method goes to the store', async () => {
  expect(await domains.list()).toEqual([X])
  expect(await domains.withKey('k')).toEqual([{ ...X, keyHash: 'k' }])
  expect(await domains.change('x.test', X, undefined)).toBe(true)
  expect(await domains.change('x.test', undefined, undefined)).toBe(false)
})

test('only changes of domains are subscribed to', () => {
  expect(subscribed).toEqual({ mail: false })
})
