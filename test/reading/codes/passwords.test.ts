import { describe, expect, test } from '@jest/globals'
import { isPasswordLabel, quotedPassword, statedPassword } from '../../../reading/codes/stated-passwords.ts'
import { mailText } from './mail-text.ts'

/** The password that a text states behind its first word for one. */
const stated = (text: string) => {
  const mail = mailText(text)
  const found = statedPassword(mail, mail.nouns.find(({ meaning }) => meaning === 'password')!)
  if (found !== null) expect(mail.text.slice(found.start, found.start + found.value.length)).toBe(found.value)
  return found?.value ?? null
}

describe('a stated password behind a colon, to the end of its line', () => {
  test.each([
    ['Password: kX7pQ2', 'kX7pQ2'],
    ['Password:kX7pQ2', 'kX7pQ2'],
    ['Password = kX7pQ2', 'kX7pQ2'],
    ['Password:\n\nkX7pQ2', 'kX7pQ2'],
    ['Password\tkX7pQ2', 'kX7pQ2'],
    ['Password: "kX7pQ2"', 'kX7pQ2'],
    ["Password: 'kX7pQ2'", 'kX7pQ2'],
    ['Password: **kX7pQ2**', 'kX7pQ2'],
    ['Password: kX7pQ2.', 'kX7pQ2'],
    ['Password: kX7pQ2,', 'kX7pQ2'],
    ['Password: kX7pQ2;', 'kX7pQ2'],
    ['Password: kX7pQ2<br>', 'kX7pQ2'],
    ['Password: kX7pQ2 \nBye', 'kX7pQ2'],
    ['Password: a1b2c3', 'a1b2c3'],
    ['Password: kX7#pQ2!', 'kX7#pQ2!'],
    ['Password: kXpQzW', 'kXpQzW'],
    ['Password: YCBDoGoxz#iK', 'YCBDoGoxz#iK'],
    ['Password: Kxqzpv', null],
    ['Password: kX7', null],
    ['Password: 482913', null],
    ['Password: lantern', null],
    ['Password: kX7pQ2 is it', null],
    ['Password (new): kX7pQ2', null],
    [`Password: k7${'a'.repeat(62)}`, `k7${'a'.repeat(62)}`],
    [`Password: k7${'a'.repeat(63)}`, null],
    [`Password${' '.repeat(12)}: kX7pQ2`, 'kX7pQ2'],
    [`Password${' '.repeat(13)}: kX7pQ2`, null],
    ['Password old7: kX7pQ2', null],
    ['Contraseña nueva: kX7pQ2', 'kX7pQ2'],
    ['Your password is: kX7pQ2', 'kX7pQ2'],
  ])('%j: %s', (text, value) => {
    expect(stated(text)).toBe(value)
  })
})

describe('a stated password before more of its line', () => {
  test.each([
    ['Password: kX7pQ2mN -- change it', 'kX7pQ2mN'],
    ['Password: kX7pQ2mN - change it', 'kX7pQ2mN'],
    ['Password: kX7pQ2mN — change it', 'kX7pQ2mN'],
    ['Password: kX7pQ2mN (change it)', 'kX7pQ2mN'],
    ['Password: "kX7pQ2mN" (change it)', 'kX7pQ2mN'],
    ['Password: kX7pQ2m - change it', null],
    ['Password: kx7pq2mn - change it', null],
    ['Password: kX7pQ2mN - 7', null],
    ['Password: Abc12345, please change it', 'Abc12345'],
    ['Password: Abc12345; please change it', 'Abc12345'],
    ['Password: Abc1234, please change it', null],
    ['Password: abc12345, please change it', null],
    ['密码: abc123，请修改', null],
    ['密码: abc123,请修改', 'abc123'],
    ['密码: abc123。请修改', 'abc123'],
    ['密码: abc12,请修改', null],
  ])('%j: %s', (text, value) => {
    expect(stated(text)).toBe(value)
  })
})

describe('a stated password without a colon', () => {
  test.each([
    ['Your password is Xy7#pQ2!', 'Xy7#pQ2!'],
    ['Your password is "Xy7#pQ2!".', 'Xy7#pQ2!'],
    ['Your password is ZPuiDmtf#', 'ZPuiDmtf#'],
    ['Your password is xy7#pq2!', 'xy7#pq2!'],
    ['Your password is Zpuidmtf#', null],
    ['Your password had Xy7#pQ2!', null],
    ['- password kX7pQ2mN', 'kX7pQ2mN'],
    ['password   kX7pQ2mN', 'kX7pQ2mN'],
    ['password kXqzpvW7', 'kXqzpvW7'],
    ['password kxqz7pvw', null],
    ['password qkXzpvwt', 'qkXzpvwt'],
    ['Password is qkXzpvwt', null],
    ['Some password kX7pQ2mN', null],
    ['With your password PuMurFm', 'PuMurFm'],
    ['With your password PuMurFm.', 'PuMurFm'],
    ['With your password Harbour', null],
    ['With your password kX7pQ2mN', 'kX7pQ2mN'],
    ['With your password "kX7pQ2mN"', 'kX7pQ2mN'],
    ['Your password\nkX7pQ2mN', 'kX7pQ2mN'],
    ['Of all that is here for you, your password\nkX7pQ2mN', null],
    ['パスワードです。 kX7pQ2mN', 'kX7pQ2mN'],
    ['パスワードです。 kx7pq2mn', null],
  ])('%j: %s', (text, value) => {
    expect(stated(text)).toBe(value)
  })
  test('beside a discount or a booking only below the name of a user', () => {
    expect(stated('Password: kX7pQ2\n20% off')).toBeNull()
    expect(stated('Password: kX7pQ2\nYour hotel')).toBeNull()
    expect(stated('User: ines\nPassword: kX7pQ2\n20% off')).toBe('kX7pQ2')
  })
})

describe('the only quoted value of a sentence about a password', () => {
  const quoted = (text: string, subject = '') =>
    quotedPassword(mailText(text, subject)).map(({ value }) => value)
  test.each([
    ['A password for Ines was set to "803et9646m".', ['803et9646m']],
    ["A password was set to '803et9646m'", ['803et9646m']],
    ['A password was set to “803et9646m”', ['803et9646m']],
    ['A password was set to „803et9646m“', ['803et9646m']],
    ['A password was set to «803et9646m»', ['803et9646m']],
    ['パスワード「803et9646m」', ['803et9646m']],
    ['"803et9646m" is the new password', ['803et9646m']],
    ['The password "harbour7"', ['harbour7']],
    ['A password\n"harbour7"', ['harbour7']],
    ['A password  "harbour7"', ['harbour7']],
    ['A password\u00a0"harbour7"', ['harbour7']],
    ['The password was set to "harbour7"', []],
    ['The value was set to "803et9646m"', []],
    ['A password was set. It is "803et9646m"', []],
    ['"803et9646m" was set. The password', []],
    ['A password "803et"', []],
    ['A password "803et9"', ['803et9']],
    ['A password "803646"', []],
    ['A password "lantern"', []],
    ['A password for the user "803et9646m"', []],
    ['A password "803et9646m" and "113et9646m"', []],
    ['A password "803et9646m" and "803et9646m"', ['803et9646m']],
    [`A password ${'a'.repeat(140)} "803et9646m"`, ['803et9646m']],
    [`A password ${'a'.repeat(160)} "803et9646m"`, []],
    [`"803et9646m" ${'a'.repeat(48)} password`, ['803et9646m']],
    [`"803et9646m" ${'a'.repeat(60)} password`, []],
  ])('%j: %j', (text, values) => {
    expect(quoted(text)).toEqual(values)
  })
  test('is not in the subject', () => {
    expect(quoted('Hello', 'A password "803et9646m"')).toEqual([])
    const mail = mailText('A password was set to "803et9646m"', 'Harbour')
    const start = mail.text.indexOf('803')
    expect(quotedPassword(mail)).toEqual([{ value: '803et9646m', start }])
  })
})

test('a password that no word calls the reader its own is a label', () => {
  const labels = ['Some password', 'Your password', 'Your code'].map((text) =>
    isPasswordLabel(mailText(text).nouns[0]!),
  )
  expect(labels).toEqual([true, false, false])
})
