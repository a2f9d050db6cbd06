import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { hashKey } from '../../../core/access/api-keys.ts'
import { DomainService, type DomainServiceParts } from '../../../core/access/domain-service.ts'
import type { Limits } from '../../../core/access/ports.ts'
import { newDomain } from '../../../core/access/registration.ts'
import { WrongKeys } from '../../../core/access/wrong-keys.ts'
import type { Clock } from '../../../core/clock.ts'
import { MINUTE_MS, WRONG_DOMAIN_KEYS_PER_MINUTE } from '../../../core/limits.ts'
import { openTemporary } from '../../adapters/sqlite/store-temporary.ts'
import { FakeDomains, FakeLimits } from './fakes.ts'

const NAME = 'a.example'

function serviceOf(
  domains: Pick<DomainServiceParts, 'domains' | 'stored'>,
  limits: Limits = new FakeLimits(),
  clock: Clock = () => 1000,
): DomainService {
  return new DomainService({ ...domains, wrongKeys: new WrongKeys(limits, clock), clock })
}

describe('domains', () => {
  let domains: FakeDomains
  let service: DomainService
  const configure = (...list: { name: string; key: string | null }[]) => service.configure(list, 'verified')
  const known = () => domains.stored.get(NAME)!

  beforeEach(() => {
    domains = new FakeDomains()
    service = serviceOf({ domains })
  })

  test('of the configuration are written once', async () => {
    for (let start = 0; start < 3; start++) {
      await configure({ name: NAME, key: 'k' }, { name: 'b.example', key: null })
    }
    expect(domains.changes).toEqual([`${NAME} verified private`, 'b.example verified'])
  })

  test('of the configuration keep their mail when their key changes, and lose it when they become public', async () => {
    await configure({ name: NAME, key: 'k' })
    const { visibleAfter } = known()
    await configure({ name: NAME, key: 'other' })
    expect(known()).toMatchObject({
      keyHash: hashKey('other'),
      keyPresented: true,
      visibleAfter: visibleAfter,
    })
    await configure({ name: NAME, key: null })
    expect(known()).toMatchObject({ keyHash: null, keyPresented: false, keyConfigured: false })
    expect(known().visibleAfter > visibleAfter).toBe(true)
  })

  test('of the configuration have the status of a start only if they are new', async () => {
    await service.configure([{ name: NAME, key: null }], 'pending')
    expect(known()).toMatchObject({ status: 'pending', configured: true, registeredAt: 1000, checkedAt: 0 })
    await configure({ name: NAME, key: null })
    expect(domains.changes).toEqual([`${NAME} pending`])
  })

  test('that were registered before keep their registration when they are configured', async () => {
    const before = {
      ...newDomain(NAME, 'pending', 1),
      keyHash: hashKey('k'),
      checkedAt: 5,
      keyMissingSince: 6,
      unansweredSince: 7,
    }
    await domains.change(NAME, undefined, before)
    await configure({ name: NAME, key: null })
    expect(known()).toMatchObject({ ...before, configured: true, keyConfigured: false })
    await configure({ name: NAME, key: 'own' })
    expect(known()).toMatchObject({
      ...before,
      configured: true,
      keyHash: hashKey('own'),
      keyPresented: true,
      keyConfigured: true,
      keyMissingSince: null,
    })
  })

  test('are configured even if another change comes first', async () => {
    const change = domains.change.bind(domains)
    let faster = 2
    domains.change = async (...args) => faster-- <= 0 && change(...args)
    await configure({ name: NAME, key: 'k' })
    expect(domains.changes).toEqual([`${NAME} verified private`])
  })

  test('that leave the configuration are unregistered, and no others', async () => {
    await domains.change('c.example', undefined, newDomain('c.example', 'verified', 1))
    await configure({ name: NAME, key: null })
    await configure()
    expect([...domains.stored.keys()]).toEqual(['c.example'])
  })

  test('that disappear before they are unregistered cause no fault', async () => {
    await configure({ name: NAME, key: null })
    const gone = { ...known() }
    domains.stored.clear()
    domains.list = async () => [gone]
    await configure()
    expect(domains.changes).toHaveLength(1)
  })

  test('that are unknown, or private and requested without their key, are refused', async () => {
    await expect(service.open(NAME, 'k', 'c')).rejects.toMatchObject({ code: 'domain_not_found' })
    await configure({ name: NAME, key: 'k' })
    for (const none of [undefined, '']) {
      await expect(service.open(NAME, none, 'c')).rejects.toMatchObject({ code: 'domain_key_missing' })
      await expect(service.covered(none, 'c')).rejects.toMatchObject({ code: 'domain_key_missing' })
    }
  })

  test('join their key when it is presented at an inbox', async () => {
    await domains.change(NAME, undefined, { ...newDomain(NAME, 'verified', 1), keyHash: hashKey('k') })
    await expect(service.covered('k', 'c')).rejects.toMatchObject({ code: 'domain_key_invalid' })
    await expect(service.open(NAME, 'wrong', 'c')).rejects.toMatchObject({ code: 'domain_key_invalid' })
    expect(known().keyPresented).toBe(false)
    await service.open(NAME, 'k', 'c')
    expect((await service.covered('k', 'c')).domains).toHaveLength(1)
    await service.open(NAME, 'k', 'c')
    expect(domains.changes).toHaveLength(2)
  })

  test('that changed since they were opened are not read', async () => {
    await configure({ name: NAME, key: 'k' })
    const opened = await service.open(NAME, 'k', 'c')
    await service.checkStillOpen(opened)
    await domains.change(NAME, known(), { ...known(), status: 'pending' })
    await service.checkStillOpen(opened)
    for (const change of [{ keyHash: hashKey('other') }, { registeredAt: 7 }]) {
      const before = { ...known() }
      await domains.change(NAME, known(), { ...known(), ...change })
      await expect(service.checkStillOpen(before)).rejects.toMatchObject({
        code: 'unavailable',
        retryAfter: 1,
      })
    }
    const last = { ...known() }
    await domains.change(NAME, known(), undefined)
    await expect(service.checkStillOpen(last)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('that have a key since then are not read either', async () => {
    await configure({ name: NAME, key: null })
    const open = { ...known() }
    await service.checkStillOpen(open)
    await domains.change(NAME, known(), { ...known(), keyHash: hashKey('k') })
    await expect(service.checkStillOpen(open)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('are compared with the cache for a stream, and with the store for a read', async () => {
    await configure({ name: NAME, key: 'k' })
    const opened = { ...known() }
    const stored = new FakeDomains()
    service = serviceOf({ domains, stored })
    await service.checkFollowed(opened)
    await expect(service.checkStillOpen(opened)).rejects.toMatchObject({ code: 'unavailable' })
    stored.stored.set(NAME, opened)
    await configure({ name: NAME, key: 'other' })
    await service.checkStillOpen(opened)
    await expect(service.checkFollowed(opened)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('are looked up once for all requests of one turn of the event loop, and after each of them', async () => {
    await configure({ name: NAME, key: 'k' })
    const opened = { ...known() }
    let looks = 0
    const find = domains.find.bind(domains)
    domains.find = (name) => {
      looks++
      return find(name)
    }
    await Promise.all([service.checkStillOpen(opened), service.checkStillOpen(opened)])
    expect(looks).toBe(1)
    await service.checkStillOpen(opened)
    expect(looks).toBe(2)
    const asked = service.checkStillOpen(opened)
    // During the check, and before the store is read.
    domains.stored.set(NAME, { ...opened, keyHash: hashKey('other') })
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' })
    expect(looks).toBe(3)
  })
})

describe('wrong domain keys of a client', () => {
  let store: Awaited<ReturnType<typeof openTemporary>>
  let domains: FakeDomains
  let service: DomainService
  let now: number

  beforeEach(async () => {
    store = await openTemporary()
    now = MINUTE_MS * 29_000_000
    domains = new FakeDomains()
    service = serviceOf({ domains }, store.limits, () => now)
    await domains.change(NAME, undefined, { ...newDomain(NAME, 'verified', 1), keyHash: hashKey('k') })
  })
  afterEach(() => store.close())

  /** Returns how many of these concurrent guesses are answered as wrong. */
  async function comparedOf(guesses: (() => Promise<unknown>)[]): Promise<number> {
    const codes = guesses.map((guess) => guess().catch(({ code }) => code))
    return (await Promise.all(codes)).filter((code) => code === 'domain_key_invalid').length
  }

  test.each([
    ['at an inbox', () => service.open(NAME, 'wrong', 'guesser')],
    ['at a stream', () => service.covered('wrong', 'guesser')],
  ])('%s are limited in each minute', async (_, guess) => {
    for (let n = 0; n < WRONG_DOMAIN_KEYS_PER_MINUTE; n++) {
      await expect(guess()).rejects.toMatchObject({ code: 'domain_key_invalid' })
    }
    await service.open(NAME, 'k', 'other')
    now += MINUTE_MS - 1_500
    for (const right of [service.open(NAME, 'k', 'guesser'), service.covered('k', 'guesser')]) {
      await expect(right).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 2 })
    }
    now += 1_500
    await service.open(NAME, 'k', 'guesser')
  })

  test.each([
    ['at an inbox', () => service.open(NAME, 'wrong', 'guesser')],
    ['at a stream', () => service.covered('wrong', 'guesser')],
  ])('%s are limited exactly, even if they arrive while others are being counted', async (_, guess) => {
    const compared = (count: number) => comparedOf(Array.from({ length: count }, () => guess))
    for (let minute = 0; minute < 3; minute++) {
      let guesses = await compared(100)
      expect(guesses).toBeGreaterThan(0)
      while (await compared(1)) guesses++
      expect(guesses).toBe(WRONG_DOMAIN_KEYS_PER_MINUTE)
      now += MINUTE_MS
    }
  })

  test('that several processes count at once exceed the limit by a few per minute, not at every use that becomes free', async () => {
    const processes = Array.from({ length: 30 }, () => serviceOf({ domains }, store.limits, () => now))
    const guesses = processes.map((each) => () => each.open(NAME, 'wrong', 'guesser'))
    const perUse = MINUTE_MS / WRONG_DOMAIN_KEYS_PER_MINUTE
    for (let n = 0; n < WRONG_DOMAIN_KEYS_PER_MINUTE; n++, now += perUse)
      await comparedOf(guesses.slice(0, 1))
    let compared = 0
    for (let n = 0; n < WRONG_DOMAIN_KEYS_PER_MINUTE; n++, now += perUse)
      compared += await comparedOf(guesses)
    expect(compared).toBeGreaterThan(0)
    expect(compared).toBeLessThanOrEqual(WRONG_DOMAIN_KEYS_PER_MINUTE + processes.length)
  })

  test('do not include the key of a domain that has not been opened with it yet', async () => {
    for (let n = 0; n <= WRONG_DOMAIN_KEYS_PER_MINUTE; n++) {
      await expect(service.covered('k', 'owner')).rejects.toMatchObject({ code: 'domain_key_invalid' })
    }
    await service.open(NAME, 'k', 'owner')
    expect((await service.covered('k', 'owner')).domains).toHaveLength(1)
  })
})
