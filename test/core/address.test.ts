import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { acceptedAddress, acceptedRecipient, requestedAddress } from '../../core/access/accepted-address.ts'
import { CATCH_ALL } from '../../core/access/catch-all.ts'
import type { Domain } from '../../core/access/ports.ts'
import {
  canonicalAddress,
  domainFault,
  localPartFault,
  needsSmtpUtf8,
  parseDomain,
} from '../../core/address.ts'
import { Problem } from '../../core/errors.ts'

const SOFT_HYPHEN = '\u00ad'

test.each([
  ['@a.b', 'is empty'],
  ['""@a.b', 'is empty'],
  [`${'ü'.repeat(33)}@a.b`, 'is longer than 64 octets'],
  [`${'x'.repeat(1001)}@a.b`, 'is longer than 64 octets'],
  ['a‮b@a.b', 'has a control character or an invisible one'],
  ['a b@a.b', 'has a character that needs quotes'],
  ['"a"b"@a.b', 'has a quote within its quotes'],
  ['.a@a.b', 'has a dot at an end, or two dots in a row'],
])('the local part of %s %s', (address, fault) => {
  expect(localPartFault(address)).toBe(fault)
})

describe('the canonical form', () => {
  test.each([
    ['Bot@Example.COM', 'bot@example.com'],
    ['bot+tag@example.com', 'bot+tag@example.com'],
    ["o'neil/{x}@example.com", "o'neil/{x}@example.com"],
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['a@例え。テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example'],
    [`a@${'x'.repeat(63)}.b`, `a@${'x'.repeat(63)}.b`],
    [`a@${'x.'.repeat(126)}b`, `a@${'x.'.repeat(126)}b`],
    // A soft hyphen is nothing (UTS #46).
    [`a@b${SOFT_HYPHEN.repeat(991)}.example`, 'a@b.example'],
    [`${'x'.repeat(64)}@a.b`, `${'x'.repeat(64)}@a.b`],
    // UTF-8 (RFC 6531): lower case, NFC, counted in octets.
    ['Jürgen@a.b', 'jürgen@a.b'],
    ['ju\u0308rgen@a.b', 'jürgen@a.b'],
    ['ИВАН@a.b', 'иван@a.b'],
    ['用户.名@a.b', '用户.名@a.b'],
    ['👍@a.b', '👍@a.b'],
    [`${'ü'.repeat(32)}@a.b`, `${'ü'.repeat(32)}@a.b`],
    // Quotes stay only where they are needed.
    ['"bot"@a.b', 'bot@a.b'],
    ['"Jo.Hn"@a.b', 'jo.hn@a.b'],
    ['"b\\ot"@a.b', 'bot@a.b'],
    ['"jürgen"@a.b', 'jürgen@a.b'],
    ['"John Doe"@a.b', '"john doe"@a.b'],
    ['"a@b"@a.b', '"a@b"@a.b'],
    ['"a\\"b\\\\c\\d"@a.b', '"a\\"b\\\\cd"@a.b'],
    ['"a\u3000b"@a.b', '"a\u3000b"@a.b'],
  ])('%s is %s, everywhere', async (text, address) => {
    const domain = address.slice(address.lastIndexOf('@') + 1)
    expect(canonicalAddress(text)).toEqual({ address, domain, isUnusual: false })
    expect((await acceptedAddress(domains(), text))?.address).toBe(address)
  })

  test.each([
    ['foo.@docomo.ne.jp', 'foo.@docomo.ne.jp'],
    ['.Foo@a.b', '.foo@a.b'],
    ['a..b@a.b', 'a..b@a.b'],
    ['"foo."@a.b', 'foo.@a.b'],
    ['"a..b"@a.b', 'a..b@a.b'],
    ['x@localhost', 'x@localhost'],
    ['x@mail-1', 'x@mail-1'],
  ])('%s is %s, if every domain is accepted', async (text, address) => {
    expect(canonicalAddress(text)).toMatchObject({ address, isUnusual: true })
    expect((await acceptedAddress(domains(CATCH_ALL), text))?.address).toBe(address)
    expect(await acceptedAddress(domains(), text)).toBeUndefined()
    await expect(requestedAddress(domains(), text)).rejects.toMatchObject({ code: 'invalid_address' })
  })

  test.each([
    '',
    '@',
    'a@',
    '@a.b',
    'a@a.b.',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@a.123',
    'a@123',
    'a b@a.b',
    'a\u3000b@a.b',
    'a\u0000@a.b',
    '"a\u0000"@a.b',
    '"a\r\nb"@a.b',
    'a\u0085@a.b',
    'a\u200bb@a.b',
    'a\u202eb@a.b',
    'a\ufffd@a.b',
    'a\ud800@a.b',
    '""@a.b',
    '"@a.b',
    '"a"b"@a.b',
    '"a\\"@a.b',
    'a"b@a.b',
    'a\\b@a.b',
    'a,b@a.b',
    'a<b>@a.b',
    `${'x'.repeat(65)}@a.b`,
    `${'ü'.repeat(32)}x@a.b`,
    `"${'x'.repeat(62)} "@a.b`,
    `a@${'x'.repeat(64)}.b`,
    `a@${'x.'.repeat(127)}bb`,
    'a@-a.b',
    'a@a-.b',
    ...[' ', '\t', '%41', '/', '?', '#', ':', '[', ']', '\\'].map((mark) => `a@ä${mark}.b`),
    `a@b${SOFT_HYPHEN.repeat(992)}.example`,
    `a@${'x.'.repeat(126)}bb`,
    'ab.cd',
    'a@a..b',
  ])('%j has none', async (text) => {
    expect(canonicalAddress(text)).toBeUndefined()
    await expect(requestedAddress(domains(CATCH_ALL), text)).rejects.toThrow(Problem)
  })

  test('is its own canonical form, whatever the text was', () => {
    const letters = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })
    const quoted = letters.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`)
    const addresses = fc.tuple(fc.oneof(letters, quoted), fc.domain()).map((parts) => parts.join('@'))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress(), addresses), (text) => {
        const canonical = canonicalAddress(text)
        if (canonical === undefined) return
        expect(canonicalAddress(canonical.address)).toEqual(canonical)
        expect(
          Buffer.byteLength(canonical.address.slice(0, -canonical.domain.length - 1)),
        ).toBeLessThanOrEqual(64)
      }),
      { numRuns: 2000 },
    )
  })
})

test('a recipient without a domain is one at localhost, if every domain is accepted', async () => {
  expect((await acceptedRecipient(domains(CATCH_ALL), 'Root'))?.address).toBe('root@localhost')
  expect(await acceptedRecipient(domains(), 'root')).toBeUndefined()
  await expect(requestedAddress(domains(CATCH_ALL), 'root')).rejects.toMatchObject({
    code: 'invalid_address',
  })
})

test('only a local part outside of ASCII needs SMTPUTF8', () => {
  expect(needsSmtpUtf8('jürgen@a.b')).toBe(true)
  expect(needsSmtpUtf8('a@bücher.example')).toBe(false)
})

test.each(['localhost', '', 'a..b'])('%j is no domain that can be registered', (text) => {
  expect(() => parseDomain(text)).toThrow(Problem)
})

/** A registry with these domains. */
function domains(...names: string[]) {
  return {
    find: async (name: string) => (names.includes(name) ? ({ name } as Domain) : undefined),
  }
}

test('the longest label of a domain has 63 characters', () => {
  const fault = (length: number) => domainFault(`a@-${'x'.repeat(length - 1)}.example`)
  expect(fault(63)).toMatch(/^is not labels of letters/)
  expect(fault(64)).toBe('has a label longer than 63 characters')
})
