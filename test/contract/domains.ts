import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Domain, DomainState, Domains } from '../../core/access/ports.ts'
import { Problem } from '../../core/errors.ts'
import type { MessageStore, NewMessage } from '../../core/inbox/ports.ts'
import { isUlid } from '../../core/ulid.ts'
import type { Open, Opened } from './opened.ts'
import {
  putDomain,
  sampleDomain,
  sampleMail,
  unique,
  uniqueAddress,
  uniqueDomain,
  uniqueHash,
} from './sample.ts'

interface Ports {
  domains: Domains
  emails: MessageStore
}

/** The obligations of Domains in core/access/ports.ts. */
export function domainsContract(name: string, open: Open<Ports>): void {
  describe(`Domains: ${name}`, () => {
    let store: Opened<Ports>
    let domains: Domains

    beforeAll(async () => {
      store = await open()
      domains = store.domains
    })
    afterAll(() => store.close())

    const put = (state: DomainState) => putDomain(domains, state)

    test('does not know a domain that was not registered', async () => {
      expect(await domains.find(uniqueDomain())).toBeUndefined()
      expect(await domains.withKey(uniqueHash())).toEqual([])
    })

    test.each<Partial<DomainState>>([
      {},
      { status: 'pending' },
      { keyHash: uniqueHash(), keyPresented: true, keyMissingSince: 5, checkedAt: 7 },
      { configured: true, unansweredSince: 9 },
      { configured: true, keyConfigured: true, keyHash: uniqueHash() },
      // Named by number: a mutation run identifies a test by its name, which must be the same each
      // time.
    ])('keeps a domain, %#', async (change) => {
      const state = sampleDomain(change)
      const domain = await put(state)
      expect(domain).toEqual({ ...state, visibleAfter: expect.any(String), revision: expect.any(String) })
      expect(isUlid(domain.visibleAfter)).toBe(true)
      expect(await domains.list()).toContainEqual(domain)
    })

    test('replaces the state of a domain', async () => {
      const [before, after] = [uniqueHash(), uniqueHash()]
      const domain = await put(sampleDomain({ status: 'pending', keyHash: before }))
      const { visibleAfter } = domain
      const changed = await put({ ...domain, status: 'verified', keyHash: after, keyMissingSince: 3 })
      expect(changed).toMatchObject({
        status: 'verified',
        keyHash: after,
        keyMissingSince: 3,
        visibleAfter: visibleAfter,
      })
      expect((await domains.list()).filter(({ name }) => name === domain.name)).toEqual([changed])
      expect(await domains.withKey(before)).toEqual([])
      expect(await domains.withKey(after)).toEqual([changed])

      const open = await put({ ...changed, keyHash: null, keyMissingSince: null })
      expect(open).toMatchObject({ keyHash: null, keyMissingSince: null })
      expect(await domains.withKey(after)).toEqual([])
    })

    describe('compares before it changes:', () => {
      test('of concurrent changes, one succeeds', async () => {
        const domain = await put(sampleDomain())
        const hashes = Array.from({ length: 10 }, uniqueHash)
        const done = await Promise.all(
          hashes.map((keyHash) => domains.change(domain.name, domain, { ...domain, keyHash })),
        )
        expect(done.filter(Boolean)).toHaveLength(1)
        expect(await domains.find(domain.name)).toMatchObject({ keyHash: hashes[done.indexOf(true)] })
      })

      test('of concurrent registrations, one succeeds', async () => {
        const state = sampleDomain()
        const states = Array.from({ length: 10 }, () => ({ ...state, keyHash: uniqueHash() }))
        const done = await Promise.all(states.map((one) => domains.change(state.name, undefined, one)))
        expect(done.filter(Boolean)).toHaveLength(1)
        expect(await domains.find(state.name)).toMatchObject(states[done.indexOf(true)]!)
      })

      test('a domain that was changed, removed or registered meanwhile stays as it is', async () => {
        const first = await put(sampleDomain())
        const second = await put({ ...first, status: 'pending' })
        for (const after of [{ ...first, status: 'pending' } as const, first, undefined]) {
          expect(await domains.change(first.name, first, after)).toBe(false)
          expect(await domains.change(first.name, undefined, after)).toBe(false)
        }
        expect(await domains.find(first.name)).toEqual(second)

        expect(await domains.change(first.name, second, undefined)).toBe(true)
        expect(await domains.change(first.name, second, second)).toBe(false)
        expect(await domains.find(first.name)).toBeUndefined()
        expect(await domains.change(first.name, undefined, undefined)).toBe(true)

        // Equal in every field, but a later revision.
        await put(first)
        expect(await domains.change(first.name, first, undefined)).toBe(false)
        expect(await domains.change(first.name, second, undefined)).toBe(false)
      })

      test('also when the later change wrote the same values', async () => {
        const first = await put(sampleDomain())
        await put(first)
        expect(await domains.change(first.name, first, { ...first, status: 'pending' })).toBe(false)
      })
    })

    describe('a domain that is registered again', () => {
      /** Stores a mail, later if it must wait until the domain is registered again. */
      async function storeInTime(mail: NewMessage): Promise<void> {
        for (;;) {
          try {
            await store.emails.store(mail)
            return
          } catch (error) {
            if (!(error instanceof Problem && error.code === 'unavailable')) throw error
          }
        }
      }

      const store1 = async (domain: string) =>
        (await store.emails.store(sampleMail([uniqueAddress(domain)])))[0]!

      test('has its earlier mail up to its visibleAfter, and all later mail above it', async () => {
        const domain = await put(sampleDomain())
        const before = await store1(domain.name)
        const anew = await put({ ...domain, registeredAt: domain.registeredAt + 1 })
        expect(anew.visibleAfter >= before.id).toBe(true)
        const mail = sampleMail([uniqueAddress(domain.name)])
        const [after] = await store.emails.store({
          ...mail,
          visibleAfter: { [domain.name]: anew.visibleAfter },
        })
        expect(after!.id > anew.visibleAfter).toBe(true)
        expect((await put({ ...anew, keyHash: uniqueHash() })).visibleAfter).toBe(anew.visibleAfter)
      })

      test('also when it was removed in between', async () => {
        const domain = await put(sampleDomain())
        const before = await store1(domain.name)
        await domains.change(domain.name, domain, undefined)
        const anew = await put(sampleDomain({ name: domain.name }))
        expect(anew.visibleAfter >= before.id).toBe(true)
        expect(anew.visibleAfter > domain.visibleAfter).toBe(true)
      })

      test('gets no copy of mail that was accepted before', async () => {
        const [domain, other] = [await put(sampleDomain()), await put(sampleDomain())]
        const recipients = [uniqueAddress(domain.name), uniqueAddress(other.name)]
        const mail = sampleMail(recipients, {
          visibleAfter: { [domain.name]: domain.visibleAfter, [other.name]: other.visibleAfter },
        })
        await put({ ...domain, registeredAt: domain.registeredAt + 1 })
        expect((await store.emails.store(mail)).map(({ address }) => address)).toEqual([recipients[1]])
        expect((await store.emails.page(recipients[0]!, { limit: 1 })).emails).toEqual([])
        await domains.change(other.name, other, undefined)
        expect(
          await store.emails.store(sampleMail([recipients[1]!], { visibleAfter: mail.visibleAfter! })),
        ).toEqual([])
      })

      test('shows none of the mail that races with the registration', async () => {
        for (let round = 0; round < 5; round++) {
          const domain = await put(sampleDomain())
          const registrations = { [domain.name]: domain.visibleAfter }
          const mails = Array.from({ length: 10 }, () =>
            sampleMail([uniqueAddress(domain.name)], { visibleAfter: registrations }),
          )
          const storing = mails.map((mail) => storeInTime(mail))
          const [anew] = await Promise.all([
            put({ ...domain, registeredAt: domain.registeredAt + 1 }),
            ...storing,
          ])
          for (const { recipients } of mails) {
            const { emails } = await store.emails.page(recipients[0]!, {
              limit: 1,
              after: anew.visibleAfter,
            })
            expect(emails).toEqual([])
          }
        }
      })
    })

    test('lists all by name', async () => {
      const end = unique()
      const names = ['b', 'a', 'a-b', 'ab', 'c'].map((start) => `${start}.${end}.test`)
      await Promise.all(names.map((name) => put(sampleDomain({ name }))))
      const listed = (await domains.list()).map(({ name }) => name)
      expect(listed.filter((name) => name.includes(end))).toEqual(names.toSorted())
      expect(listed).toEqual(listed.toSorted())
    })

    test('lists those with a key by name, and no others', async () => {
      const keyHash = uniqueHash()
      const end = unique()
      const keyed: Domain[] = []
      for (const start of ['z', 'm', 'a']) {
        keyed.push(await put(sampleDomain({ name: `${start}.${end}.test`, keyHash })))
      }
      await put(sampleDomain())
      await put(sampleDomain({ keyHash: uniqueHash() }))
      expect(await domains.withKey(keyHash)).toEqual(keyed.toReversed())
    })

    test('removes a domain', async () => {
      const domain = await put(sampleDomain({ keyHash: uniqueHash() }))
      const other = await put(sampleDomain({ keyHash: domain.keyHash }))
      expect(await domains.change(domain.name, domain, undefined)).toBe(true)
      expect(await domains.find(domain.name)).toBeUndefined()
      expect((await domains.list()).map(({ name }) => name)).not.toContain(domain.name)
      expect(await domains.withKey(domain.keyHash!)).toEqual([other])
    })

    test('returns objects that belong to the caller', async () => {
      const state = sampleDomain({ keyHash: uniqueHash() })
      const given = { ...state }
      const domain = await put(given)
      given.status = 'pending'
      for (const found of [
        await domains.find(domain.name),
        ...(await domains.withKey(domain.keyHash!)),
        (await domains.list()).find(({ name }) => name === domain.name),
      ]) {
        found!.keyHash = null
        found!.configured = true
      }
      expect(await domains.find(domain.name)).toEqual({ ...domain, ...state })
    })
  })
}
