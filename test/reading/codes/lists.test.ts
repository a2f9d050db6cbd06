import { describe, expect, test } from '@jest/globals'
import { findLists } from '../../../reading/codes/lists.ts'

/** The values of the lists of a text, each where it is. */
const lists = (text: string) =>
  findLists(text).map(({ start, end, values, places }) => {
    expect(start).toBe(places[0]!.start)
    expect(end).toBe(places.at(-1)!.end)
    const shown = places.map((place) => text.slice(place.start, place.end))
    expect(shown.map((one) => one.replace(/\W/g, ''))).toEqual(values.map((one) => one.replace(/\W/g, '')))
    return values
  })
const lines = (...values: string[]) => lists(values.join('\n'))

const A = ['8f3k-29dm', 'k29s-xm31', 'p0e2-8dka']

describe('three or more lines of one shape are a list', () => {
  test.each([
    [A, [A]],
    [A.slice(0, 2), []],
    [['', ...A, ''], [A]],
    [['Your codes', ...A, 'Keep them'], [A]],
    [[A[0], '', '', A[1], '', '', A[2]], [A]],
    [[A[0], '', '', '', A[1], A[2]], []],
    [[A[0], 'and', A[1], A[2]], []],
    [[A[0], 'and.', A[1], A[2]], []],
    [[A[0], '', '', 'and.', '', A[1], A[2]], []],
    [
      [...A, '48213 90127', '20194 55183', '77120 39481'],
      [A, ['4821390127', '2019455183', '7712039481']],
    ],
    [[...A, 'zz4t-77hh5'], [A]],
    [['zz4t-77hh5', ...A], [A]],
    [[A[0], A[1], A[0]], []],
    [['4821', '2019', '7712'], []],
    [['48213', '20194', '77120'], [['48213', '20194', '77120']]],
    [['48213', '20194', '771203'], []],
    [['482 13', '201 94', '771 20'], [['48213', '20194', '77120']]],
    [['48 21', '20 19', '77 12'], []],
    [['a1b2', 'a3b4', 'a5b6'], []],
    [['a1b2c', 'a3b4c', 'a5b6c'], [['a1b2c', 'a3b4c', 'a5b6c']]],
    [['abcde', 'fghij', 'klmno'], []],
    [['abcde', 'fghi7', 'klmn8'], [['abcde', 'fghi7', 'klmn8']]],
    [['abcde', 'fghij', 'klmn8'], []],
    [['abcd efgh', 'qwnd pzva', 'lwpe xnvc'], [['abcd efgh', 'qwnd pzva', 'lwpe xnvc']]],
    [['ABCD-EFGH', 'QWND-PZVA', 'LWPE-XNVC'], [['ABCD-EFGH', 'QWND-PZVA', 'LWPE-XNVC']]],
    [['Abcd efgh', 'qwnd pzva', 'lwpe xnvc'], []],
    [['coral-anvil', 'timber-lotus', 'magnet-violin'], [['coral-anvil', 'timber-lotus', 'magnet-violin']]],
    [['coral-anvil', 'timber-lotus', 'magnet-violin-x'], []],
    [['a8f2.9dmx', 'b7e3.4kqz', 'c6d4.8wny'], [['a8f2.9dmx', 'b7e3.4kqz', 'c6d4.8wny']]],
    [['a8f2_9dmx', 'b7e3_4kqz', 'c6d4_8wny'], [['a8f2_9dmx', 'b7e3_4kqz', 'c6d4_8wny']]],
    [['a8f2:9dmx', 'b7e3:4kqz', 'c6d4:8wny'], [['a8f2:9dmx', 'b7e3:4kqz', 'c6d4:8wny']]],
    [['report1.pdf', 'report2.pdf', 'report3.pdf'], []],
    [['report1.pdf', 'report2.doc', 'report3.txt'], [['report1.pdf', 'report2.doc', 'report3.txt']]],
    [['10.42', '11.43', 'a2.44'], []],
    [['482/13', '201/94', '771/20'], []],
    [['482-13-', '201-94-', '771-20-'], []],
    [
      [
        'ABCDEFGH-JKLMNPQR-STUVWX12-34567890',
        'BBCDEFGH-JKLMNPQR-STUVWX12-34567890',
        'CBCDEFGH-JKLMNPQR-STUVWX12-34567890',
      ],
      [
        [
          'ABCDEFGH-JKLMNPQR-STUVWX12-34567890',
          'BBCDEFGH-JKLMNPQR-STUVWX12-34567890',
          'CBCDEFGH-JKLMNPQR-STUVWX12-34567890',
        ],
      ],
    ],
    [
      [
        'ABCDEFGH-JKLMNPQR-STUVWX12-345678901',
        'BBCDEFGH-JKLMNPQR-STUVWX12-345678901',
        'CBCDEFGH-JKLMNPQR-STUVWX12-345678901',
      ],
      [],
    ],
    [['ABCDEFGH1234', 'BBCDEFGH1234', 'CBCDEFGH1234'], [['ABCDEFGH1234', 'BBCDEFGH1234', 'CBCDEFGH1234']]],
    ...[32, 33].map((length): [string[], string[][]] => {
      const values = ['a', 'b', 'c'].map((letter) => `${letter}7X`.padEnd(length, 'x9'))
      return [values, length === 32 ? [values] : []]
    }),
    [['Settings', 'Privacies', 'Conditions'], []],
    [['356938035643809', '490154203237518', '352099001761481'], []],
    [['DE89370400440532013000', 'DE12500105170648489890', 'DE02120300000000202051'], []],
  ])('%j', (texts, expected) => {
    expect(lines(...(texts as string[]))).toEqual(expected)
  })

  test('but not of more than 24', () => {
    const values = (count: number) => Array.from({ length: count }, (_, n) => `a1b2c-${1001 + n}`)
    expect(lines(...values(24))).toEqual([values(24)])
    expect(lines(...values(25))).toEqual([])
  })
})

describe('the number or the mark of an entry is no part of its value', () => {
  test.each(['1. ', '12. ', '1) ', '1: ', '- ', '* ', '• ', '· ', '1.   ', '  ', '\t'])('%j', (mark) => {
    expect(lines(...A.map((value) => mark + value))).toEqual([A])
  })
  test.each(['123. ', '1.', '1 ', '+ ', '> ', 'a. '])('but not %j', (mark) => {
    expect(lines(...A.map((value) => mark + value))).not.toEqual([A])
  })
})

describe('a line that ends with one of these marks is no value', () => {
  test.each([...'.:!?)]"\'>'])('%s', (mark) => {
    expect(lines(A[0]!, A[1]!, `${A[2]}${mark}`)).toEqual([])
    expect(lines(...A.map((value) => value + mark))).toEqual([])
  })
  test.each([' ', '\t', '\r'])('but white space counts for nothing: %j', (mark) => {
    expect(lines(...A.map((value) => value + mark))).toEqual([A])
  })
})

describe('values in cells, in columns or behind commas are a list', () => {
  test.each([
    [A.join('\t')],
    [A.join(' ')],
    [`Codes:\n${A.join(' ')}  \nKeep them.`],
    [A.join('  ')],
    [A.join('      ')],
    [A.join(', ')],
    [A.join(',')],
    [`1. ${A[0]}  2. ${A[1]}\n3. ${A[2]}`],
    [`Codes,\n${A.join(', ')}`],
    [`Hello,  you\n${A.join('  ')}`],
    [`${A[0]}\t\t${A[1]}\n\n${A[2]}`],
    [`1.       ${A[0]}\n2.       ${A[1]}\n3.       ${A[2]}`],
    [`1.\t${A[0]}\t2.\t${A[1]}\n3.\t${A[2]}`],
    [` 1) \t${A[0]}\n10)\n${A[1]}\n 2. \n${A[2]}`],
  ])('%j', (text) => {
    expect(lists(text)).toEqual([A])
  })
  test('of several lines, too, of which the last one may have fewer', () => {
    const all = Array.from({ length: 8 }, (_, n) => `c0e${n}-d91${n}`)
    const rows = (size: number) =>
      Array.from({ length: Math.ceil(8 / size) }, (_, n) =>
        all.slice(size * n, size * (n + 1)).join(' '),
      ).join('\n')
    for (const size of [2, 3, 4, 5, 7, 8])
      expect(lists(`Codes:\n\n${rows(size)}\n\nKeep them.`)).toEqual([all])
    expect(lists('a1-b2c d3-e4f g5-h6i')).toEqual([['a1-b2c', 'd3-e4f', 'g5-h6i']])
  })
  test.each([
    [A.slice(0, 2).join(' ')],
    ['331906 874250 605118 220914'],
    ['K4QZ72MN 8H3JX9PL\nWZ5T9KX3 1Q7R2MNB'],
    [`${A.join(' ')}.`],
    [`${A.join(' ')}     `],
    [`See ${A.join(' ')}`],
    [`${A.join(' ')} now`],
    [A.join('; ')],
    [A.join(' , ')],
    [A.join(',  ')],
  ])('but not %j', (text) => {
    expect(lists(text)).toEqual([])
  })
})
