import { beforeEach, describe, expect, test } from '@jest/globals'
import { hashKey } from '../../core/access/api-keys.ts'
import { DomainService } from '../../core/access/domain-service.ts'
import type { Domain, Domains, Limits } from '../../core/access/ports.ts'
import { WrongKeys } from '../../core/access/wrong-keys.ts'
import { CachedDomainService } from '../../sse-service/cached-domain-service.ts'

const CLIENT = '192.0.2.1'

describe('access by cached domains', () => {
  let stored: Map<string, Domain>
  let remembered: Map<string, Domain>
  let asked: number
  let wrong: number
  let service: CachedDomainService

  const domain = (name: string, key: string | null): Domain =>
    ({ name, keyHash: key && hashKey(key), keyPresented: true, visibleAfter: '' }) as Domain
  const put = (one: Domain) => stored.set(one.name, one)

  const domainsOf = (domains: () => Map<string, Domain>): Domains =>
    ({
      find: async (name: string) => {
        if (domains() === stored) asked++
        return domains().get(name)
      },
      withKey: async (hash: string) => [...domains().values()].filter(({ keyHash }) => keyHash === hash),
    }) satisfies Partial<Domains> as unknown as Domains

  beforeEach(() => {
    stored = new Map()
    for (const one of [domain('public.test', null), domain('private.test', 'one')]) put(one)
    remembered = new Map(stored)
    asked = 0
    wrong = 0
    const limits = {
      peek: async () => ({ allowed: wrong < 2, remaining: 2 - wrong, resetsAt: 0 }),
      take: async () => {
        wrong++
      },
    } as unknown as Limits
    const clock = () => 0
    const parts = { wrongKeys: new WrongKeys(limits, clock), clock }
    service = new CachedDomainService(
      { ...parts, domains: domainsOf(() => remembered) },
      new DomainService({ ...parts, domains: domainsOf(() => stored) }),
    )
  })

  test('is granted without a query of the store', async () => {
    expect((await service.open('public.test', undefined, CLIENT)).name).toBe('public.test')
    expect((await service.open('private.test', 'one', CLIENT)).name).toBe('private.test')
    expect(asked).toBe(0)
  })

  test('is checked again in the store, which shows whether the domain has changed', async () => {
    const opened = await service.open('public.test', undefined, CLIENT)
    await service.checkStillOpen(opened)
    put(domain('public.test', 'one'))
    await expect(service.checkStillOpen(opened)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(service.checkFollowed(opened)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('is denied only after a query of the store', async () => {
    for (const one of [domain('private.test', 'two'), domain('new.test', 'two')]) put(one)
    expect((await service.open('private.test', 'two', CLIENT)).name).toBe('private.test')
    expect((await service.open('new.test', 'two', CLIENT)).name).toBe('new.test')
    expect((await service.covered('two', CLIENT)).domains).toHaveLength(2)
    expect(wrong).toBe(0)
  })

  test('counts a wrong key once, and denies the right key after too many wrong ones', async () => {
    for (let n = 1; n <= 2; n++) {
      await expect(service.open('private.test', 'x', CLIENT)).rejects.toMatchObject({
        code: 'domain_key_invalid',
      })
      expect(wrong).toBe(n)
    }
    await expect(service.open('private.test', 'one', CLIENT)).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(service.covered('one', CLIENT)).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
