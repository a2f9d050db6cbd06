import { describe, expect, test } from '@jest/globals'
import { firstAfter, lastBefore, speaksOf, wordEndingAt } from '../../../reading/codes/mail-text.ts'
import { bits } from '../../../reading/lexicon/words.ts'
import { candidateOf, mailText } from './mail-text.ts'

/** The words for codes in a text: each with its meaning, and "+" if it is the reader's own. */
const nouns = (text: string) => {
  const mail = mailText(text)
  return mail.nouns.map(
    ({ start, end, meaning, yours }) => `${mail.text.slice(start, end)}: ${meaning}${yours ? '+' : ''}`,
  )
}

describe('what the neighbours of a word for a code make of it', () => {
  test.each([
    ['Some code', ['code: code']],
    ['Code', ['Code: code+']],
    ['* Code', ['Code: code+']],
    ['Your code', ['code: code+']],
    ['your new code', ['code: code+']],
    ['some code of your site', ['code: code+']],
    [`some code ${'a'.repeat(11)} your site`, ['code: code']],
    ['Some verification code', ['code: verification']],
    ['Some login code', ['code: verification']],
    ['Some code to sign in', ['code to sign in: verification+']],
    ['Some code for your sign-in', ['code for your sign-in: verification+']],
    [`some code ${'e'.repeat(26)} login`, [`code ${'e'.repeat(26)} login: verification`]],
    [`some code ${'e'.repeat(27)} login`, ['code: code']],
    ['some login one two code', ['code: code']],
    ['some login one code', ['code: verification']],
    ['some login, code', ['code: code+']],
    ['some code, login', ['code: code']],
    ['Some confirmation code', ['code: probable']],
    ['Some access code', ['code: probable']],
    ['Some code to confirm it', ['code to confirm: probable+']],
    ['Some invitation code', ['code: invitation']],
    ['Ein Einladungscode', ['Einladungscode: invitation']],
    ['code of the invitation', ['code of the invitation: invitation+']],
    ['code in the invitation', ['code: code+']],
    ['Some postal code', ['code: other']],
    ['Your postal code', ['code: other']],
    ['Die Postleitzahl', []],
    ['code of the order', ['code: other']],
    ['confirmation code of the order', ['code: probable+']],
    ['order code', ['code: other']],
    ['Sicherheitscode', ['Sicherheitscode: verification+']],
    ['Some password', ['password: password']],
    ['Password', ['Password: password+']],
    ['Some password to confirm it', ['password: verification+']],
    ['Some key', []],
    ['Your key', []],
    ['Your key: x', ['key: code+']],
    ['Your key is x', ['key: code+']],
    ['Your invitation key: x', ['key: invitation+']],
    ['Some key: x', []],
    ['Confirmation: 482913', ['Confirmation: probable+']],
    ['Confirmation: 48', []],
    ['Confirmation: x', []],
    ['Verification: 482 913', ['Verification: verification+']],
    ['Verification:482', ['Verification: verification+']],
    ['Verification 482913', []],
    ['decode it', []],
    ['Unicode', []],
    ['some code and some password', ['code: code', 'password: password']],
    ['some sms-code', ['sms-code: verification+']],
    ['some otp code', ['otp code: verification+']],
    ["contrasenya d'un sol ús", ["contrasenya d'un sol ús: verification+"]],
    ['Username : ines\nPass : x', ['Pass: password+']],
    ['Login : ines\nPass : x', ['Pass: password+']],
    ['Hello : ines\nPass : x', []],
    ['Username : ines\nThe Pass : x', []],
    ['Username : ines\nPass x', []],
    ['e-postkode', ['postkode: code']],
  ])('%s', (text, expected) => {
    expect(nouns(text)).toEqual(expected)
  })

  test('at most sixteen', () => {
    expect(nouns('Some code. '.repeat(16))).toHaveLength(16)
    expect(nouns('Some code. '.repeat(17))).toHaveLength(16)
  })
})

describe('the nearest of things that are sorted', () => {
  const things = [
    { start: 0, end: 5 },
    { start: 2, end: 9 },
    { start: 10, end: 12 },
  ]
  test.each([
    [4, undefined],
    [5, things[0]],
    [8, things[0]],
    [9, things[1]],
    [11, things[1]],
    [12, things[2]],
    [99, things[2]],
  ])('the last that ends before %d', (place, thing) => {
    expect(lastBefore(things, place)).toBe(thing)
  })
  test.each([
    [0, things[0]],
    [1, things[1]],
    [2, things[1]],
    [3, things[2]],
    [11, undefined],
  ])('the first that starts from %d', (place, thing) => {
    expect(firstAfter(things, place)).toBe(thing)
  })
})

test.each([
  ['It expires in 10 minutes', true],
  ['It expires in 5 minutes', true],
  ['It expires in a 15-minute window', true],
  ['10minutes', true],
  ['It expires in 100 minutes', false],
  ['It expires in minutes', false],
  ['It expires in 1.5 minutes', false],
  ['It expires in 1,5 minutes', false],
  ['It expires at 10:42 minutes', false],
  ['10  minutes', false],
])('"%s" says how long it is valid: %s', (text, hasExpiry) => {
  expect(mailText(text).hasExpiry).toBe(hasExpiry)
})

test('a mail speaks of something in its subject or near a value', () => {
  const speaks = (text: string, subject = '') => {
    const mail = mailText(text, subject)
    return speaksOf(mail, bits('password'), candidateOf(mail, '482913'), 20)
  }
  expect([speaks('482913'), speaks('482913', 'password'), speaks('482913 password')]).toEqual([
    false,
    true,
    true,
  ])
  const before = (length: number) => speaks(`password${' '.repeat(length - 8)}482913`)
  expect([before(20), before(21)]).toEqual([true, false])
  const behind = (length: number) => speaks(`482913${' '.repeat(length)}password`)
  expect([behind(19), behind(20)]).toEqual([true, false])
})

test('of the words that end at a place, one of a kind', () => {
  const mail = mailText('Your verification code')
  const end = mail.text.length
  expect(wordEndingAt(mail, end, bits('verificationCode', 'code'))?.start).toBe(mail.text.indexOf('code'))
  expect(wordEndingAt(mail, end, bits('password'))).toBeUndefined()
  expect(wordEndingAt(mail, end - 1, bits('code'))).toBeUndefined()
})

test.each([
  'Säkerhetskod: 482913',
  'Din säkerhetskod är 482913',
  'Raderingskod: 482913',
  'Eingangskota: 482913',
  'Feiligenskoade: 482913',
])('a compound does not begin with a shorter word of another language: %s', (text) => {
  expect(mailText(text).nouns.map(({ meaning }) => meaning)).not.toContain('other')
})

test('a compound may begin with a word for an invitation of another language', () => {
  expect(mailText('Dein Invitecode ist 8QZ4LT').nouns.map(({ meaning }) => meaning)).toEqual(['invitation'])
})
