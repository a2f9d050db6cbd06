import { describe, expect, test } from '@jest/globals'
import { addressFault, addressFrom } from '../../web/lib/address.ts'

describe('the address field', () => {
  test.each([
    ['Bot42', 'bot42@mayfly.test'],
    ['  Someone.Else+tag ', 'someone.else+tag@mayfly.test'],
    ['mailto:Pasted@example.com?subject=x', 'pasted@example.com'],
    ['Ann <ann@example.com>', 'ann@example.com'],
    ['Ann <mailto:ann@example.com>', 'ann@example.com'],
    ['   ', undefined],
    ['what?', 'what?@mayfly.test'],
    ['a?b@example.com', 'a?b@example.com'],
    ['JU\u0308RGEN@Bücher.example', 'jürgen@xn--bcher-kva.example'],
    ['"Plain"@example.com', 'plain@example.com'],
    ['foo.', 'foo.@mayfly.test'],
  ])('%j means %j', (text, expected) => {
    expect(addressFrom(text, 'mayfly.test')).toBe(expected)
  })

  test.each([
    ['a@mayfly.test', undefined],
    ['o’brien@mayfly.test', undefined],
    ['"jo hn"@mayfly.test', undefined],
    ['a,b@mayfly.test', 'The part before the @ cannot contain “,”.'],
    ["o'brien+x=1@mail.example.com", undefined],
    ['bad name@mayfly.test', 'An address contains no spaces.'],
    ['a..b@mayfly.test', undefined],
    ['.a@mayfly.test', undefined],
    ['a@b@mayfly.test', 'An address contains one @.'],
    [`${'a'.repeat(64)}@mayfly.test`, undefined],
    [`${'a'.repeat(65)}@mayfly.test`, 'The part before the @ has at most 64 characters.'],
    ['a@localhost', undefined],
    ['a@-x.example', 'The part after the @ is a domain, such as example.com.'],
    ['a@münchen.example', undefined],
    ['@private.test', undefined],
    ['@localhost', 'An address begins with a name before the @.'],
    ['a.@mayfly.test', undefined],
    [`a@${'b'.repeat(63)}.example`, undefined],
    [`a@${'b'.repeat(64)}.example`, 'The part after the @ is a domain, such as example.com.'],
    [`a@${'b.'.repeat(125)}com`, undefined],
    [`a@${'b.'.repeat(125)}info`, 'The part after the @ is a domain, such as example.com.'],
    ['a@example.c', undefined],
    ['a@b..example', 'The part after the @ is a domain, such as example.com.'],
  ])('%s: %s', (address, fault) => {
    expect(addressFault(address)).toBe(fault)
  })
})
