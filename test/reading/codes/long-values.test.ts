import { describe, expect, test } from '@jest/globals'
import { findCandidates } from '../../../reading/codes/candidates.ts'
import { findLoneValue } from '../../../reading/codes/lone-value.ts'
import { askedTokens, longTokens, namedTokens, prefixed } from '../../../reading/codes/token-codes.ts'
import { mailText } from './mail-text.ts'

describe('long tokens and values with a prefix', () => {
  const HEX = '4b5e90a968d1757b'
  const values = (find: typeof longTokens, text: string, subject = '') =>
    find(mailText(text, subject)).map(({ value }) => value)
  test.each([
    [`Confirmation code ${HEX}`, [HEX]],
    [`Confirmation code "${HEX}".`, [HEX]],
    [`Confirmation code ${HEX}\nBye`, [HEX]],
    [`Confirmation code is ${HEX}`, []],
    [`Confirmation code ${HEX} and more`, []],
    [`Your code ${HEX}`, []],
    ['Confirmation code 4b5e90a968d', []],
    ['Confirmation code 4b5e90a968d1', ['4b5e90a968d1']],
    ['Confirmation code aaaaaaaaaaaaaaaa', []],
    ['Confirmation code 1aaaaaaaaaaaaaaa', []],
    ['Confirmation code kXqZpVwXtRmN', ['kXqZpVwXtRmN']],
    ['Confirmation code kaQezaVewoTomeNa', []],
  ])('right behind a noun: %s', (text, found) => {
    expect(values(longTokens, text)).toEqual(found)
  })
  test.each([
    [`Enter the login code. Never share it.\n${HEX}\n`, [HEX]],
    [`Enter the login code. Never share it.\n \`${HEX}\` \n`, [HEX]],
    [`To sign in, enter the code. Never share it.\n${HEX}\n`, [HEX]],
    [`Enter the code. Never share it.\n${HEX}\n`, []],
    [`Enter the login code.\n${HEX}\n`, []],
    [`The confirmation code. Never share it.\n${HEX}\n`, []],
    [`Enter the login code. Never share it.\n${HEX}\n${HEX.replace('4', '5')}\n`, []],
    [`Enter the login code. Never share it.\nx ${HEX}\n`, []],
    [`Enter the login code. Never share it.\n${HEX}\n${'a '.repeat(571)}`, [HEX]],
    [`Enter the login code. Never share it.\n${HEX}\n${'a '.repeat(572)}`, []],
  ])('alone on a line, in a mail that asks to enter it and warns: %#', (text, found) => {
    expect(values(longTokens, text)).toEqual(found)
  })
  test.each([
    ['Enter the code "8d2d130a45"', ['8d2d130a45']],
    ['Enter the code 9o1qjF', ['9o1qjF']],
    ['Enter the code 8d2d130a45', ['8d2d130a45']],
    ['Enter the code 9o1qjf', []],
    ['Enter the code b7k2wd', []],
    ['Enter the code harbour7', []],
    ['Enter the code "harbour7"', []],
    ['See the code "8d2d130a45"', []],
    ['Enter the password "8d2d130a45"', []],
    ['Enter the code "8d2d"', []],
    ['Enter the code 9o1qjF.x', []],
    ['Enter the code 9o1qjF-x', []],
    ['Enter the code 9o1qjF.', ['9o1qjF']],
    ['A user was created. Enter the code 9o1qjF', ['9o1qjF']],
    ['An account was created when you enter the code 9o1qjF', []],
  ])('that is to be entered: %s', (text, found) => {
    expect(values(askedTokens, text)).toEqual(found)
  })
  test.each([
    ['Your verification code SONNE-KITA-5R', ['SONNE-KITA-5R']],
    ['Your verification code is SONNE-KITA-5R', ['SONNE-KITA-5R']],
    ['Your verification code “SONNE-KITA-5R”', ['SONNE-KITA-5R']],
    ['Your verification code sonne-kita-5r.', ['sonne-kita-5r']],
    ['Your verification code SONNE-KITA-5R-6', ['SONNE-KITA-5R-6']],
    ['Your verification code SONNE-KITA-5R-6-7', []],
    ['Your verification code SONNE-KITA', []],
    ['Your verification code SONNE-kita-5R', []],
    ['Your verification code ABCDEFGHIJKLM-5R', []],
    ['Your verification code SONNE-5R/x', []],
    ['Your verification code SONNE-5R.x', []],
    ['Your verification code  SONNE-5R', []],
    ['Your verification code 7ad02f91c4', ['7ad02f91c4']],
    ['Your verification code 7ad02f91', ['7ad02f91']],
    ['Your verification code 7ad02f9', []],
    ['Your verification code 7abcdefa', []],
    ['Your verification code 7123456a', []],
    ['Your verification code 7ad02f91c4 8be13a02d5', ['7ad02f91c4']],
    ['Your verification code 482-913', []],
    ['Your verification code 2026-11-30', []],
    ['Your verification code 5-min', []],
    ['Your verification code 30-min', []],
    ['Your verification code 30-Nov', []],
    ['Your verification code 300-min', ['300-min']],
    ['Your verification code 30-min-x', ['30-min-x']],
    ['Your code SONNE-KITA-5R', []],
    ['Your password SONNE-KITA-5R', []],
    ['A user was created using verification code SONNE-KITA-5R', []],
    ['A user was created. Your verification code SONNE-KITA-5R', ['SONNE-KITA-5R']],
  ])(
    'in groups or of hexadecimal digits, behind a noun that names a code of no other kind: %s',
    (text, found) => {
      expect(values(namedTokens, text)).toEqual(found)
    },
  )
  test.each([
    ['Your OTP is NMP-L3W5SDKD', 'L3W5SDKD'],
    ['Your OTP: NMP-L3W5SD', 'L3W5SD'],
    ['Kod OTP anda: NMP-L3W5SDKD', 'L3W5SDKD'],
    ['Your OTP is NMP-L3W5S', null],
    ['Your OTP is NMP-L3W5SDKDX', null],
    ['Your OTP is NM-L3W5SDKD', null],
    ['Your OTP is NMP-L3W5SDKD-7', null],
    ['Your code is NMP-L3W5SDKD', null],
  ])('with three letters before it: %s %s', (text, value) => {
    const mail = mailText(text)
    expect(prefixed(mail, mail.nouns[0]!)?.value ?? null).toBe(value)
  })
})

describe('the only value of a mail without a noun', () => {
  const lone = (text: string, subject = 'Harbour') => {
    const mail = mailText(text, subject)
    return findLoneValue(mail, findCandidates(mail.text))?.value ?? null
  }
  test.each([
    ['482913', 'Harbour', '482913'],
    ['4829', 'Harbour', null],
    ['Hello\n482913\nNever share it.', 'Harbour', '482913'],
    ['Hello\n482913\nIt is valid for 10 minutes.', 'Harbour', '482913'],
    ['Hello\n482913\nBye', 'Harbour', null],
    ['Hello:\n482 913\nBye', 'Harbour', '482913'],
    ['Hello:\n482913\nBye', 'Harbour', '482913'],
    ['Hello\n482913\nBye', 'Sign in', '482913'],
    ['Hello\n4829\nBye', 'Sign in', null],
    ['Hello:\n4829\nBye', 'Sign in', '4829'],
    ['Hello:\nXK42QP\nBye', 'Sign in', 'XK42QP'],
    ['Hello\nXK42QP\nBye', 'Sign in', null],
    ['Hello\n482913\n730518\nNever share it.', 'Harbour', null],
    ['Hello\n482913\n482913\nNever share it.', 'Harbour', '482913'],
    ['Hello\n482913\n20% off\nNever share it.', 'Harbour', null],
    ['Hello\n482913\nYour hotel\nNever share it.', 'Harbour', null],
    ['Order number\n482913\nNever share it.', 'Harbour', null],
    ['Order number: 482913\nNever share it.', 'Harbour', null],
    ['© Harbour, all rights reserved\n482913\nNever share it.', 'Harbour', null],
    [`Hello\n482913\nNever share it.${' a'.repeat(400)}`, 'Harbour', null],
    ['Knot: 9313. Never share it.', 'Harbour', '9313'],
    ['Knot of the sea: 9313. Never share it.', 'Harbour', null],
    ['Sign in. Knot: 482913', 'Sign in', '482913'],
  ])('%j, below "%s": %s', (text, subject, value) => {
    expect(lone(text, subject)).toBe(value)
  })
})
