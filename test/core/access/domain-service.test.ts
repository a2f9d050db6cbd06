import { beforeEach, describe, expect, test } from '@jest/globals'
import { hashKey } from '../../../core/access/api-keys.ts'
import { DomainService } from '../../../core/access/domain-service.ts'
import type { Domain, Domains, Limits, MailProvider } from '../../../core/access/ports.ts'
import { Problem } from '../../../core/errors.ts'

/** What cannot be caused on real parts here: a mail provider that wants proof, and DNS that fails at a moment. */
describe('the domainService', () => {
  let stored: Map<string, Domain>
  let writes: string[]
  let claims: string[]
  let confirmed: boolean
  let mx: { preference: number; exchange: string }[] | 'fail'
  let txt: string[] | 'fail'
  let domainService: DomainService

  const domains: Domains = {
    find: async (name) => stored.get(name),
    list: async () => [...stored.values()],
    withKey: async (hash) => [...stored.values()].filter((domain) => domain.key_hash === hash),
    put: async (domain) => {
      writes.push(`put ${domain.name} ${domain.status}`)
      stored.set(domain.name, domain)
    },
    remove: async (name) => {
      writes.push(`remove ${name}`)
      stored.delete(name)
    },
  }
  const limits = {
    take: async () => ({ allowed: true, remaining: 1, resets_at: 0 }),
  } as unknown as Limits
  const provider: MailProvider = {
    claim: async (name) => {
      claims.push(`claim ${name}`)
      const proof = { type: 'TXT', name: `_proof.${name}`, value: 'token', purpose: 'Proves it.' } as const
      return { confirmed, records: [proof] }
    },
    release: async (name) => {
      claims.push(`release ${name}`)
    },
  }
  const answer = async <T>(records: T[] | 'fail'): Promise<T[]> => {
    if (records === 'fail') throw new Problem('dns_unavailable', 'No answer.')
    return records
  }

  beforeEach(() => {
    stored = new Map()
    writes = []
    claims = []
    confirmed = false
    mx = [{ preference: 10, exchange: 'MX.here.example.' }]
    txt = []
    domainService = new DomainService({
      domains,
      limits,
      provider,
      dns: { mx: () => answer(mx), txt: () => answer(txt), cname: async () => [] },
      mxHost: 'mx.here.example',
      clock: () => 1000,
    })
  })

  test('is pending until the provider confirms, and writes only what changed', async () => {
    expect(await domainService.verify('a.example', 'client')).toMatchObject({
      verified: true,
      status: 'pending',
    })
    expect((await domainService.verified()).length).toBe(0)
    expect(await domainService.open('a.example', undefined)).toMatchObject({ status: 'pending' })
    await domainService.verifyAll(() => {})
    confirmed = true
    await domainService.verifyAll(() => {})
    await domainService.verifyAll(() => {})
    expect(writes).toEqual(['put a.example pending', 'put a.example verified'])
    expect((await domainService.verified()).length).toBe(1)
  })

  test('shows the records that the provider wants', async () => {
    const { records } = await domainService.verify('a.example', 'client')
    expect(records.map(({ type, name, found }) => ({ type, name, found }))).toEqual([
      { type: 'MX', name: 'a.example', found: true },
      { type: 'TXT', name: '_proof.a.example', found: false },
      { type: 'TXT', name: '_mayfly.a.example', found: false },
    ])
  })

  test('gives a domain back to the provider when its MX is gone', async () => {
    await domainService.verify('a.example', 'client')
    mx = []
    await domainService.verifyAll(() => {})
    expect(stored.size).toBe(0)
    expect(claims.at(-1)).toBe('release a.example')
  })

  test('changes nothing when DNS fails, for either record', async () => {
    txt = ['key=k']
    await domainService.verify('a.example', 'client')
    const before = new Map(stored)
    for (const fault of ['mx', 'txt']) {
      if (fault === 'mx') mx = 'fail'
      else [mx, txt] = [[{ preference: 1, exchange: 'other.example' }], 'fail']
      const failed: string[] = []
      await domainService.verifyAll((name) => failed.push(name))
      expect(failed).toEqual(['a.example'])
      await expect(domainService.verify('b.example', 'client')).rejects.toMatchObject({
        code: 'dns_unavailable',
        extra: { domain: 'b.example', verified: false, mx: 'mx.here.example' },
      })
    }
    expect(stored).toEqual(before)
  })

  test('a domain that takes no mail (RFC 7505) is not ours', async () => {
    mx = [{ preference: 0, exchange: '.' }]
    expect(await domainService.verify('a.example', 'client')).toMatchObject({
      verified: false,
      mx: 'mx.here.example',
    })
  })

  test('a configured domain can be pending too until the provider confirms', async () => {
    await domainService.configure([{ name: 'a.example', key: null }], 'pending')
    expect(stored.get('a.example')!.status).toBe('pending')
    confirmed = true
    await domainService.verifyAll(() => {})
    expect(stored.get('a.example')!.status).toBe('verified')
    await domainService.configure([{ name: 'a.example', key: null }], 'pending')
    expect(writes).toEqual(['put a.example pending', 'put a.example verified'])
  })

  test('a configured domain stays, its configured key too, and one that left the configuration goes', async () => {
    await domainService.configure(
      [
        { name: 'a.example', key: 'secret' },
        { name: 'b.example', key: null },
      ],
      'verified',
    )
    mx = []
    await domainService.verifyAll(() => {})
    expect([...stored.values()].map(({ name, key_hash }) => [name, key_hash])).toEqual([
      ['a.example', hashKey('secret')],
      ['b.example', null],
    ])
    mx = [{ preference: 10, exchange: 'mx.here.example' }]
    txt = ['key=from-dns']
    await domainService.verifyAll(() => {})
    expect(stored.get('a.example')!.key_hash).toBe(hashKey('secret'))
    expect(stored.get('b.example')!.key_hash).toBe(hashKey('from-dns'))
    await domainService.configure([{ name: 'b.example', key: null }], 'verified')
    expect([...stored.keys()]).toEqual(['b.example'])
    expect(stored.get('b.example')!.key_hash).toBe(hashKey('from-dns'))
  })
})
