import { describe, expect, test } from '@jest/globals'
import { textDiff } from '../../web/compare/text-diff.ts'

const SIGNS = { same: ' ', removed: '-', added: '+' }

/** The lines with their sign; changed words in brackets. */
function drawn(before: string, after: string): string[] {
  return textDiff(before, after).lines.map(
    ({ kind, parts }) =>
      SIGNS[kind] + parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join(''),
  )
}

describe('what differs between two texts', () => {
  test('has the lines of both, and the words that differ in lines that replace each other', () => {
    expect(
      drawn('Hello Ann\n\nYour code is 482913.\nBye', 'Hello Ann\r\n\r\nYour code is 739105.\nNew\nBye'),
    ).toEqual([' Hello Ann', ' ', '-Your code is [482913].', '+Your code is [739105].', '+New', ' Bye'])
    expect(drawn('one two', 'three four')).toEqual(['-one two', '+three four'])
    expect(drawn('שלום לך', 'שלום לכם')).toEqual(['-שלום [לך]', '+שלום [לכם]'])
  })

  test('is nothing for equal texts, and whole texts if one is empty', () => {
    expect(drawn('a\nb\n', 'a\nb')).toEqual([' a', ' b'])
    expect(drawn('', '')).toEqual([])
    expect(drawn('', 'a\nb')).toEqual(['+a', '+b'])
    expect(drawn('a', '')).toEqual(['-a'])
  })

  test('is bounded: long texts are cut, very different ones are shown as a whole', () => {
    const lines = (word: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${word} ${i}`).join('\n')
    const long = textDiff(lines('a', 4_000), lines('a', 4_000))
    expect([long.isCut, long.lines.length]).toEqual([true, 3_000])
    expect(textDiff('x'.repeat(100_001), 'x').isCut).toBe(true)
    expect(textDiff('x', 'x'.repeat(100_001)).isCut).toBe(true)
    expect(textDiff('x'.repeat(100_000), 'x').isCut).toBe(false)
    // 3,000 edits are more than are searched for: not even the words are marked.
    const other = textDiff(lines('a', 1_500), lines('b', 1_500)).lines
    expect(other.map(({ kind }) => kind)).toEqual([
      ...Array(1_500).fill('removed'),
      ...Array(1_500).fill('added'),
    ])
    expect(other.some(({ parts }) => parts.length > 1)).toBe(false)
    // Neither are those of a line that is too long or has too many differences.
    expect(drawn(`same ${'x'.repeat(2_000)}`, 'same y')).toHaveLength(2)
    expect(drawn(`same ${'x '.repeat(990)}`, `same ${'y '.repeat(990)}`).join('')).not.toContain('[')
  })

  test('is marked up to these bounds', () => {
    const lines = (word: string, count: number) => Array.from({ length: count }, () => word).join('\n')
    const isCut = (count: number) => textDiff(lines('a', count), '').isCut
    expect([isCut(3000), isCut(3001)]).toEqual([false, true])
    const isMarked = (before: string, after: string) => drawn(before, after).join('').includes('[')
    // Each line that is replaced is two differences.
    const replaced = (removed: number, added: number) => isMarked(lines('a b', removed), lines('a c', added))
    expect([replaced(500, 500), replaced(500, 501)]).toEqual([true, false])
    const long = (length: number) => isMarked(`a ${'x'.repeat(length - 2)}`, 'a y')
    expect([long(2000), long(2001)]).toEqual([true, false])
    const words = (count: number) => isMarked(`same${' x'.repeat(count)}`, `same${' y'.repeat(count)}`)
    expect([words(50), words(51)]).toEqual([true, false])
  })
})
