import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { hashKey } from '../../../core/access/api-keys.ts'
import { DomainService } from '../../../core/access/domain-service.ts'
import type { Limits, MailProvider } from '../../../core/access/ports.ts'
import { DomainVerifier } from '../../../core/access/verifier.ts'
import { WrongKeys } from '../../../core/access/wrong-keys.ts'
import { Problem } from '../../../core/errors.ts'
import {
  DAY_MS,
  DNS_QUESTIONS,
  DOMAINS_PER_CLIENT_PER_DAY,
  MINUTE_MS,
  VERIFICATIONS_PER_MINUTE,
} from '../../../core/limits.ts'
import { openTemporary } from '../../adapters/sqlite/store-temporary.ts'
import { FakeDns, FakeDomains, FakeLimits } from './fakes.ts'

const NAME = 'a.example'
const OURS = [{ preference: 10, exchange: 'MX.here.example.' }]
const ELSEWHERE = [{ preference: 10, exchange: 'mx.other.example' }]

/**
 * What real parts cannot cause: a mail provider that requires proof, DNS that answers at a chosen
 * moment, and days.
 */
describe('a verification', () => {
  let domains: FakeDomains
  let limits: FakeLimits
  let dns: FakeDns
  let claims: string[]
  let purged: string[]
  let confirmed: boolean
  let now: number
  let verifier: DomainVerifier
  let service: DomainService

  let provider: MailProvider
  const newProvider = (): MailProvider => ({
    claim: async (name) => {
      claims.push(`claim ${name}`)
      const proof = { type: 'TXT', name: `_proof.${name}`, value: 'token', purpose: 'Proves it.' } as const
      return { confirmed, records: [proof] }
    },
    // It ends late, as does the removal of mail: a process may freeze after a verification.
    release: async (name) => {
      await turn()
      claims.push(`release ${name}`)
    },
  })
  /** Each has its own cache of DNS answers, as each process does. */
  const newVerifier = (counted: Limits = limits) =>
    new DomainVerifier({
      domains,
      limits: counted,
      dns,
      provider,
      mxHost: 'MX.here.Example.',
      clock: () => now,
      purge: async (name, upTo) => {
        await turn()
        purged.push(`${name} ${upTo}`)
      },
    })
  const verify = (key?: string) => verifier.verify(NAME, { client: 'client', key })
  const known = () => domains.stored.get(NAME)
  const configure = (...list: { name: string; key: string | null }[]) => service.configure(list, 'verified')

  beforeEach(() => {
    domains = new FakeDomains()
    limits = new FakeLimits()
    dns = new FakeDns()
    claims = []
    purged = []
    confirmed = true
    now = 1_790_000_000_000
    dns.mxRecords = OURS
    provider = newProvider()
    service = new DomainService({ domains, wrongKeys: new WrongKeys(limits, () => now), clock: () => now })
    verifier = newVerifier()
  })

  test('leaves a domain pending until the provider confirms', async () => {
    confirmed = false
    expect(await verify()).toMatchObject({ verified: true, status: 'pending' })
    expect(await service.verified()).toEqual([])
    expect(await service.open(NAME, undefined, 'client')).toMatchObject({ status: 'pending' })
    await verifier.verifyAll(() => {})
    confirmed = true
    await verifier.verifyAll(() => {})
    expect(domains.changes).toEqual([`${NAME} pending`, `${NAME} pending`, `${NAME} verified`])
    expect((await service.verified()).length).toBe(1)
    expect(limits.taken.filter((name) => name === 'new-domains')).toHaveLength(1)
  })

  test('of a name that only private networks have is refused before DNS is asked, where strangers can call', async () => {
    const strict = new DomainVerifier({
      domains,
      limits,
      dns,
      provider,
      mxHost: 'mx.here.example',
      clock: () => now,
      publicNamesOnly: true,
      purge: async () => {},
    })
    const tops =
      'local localhost localdomain internal intranet lan home corp private home.arpa onion invalid alt'
    for (const top of tops.split(' ')) {
      const name = `mail.${top}`
      await expect(strict.verify(name, { client: 'client' })).rejects.toMatchObject({
        code: 'invalid_domain',
      })
      await expect(strict.verify(`my${name}x`, { client: 'client' })).resolves.toMatchObject({
        verified: true,
      })
    }
    await expect(strict.verify('home.arpa', { client: 'client' })).rejects.toMatchObject({
      code: 'invalid_domain',
    })
    for (const name of ['internal.example', 'my-home.arpa', 'example.mylan'])
      await expect(strict.verify(name, { client: 'client' })).resolves.toMatchObject({ verified: true })
    await expect(verifier.verify('mail.corp', { client: 'client' })).resolves.toMatchObject({
      verified: true,
    })
  })

  test('shows the records that the provider requires', async () => {
    expect(await verify()).toEqual({
      domain: NAME,
      verified: true,
      mx: 'mx.here.example',
      status: 'verified',
      private: false,
      records: [
        {
          type: 'MX',
          name: NAME,
          value: '10 mx.here.example',
          purpose: expect.stringContaining('mail of the domain'),
          found: true,
        },
        { type: 'TXT', name: `_proof.${NAME}`, value: 'token', purpose: 'Proves it.', found: false },
        {
          type: 'TXT',
          name: `_mayfly.${NAME}`,
          value: 'key=<your domain key>, or key-sha256=<its SHA-256 in hex>',
          purpose: 'Optional: makes the domain private.',
          found: false,
        },
      ],
    })
    dns.texts = ['token']
    dns.mxRecords = ELSEWHERE
    now += MINUTE_MS
    expect(await verifier.verify('A.Example', { client: 'client' })).toMatchObject({
      domain: NAME,
      verified: false,
      mx: 'mx.other.example',
    })
  })

  test('of a domain whose mail the provider already accepts for another account registers nothing', async () => {
    provider.claim = async () => ({ confirmed: false, records: [], foreign: true })
    await expect(verify()).rejects.toMatchObject({ code: 'invalid_domain' })
    expect(known()).toBeUndefined()
    provider = newProvider()
    verifier = newVerifier()
    await verify()
    provider.claim = async () => ({ confirmed: false, records: [], foreign: true })
    expect(await verify()).toMatchObject({ status: 'pending' })
  })

  test('releases a domain at the provider when its MX is gone', async () => {
    await verify()
    dns.mxRecords = []
    await verifier.verifyAll(() => {})
    expect(known()).toBeUndefined()
    expect(claims.at(-1)).toBe(`release ${NAME}`)
  })

  test('by the schedule registers nothing', async () => {
    expect(await verifier.verify(NAME, undefined)).toMatchObject({ verified: true, status: 'unverified' })
    expect([domains.changes, claims, limits.taken]).toEqual([[], [], []])
  })

  test('finds the MX record of this service among others of the same preference, and no other', async () => {
    dns.mxRecords = [...ELSEWHERE, ...OURS]
    const { verified, records } = await verify()
    expect([verified, records[0]!.found]).toEqual([true, true])
    dns.mxRecords = ELSEWHERE
    const other = await verify('k')
    expect(other).toMatchObject({ verified: false, status: 'unverified', private: false })
    expect(other.records.map(({ type, found }) => [type, found])).toEqual([
      ['MX', false],
      ['TXT', false],
    ])
  })

  test('removes earlier mail when a domain is registered, and by the schedule each time', async () => {
    await verify()
    await verify()
    expect(purged).toHaveLength(1)
    await verifier.verifyAll(() => {})
    expect(purged).toEqual(Array(2).fill(`${NAME} ${known()!.visibleAfter}`))
  })

  test('removes no mail of a domain that is unregistered meanwhile', async () => {
    const change = domains.change.bind(domains)
    domains.change = async (...args) => {
      const done = await change(...args)
      domains.stored.clear()
      return done
    }
    await verify()
    expect(purged).toEqual([])
  })

  test('of all domains reports a store that cannot list them', async () => {
    const fault = new Error('no store')
    domains.list = () => Promise.reject(fault)
    const failed: unknown[] = []
    await verifier.verifyAll((...args) => failed.push(args))
    expect(failed).toEqual([['*', fault]])
  })

  test('of a domain that accepts no mail (RFC 7505) registers nothing', async () => {
    dns.mxRecords = [{ preference: 0, exchange: '.' }]
    expect(await verify()).toMatchObject({ verified: false, mx: 'mx.here.example' })
    expect(known()).toBeUndefined()
  })

  describe('without a definite answer', () => {
    test('makes nothing public and registers nothing, whichever record it is', async () => {
      dns.texts = ['key=k']
      await verify()
      for (const fault of ['mx', 'txt'] as const) {
        dns.mxRecords = fault === 'mx' ? 'fail' : ELSEWHERE
        dns.texts = fault === 'txt' ? 'fail' : []
        const failed: string[] = []
        await verifier.verifyAll((name) => failed.push(name))
        expect(failed).toEqual([NAME])
        expect(known()).toMatchObject({ keyHash: hashKey('k'), status: 'verified' })
        await expect(verifier.verify('b.example', { client: 'c' })).rejects.toMatchObject({
          code: 'dns_unavailable',
          retryAfter: 10,
          extra: { domain: 'b.example', verified: false, mx: 'mx.here.example' },
        })
        expect(domains.stored.size).toBe(1)
      }
    })

    test('is recorded once', async () => {
      await verify()
      dns.mxRecords = 'fail'
      const since = ++now
      for (let again = 0; again < 3; again++, now++) await expect(verify()).rejects.toBeInstanceOf(Problem)
      expect(known()).toMatchObject({ checkedAt: since - 1, unansweredSince: since })
      expect(domains.changes).toHaveLength(2)
      expect(purged).toHaveLength(1)
    })

    test('because of another fault than DNS changes nothing', async () => {
      await verify()
      const fault = new Error('a fault')
      dns.mx = () => Promise.reject(fault)
      await expect(verify()).rejects.toBe(fault)
      expect(domains.changes).toHaveLength(1)
    })

    test('for three days ends the registration, and not before', async () => {
      dns.texts = ['key=k']
      await verify()
      dns.texts = 'fail'
      await expect(verify()).rejects.toMatchObject({ code: 'dns_unavailable' })
      now += 3 * DAY_MS - 1
      await expect(verify()).rejects.toMatchObject({ code: 'dns_unavailable' })
      expect(known()).toMatchObject({ keyHash: hashKey('k') })
      now += 1
      await expect(verify()).rejects.toMatchObject({ code: 'dns_unavailable' })
      expect(known()).toBeUndefined()
      expect(claims.at(-1)).toBe(`release ${NAME}`)
    })

    test('for three days releases nothing if another change comes first', async () => {
      await verify()
      dns.mxRecords = 'fail'
      await expect(verify()).rejects.toMatchObject({ code: 'dns_unavailable' })
      now += 3 * DAY_MS
      domains.change = async () => false
      await expect(verify()).rejects.toMatchObject({ code: 'dns_unavailable' })
      expect(claims.filter((call) => call.startsWith('release'))).toEqual([])
    })

    test('counts from the last definite answer', async () => {
      await verify()
      for (let day = 0; day < 8; day++) {
        dns.mxRecords = day % 2 === 0 ? 'fail' : OURS
        now += 2 * DAY_MS
        await verifier.verifyAll(() => {})
      }
      expect(known()).toBeDefined()
    })

    test('leaves a configured domain registered', async () => {
      await configure({ name: NAME, key: null })
      dns.mxRecords = 'fail'
      for (let day = 0; day < 9; day++) {
        now += DAY_MS
        await verifier.verifyAll(() => {})
      }
      expect(known()).toBeDefined()
    })
  })

  describe('of a private domain whose key record is missing', () => {
    beforeEach(async () => {
      dns.texts = ['key=k']
      await verify('k')
      dns.texts = []
    })

    test('makes it public only if the record is still missing five minutes later, and then without the old mail', async () => {
      const before = known()!
      expect(await verify()).toMatchObject({ private: true })
      now += 5 * MINUTE_MS - 100
      expect(await verify()).toMatchObject({ private: true })
      expect(purged).toHaveLength(1)
      now += 200
      expect(await verify()).toMatchObject({ private: false })
      expect(known()).toMatchObject({ keyHash: null, registeredAt: now, keyMissingSince: null })
      expect(known()!.visibleAfter > before.visibleAfter).toBe(true)
      expect(purged.at(-1)).toBe(`${NAME} ${known()!.visibleAfter}`)
    })

    test.each<[string, string[] | 'fail']>([
      ['that is there again', ['key=k']],
      ['that cannot be read', ['Key=k']],
    ])('begins to count anew after a record %s', async (_, texts) => {
      await verify()
      now += 4 * MINUTE_MS
      dns.texts = texts
      expect(await verify()).toMatchObject({ private: true })
      now += 4 * MINUTE_MS
      dns.texts = []
      expect(await verify()).toMatchObject({ private: true })
      now += 4 * MINUTE_MS
      expect(await verify()).toMatchObject({ private: true })
      now += MINUTE_MS + 100
      expect(await verify()).toMatchObject({ private: false })
    })

    test('publishes that it will', async () => {
      const { records } = await verify()
      expect(records.at(-1)).toMatchObject({ found: false, purpose: expect.stringContaining('is gone') })
    })
  })

  test('of a key that changed keeps the mail', async () => {
    dns.texts = ['key=k']
    await verify('k')
    const before = known()!
    dns.texts = [`key-sha256=${hashKey('other')}`]
    await verify()
    expect(known()).toMatchObject({
      keyHash: hashKey('other'),
      keyPresented: false,
      visibleAfter: before.visibleAfter,
      registeredAt: before.registeredAt,
    })
  })

  test.each([
    ['Key=abc', '"key=" is written in lower case'],
    ['abc', 'it begins with neither "key=" nor "key-sha256="'],
    ['key=', 'after "key=" stands a key of 1 to 256 characters of ASCII'],
    ['key-sha256=12', 'after "key-sha256=" stand 64 hexadecimal digits'],
    ['v=spf1 -all', 'it begins with neither "key=" nor "key-sha256="'],
    ['', 'it begins with neither "key=" nor "key-sha256="'],
  ])(
    'of a record that cannot be read (%j) reports it, and neither registers nor opens',
    async (text, fault) => {
      dns.texts = [text]
      const { status, verified, records } = await verify()
      expect({ status, verified }).toEqual({ status: 'unverified', verified: true })
      expect(records.at(-1)).toMatchObject({
        type: 'TXT',
        found: false,
        purpose: expect.stringContaining(`cannot be read: ${fault}. Until it can, `),
      })
      expect(records.at(-1)!.purpose).not.toContain('abc')
      expect(records.at(-1)!.purpose).toMatch(/the domain is not registered\.$/)
      expect(known()).toBeUndefined()
      expect([claims, limits.taken]).toEqual([[], ['verifications']])

      dns.texts = ['key=k']
      await verify()
      dns.texts = [text]
      for (let again = 0; again < 3; again++) {
        now += DAY_MS
        expect(await verify()).toMatchObject({ private: true })
      }
      expect((await verify()).records.at(-1)).toMatchObject({
        found: false,
        purpose: expect.stringMatching(/nothing changes who may read\.$/),
      })
    },
  )

  describe('that overlaps another one', () => {
    test('and asked first does not undo what the later one saw', async () => {
      await verify()
      const slow = Promise.withResolvers<void>()
      dns.held = slow.promise
      const first = verify()
      await Promise.resolve()
      dns.held = undefined
      dns.texts = ['key=k']
      expect(await verify()).toMatchObject({ private: true })
      slow.resolve()
      expect(await first).toMatchObject({ private: true })
      expect(known()).toMatchObject({ keyHash: hashKey('k'), keyMissingSince: null })
    })

    test('nor when the later one registered the domain, or saw nothing new', async () => {
      const slow = Promise.withResolvers<void>()
      dns.held = slow.promise
      const first = verify()
      await Promise.resolve()
      dns.held = undefined
      dns.texts = ['key=k']
      await verify()
      slow.resolve()
      expect(await first).toMatchObject({ private: true })

      const slower = Promise.withResolvers<void>()
      dns.held = slower.promise
      dns.texts = []
      const second = verify()
      await Promise.resolve()
      dns.held = undefined
      dns.texts = ['key=k']
      await verify()
      slower.resolve()
      await second
      expect(known()).toMatchObject({ keyHash: hashKey('k'), keyMissingSince: null })
    })

    test('and has an older answer in its cache does not undo what another process saw since', async () => {
      for (let n = 0; n < DNS_QUESTIONS; n++) await verify()
      now += 1_000
      dns.texts = ['key=k']
      expect(await newVerifier().verify(NAME, { client: 'client', key: undefined })).toMatchObject({
        private: true,
      })
      now += 1_000
      expect(await verify()).toMatchObject({ private: true })
      expect(known()).toMatchObject({ keyHash: hashKey('k'), keyMissingSince: null })
    })

    test('nor does one that asked in the same millisecond', async () => {
      await verify()
      dns.mxRecords = ELSEWHERE
      await newVerifier().verify(NAME, { client: 'client' })
      expect(known()).toBeDefined()
    })

    test('uses what it saw last, even if the clock was set back by more than a minute since', async () => {
      now += MINUTE_MS
      await verify()
      dns.mxRecords = ELSEWHERE
      now -= MINUTE_MS
      await newVerifier().verify(NAME, { client: 'client' })
      expect(known()).toBeDefined()
      now -= 1
      await newVerifier().verify(NAME, { client: 'client' })
      expect(known()).toBeUndefined()
    })

    test('counts against the quota of new domains once', async () => {
      const change = domains.change.bind(domains)
      let faster = 1
      domains.change = async (...args) => faster-- <= 0 && change(...args)
      await verify()
      expect(known()).toBeDefined()
      expect(limits.taken).toEqual(['verifications', 'new-domains'])
    })

    test('gives up when concurrent changes never end', async () => {
      await verify()
      let tries = 0
      domains.change = async () => tries++ < 0
      await expect(verify()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 10 })
      expect(tries).toBe(10)
    })
  })

  test('asks DNS a limited number of times in ten seconds, and then uses the newest answer', async () => {
    for (let n = 0; n < 100; n++) await verify()
    // MX, the key, and the proof that the provider requires.
    expect(dns.questions).toBe(3 * DNS_QUESTIONS)
    dns.mxRecords = ELSEWHERE
    now += 9_000
    expect(await verify()).toMatchObject({ verified: true })
    now += 1_000
    expect(await verify()).toMatchObject({ verified: false })
  })

  test('of a configured domain changes neither its registration nor its configured key', async () => {
    await configure({ name: NAME, key: 'secret' }, { name: 'b.example', key: null })
    dns.mxRecords = []
    await verifier.verifyAll(() => {})
    expect([...domains.stored.values()].map(({ name, keyHash }) => [name, keyHash])).toEqual([
      [NAME, hashKey('secret')],
      ['b.example', null],
    ])
    dns.mxRecords = OURS
    dns.texts = ['key=from-dns']
    await verifier.verifyAll(() => {})
    expect(known()!.keyHash).toBe(hashKey('secret'))
    expect(domains.stored.get('b.example')!.keyHash).toBe(hashKey('from-dns'))
    await configure({ name: 'b.example', key: null })
    expect([...domains.stored.keys()]).toEqual(['b.example'])
    expect(domains.stored.get('b.example')!.keyHash).toBe(hashKey('from-dns'))
  })

  test('of a public domain without a key record never registers it again', async () => {
    await verify()
    const { registeredAt } = known()!
    for (let again = 0; again < 2; again++) {
      now += 5 * MINUTE_MS
      await verify()
      expect(known()).toMatchObject({ registeredAt: registeredAt, keyMissingSince: null })
    }
  })

  describe('by a client', () => {
    let store: Awaited<ReturnType<typeof openTemporary>>
    beforeEach(async () => {
      store = await openTemporary()
      now = Date.now()
      verifier = newVerifier(store.limits)
    })
    afterEach(() => store.close())

    test('is limited per minute', async () => {
      for (let n = 0; n < VERIFICATIONS_PER_MINUTE; n++) await verify()
      now += MINUTE_MS - 1_500
      await expect(verify()).rejects.toMatchObject({
        code: 'rate_limited',
        detail: 'A client address has 30 verifications a minute.',
        retryAfter: 2,
      })
      await verifier.verify(NAME, { client: 'other' })
      now += 1_500
      await verify()
    })

    test('registers a limited number of domains per day', async () => {
      const register = (n: number, client = 'client') => verifier.verify(`d${n}.example`, { client })
      for (let n = 0; n < DOMAINS_PER_CLIENT_PER_DAY; n++) await register(n)
      now += DAY_MS - 1_500
      await expect(register(100)).rejects.toMatchObject({ code: 'domain_quota_exceeded', retryAfter: 2 })
      expect(domains.stored.size).toBe(DOMAINS_PER_CLIENT_PER_DAY)
      await register(0)
      await register(100, 'other')
      now += 1_500
      await register(101)
    })
  })

  describe('with the key', () => {
    test('joins the domain to the others of the key', async () => {
      dns.texts = [`key-sha256=${hashKey('k')}`]
      await verify()
      await expect(service.covered('k', 'client')).rejects.toMatchObject({ code: 'domain_key_invalid' })
      await verify('wrong')
      await expect(service.covered('k', 'client')).rejects.toMatchObject({ code: 'domain_key_invalid' })
      await verify('k')
      expect((await service.covered('k', 'client')).domains.map(({ name }) => name)).toEqual([NAME])
    })

    test('shows its record, and that a public domain has none', async () => {
      const purpose = 'Optional: makes the domain private.'
      const before = await verify('k')
      expect(before).toMatchObject({ private: false })
      expect(before.records.at(-1)).toMatchObject({ found: false, purpose })
      dns.texts = ['key=k']
      const after = await verify('k')
      expect(after).toMatchObject({ private: true })
      expect(after.records.at(-1)).toMatchObject({ found: true, purpose })
    })

    test('joins it for as long as the key is the same', async () => {
      dns.texts = ['key=k']
      await verify('k')
      await verify()
      expect(known()).toMatchObject({ keyPresented: true })
    })

    test('joins it even if the DNS answer is a cached one', async () => {
      dns.texts = ['key=k']
      for (let n = 0; n < DNS_QUESTIONS; n++) await verify()
      await verify('k')
      expect(known()).toMatchObject({ keyPresented: true })
      const { length } = domains.changes
      await verify('k')
      expect(domains.changes).toHaveLength(length)
    })
  })
})
