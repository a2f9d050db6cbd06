import { describe, expect, test } from '@jest/globals'
import { ADDRESS_PATTERN, DOMAIN_PATTERN } from '../../../adapters/http/wire/patterns.ts'
import { canonicalAddress, canonicalDomain } from '../../../core/address.ts'

const address = new RegExp(ADDRESS_PATTERN, 'u')
const domain = new RegExp(DOMAIN_PATTERN, 'u')

const LABEL = 'a'.repeat(63)

describe('the patterns of the OpenAPI document', () => {
  test.each([
    'bot42@example.com',
    'Jürgen@Bücher.example',
    `${'x'.repeat(64)}@example.com`,
    '"John Doe"@example.com',
    '"a\\"b@c"@example.com',
    "o'neil+tag{1}@sub.example.co.uk",
    'foo.@docomo.ne.jp',
    '.a..b.@example.com',
    'x@localhost',
    'x@1-2',
    'x@3com.4u',
    'пример@пример.рф',
    `x@${LABEL}.${LABEL}`,
  ])('the address %s is accepted, and matches', (text) => {
    expect([canonicalAddress(text) !== undefined, address.test(text)]).toEqual([true, true])
  })

  test.each([
    '',
    'bot42',
    '@example.com',
    'a b@example.com',
    'a@b@example.com',
    'a\u0000@example.com',
    '"a@example.com',
    'x@example.',
    'x@.example',
    'x@-a.example',
    'x@a-.example',
    'x@192.0.2.1',
    'x@example.123',
    'x@ex_ample.com',
    `${'x'.repeat(65)}@example.com`,
    `x@a${LABEL}.example`,
  ])('the address %j is refused, and does not match', (text) => {
    expect([canonicalAddress(text) !== undefined, address.test(text)]).toEqual([false, false])
  })

  test.each([
    ['example.com', true],
    ['Bücher.example', true],
    ['1.a', true],
    ['a.1-1', true],
    ['example', false],
    ['a..b', false],
    ['192.0.2.1', false],
    ['a b.example', false],
  ])('the domain %j: %s', (text, isValid) => {
    const isDomain = text.includes('.') && canonicalDomain(text) !== undefined
    expect([isDomain, domain.test(text)]).toEqual([isValid, isValid])
  })
})
