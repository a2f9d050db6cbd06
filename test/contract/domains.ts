import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Domain, Domains } from '../../core/access/ports.ts'
import type { Open, Opened } from './opened.ts'
import { unique, uniqueDomain, uniqueHash } from './sample.ts'

/** What core/inbox/ports.ts promises of Domains. */
export function domainsContract(name: string, open: Open<{ domains: Domains }>): void {
  describe(`Domains: ${name}`, () => {
    let store: Opened<{ domains: Domains }>
    let domains: Domains

    beforeAll(async () => {
      store = await open()
      domains = store.domains
    })
    afterAll(() => store.close())

    const sample = (change: Partial<Domain> = {}): Domain => ({
      name: uniqueDomain(),
      status: 'verified',
      key_hash: null,
      configured: false,
      key_configured: false,
      registered_at: 1_790_000_000_000,
      ...change,
    })

    test('does not know a domain that was not put', async () => {
      expect(await domains.find(uniqueDomain())).toBeUndefined()
      expect(await domains.withKey(uniqueHash())).toEqual([])
    })

    test.each<Partial<Domain>>([
      {},
      { status: 'pending' },
      { key_hash: uniqueHash() },
      { configured: true },
      { configured: true, key_configured: true, key_hash: uniqueHash() },
    ])('keeps a domain: %j', async (change) => {
      const domain = sample(change)
      await domains.put(domain)
      expect(await domains.find(domain.name)).toEqual(domain)
      expect(await domains.list()).toContainEqual(domain)
    })

    test('replaces what is known of a domain', async () => {
      const [before, after] = [uniqueHash(), uniqueHash()]
      const domain = sample({ status: 'pending', key_hash: before })
      await domains.put(domain)
      const changed: Domain = { ...domain, status: 'verified', key_hash: after, registered_at: 5 }
      await domains.put(changed)
      expect(await domains.find(domain.name)).toEqual(changed)
      expect((await domains.list()).filter(({ name }) => name === domain.name)).toEqual([changed])
      expect(await domains.withKey(before)).toEqual([])
      expect(await domains.withKey(after)).toEqual([changed])

      const open: Domain = { ...changed, key_hash: null }
      await domains.put(open)
      expect(await domains.find(domain.name)).toEqual(open)
      expect(await domains.withKey(after)).toEqual([])
    })

    test('lists all by name', async () => {
      const end = unique()
      const names = ['b', 'a', 'a-b', 'ab', 'c'].map((start) => `${start}.${end}.test`)
      await Promise.all(names.map((name) => domains.put(sample({ name }))))
      const listed = (await domains.list()).map(({ name }) => name)
      expect(listed.filter((name) => name.includes(end))).toEqual(names.toSorted())
      expect(listed).toEqual(listed.toSorted())
    })

    test('lists those with a key by name, and no others', async () => {
      const key_hash = uniqueHash()
      const end = unique()
      const keyed = ['z', 'm', 'a'].map((start) => sample({ name: `${start}.${end}.test`, key_hash }))
      await Promise.all([...keyed, sample(), sample({ key_hash: uniqueHash() })].map((d) => domains.put(d)))
      expect(await domains.withKey(key_hash)).toEqual(keyed.toReversed())
    })

    test('removes a domain, once and again', async () => {
      const domain = sample({ key_hash: uniqueHash() })
      const other = sample({ key_hash: domain.key_hash })
      await domains.put(domain)
      await domains.put(other)
      await domains.remove(domain.name)
      await domains.remove(domain.name)
      await domains.remove(uniqueDomain())
      expect(await domains.find(domain.name)).toBeUndefined()
      expect((await domains.list()).map(({ name }) => name)).not.toContain(domain.name)
      expect(await domains.withKey(domain.key_hash!)).toEqual([other])

      await domains.put(domain)
      expect(await domains.find(domain.name)).toEqual(domain)
    })

    test('what a method returns is the caller’s own', async () => {
      const domain = sample({ key_hash: uniqueHash() })
      const given = { ...domain }
      await domains.put(given)
      given.status = 'pending'
      for (const found of [
        await domains.find(domain.name),
        ...(await domains.withKey(domain.key_hash!)),
        (await domains.list()).find(({ name }) => name === domain.name),
      ]) {
        found!.key_hash = null
        found!.configured = true
      }
      expect(await domains.find(domain.name)).toEqual(domain)
    })
  })
}
