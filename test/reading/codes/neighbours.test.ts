import { describe, expect, test } from '@jest/globals'
import { hasOwnNoun, isOneMore } from '../../../reading/codes/pairs.ts'
import { isInRecord } from '../../../reading/codes/records.ts'
import { isBelowUser, isOfUser } from '../../../reading/codes/users.ts'
import { candidateOf, mailText } from './mail-text.ts'

describe('one more code of a sentence', () => {
  const isMore = (gap: string, rest = '', first = '412734', next = '568391') => {
    const mail = mailText(`Your verification codes are ${first}${gap}${next}${rest}`)
    return isOneMore(mail, candidateOf(mail, first), candidateOf(mail, next))
  }
  test.each([' and ', ', ', '/ ', '& ', ' und ', ' et ', '和', ' и '])('behind %j', (gap) => {
    expect(isMore(gap)).toBe(true)
  })
  test.each([
    [' for the app and ', ' for the site'],
    [' for the app, ', ' for the site'],
    [` for ${'a'.repeat(50)} and `, ' for the site'],
  ])('where the same word follows both: %j', (gap, rest) => {
    expect(isMore(gap, rest)).toBe(true)
  })
  test.each([
    [' then ', ''],
    ['. And ', ''],
    [' for the app. ', ' for the site'],
    [' for the app and ', ' in the site'],
    [' for the app and ', ''],
    [' is valid, ', ' for the site'],
    [` for ${'a'.repeat(51)} and `, ' for the site'],
    [', #', ''],
    [' and ', ' minutes'],
  ])('but not behind %j', (gap, rest) => {
    expect(isMore(gap, rest)).toBe(false)
  })
  test('only of digits, as many, and that look like nothing else', () => {
    expect(isMore(', ', '', '412734', '56839')).toBe(false)
    expect(isMore(', ', '', 'XK42', '5683')).toBe(false)
    expect(isMore(', ', '', '4127', 'XK42')).toBe(false)
    expect(isMore(', ', '', '4127', '2026')).toBe(false)
    expect(isMore(', ', '', '4127', '5683')).toBe(true)
  })
})

describe('a noun of its own', () => {
  const hasOwn = (text: string, value = '730518') => {
    const mail = mailText(text)
    return hasOwnNoun(mail, candidateOf(mail, '482913'), candidateOf(mail, value))
  }
  test.each([
    'Your code is 482913. Your password is 730518',
    'Your code is 482913\nYour password: 730518',
    '482913 is it\nYour password: 730518',
  ])('between the code and the candidate: %j', (text) => {
    expect(hasOwn(text)).toBe(true)
  })
  test.each([
    'Your code is 482913. And 730518',
    'Your code is 482913 and 730518, your password',
    '482913 is your code\nand 730518',
  ])('which belongs to the code, or follows: %j', (text) => {
    expect(hasOwn(text)).toBe(false)
  })
  test('on the line of the code it counts if the candidate is on that line too', () => {
    expect([hasOwn('482913 is your code, 730518'), hasOwn('482913 is your code,\n730518')]).toEqual([
      true,
      false,
    ])
  })
  test('the mark of a program has none', () => {
    const mark = (end: string) => hasOwn(`482913\nYour code\n${end}`, 'FA9qCX9VSuA')
    expect([mark('FA9qCX9VSuA'), mark('FA9qCX9VSuA\n'), mark('FA9qCX9VSuA     ')]).toEqual([
      false,
      false,
      false,
    ])
    expect([mark('FA9qCX9VSuA      '), mark('FA9qCX9VSuA x'), mark(' FA9qCX9VSuA')]).toEqual([
      true,
      true,
      true,
    ])
  })
})

describe('two labels with values, each on its line or in its row, are a record', () => {
  const inRecord = (text: string, subject = 'Harbour') => {
    const mail = mailText(text, subject)
    return isInRecord(mail, candidateOf(mail, '482913'))
  }
  test.each([
    'Name: Ines\nKnot: 482913',
    'Name: Ines\n  Knot: 482913',
    'Name：Ines\nKnot：482913',
    'Name\tInes\nKnot\t482913',
    'Name:Ines\nKnot:482913',
    `Name: Ines\nK${'n'.repeat(40)}: 482913`,
    `Name: Ines\nKn: 482913`,
  ])('%j', (text) => {
    expect(inRecord(text)).toBe(true)
  })
  test.each([
    'Knot: 482913',
    'Name: Ines\n482913',
    'Name: Ines\nKnot 482913',
    'Name: Ines\nKnot: 482913\nIt expires in 10 minutes.',
    'Name: Ines\nKnot: 482913\nNever share it with anyone.',
    `Name: Ines\nK${'n'.repeat(41)}: 482913`,
    'Name: Ines\nK: 482913',
    'Name:\nKnot: 482913',
    '1st: Ines\n2nd: 482913',
  ])('but not %j', (text) => {
    expect(inRecord(text)).toBe(false)
  })
  test('the subject has no rows', () => {
    expect(inRecord('Knot: 482913', 'Name: Ines')).toBe(false)
  })
})

describe('the name of a user', () => {
  const ofUser = (text: string) => {
    const mail = mailText(text)
    const start = mail.text.indexOf('ines42b')
    return isOfUser(mail, { start, end: start + 7 })
  }
  test.each([
    'for the user ines42b',
    'for the user "ines42b"',
    'for the user: ines42b',
    'for the user  "ines42b"',
    'Username: ines42b',
    '"ines42b" kullanıcısı',
    'ines42b kullanıcısı',
  ])('%s', (text) => {
    expect(ofUser(text)).toBe(true)
  })
  test.each([
    'for the user named ines42b',
    'for the user -- "ines42b"',
    'for the value "ines42b" of the user',
    'ines42b    kullanıcısı',
    'for the value ines42b',
    '"ines42b" for the user',
    'ines42b, a kullanıcısı',
  ])('but not in %s', (text) => {
    expect(ofUser(text)).toBe(false)
  })
})

describe('a password below the name of a user', () => {
  const below = (text: string) => {
    const mail = mailText(text)
    return isBelowUser(mail, mail.text.indexOf('Password'))
  }
  test.each([
    'Login: ines\nPassword: x',
    'Username: ines\n\nPassword: x',
    'Hello\nUsername: ines\nPassword: x',
    `${'Hello\n'.repeat(40)}Username: ines\nPassword: x`,
    'Username : ines\n- Password: x',
    `Username: ${'a'.repeat(149)}\nPassword: x`,
    `Username: ines\n${' '.repeat(23)}Password: x`,
  ])('%j', (text) => {
    expect(below(text)).toBe(true)
  })
  test.each([
    'Password: x',
    'Name: ines\nPassword: x',
    'Username ines\nPassword: x',
    'Name: the user\nPassword: x',
    'The user\nName: ines\nPassword: x',
    'Username: ines\nHello\nPassword: x',
    `Username: ${'a'.repeat(152)}\nPassword: x`,
    `Username: ines\n${' '.repeat(24)}Password: x`,
  ])('but not %j', (text) => {
    expect(below(text)).toBe(false)
  })
})
