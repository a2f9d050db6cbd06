import { beforeEach, describe, expect, test } from '@jest/globals'
import { hashKey } from '../../core/access/api-keys.ts'
import { DomainService } from '../../core/access/domain-service.ts'
import type { Domain, Domains, Limits } from '../../core/access/ports.ts'
import type { Change } from '../../core/events/ports.ts'
import { KnownDomainService } from '../../sse-service/known-domain-service.ts'
import { KnownDomains } from '../../sse-service/known-domains.ts'

const CLIENT = '192.0.2.1'

describe('domains in the memory of the stream service', () => {
  let stored: Map<string, Domain>
  let asked: string[]
  let wrong: number
  let announce: (change: Change) => void
  let known: KnownDomains
  let service: KnownDomainService

  const domain = (name: string, key: string | null): Domain =>
    ({ name, key_hash: key && hashKey(key), key_presented: true, visible_after: '' }) as Domain
  const names = async (key: string) => (await service.covered(key, CLIENT)).domains.map(({ name }) => name)
  const changed = (one: Domain) => announce({ type: 'domain', name: one.name, domain: one })

  beforeEach(() => {
    stored = new Map(
      [domain('public.test', null), domain('private.test', 'one')].map((one) => [one.name, one]),
    )
    asked = []
    wrong = 0
    const store = {
      find: async (name: string) => {
        asked.push(name)
        return stored.get(name)
      },
      list: async () => [...stored.values()],
      withKey: async (hash: string) => {
        asked.push('key')
        return [...stored.values()].filter(({ key_hash }) => key_hash === hash)
      },
    } as unknown as Domains
    const limits = {
      peek: async () => ({ allowed: wrong < 2, remaining: 2 - wrong, resets_at: 0 }),
      take: async () => {
        wrong++
      },
    } as unknown as Limits
    known = new KnownDomains(store, {
      subscribe: (listener) => {
        announce = listener
        return () => {}
      },
    })
    const parts = { limits, clock: () => 0 }
    service = new KnownDomainService(
      { ...parts, domains: known },
      new DomainService({ ...parts, domains: store }),
    )
  })

  test('are opened without a read', async () => {
    await known.load()
    expect((await service.open('public.test', undefined, CLIENT)).name).toBe('public.test')
    expect((await service.open('private.test', 'one', CLIENT)).name).toBe('private.test')
    expect(await names('one')).toEqual(['private.test'])
    expect(asked).toEqual([])
  })

  test('are checked in the store once somebody is in', async () => {
    await known.load()
    const opened = await service.open('public.test', undefined, CLIENT)
    await service.checkStillOpen(opened)
    stored.set('public.test', domain('public.test', 'one'))
    await expect(service.checkStillOpen(opened)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('are as the stream announces them', async () => {
    await known.load()
    changed(domain('private.test', 'two'))
    changed(domain('joined.test', 'two'))
    announce({ type: 'domain', name: 'public.test', domain: undefined })
    stored.delete('public.test')
    expect(await names('two')).toEqual(['joined.test', 'private.test'])
    expect(asked).toEqual([])
    await expect(service.open('public.test', undefined, CLIENT)).rejects.toMatchObject({
      code: 'domain_not_found',
    })
  })

  test('are as the stream announced them while the list was read', async () => {
    const loading = known.load()
    changed(domain('private.test', 'two'))
    announce({ type: 'domain', name: 'public.test', domain: undefined })
    await loading
    expect(await names('two')).toEqual(['private.test'])
    expect(asked).toEqual([])
    await service.open('public.test', undefined, CLIENT)
    expect(asked).toContain('public.test')
  })

  test('are asked for again before anybody is refused', async () => {
    await known.load()
    for (const one of [domain('private.test', 'two'), domain('new.test', 'two')]) stored.set(one.name, one)
    expect((await service.open('private.test', 'two', CLIENT)).name).toBe('private.test')
    expect((await service.open('new.test', 'two', CLIENT)).name).toBe('new.test')
    expect(await names('two')).toEqual(['private.test', 'new.test'])
    expect(wrong).toBe(0)
  })

  test('a wrong key counts once, and with too many of them the right one is refused too', async () => {
    await known.load()
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
