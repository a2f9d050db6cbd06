import { describe, expect, test } from '@jest/globals'
import { addressesIn } from '../../../reading/mime/addresses.ts'

/** Returns each mailbox of a field of ASCII in one line: `name <address>`, with `-` for what it has not. */
function read(value: string, most = 100): string[] {
  const context = { bodyCharset: undefined, wordsLeft: 100, unknownCharsetsLeft: 20 }
  return addressesIn(value, most, context).map(({ name, address }) => `${name ?? '-'} <${address ?? '-'}>`)
}

describe('mailboxes (RFC 5322, 3.4)', () => {
  test.each<[string, ...string[]]>([
    ['a@x.test', '- <a@x.test>'],
    ['<a@x.test>', '- <a@x.test>'],
    ['Ann <a@x.test>', 'Ann <a@x.test>'],
    ['Ann<a@x.test>', 'Ann <a@x.test>'],
    ['Ann  B.  Lee <a@x.test>', 'Ann B. Lee <a@x.test>'],
    ['Ann\tLee\r\n <a@x.test>', 'Ann Lee <a@x.test>'],
    ['"Lee, Ann" <a@x.test>', 'Lee, Ann <a@x.test>'],
    ['"Ann" Lee <a@x.test>', 'Ann Lee <a@x.test>'],
    ['"Ann""Lee" <a@x.test>', 'AnnLee <a@x.test>'],
    ['Ann"Lee" <a@x.test>', 'AnnLee <a@x.test>'],
    ['Ann(x)Lee <a@x.test>', 'AnnLee <a@x.test>'],
    ['<a@x.test> Ann', 'Ann <a@x.test>'],
    ['a@x.test Ann', 'Ann <a@x.test>'],
    ['Ann a@x.test Lee', 'Ann Lee <a@x.test>'],
    ['" Ann " <a@x.test>', 'Ann <a@x.test>'],
    ['"" <a@x.test>', '- <a@x.test>'],
    ['Ann', 'Ann <->'],
    ['Ann Lee', 'Ann Lee <->'],
    ['Ann.Lee a@x.test', 'Ann.Lee <a@x.test>'],
    ['"Ann"', 'Ann <->'],
    ['"ann@x.test"', 'ann@x.test <->'],
    ['"ann@x.test" <a@x.test>', 'ann@x.test <a@x.test>'],
    ['ann@x.test <a@x.test>', 'ann@x.test <a@x.test>'],
    ['Ann <a@x.test> <b@x.test>', 'Ann <a@x.test>'],
    ['Ann <> a@x.test', 'Ann <a@x.test>'],
    ['Ann <> <a@x.test>', 'Ann <a@x.test>'],
    ['Ann <<a@x.test>>', 'Ann <a@x.test>'],
    ['Ann <>', 'Ann <->'],
    ['<>'],
    ['""'],
    [''],
    [' \t'],
  ])('%s', (value, ...expected) => {
    expect(read(value)).toEqual(expected)
  })
})

describe('several mailboxes', () => {
  test.each<[string, ...string[]]>([
    ['a@x.test, b@x.test', '- <a@x.test>', '- <b@x.test>'],
    ['a@x.test,b@x.test', '- <a@x.test>', '- <b@x.test>'],
    ['a@x.test; b@x.test', '- <a@x.test>', '- <b@x.test>'],
    [',, a@x.test,,;b@x.test,', '- <a@x.test>', '- <b@x.test>'],
    ['Ann <a@x.test>, Bob <b@x.test>', 'Ann <a@x.test>', 'Bob <b@x.test>'],
    ['Ann <a@x.test>,Bob<b@x.test>;Carol', 'Ann <a@x.test>', 'Bob <b@x.test>', 'Carol <->'],
    // A second address in one entry is a part of the name.
    ['a@x.test b@x.test', 'b@x.test <a@x.test>'],
    ['Lee, Ann <a@x.test>', 'Lee <->', 'Ann <a@x.test>'],
  ])('%s', (value, ...expected) => {
    expect(read(value)).toEqual(expected)
  })

  test('as many as are wanted', () => {
    expect(read('a@x.test, , b@x.test, c@x.test', 2)).toEqual(['- <a@x.test>', '- <b@x.test>'])
    expect(read('a@x.test', 0)).toEqual([])
  })
})

describe('groups (RFC 5322, 3.4)', () => {
  test.each<[string, ...string[]]>([
    ['Crew: a@x.test, Bob <b@x.test>;', '- <a@x.test>', 'Bob <b@x.test>'],
    ['Crew:a@x.test;', '- <a@x.test>'],
    ['The "whole" crew: a@x.test; c@x.test', '- <a@x.test>', '- <c@x.test>'],
    ['Crew: Ann Lee <a@x.test>', 'Ann Lee <a@x.test>'],
    ['Crew:Ann<a@x.test>', 'Ann <a@x.test>'],
    ['Crew:;'],
    ['Crew: ;, a@x.test', '- <a@x.test>'],
    ['one: two: a@x.test', '- <a@x.test>'],
    [': a@x.test', '- <a@x.test>'],
    // A colon behind an @ is a part of the address.
    ['a@[IPv6:1::2]', '- <a@[IPv6:1::2]>'],
  ])('%s', (value, ...expected) => {
    expect(read(value)).toEqual(expected)
  })
})

describe('comments (RFC 5322, 3.2.2)', () => {
  test.each<[string, ...string[]]>([
    ['a@x.test (Ann)', 'Ann <a@x.test>'],
    ['a@x.test ( Ann )', 'Ann <a@x.test>'],
    ['(Ann) a@x.test', 'Ann <a@x.test>'],
    ['a@x.test (Ann) (Lee)', 'Ann Lee <a@x.test>'],
    ['a@x.test (Ann (the) Lee)', 'Ann (the) Lee <a@x.test>'],
    ['a@x.test (Lee, Ann; <b>)', 'Lee, Ann; <b> <a@x.test>'],
    ['a@x.test (Ann \\) \\( \\\\ Lee)', 'Ann ) ( \\ Lee <a@x.test>'],
    ['a@x.test (Ann ("Lee)', 'Ann ("Lee) <a@x.test>'],
    ['Bob (Ann) <a@x.test>', 'Bob <a@x.test>'],
    ['()a@x.test', '- <a@x.test>'],
    ['a(one)@(two)x.test', 'one two <a@x.test>'],
    // A comment alone is nobody.
    ['(Ann), (Bob)'],
    ['(x)Nobody :(y)  ;'],
    ['"" (Ann)', 'Ann <->'],
    ['<> (Ann)', 'Ann <->'],
    // One that is never closed does not hide the address behind it.
    ['Ann \\(x\\) <a@x.test>, (Bob) b@x.test', 'Ann \\(x\\) <a@x.test>', '(Bob) <b@x.test>'],
    // A bracket without its partner.
    ['(Ann a@x.test', '(Ann <a@x.test>'],
    ['Ann) <a@x.test>', 'Ann) <a@x.test>'],
    ['a@x.test (Ann \\) Lee', 'Ann ) Lee <a@x.test>'],
    ['a@x.test (Ann) (Lee', '(Lee <a@x.test>'],
    ['<a@x.test> (Ann \\) Lee', 'Ann ) Lee <a@x.test>'],
    ['a@x.test (Ann \\)\\', 'Ann )\\ <a@x.test>'],
    ['=?utf-8?Q?=C3=A9?= <a@x.test> (Ann)', 'é <a@x.test>'],
    ['a@x.test (=?utf-8?Q?=C3=A9?=)', 'é <a@x.test>'],
  ])('%s', (value, ...expected) => {
    expect(read(value)).toEqual(expected)
  })
})

describe('quoted strings (RFC 5322, 3.2.4)', () => {
  test.each<[string, ...string[]]>([
    ['"Ann \\"A\\" \\\\ \\Lee" <a@x.test>', 'Ann "A" \\ Lee <a@x.test>'],
    ['"Lee; Ann (x) <y>" <a@x.test>', 'Lee; Ann (x) <y> <a@x.test>'],
    ['"Ann" "Lee" <a@x.test>', 'Ann Lee <a@x.test>'],
    // A quote without its partner.
    ['"Ann Lee <a@x.test>', 'Ann Lee <a@x.test>'],
    ['Ann" <a@x.test>, b@x.test', 'Ann <a@x.test>', '- <b@x.test>'],
    ['Ann Lee " <a@x.test>', 'Ann Lee <a@x.test>'],
    ['"Ann" "Lee <a@x.test>, b@x.test', 'Ann Lee <a@x.test>', '- <b@x.test>'],
    ['Ann "A" Lee" <a@x.test>', 'Ann A Lee <a@x.test>'],
    ['"\\"Ann\\"" <a@x.test>', '"Ann" <a@x.test>'],
    ['"Ann\\" <a@x.test>', 'Ann" <a@x.test> <->'],
    ['"Ann\\" \\', 'Ann" \\ <->'],
  ])('%s', (value, ...expected) => {
    expect(read(value)).toEqual(expected)
  })
})

describe('addresses', () => {
  test.each<[string, string]>([
    // Blanks and comments inside (section 4.4).
    ['a @ x . test', 'a@x.test'],
    ['a. b@x.test', 'a.b@x.test'],
    ['a .b@x.test', 'a.b@x.test'],
    ['a@ x.test', 'a@x.test'],
    ['a @x.test', 'a@x.test'],
    ['a@x .test', 'a@x.test'],
    ['a@x. test', 'a@x.test'],
    ['<a @ x . test>', 'a@x.test'],
    ['<a@x.test (Ann)>', 'a@x.test'],
    ['<\ta\f@\vx.test\r\n>', 'a@x.test'],
    ['"ann lee"@x.test', '"ann lee"@x.test'],
    ['"a"."b"@x.test', '"a"."b"@x.test'],
    ['x."b"@x.test', 'x."b"@x.test'],
    ['<"ann lee"@x.test>', '"ann lee"@x.test'],
    ['< "ann lee"@x.test >', '"ann lee"@x.test'],
    ['<"a>b"@x.test>', '"a>b"@x.test'],
    ['<"a\\"> b"@x.test>', '"a\\"> b"@x.test'],
    ['<a\\>b@x.test>', 'a\\>b@x.test'],
    // Routes (section 4.4).
    ['<@r.test:a@x.test>', 'a@x.test'],
    ['<@r.test,@s.test:a@x.test>', 'a@x.test'],
    ['<@r.test;@s.test:a@x.test>', 'a@x.test'],
    ['<@x.test>', '@x.test'],
    // What people write.
    ['<mailto:a@x.test>', 'a@x.test'],
    ['<MAILTO:a@x.test>', 'a@x.test'],
    ['<amailto:a@x.test>', 'amailto:a@x.test'],
    ['<<a@x.test>>', 'a@x.test'],
    ['<ann>', 'ann'],
    ['< ann >', 'ann'],
    ['<a@x.test', 'a@x.test'],
    ['<=?utf-8?Q?=C3=A9?=@x.test>', 'é@x.test'],
    ['<=?utf-8?Q?_a=40x.test_?=>', 'a@x.test'],
  ])('%s', (value, address) => {
    expect(read(value).map((line) => line.replace(/^.* (?=<)/, ''))).toEqual([`<${address}>`])
  })

  test.each<[string, ...string[]]>([
    // A bracket that is never closed ends before the next mailbox.
    ['Ann <a@x.test, Bob <b@x.test>', 'Ann <a@x.test>', 'Bob <b@x.test>'],
    ['Ann <a@x.test; Bob <b@x.test>', 'Ann <a@x.test>', 'Bob <b@x.test>'],
    ['Ann <a@x.test <b@x.test>', 'Ann <a@x.test>'],
    // One that is never opened does not belong to the address.
    ['Ann a@x.test>, b@x.test>', 'Ann <a@x.test>', '- <b@x.test>'],
    ['Ann <a@x.test> Lee', 'Ann Lee <a@x.test>'],
    // Words in brackets are no address.
    ['<Saved by Blink>', 'Saved by Blink <->'],
    ['Ann < Saved\tby >', 'Ann Saved\tby <->'],
    // Words beside an address are the name.
    ['Ann . a@x.test', '- <Ann.a@x.test>'],
    ['Dr. ann@x.test', '- <Dr.ann@x.test>'],
    ['Dr. Ann a@x.test', 'Dr. Ann <a@x.test>'],
    ['a@x.test and .more', 'and .more <a@x.test>'],
  ])('%s', (value, ...expected) => {
    expect(read(value)).toEqual(expected)
  })
})
