import { describe, expect, test } from '@jest/globals'
import { findWordCodes } from '../../../reading/codes/word-codes.ts'
import { mailText } from './mail-text.ts'

/** The codes of words, letters and long tokens in a mail. */
const words = (text: string, subject = 'Harbour') =>
  findWordCodes(mailText(text, subject)).map(({ value }) => value)
const PROSE = 'The forest is quiet and the birds begin. '.repeat(10)

describe('a code of letters or words on the line of its noun', () => {
  test.each([
    ['Verification code: kxqzpv', ['kxqzpv']],
    ['Verification code is kxqzpv', ['kxqzpv']],
    ['Verification code is "kxqzpv".', ['kxqzpv']],
    ['Verification code is “kxqzpv”', ['kxqzpv']],
    ['Verification code is «kxqzpv»', ['kxqzpv']],
    ['Verification code kxqzpv', []],
    ['Verification code: kxqzpv is it', []],
    ['Verification code: ZUvwsFBq is it', ['ZUvwsFBq']],
    ['Verification code: copper-lantern-drift is it', ['copper-lantern-drift']],
    ['Verification code: copper-lantern is it', []],
    ['Verification code: copper-lantern', ['copper-lantern']],
    ['Verification code: lantern', []],
    ['Verification code for Acme: kxqzpv', ['kxqzpv']],
    ['Verification code for all the people of Harbour Inc: kxqzpv', []],
    ['Verification code for all the people of Harbour Inc: ZUvwsFBq', ['ZUvwsFBq']],
    ['Verification code for all the people of Harbour Inc: copper-lantern', []],
    ['Verification code for all the people of Harbour Inc: copper-lantern-drift', ['copper-lantern-drift']],
    ['Verification code sent. Device: ZUvwsFBq', []],
    [`Verification code ${'a '.repeat(44)}is: ZUvwsFBq`, ['ZUvwsFBq']],
    [`Verification code ${'a '.repeat(50)}is: ZUvwsFBq`, []],
    ['Verification code: ZUvwsFBq@x', []],
    ['Verification code: ZUvwsFBq.x', []],
    ['Verification code below needed: kxqzpv', ['kxqzpv']],
    ['Verification code: rejected', []],
    ['Verification code: kxqzped', []],
    ['Verification code: banana', []],
    ['Verification code: qataro', ['qataro']],
    ['Verification code: abcdefab', ['abcdefab']],
    ['Verification code: defaced', []],
    ['Verification code: bcdfgh', ['bcdfgh']],
    ['Verification code: КоЛоКол', []],
    ['Verification code: *kxqzpv*', ['kxqzpv']],
    ['Verification code: (ZUvwsFBq) is it', ['ZUvwsFBq']],
    ['Verification code: ZUvwsFBq, is it', ['ZUvwsFBq']],
    ['Verification code: ZUvwsFBq# is it', []],
    ['Verification code: ZUvw is it', []],
    ['Verification code: ZUvwsFBqZUvwsF is it', []],
    ['Verification code: Zuvwsfbq is it', []],
    ['Your code: kxqzpv', ['kxqzpv']],
    [`Your code: kxqzpv\n${PROSE}`, []],
    [`Your code: kxqzpv\nSign in.\n${PROSE}`, ['kxqzpv']],
    ['Some code: kxqzpv', []],
    ['Your invitation code: kxqzpv', ['kxqzpv']],
    ['Postal code: kxqzpv', []],
    ['Code: kxqzpv\n20% off', []],
  ])('%j: %j', (text, values) => {
    expect(words(text)).toEqual(values)
  })
})

describe('a code of letters or words alone on the line below its noun', () => {
  test.each([
    ['Verification code\nkxqzpv', ['kxqzpv']],
    ['Verification code:\n\nkxqzpv\n', ['kxqzpv']],
    ['Verification code:\n\n\n\n\nkxqzpv', []],
    ['Verification code\nKXQZPV', ['KXQZPV']],
    ['Verification code for it\nkxqzpv', []],
    ['Verification code for it\nkx7qzpv', ['kx7qzpv']],
    ['Verification code for it:\nkxqzpv', ['kxqzpv']],
    ['Verification code for it is\nkxqzpv', ['kxqzpv']],
    ['Verification code for it\nAnna-Maria', []],
    ['Verification code for it\ncopper-lantern', ['copper-lantern']],
    ['Verification code for it\nanna maria', []],
    [`Hello\n${'a '.repeat(20)}verification code\nkxqzpv.`, []],
    [`${'a '.repeat(30)}\nverification code\nkxqzpv.`, ['kxqzpv']],
    [`Hello\n${'a '.repeat(20)}verification code\nkxqzpv`, ['kxqzpv']],
    [`Verification code ${'a'.repeat(99)}\nkx7qzpv`, ['kx7qzpv']],
    [`Verification code ${'a'.repeat(100)}\nkx7qzpv`, []],
    [`${'a '.repeat(20)}verification code\nkxqzpv.`, []],
    [`${'a '.repeat(10)}verification code\nkxqzpv.`, ['kxqzpv']],
    ['Verification code\nkxqzpv          ', ['kxqzpv']],
    ['Verification code\nkxqzpv           ', []],
    ['Verification code\nkx7qzpv\n\nsign in to kx7qzpv now', []],
  ])('%j: %j', (text, values) => {
    expect(words(text)).toEqual(values)
  })
  test('below a subject about a password, words are a slogan', () => {
    expect(words('copper lantern drift', 'Your password')).toEqual([])
    expect(words('copper lantern drift', 'Your verification code:')).toEqual(['copper lantern drift'])
  })
})

describe('words alone on the line below a colon', () => {
  test.each([
    ['Sign in with this phrase:\ncopper lantern drift\n', ['copper lantern drift']],
    ['Sign in with this phrase:\n\ncopper-lantern-drift', ['copper-lantern-drift']],
    ['Sign in with this phrase:\nkxqzpv', []],
    ['Go on with this phrase:\ncopper lantern drift\n', []],
    ['Sign in with this phrase\ncopper lantern drift\n', []],
    ['Sign in. One:\nis it yours\nTwo:\ncopper lantern drift', ['copper lantern drift']],
  ])('%j: %j', (text, values) => {
    expect(words(text)).toEqual(values)
  })
})

describe('a label of a password counts at the beginning of a line or behind the name of a user', () => {
  test.each([
    ['Some new password: kX7pQ2', ['kX7pQ2']],
    ['User: ines, some password: kX7pQ2', ['kX7pQ2']],
    ['User: ines some password: kX7pQ2', ['kX7pQ2']],
    [`Some password${' a'.repeat(11)}: kX7pQ2`, []],
  ])('%j: %j', (text, values) => {
    expect(words(text)).toEqual(values)
  })
})

test('a code is given once, in the order of the nouns, and a name of the subject never', () => {
  expect(words('Verification code: kxqzpv\nLogin code: kxqzpv\nSecurity code: ZUvwsFBq')).toEqual([
    'kxqzpv',
    'ZUvwsFBq',
  ])
  expect(words('Verification code: CoopStrap', 'CoopStrap login')).toEqual([])
  expect(words('Verification code: CoopStrap')).toEqual(['CoopStrap'])
})

test.each([
  ['', true],
  [', ', true],
  [' / ', true],
  [`, ${'x'.repeat(24)} `, true],
  [`, ${'x'.repeat(25)} `, false],
  [`, ${'x'.repeat(12)} ${'x'.repeat(24)} `, true],
  [`, ${'x'.repeat(13)} ${'x'.repeat(24)} `, false],
  [', one two three ', false],
])('a label behind that of a user may have two words before it: "%s"', (between, isCode) => {
  expect(words(`User: ines${between || ' '}password: a1b2c3`)).toEqual(isCode ? ['a1b2c3'] : [])
})
