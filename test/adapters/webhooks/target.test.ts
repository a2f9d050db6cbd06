import { isIP } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isPrivateNetwork, isPublic } from '../../../adapters/webhooks/addresses.ts'
import {
  NoAddressError,
  resolveTarget,
  systemLookup,
  TargetError,
  type TargetRules,
  targetUrl,
} from '../../../adapters/webhooks/target.ts'

const STRICT = { loopback: false }
const LOCAL = { loopback: true }

describe('a webhook may not call', () => {
  test.each([
    ['this machine', ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '::']],
    ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1']],
    ['shared address space (RFC 6598)', ['100.64.0.1', '100.127.255.255']],
    [
      'link-local addresses and the metadata services of clouds',
      ['169.254.169.254', 'fe80::1', 'fd00:ec2::254'],
    ],
    ['multicast and broadcast', ['224.0.0.1', '255.255.255.255', 'ff02::1']],
    [
      'reserved and documentation addresses',
      ['240.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '198.18.0.1'],
    ],
    [
      'IPv4 inside IPv6',
      ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '::ffff:0:127.0.0.1'],
    ],
    ['NAT64 with well-known and local prefixes', ['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1']],
    [
      'IPv6 outside global unicast, such as Yggdrasil',
      ['200::1', '2::1', '3f::1', '300::1', '5f00::1', '4000::1', '1fff:2000::1', '4000:3000::1'],
    ],
    ['the host of a virtual machine on Azure', ['168.63.129.16', '::ffff:168.63.129.16']],
    ['6to4 and Teredo', ['2002:7f00:1::', '2002:808:808::1', '2001:0:1::1']],
    ['a malformed address', ['', 'localhost', '1.2.3', '1.2.3.4.5', 'fe80::1%eth0', '999.1.1.1']],
  ])('%s', (_name, addresses) => {
    expect(addresses.filter(isPublic)).toEqual([])
  })

  test('a webhook may call public addresses', () => {
    const addresses = [
      '8.8.8.8',
      '1.1.1.1',
      '172.15.0.1',
      '172.32.0.1',
      '100.63.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ]
    expect(addresses.filter((address) => !isPublic(address))).toEqual([])
    expect(isPublic('::ffff:8.8.8.8')).toBe(true)
  })
})

test('private networks are those of RFC 1918 and RFC 4193, without the metadata of AWS', () => {
  const inside = [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fc00::1',
    'fdff::1',
    '::ffff:10.0.0.1',
  ]
  const outside = ['8.8.8.8', '127.0.0.1', '::1', '100.64.0.1', '169.254.169.254', 'fe80::1', 'fd00:ec2::254']
  const malformed = ['', 'localhost', '10.1', '10.0.0.1.5', 'fd00::1%eth0']
  expect([...inside, ...outside, ...malformed].filter(isPrivateNetwork)).toEqual(inside)
})

describe('webhook targets', () => {
  const HTTPS = 'The target must be an https URL.'
  const HTTP_OR_HTTPS = 'The target must be an http or https URL.'
  const NO_URL = 'The target is not an absolute URL.'
  const NO_USER = 'The target must not contain a user name or password.'

  test.each([
    ['http://8.8.8.8/', HTTPS],
    ['ftp://8.8.8.8/', HTTPS],
    ['https://user:password@8.8.8.8/', NO_USER],
    ['https://user@8.8.8.8/', NO_USER],
    ['https://:password@8.8.8.8/', NO_USER],
    ['nothing', NO_URL],
    ['/path', NO_URL],
    ['javascript:alert(1)', HTTPS],
    ['file:///etc/passwd', HTTPS],
  ])('%s is not valid: %s', (url, message) => {
    expect(() => targetUrl(url, STRICT)).toThrow(new TargetError(message))
  })

  test.each<[TargetRules, boolean]>([
    [{ loopback: true }, true],
    [{ loopback: false, http: true }, true],
    [{ loopback: false }, false],
    [{ loopback: true, http: false }, false],
  ])('%j: whether http is allowed: %s', (rules, is) => {
    for (const scheme of ['https', ...(is ? ['http'] : [])])
      expect(targetUrl(`${scheme}://8.8.8.8/`, rules).href).toBe(`${scheme}://8.8.8.8/`)
    for (const scheme of ['ftp', ...(is ? [] : ['http'])])
      expect(() => targetUrl(`${scheme}://8.8.8.8/`, rules)).toThrow(is ? HTTP_OR_HTTPS : HTTPS)
  })

  test.each<[TargetRules, string[]]>([
    [{ loopback: false }, ['8.8.8.8']],
    [{ loopback: true }, ['8.8.8.8', '127.0.0.1']],
    [{ loopback: false, privateNetwork: true }, ['8.8.8.8', '10.0.0.1']],
    [{ loopback: true, privateNetwork: true }, ['8.8.8.8', '127.0.0.1', '10.0.0.1']],
  ])('%j allows %j', async (rules, allowed) => {
    const reached: string[] = []
    for (const host of ['8.8.8.8', '127.0.0.1', '10.0.0.1', '169.254.169.254', '0.0.0.0'])
      await resolveTarget(`https://${host}/`, rules, systemLookup).then(
        ({ address }) => reached.push(address),
        (error) => expect(error).toEqual(new TargetError('The target is not on the public internet.')),
      )
    expect(reached).toEqual(allowed)
  })

  test.each([
    ['https://8.8.8.8/', '8.8.8.8', 4],
    ['https://[2606:4700::1111]/', '2606:4700::1111', 6],
  ])('%s is called at its address %s of family %d', async (url, address, family) => {
    const target = await resolveTarget(url, STRICT, () => Promise.reject(new Error('asked')))
    expect(target).toEqual({ url: new URL(url), address, family })
  })

  // Every notation of the URL standard for 127.0.0.1 and similar addresses.
  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::ffff:7f00:1]/',
    'https://[::1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://①②⑦.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://0/',
  ])('%s is rejected', async (url) => {
    await expect(resolveTarget(url, STRICT, systemLookup)).rejects.toThrow(
      /not on the public internet|was not found/,
    )
  })

  test('a service that only this machine reaches may call services of this machine', async () => {
    expect(await resolveTarget('http://127.0.0.1:9/x', LOCAL, systemLookup)).toMatchObject({
      address: '127.0.0.1',
      family: 4,
    })
    await expect(resolveTarget('http://10.0.0.1/', LOCAL, systemLookup)).rejects.toThrow('public internet')
    await expect(resolveTarget('https://169.254.169.254/', LOCAL, systemLookup)).rejects.toThrow(
      'public internet',
    )
  })

  const PUBLIC = ['8.8.8.8', '2606:4700::1111']
  const PRIVATE = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00:ec2::254', '::ffff:10.0.0.1']
  const answering =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: isIP(address) }))

  test.each(PRIVATE)('a name with the private address %s at any position is rejected', async (address) => {
    for (const addresses of [[address], [address, ...PUBLIC], [...PUBLIC, address]]) {
      await expect(resolveTarget('https://t.example/', STRICT, answering(...addresses))).rejects.toThrow(
        'not on the public internet',
      )
    }
  })

  test('a name is resolved once, and its first address is called', async () => {
    const asked: string[] = []
    const lookup = async (host: string) => {
      asked.push(host)
      return answering(...PUBLIC)()
    }
    expect(await resolveTarget('https://T.example:8443/path', STRICT, lookup)).toMatchObject({
      address: '8.8.8.8',
      family: 4,
    })
    expect(
      await resolveTarget('https://t.example/', STRICT, answering('2606:4700::1111', '8.8.8.8')),
    ).toMatchObject({
      address: '2606:4700::1111',
      family: 6,
    })
    expect(asked).toEqual(['t.example'])
  })

  test('the system returns every address of a name', async () => {
    expect(await systemLookup('127.0.0.1')).toEqual([{ address: '127.0.0.1', family: 4 }])
  })

  test('a name that has no address or cannot be resolved is rejected', async () => {
    const failing = () => Promise.reject(new Error('ENOTFOUND'))
    for (const lookup of [answering(), failing]) {
      await expect(resolveTarget('https://t.example/', STRICT, lookup)).rejects.toThrow(NoAddressError)
    }
  })

  test('only https URLs with public addresses are called', async () => {
    const hosts = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((ip) => `[${ip}]`),
      fc.webAuthority(),
    )
    const urls = fc.oneof(
      fc
        .tuple(fc.constantFrom('https', 'http', 'ftp'), hosts)
        .map(([scheme, host]) => `${scheme}://${host}/`),
      fc.webUrl(),
      fc.string(),
    )
    let called = 0
    await fc.assert(
      fc.asyncProperty(
        urls,
        fc.subarray([...PUBLIC, ...PRIVATE], { minLength: 1 }),
        async (url, addresses) => {
          const target = await resolveTarget(url, STRICT, answering(...addresses)).catch(() => undefined)
          if (target === undefined) return
          called++
          expect([target.url.protocol, isPublic(target.address)]).toEqual(['https:', true])
          if (isIP(target.url.hostname.replace(/[[\]]/g, '')) === 0)
            expect(addresses.every(isPublic)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
    expect(called).toBeGreaterThan(0)
  })
})
