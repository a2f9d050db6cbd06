import { describe, expect, test } from '@jest/globals'
import { findCandidates } from '../../../reading/codes/candidates.ts'

/** The candidates of a text, each where it is; a "?" marks those that need a clear introduction. */
const found = (text: string) =>
  findCandidates(text).map(({ start, end, value, doubtful }) => {
    const shown = text.slice(start, end)
    expect(shown).toMatch(/^[A-Za-z0-9].*[A-Za-z0-9]$/s)
    expect(shown.replace(/[^A-Za-z0-9]/g, '')).toBe(value.replace(/[^A-Za-z0-9]/g, ''))
    return doubtful ? `${value}?` : value
  })

describe('groups of digits on a line are one code', () => {
  test.each([
    ['482 913', ['482913']],
    ['482  913', ['482913']],
    ['482   913', ['482913']],
    ['482    913', []],
    ['482 · 913', ['482913']],
    ['482·913', ['482913']],
    ['482•913', ['482913']],
    ['482 | 913', ['482913']],
    ['482|913', ['482913']],
    ['482 - 913', ['482913']],
    ['482  - 913', []],
    ['482 / 913', []],
    ['482\t913', ['482913?']],
    ['482\t·\t913', ['482913?']],
    ['48 29 13', ['482913']],
    ['48 29 13 55', ['48291355']],
    ['4829 1355', ['48291355']],
    ['4829 13', ['482913?']],
    ['2026 13', []],
    ['2026 13 is', ['2026?']],
    ['4829 135', []],
    ['4829 135 is', ['4829']],
    ['482 139 01', ['48213901?']],
    ['482 139 01.', ['48213901?']],
    ['482 139 01\t\nThanks', ['48213901?']],
    ['482 139 01 is it', ['482139']],
    ['482 913 30 minutes', ['482913']],
    ['482 913 4 a', ['482913']],
    ['4829 13 is it', ['4829']],
    ['48291 30 is it', ['48291']],
    ['482 139 012', ['482139012?']],
    ['482 139 012 is it', ['482139012?']],
    ['48213 90127', ['4821390127?']],
    ['482 139 012 345', ['482139012345?']],
    ['48213 90127 345', []],
    ['482139 012345', ['482139', '012345']],
    ['482913551234', []],
    ['482 139 012 345 678', []],
    ['48213 90127 34567', []],
    ['4829 1,355', ['4829']],
    ['4829 a135', ['4829 a135?']],
    ['4821 3901 2345 6789', []],
    ['4821 3901 23', []],
    ['48 21 39 01 23', []],
    ['+48 291 355', []],
    ['+48 29 13', []],
    ['+4 8 2', []],
    ['482 x 913', []],
    ['482 913x', []],
    ['482a 913', []],
    ['48,29 13', []],
  ])('%j', (text, values) => {
    expect(found(text)).toEqual(values)
  })
})

describe('groups of digits over lines are one code, if all are short and each ends its line', () => {
  test.each([
    ['482\n913', ['482913']],
    ['482\n\n \n913 \t', ['482913']],
    [`482${'\n'.repeat(12)}913`, ['482913']],
    [`482${'\n'.repeat(13)}913`, []],
    [`482\n913${' '.repeat(12)}\nThanks`, ['482913']],
    ['482\n913 Thanks', []],
    ['482\n913\nThanks', ['482913']],
    ['48\n29\n13', ['482913']],
    ['4829\n1355', ['4829', '1355']],
    ['482\n13', []],
    ['482\n913\n55', ['482913']],
    ['482\n·\n913', []],
    ['482\n913 551', ['913551']],
    ['482 913\n551', ['482913']],
    ['482\n913\n551', ['482913551?']],
    ['482\n· 913', []],
  ])('%j', (text, values) => {
    expect(found(text)).toEqual(values)
  })
})

describe('groups of letters and digits with single blanks are one code', () => {
  test.each([
    ['XK42 99QP', ['XK42 99QP?']],
    ['xk42 99qp', ['xk42 99qp?']],
    ['Xk42 99QP', []],
    ['Xk42 99QP is', ['Xk42?', '99QP']],
    ['XK42  99QP', ['XK42', '99QP']],
    ['XK42\t99QP', ['XK42', '99QP']],
    ['XK4 99Q', ['XK4 99Q?']],
    ['XK 9Q', []],
    ['XK4299 99QPXX', ['XK4299 99QPXX?']],
    ['XK42999 99QPXX7', ['XK42999', '99QPXX7']],
    ['XK42 99QPX', []],
    ['XK42 99QPX is', ['XK42', '99QPX']],
    ['XK42 99QP-', ['XK42', '99QP']],
    ['XK42 99QP-7', ['XK42']],
    ['4829 13AB', ['4829 13AB?']],
    ['4829 1355 a', ['48291355']],
    ['XK42 ABCD', ['XK42']],
    ['XK42 ABCD 99QP', ['XK42 ABCD 99QP?']],
    ['is XK42 ABCD 99QP', ['XK42 ABCD 99QP?']],
    ['is XK42 ABCD EFGH 99QP', ['XK42 ABCD EFGH 99QP?']],
    ['is: XK42 ABCD EFGH IJKL 99QP', ['XK42', '99QP']],
    ['XK42 ABCD EFGH IJKL 99QP', ['XK42 ABCD EFGH IJKL 99QP?']],
    ['MVV7 NNLE ETKB AUSC', ['MVV7 NNLE ETKB AUSC?']],
    ['NNLE ETKB MVV7', ['NNLE ETKB MVV7?']],
    ['Code\nNNLE ETKB MVV7\nThanks', ['NNLE ETKB MVV7?']],
    ['nnle etkb mv7v', ['mv7v?']],
    ['NNLE MVV7', ['MVV7']],
    ['is: NNLE ETKB MVV7', ['MVV7']],
    ['NNLE ETKB MVV7 is', ['MVV7']],
    ['A1B A2B A3B A4B A5B A6B', ['A1B A2B A3B A4B A5B A6B?']],
    ['4829 13ab 77', ['4829 13ab 77?']],
    ['4829 13ab 77.', ['4829 13ab 77?']],
    ['4829 13ab a7', ['4829 13ab a7?']],
    ['4829 13AB A7', ['4829 13AB A7?']],
    ['4829 13ab 77\nThanks', ['4829 13ab 77?']],
    ['4829 13ab 7b7', ['4829 13ab 7b7?']],
    ['4829 13AB 7B7', ['4829 13AB 7B7?']],
    ['4829 ABCD 1355', ['4829 ABCD 1355?']],
    ['is 4829 ABCD 1355', ['4829', '1355']],
    ['4829 13ab 77 is it', ['4829 13ab?']],
    ['4829 13ab is', ['4829 13ab?']],
    ['4829 13x55', []],
    ['4829 13x55 is', ['4829', '13x55?']],
  ])('%j', (text, values) => {
    expect(found(text)).toEqual(values)
  })
})

test.each(['A1B A2B A3B A4B A5B A6B A7B', 'A1B A2B A3B A4B A5B A6B 77'])('but at most six: %s', (text) => {
  expect(found(text)).not.toContain(`${text}?`)
})

describe('single characters with gaps between them are one code', () => {
  test.each([
    ['4 8 2 9 1 3', ['482913']],
    ['4 8 2 9', ['4829']],
    ['4 8 2', []],
    ['4\t8\t2\t9', ['4829']],
    ['4\n8\n2\n9', ['4829']],
    ['4\n\n8\n\n2\n\n9', ['4829']],
    ['4 | 8 | 2 | 9', ['4829']],
    ['4·8·2·9', ['4829']],
    ['4 • 8 • 2 • 9', ['4829']],
    ['4\t8\t-\t2\t9', ['4829']],
    ['4 8 - 2 9', []],
    ['4\t8\t- 2\t9', []],
    ['4\t8 -\t2\t9', []],
    ['X 4 K 2', ['X4K2']],
    ['X K Y 2', ['XKY2']],
    ['x 4 k 2', []],
    ['4 8 2 9 5 minutes', ['48295']],
    ['4 8 2 9\n5 minutes', ['4829']],
    ['4\n8\n2\n9\n5 minutes', ['4829']],
    ['4\n8\n2\n9\n1\n3 5', ['48291']],
    ['A 4 8 2 9', ['4829']],
    ['I 4 8 2 9', ['4829']],
    ['4 8 2 9 A', ['4829']],
    ['X 4 8 2 9', ['X4829']],
    ['A 4 8 2 9 A', ['A4829A']],
    ['A 4 8 2', []],
    ['1 2 3 4 5', ['12345?']],
    ['7 8 9 0', ['7890?']],
    ['1 2 3 5', ['1235']],
    ['"4" "8" "2" "9"', []],
    ['"4 8 2 9"', ['4829']],
    ['[4 8 2 9]', ['4829']],
    ['は4 8 2 9は', ['4829']],
    ['d4 8 2 9', []],
    ['é4 8 2 9', []],
    ['4 8 2 9.', ['4829']],
    ['4 8 2 9-', ['4829']],
    ['4 8 2 9 13', ['4829']],
    ['4 8 2 9 1 3 7 5 0 6', ['4829137506']],
    ['4 8 2 9 1 3 7 5 0 6 4', []],
    ['Z Y X W V U T S R Q 4', []],
    [`4${' '.repeat(12)}8 2 9`, ['4829']],
    [`4${' '.repeat(13)}8 2 9`, []],
  ])('%j', (text, values) => {
    expect(found(text)).toEqual(values)
  })
})

test('a row of more than twelve numbers is no longer one of groups', () => {
  const twelve = '11 22 33 44 55 66 77 88 99 10 12 13'
  expect(found(`${twelve} 4821 is`)).toEqual(['4821'])
  expect(found(`${twelve.slice(3)} 4821 is`)).toEqual([])
})
