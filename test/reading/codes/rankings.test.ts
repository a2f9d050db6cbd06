import { describe, expect, test } from '@jest/globals'
import { codesIn } from '../find-codes.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => `${4101 + n} a `).join('')

const SEA = 'the sea is calm '.repeat(12)

test('ten candidates that are near a noun are scored', () => {
  const found = (count: number) =>
    codesIn(`Verification code. ${numbers(count)}sea. It is calm today. Login code: 482913\n${SEA.repeat(2)}`)
  expect([found(9), found(10)]).toEqual([['482913'], []])
})

test('candidates that are near no word are not counted', () => {
  expect(codesIn(`${numbers(14)}${SEA}Login code: 482913`)).toEqual(['482913'])
})

describe('a second value is given only if it says as much', () => {
  test.each([
    ['Verification code: 482913\n\nEnter 730518 to sign in.', ['482913', '730518']],
    ['Verification code: 482913\n\n730518 is your login code.', ['482913', '730518']],
    ['Verification code: 482913\n\nOrder 730518', ['482913']],
    [
      'Verification code: 482913 482913\n\nLogin code: 730518\nLogin code: 730518\nLogin code: 730518',
      ['730518', '482913'],
    ],
    ['Verification code: 482913, valid until 2026', ['482913']],
    ['Verification code: 482913\n\n2026 Harbour', ['482913']],
  ])('%j: %j', (text, codes) => {
    expect(codesIn(text)).toEqual(codes)
  })
})

describe('a new number is like the old one, and no other number', () => {
  const after = (text: string) => codesIn(`Your code was 114902. It has expired. ${text}`)
  test.each([
    ['Here is a new one: 730518', ['730518']],
    ['730518 it is', ['730518']],
    ['And 730518, or 730519', ['730518', '730519']],
    ['Here is a new one: 7305', ['114902']],
    ['Here is a new one: XK42QP', ['114902']],
    ['It costs 730518 EUR', ['114902']],
    ['Order number 730518', ['114902']],
    ['The number of your parcel is 730518', ['114902']],
  ])('%s: %j', (text, codes) => {
    expect(after(text)).toEqual(codes)
  })
})

describe('groups of capitals that are no words', () => {
  test.each([
    ['Verification code: HVXKDR', ['HVXKDR']],
    ['Verification code: EXPIRED', []],
    ['Verification code: HVXK-4829', ['HVXK-4829']],
    ['Access code: HVXKDR', ['HVXKDR']],
    ['Invitation code: HVXKDR', ['HVXKDR']],
    ['Your code: HVXKDR, to sign in', ['HVXKDR']],
    ['Some code: HVXKDR, to sign in', []],
    ['Postal code: HVXKDR', []],
  ])('%s: %j', (text, codes) => {
    expect(codesIn(text)).toEqual(codes)
  })
})

test('a value of a list is a code only with all others', () => {
  const list = '8f3k-29dm\nk29s-xm31\np0e2-8dka'
  expect(codesIn(`Your recovery codes:\n${list}`)).toHaveLength(3)
  expect(codesIn(`Verification code: 482913\n\nYour voucher codes:\n${list}`)).toEqual(['482913'])
})
