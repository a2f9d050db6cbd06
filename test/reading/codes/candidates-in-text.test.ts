import { describe, expect, test } from '@jest/globals'
import { findCandidates, findLetterCandidates } from '../../../reading/codes/candidates.ts'

/** The candidates of a text; a "?" marks those that need a clear introduction. */
const found = (text: string) =>
  findCandidates(text).map(({ value, doubtful }) => (doubtful ? `${value}?` : value))

describe('a year that ends or begins a date is no code', () => {
  test.each([
    '20 November 2026',
    '20th November 2026',
    '1st of March 2026',
    '2nd March 2026',
    '3rd March 2026',
    '1. März 2026',
    '1º de enero de 2026',
    '12 de enero del 2026',
    '12 janeiro do 2026',
    '12, Mar. 2026',
    'March 12, 2026',
    'Mar. 12 2026',
    'March 12th, 2026',
    'March 1st 2026',
    '2026年',
    '2026 年',
    '1999年',
    '2026년',
    'am 1. März 2026',
  ])('%s', (text) => {
    expect(found(text)).toEqual([])
  })

  test.each([
    'November 2026',
    '© 2026',
    '20 min 2026',
    '20 hours 2026',
    '20 ab 2026',
    '123 March 2026',
    '20 March:2026',
    '20 of the March 2026',
    '2026  年',
  ])('but %s may be one', (text) => {
    expect(found(text)).toEqual(['2026?'])
  })

  test('nor is any of more than twenty', () => {
    const years = Array.from({ length: 21 }, (_, n) => `a${2001 + n}`.slice(1))
    expect(found(years.slice(0, 20).join(' a '))).toHaveLength(20)
    expect(found(`${years.join(' a ')} b 4829`)).toHaveLength(21)
  })
})

test('at most 24 candidates, among the first 68 parts with a digit', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => 3001 + n).join(' a ')
  expect([found(numbers(24)).length, found(numbers(25)).length]).toEqual([24, 24])
  const parts = (count: number) => 'a7, '.repeat(count)
  expect(found(`${parts(67)}4829`)).toEqual(['4829'])
  expect(found(`${parts(68)}4829`)).toEqual([])
})

describe('groups of capitals', () => {
  test.each([
    ['HVXKDR', ['HVXKDR']],
    ['HVX', []],
    ['HVXK', ['HVXK']],
    ['HVXKDRABCD', ['HVXKDRABCD']],
    ['HVXKDRABCDE', []],
    ['XTB-MFK', ['XTB-MFK']],
    ['XTBM-MFK', []],
    ['XT-MF', []],
    ['ABCD-EFGH-IJKL-MNOP-QRST', ['ABCD-EFGH-IJKL-MNOP-QRST']],
    ['ABCDE-EFGHI-IJKLM-MNOPQ-QRSTU', []],
    ['AB HVXKD', ['HVXKD']],
    ['HVX HVXKD', ['HVXKD']],
    ['HVXKDRABCDE HVXKD', ['HVXKD']],
    ['XTBM-MFK HVXKD', ['HVXKD']],
    ['ABC-DEF-GHI-JKL-MNO-PQR', []],
    ['ABCDEF-GHIJKL', []],
    ['HVXKD7', []],
    ['7HVXKD', []],
    ['HVXKd', []],
    ['@HVXKD', []],
    ['#HVXKD', []],
    ['&HVXKD', []],
    ['_HVXKD', []],
    ['-HVXKD', []],
    ['HVXKD@', []],
    ['HVXKD_', []],
    ['HVXKD-', []],
    ['HVXKD+', ['HVXKD']],
    ['HVXKD+a', []],
    ['HVXKD=7', []],
    ['HVXKD%a', []],
    ['HVXKD~a', []],
    ['HVXKD.', ['HVXKD']],
    ['(HVXKD)', ['HVXKD']],
    ['éHVXKD', []],
    ['HVXKDé', []],
  ])('%s', (text, values) => {
    const shown = findLetterCandidates(`Code ${text} `)
    expect(shown.map(({ value }) => value)).toEqual(values)
    for (const { start, end, value } of shown) expect(`Code ${text} `.slice(start, end)).toBe(value)
  })
  test('need a clear introduction', () => {
    expect(findLetterCandidates('HVAKER')).toMatchObject([{ digits: false, doubtful: true, look: 1 }])
    expect(findLetterCandidates('HVXKD')).toMatchObject([{ doubtful: true }])
  })

  test('but not six letters or more of which none is a vowel', () => {
    expect(findLetterCandidates('HVXKDR')).toMatchObject([{ doubtful: false }])
  })
})
