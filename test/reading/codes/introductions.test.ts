import { describe, expect, test } from '@jest/globals'
import { isYoursAlone } from '../../../reading/codes/phrase-scores.ts'
import {
  endsAsIntroduction,
  endsWithVerb,
  endWithoutMarks,
  isRequested,
  startsWithEnterAfter,
  startsWithIs,
  startsWithVerb,
  withoutMarksAfter,
} from '../../../reading/codes/phrases.ts'
import { mailText } from './mail-text.ts'

/** A text with "|" at a place: the mail without it, its first noun, and the place. */
const at = (marked: string) => {
  const mail = mailText(marked.replace('|', ''))
  return { mail, noun: mail.nouns[0]!, place: marked.indexOf('|') + 2 }
}

test.each([
  ['Your code:|', true],
  ['Your code =|', true],
  ['Your code >|', true],
  ['Your code →|', true],
  ['Your code -|', true],
  ['Your code ՝|', true],
  ['Your code is|', true],
  ['Your code for Acme is|', true],
  ['Code, please enter|', true],
  ['Code lautet|', true],
  ['Your code|', false],
  ['Your code;|', false],
])('%s introduces a code: %s', (marked, introduces) => {
  const { mail, noun, place } = at(marked)
  expect(endsAsIntroduction(mail, noun, place)).toBe(introduces)
})

test.each([
  ['kode verifikasi anda|', true],
  ['kode OTP anda|', true],
  ['kode untuk akun anda|', false],
  ['some code anda|', false],
  ['kode|', false],
])('%s ends with "your" alone: %s', (marked, alone) => {
  const { mail, noun, place } = at(marked)
  expect(isYoursAlone(mail, noun, place)).toBe(alone)
})

test.each([
  ['Enter |482913', true],
  ['Enter: |482913', true],
  ['Enter :|482913', true],
  ['Enter "|482913"', true],
  ['Please enter now |482913', true],
  ['Enter another |482913', false],
  ['Enter it now |482913', false],
  ['See |482913', false],
  ['Enter. See |482913', false],
])('%s is requested: %s', (marked, requested) => {
  const { mail, place } = at(marked)
  expect(isRequested(mail, place)).toBe(requested)
})

test.each([
  ['Enter|', true],
  ['geben Sie|', true],
  ['Enter sixsix|', true],
  ['Enter sevenxx|', false],
  ['Entered|', false],
])('%s ends with a verb: %s', (marked, ends) => {
  const { mail, place } = at(marked)
  expect(endsWithVerb(mail, place)).toBe(ends)
})

describe('behind a value', () => {
  test.each([
    ['کد 482913| است.', true],
    ['کد 482913|» است.', false],
    ['کد 482913|" است.', true],
    ['Your code 482913| is', true],
    ['Your code 482913| is.', true],
    ['Your code 482913| is 7', true],
    ['Your code 482913| is not', false],
    ['Your code 482913|', false],
  ])('a verb may end its sentence: %s %s', (marked, starts) => {
    const { mail, noun, place } = at(marked)
    expect(startsWithVerb(mail, noun, place)).toBe(starts)
  })
  test.each([
    ['482913 |is your code', true],
    ['482913 |- your code', true],
    ['482913 |: your code', true],
    ['482913 |= your code', true],
    ['482913 |(your code)', true],
    ['482913 |your code', false],
  ])('"is", or a mark, says that it is the code: %s %s', (marked, starts) => {
    const { mail, noun, place } = at(marked)
    expect(startsWithIs(mail, noun, place)).toBe(starts)
  })
  test.each([
    ['482913|を入力してください', true],
    ['482913|」を入力してください', true],
    ['482913| 」"を入力してください', true],
    ['482913| 」")を入力してください', false],
    ['482913|を見る', false],
  ])('the reader is asked to enter it: %s %s', (marked, starts) => {
    const { mail, place } = at(marked)
    expect(startsWithEnterAfter(mail, place)).toBe(starts)
  })
  test.each([
    [' "\'»”’」』】〕》])>*_`|is', 'is'],
    ['is', 'is'],
    [`${' '.repeat(20)}is`, 'is'],
    [`${' '.repeat(21)}is`, ' is'],
    ['.is', '.is'],
  ])('marks are left out: %j', (rest, left) => {
    expect(withoutMarksAfter(rest)).toBe(left)
  })
})

test.each([
  ['Code is "', 'Code is'],
  ['Code is \t\n«»„“”‘’「『【〔《[(<*_`|•#', 'Code is'],
  ['Code:', 'Code:'],
  [`Code${' '.repeat(40)}`, 'Code'],
  [`Code${' '.repeat(41)}`, 'Code '],
])('a lead ends before the marks: %j', (lead, left) => {
  expect(lead.slice(0, endWithoutMarks(lead, 0, lead.length))).toBe(left)
  expect(endWithoutMarks(lead, lead.length - 1, lead.length)).toBeGreaterThanOrEqual(lead.length - 1)
})
