import { describe, expect, test } from '@jest/globals'
import { CODE_SEARCH_WINDOW } from '../../../reading/codes.ts'
import { codesBelow, codesIn, findCodes } from '../find-codes.ts'

const STATED = 'Your verification code is 482913.'
const PROSE = 'The forest is quiet and the birds begin. '

describe('where codes of a mail are looked for', () => {
  test('in the first characters of the subject and of the text', () => {
    expect(codesBelow(`${' '.repeat(1000 - STATED.length)}${STATED}`, '')).toEqual(['482913'])
    expect(codesBelow(`${' '.repeat(1000 - 25)}${STATED}`, '')).toEqual([])
    expect(codesIn(`${' '.repeat(CODE_SEARCH_WINDOW - STATED.length)}${STATED}`)).toEqual(['482913'])
    expect(codesIn(`${' '.repeat(CODE_SEARCH_WINDOW - 25)}${STATED}`)).toEqual([])
  })
  test('in the HTML first, and then in a text that says more', () => {
    const find = (text: string, html: string, isTextOfHtml = false) =>
      findCodes({ subject: '', text, html, isTextOfHtml })
    expect(find(STATED, '<p>Hello</p>')).toEqual(['482913'])
    expect(find(STATED, '<p>Hello</p>', true)).toEqual([])
    expect(find(STATED, '<p>Your verification code is 730518</p>')).toEqual(['730518'])
  })
  test('a long text without a word about codes speaks for its HTML', () => {
    const html = '<p>Your verification code is 730518</p>'
    const long = (length: number) => PROSE.repeat(30).slice(0, length)
    const find = (text: string) => findCodes({ subject: '', text, html, isTextOfHtml: false })
    expect([find(long(999)), find(long(1000)), find(`${long(1000)} Sign in.`)]).toEqual([
      ['730518'],
      [],
      ['730518'],
    ])
  })
  test('the text is not searched beside a HTML of many words or numbers', () => {
    const find = (html: string) => findCodes({ subject: '', text: STATED, html, isTextOfHtml: false })
    const numbers = (count: number) =>
      `<p>${Array.from({ length: count }, (_, n) => `a ${4001 + n}`).join(' ')}</p>`
    expect([find(numbers(10)), find(numbers(11))]).toEqual([['482913'], []])
    expect([find(`<p>${'log in, '.repeat(40)}</p>`), find(`<p>${'log in, '.repeat(110)}</p>`)]).toEqual([
      ['482913'],
      [],
    ])
  })
  test('in hidden text last, if it may have one', () => {
    const find = (hidden: string) =>
      findCodes({ subject: '', text: '', html: `<div style="display:none">${hidden}</div><p>Hello</p>` })
    expect([find(STATED), find(PROSE.repeat(24) + STATED), find(PROSE.repeat(25) + STATED)]).toEqual([
      ['482913'],
      ['482913'],
      [],
    ])
  })
})

describe('marks of programs', () => {
  test.each([
    ['@harbour.example #482913', ['482913']],
    ['@harbour.example #482913 @other.example', ['482913']],
    ['@harbour.example #482913 and more', []],
    ['See @harbour.example #482913', []],
    ['@harbour.example #48', []],
    [`@harbour.example #${'a'.repeat(32)}`, ['a'.repeat(32)]],
    [`@harbour.example #${'a'.repeat(33)}`, []],
    ['Your code is \\482913\\', ['482913']],
    ['Your code is\\n 482913', ['482913']],
    ['Your code is [color=red]482913[/color]', ['482913']],
  ])('%j: %j', (text, codes) => {
    expect(codesIn(text)).toEqual(codes)
  })
})

describe('of several values', () => {
  test.each([
    [
      'those with much less evidence are dropped',
      'Your verification code is 482913.\n\nEnter 730518 to sign in.',
      ['482913', '730518'],
    ],
    [
      'one that occurs twice is better',
      'Verification code: 482913\n\nVerification code: 730518\nLogin code: 730518',
      ['730518', '482913'],
    ],
    ['an old one is dropped', 'Old code: 482913\nVerification code: 730518', ['730518']],
    ['an old one is given if there is no other', 'Your verification code 482913 has expired.', ['482913']],
    [
      'a new number is like the old one',
      'Your code was 114902. It has expired. Here is a new one: 730518',
      ['730518'],
    ],
    [
      'but not of another length',
      'Your code was 114902. It has expired. Here is a new one: 73051',
      ['114902'],
    ],
    ['and not of another kind', 'Your code was 114902. It has expired. Order number 730518', ['114902']],
  ])('%s', (_rule, text, codes) => {
    expect(codesIn(text)).toEqual(codes)
  })
  test('at most ten, unless they are a list', () => {
    const one = (n: number) => `Verification code: ${400001 + n}`
    expect(codesIn(Array.from({ length: 12 }, (_, n) => one(n)).join('\n')).length).toBeLessThanOrEqual(10)
    const list = Array.from({ length: 12 }, (_, n) => `8f3k-${1001 + n}`)
    expect(codesIn(`Your recovery codes:\n${list.join('\n')}`)).toEqual(list)
  })
  test('capitals need more than a bare "code"', () => {
    expect(codesIn('Your code: HVXKDR.\nNever share it.')).toEqual(['HVXKDR'])
    expect(codesIn('Verification code: HVXKDR')).toEqual(['HVXKDR'])
    expect(codesIn('Your code is HVXKDR, of a kind.')).toEqual([])
  })
})
