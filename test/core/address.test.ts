import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseAddress, parseDomain } from '../../core/address.ts'
import { Problem } from '../../core/errors.ts'

const SOFT_HYPHEN = '\u00ad'

describe('addresses', () => {
  test.each([
    ['Bot@Example.COM', 'bot@example.com', 'example.com'],
    ['bot+tag@example.com', 'bot+tag@example.com', 'example.com'],
    ["o'neil/{x}@example.com", "o'neil/{x}@example.com", 'example.com'],
    ['a@bücher.example', 'a@xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a@例え。テスト', 'a@xn--r8jz45g.xn--zckzah', 'xn--r8jz45g.xn--zckzah'],
    ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example', 'xn--bcher-kva.example'],
    [`a@${'x'.repeat(63)}.b`, `a@${'x'.repeat(63)}.b`, `${'x'.repeat(63)}.b`],
    [`a@${'x.'.repeat(126)}b`, `a@${'x.'.repeat(126)}b`, `${'x.'.repeat(126)}b`],
    // A soft hyphen is nothing (UTS #46).
    [`a@b${SOFT_HYPHEN.repeat(991)}.example`, 'a@b.example', 'b.example'],
    [`${'x'.repeat(64)}@a.b`, `${'x'.repeat(64)}@a.b`, 'a.b'],
  ])('%s', (text, address, domain) => {
    expect(parseAddress(text)).toEqual({ address, domain })
  })

  test.each([
    '',
    '@',
    'a@',
    '@a.b',
    'a@b',
    'a.@a.b',
    'a@a.b.',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@a.123',
    'a b@a.b',
    'a\u0000@a.b',
    'ä@a.b',
    '"a b"@a.b',
    `${'x'.repeat(65)}@a.b`,
    `a@${'x'.repeat(64)}.b`,
    `a@${'x.'.repeat(127)}bb`,
    'a@-a.b',
    'a@a-.b',
    ...[' ', '\t', '%41', '/', '?', '#', ':', '[', ']', '\\'].map((mark) => `a@ä${mark}.b`),
    `a@b${SOFT_HYPHEN.repeat(992)}.example`,
    `a@${'x.'.repeat(126)}bb`,
    'ab.cd',
    'a@a..b',
  ])('%s is not an address', (text) => {
    expect(() => parseAddress(text)).toThrow(Problem)
  })

  test('a parsed address parses to itself, and every error is a Problem', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress()), (text) => {
        try {
          const { address, domain } = parseAddress(text)
          expect(parseAddress(address)).toEqual({ address, domain })
          expect(parseDomain(domain)).toBe(domain)
        } catch (error) {
          expect(error).toBeInstanceOf(Problem)
        }
      }),
    )
  })
})
