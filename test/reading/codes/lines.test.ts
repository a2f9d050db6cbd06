import { describe, expect, test } from '@jest/globals'
import {
  isAlone,
  isWrapped,
  lineAbove,
  lineAfter,
  startOfLine,
  valueBetween,
} from '../../../reading/codes/layout.ts'

/** Whether the value 482913 in a text is alone on its line. */
const alone = (text: string) => {
  const start = text.indexOf('482913')
  return isAlone(text, { start, end: start + 6 })
}

describe('a value is alone on its line', () => {
  test.each([
    '482913',
    'Code:\n482913\nThanks',
    'Code\t482913\tThanks',
    ...[...' \'"*_`|~=<>[](){}.,;:!?-^&'].map((mark) => `${mark}482913${mark}`),
    '“482913” 。',
    '# 482913',
    '482913 (valid for 10 minutes)',
    '482913. (valid for 10 minutes)',
    `${'-'.repeat(39)}482913`,
    `Code:\n${'-'.repeat(39)}482913${'-'.repeat(39)}\nThanks`,
  ])('%j', (text) => {
    expect(alone(text)).toBe(true)
  })

  test.each([
    'Code 482913',
    '482913 Thanks',
    '482913 7',
    'код 482913',
    '482913 код',
    '(code) 482913',
    '#482913',
    '482913 # 7',
    '€482913',
    '482913₩',
    '482913%',
    '482913... (valid for 10 minutes)',
    `Code:\n${'-'.repeat(40)}482913`,
    `482913${'-'.repeat(40)}\nThanks`,
  ])('but not %j', (text) => {
    expect(alone(text)).toBe(false)
  })
})

test.each([
  ['', ''],
  ['482913', ''],
  ['Code 482913', 'Code '],
  ['Hello\nCode 482913', 'Code '],
  ['Hello\n482913', ''],
  [`${'a'.repeat(501)}482913`, 'a'.repeat(500)],
  [`\n${'a'.repeat(499)}482913`, 'a'.repeat(499)],
])('the line of a place starts behind a line feed, or 500 characters before: %#', (text, before) => {
  const place = Math.max(0, text.indexOf('482913'))
  expect(text.slice(startOfLine(text, place), place)).toBe(before)
})

describe('the line above a place', () => {
  test.each([
    ['Your code:\n482913', 'Your code:', false],
    ['Hello\nYour code:\n\n \n482913', 'Your code:', false],
    ['Hello\nYour code: \r\n  482913', 'Your code:', false],
    ['Your code:\nto sign in 482913', 'Your code:', false],
    ['Hello\nYour code\t482913', 'Your code', true],
    ['Row\tYour code\t482913', 'Your code', true],
    ['Row\tYour code\n482913', 'Your code', false],
    ['Row\tYour code\t to sign in 482913', 'Your code', true],
    ['482913', '', true],
    [`Code${' '.repeat(10)}\n${' '.repeat(185)}482913`, 'Code', false],
    [`Code${' '.repeat(10)}\n${' '.repeat(189)}482913`, '', false],
    [`${'a'.repeat(300)}\n482913`, 'a'.repeat(199), false],
  ])('%j', (text, above, isCell) => {
    const line = lineAbove(text, text.indexOf('482913'))
    expect(line).toMatchObject({ text: above, isCell })
    expect(text.slice(line.start, line.start + above.length)).toBe(above)
  })
})

test.each([
  ['\n482913', '482913'],
  ['\n482913\nThanks', '482913'],
  [' \r\n\r\n \n482913 is it\n', '482913 is it'],
  ['\n\n\n\n482913', '482913'],
  ['\n\n\n\n\n482913', null],
  [' 482913', '482913'],
  ['', null],
  ['\n\n', null],
])('the next line with something on it is at most three lines further down: Code%j', (rest, line) => {
  const text = `Code${rest}`
  const found = lineAfter(text, 4)
  expect(found && text.slice(found.start, found.end)).toBe(line)
})

test.each([
  [50, true],
  [49, false],
])('a lead whose line above has %d characters is wrapped: %s', (length, wrapped) => {
  expect(isWrapped(`${'a'.repeat(length)}\nweek is`, 'week is')).toBe(wrapped)
  expect(isWrapped(`Hello\n${'a'.repeat(length)}\nweek is`, 'week is')).toBe(wrapped)
})

describe('a value between two places is without the marks around it', () => {
  const value = (text: string) => valueBetween(`Code${text}; end`, 4, 4 + text.length)?.value ?? null
  test.each([...'\t\n :=>→"\'“”«»„‘’([<*_`|-'])('before it: %j', (mark) => {
    expect(value(`${mark}a1b2`)).toBe('a1b2')
  })
  test.each([...'\t\n "\'“”«»„‘’)]>*_`|.,;!'])('behind it: %j', (mark) => {
    expect(value(`a1b2${mark}`)).toBe('a1b2')
  })
  test.each([...'.,;!?)]+#$'])('but not before it: %j', (mark) => {
    expect(value(`${mark}a1b2`)).toBe(`${mark}a1b2`)
  })
  test.each([...':=→?([<-+#$'])('and not behind it: %j', (mark) => {
    expect(value(`a1b2${mark}`)).toBe(`a1b2${mark}`)
  })
  test('braces count only as a pair', () => {
    expect([value('{a1b2}'), value('{a1b2'), value('a1b2}')]).toEqual(['a1b2', null, null])
  })
  test('of at most 120 characters', () => {
    expect(value('a'.repeat(120))).toBe('a'.repeat(120))
    expect(value('a'.repeat(121))).toBeNull()
  })
  test('nothing but marks is no value', () => {
    expect([value(''), value(': '), value('.'), value('"')]).toEqual([null, null, null, null])
  })
})
