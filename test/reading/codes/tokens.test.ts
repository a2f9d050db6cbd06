import { describe, expect, test } from '@jest/globals'
import { isAlphanumeric, isDigit, nextDigit, tokenAt } from '../../../reading/codes/tokens.ts'

/** The token of the first digit of a text behind a place. */
const tokenOf = (text: string, floor = 0) => {
  const { start, end } = tokenAt(text, nextDigit(text, floor), floor)
  return text.slice(start, end)
}

/** Whether the token with these digits, or the first ones, is a piece of something larger. */
const isGlued = (text: string, digits = /\d/) => Boolean(tokenAt(text, text.search(digits), 0).glued)

test('digits and letters of ASCII', () => {
  const ascii = Array.from({ length: 256 }, (_, code) => code)
  const text = (codes: number[]) => String.fromCharCode(...codes)
  expect(text(ascii.filter(isDigit))).toBe('0123456789')
  expect(text(ascii.filter(isAlphanumeric))).toMatch(/^0123456789[A-Z]{26}[a-z]{26}$/)
})

test('the next digit from a place', () => {
  expect([nextDigit('a1b2', 0), nextDigit('a1b2', 1), nextDigit('a1b2', 2), nextDigit('a1b', 2)]).toEqual([
    1, 1, 3, -1,
  ])
})

describe('a token is letters and digits, with single dashes inside', () => {
  test.each([
    ['482913', '482913'],
    ['code 482913 here', '482913'],
    ['XK42-99QP', 'XK42-99QP'],
    ['XK-YZ-42-99', 'XK-YZ-42-99'],
    ['a-b-482913-c-d', 'a-b-482913-c-d'],
    ['-482913-', '482913'],
    ['XK--42', '42'],
    ['42--XK', '42'],
    ['XK -42', '42'],
    ['42- XK', '42'],
    ['аб42вг', '42'],
    ['é42', '42'],
    ['は42-99は', '42-99'],
  ])('%s', (text, token) => {
    expect(tokenOf(text)).toBe(token)
  })

  test('and does not reach back before the end of the one before', () => {
    expect(tokenOf('12345678', 4)).toBe('5678')
    expect(tokenOf('1234-5678', 4)).toBe('5678')
    expect(tokenOf('1234-5678', 5)).toBe('5678')
    expect(tokenOf('ab-cd-5678', 3)).toBe('cd-5678')
  })
})

describe('a mark before a token that makes it a piece of something larger', () => {
  test.each([
    ...[...'@/\\&?%~+^$€£¥₩₽₹₺₴₫§°'].map((mark) => `${mark}4829`),
    ...[...'.:=!#*'].map((mark) => `x1${mark}4829`),
    ...[...'.:=!#*'].map((mark) => `12${mark}a4829`),
    'x_4829',
    'x.4829',
    '1,4829',
    "1'4829",
    'д4829',
    'é4829',
    'ếa4829',
    'ế4829',
    'À4829',
    'ԯ4829',
    'Ḁ4829',
    'ῼ4829',
    `7${'a'.repeat(63)}=4829`,
    'x!4829',
  ])('%s', (text) => {
    expect(isGlued(text, /4829/)).toBe(true)
  })

  test.each([
    ...[...'.,:;=!#*|_-\'"([{<> \n\t'].map((mark) => `x ${mark}4829`),
    'x1(4829',
    'x1-(4829',
    '¿4829',
    'բ4829',
    '᷿4829',
    '\u20004829',
    'x:4829',
    'x=4829',
    'x#4829',
    'x*4829',
    'x,4829',
    "x'4829",
    'は4829',
    '©4829',
    '、4829',
    '„4829',
    `7${'a'.repeat(64)}=4829`,
  ])('but not in %j', (text) => {
    expect(isGlued(text, /4829/)).toBe(false)
  })
})

describe('a mark behind a token that makes it a piece of something larger', () => {
  test.each([
    ...[...'@/\\%$^€£¥₩₽₹₺₴₫§°'].map((mark) => `4829${mark}`),
    ...[...'.:=+~!#&*?'].map((mark) => `4829${mark}a1`),
    ...[...'.:=+~!#&*?'].map((mark) => `a829${mark}x`),
    ...[...'=+~#&'].map((mark) => `a829${mark}`),
    'a829|x',
    'a829;x',
    'a829|7',
    '4829,7',
    '4829_x',
    '4829_7',
    '4829д',
    '4829ế',
    `4829.${'a'.repeat(63)}1`,
    '4829,1234 分',
    'a829.5分',
    '4829.12345分',
  ])('%s', (text) => {
    expect(isGlued(text)).toBe(true)
  })

  test.each([
    ...[...'.,:;=+~!#&*?|_\'")]}> \n\t'].filter((mark) => mark !== '}').map((mark) => `4829${mark} x`),
    ...[...'.:!?*|;'].map((mark) => `a829${mark} x`),
    '4829.Do not share it',
    '4829.a b1',
    '4829.a-1',
    '4829(5',
    '4829|x',
    '4829;x',
    '4829,x',
    'a829,x',
    '4829は',
    '4829、',
    `4829.${'a'.repeat(64)}1`,
    '4829,5\uf900',
    '4829,5 分',
    '4829.105分',
    '4829:10 ນາທີ',
    '4829:10 မိနစ်',
    '4829:10 នាទី',
    '4829,5\uf900',
  ])('but not in %j', (text) => {
    expect(isGlued(text)).toBe(false)
  })
})

test('letters and digits with one brace may miss a part, a number may not', () => {
  expect(['{a829', 'a829}', '{a829}', 'a829'].map((text) => isGlued(text))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(['{4829', '4829}'].map((text) => isGlued(text))).toEqual([false, false])
})

describe('letters and digits behind two different marks and a letter are the end of a password', () => {
  test.each(['CD!=a829', 'CD!-a829', 'CD=!a829', 'CD~#a829', 'CD&?a829', 'CD+=a829', 'CD?=a829'])(
    '%s',
    (text) => {
      expect(isGlued(text)).toBe(true)
    },
  )
  test.each(['Code ==a829', 'CD==a829', 'Code: =a829', 'CD-=a829', 'CD !=a829', 'CD!=4829', 'Code=>a829'])(
    'but not %s',
    (text) => {
      expect(isGlued(text)).toBe(false)
    },
  )
})
