import { describe, expect, test } from '@jest/globals'
import { isWorthScoring, scoreOf } from '../../../reading/codes/score.ts'
import { SCORE } from '../../../reading/codes/scores.ts'
import { candidateOf, mailText } from './mail-text.ts'

/** How clearly a mail presents a value as its code: the points of SCORE. */
const score = (text: string, { subject = 'Harbour', value = '482913', doubtful = false } = {}) => {
  const mail = mailText(text, subject)
  const candidate = candidateOf(mail, value)
  return scoreOf(mail, doubtful ? { ...candidate, doubtful } : candidate)
}
const none = SCORE.none
const FAR = (length: number) => `${'the sea is calm '.repeat(60).slice(0, length - 2)}.\n`

describe('a value that words introduce is stated', () => {
  test.each([
    'Your verification code is 482913',
    'Your verification code: 482913',
    'Your verification code = 482913',
    'Your verification code -> 482913',
    'Your verification code - 482913',
    'Your verification code is "482913"',
    'Your verification code is **482913**',
    'Your verification code 482913',
    'Your verification code:\n482913',
    'Your verification code\n\n482913',
    'Your verification code (10 minutes): 482913',
    'Your verification code for Acme is 482913',
    'Verification code, please enter 482913',
    'kode verifikasi anda 482913',
    '482913 is your verification code',
    '482913 - your verification code',
    '482913: your verification code',
    'The code to verify your phone number: 482913',
    'Your code for the amount of 200,00 EUR is 482913',
    `Your verification code of ${'a'.repeat(154)}: 482913`,
    'Please enter the code in "482913"',
  ])('%j', (text) => {
    expect(score(text)).toBe(SCORE.stated)
  })

  test.each([
    'Your verification code was sent. And 482913',
    'Your verification code for the house number 482913',
    'Your order number: 482913',
    'Your postal code is 482913',
    'Your verification code, order number: 482913',
    'Your code for the card ending in 482913',
    'Your code 123 for 482913',
    'Your password was changed 482913',
    'The sea 482913 is calm',
    '482913 is calm. Your verification code comes later',
    '482913 EUR',
  ])('but not %j', (text) => {
    expect(score(text)).toBeLessThan(SCORE.enough)
  })
})

describe('the score of a value that is on its own line', () => {
  const own = (lead: string, rest = '', options = {}) => score(`${lead}482913${rest}`, options)
  test('below a noun, by their distance', () => {
    const below = (length: number) => own(`Verification code. ${FAR(length - 2)}`)
    expect([below(40), below(250), below(251), below(800), below(801)]).toEqual([
      SCORE.belowNoun,
      SCORE.belowNoun,
      SCORE.farBelowNoun,
      SCORE.farBelowNoun,
      none,
    ])
  })
  test('below a noun of the subject, however far', () => {
    expect(own(FAR(900), '', { subject: 'Verification code' })).toBe(SCORE.farBelowNoun)
  })
  test('above a noun, at most 300 characters', () => {
    const above = (length: number) => own('', `\n${FAR(length - 1)}OTP`)
    expect([above(50), above(300), above(301)]).toEqual([SCORE.aboveNoun, SCORE.aboveNoun, none])
  })
  test('below a label of another number it is none', () => {
    const labels = ['Order number\n', 'Order number:\n', 'Order\t', 'Postal code\n', 'Número de badge :\n']
    for (const label of labels)
      expect([label, own(`Verification code below. So.\n\n${label}`)]).toEqual([label, none])
  })
  test('below another word it counts', () => {
    const labels = [
      'The sea\n',
      'The sea:\n',
      'The sea\t',
      'Please see below for how it is to be written in to\n',
    ]
    for (const label of labels)
      expect([label, own(`Verification code below. So.\n\n${label}`)]).toEqual([label, SCORE.belowNoun])
  })
  test('a doubtful one needs a noun near it that is more than "code"', () => {
    const doubtful = (lead: string, subject = 'Harbour') => own(lead, '', { doubtful: true, subject })
    expect(doubtful(`Verification code. ${FAR(158)}`)).toBe(SCORE.farBelowNoun)
    expect(doubtful(`Verification code. ${FAR(160)}`)).toBe(none)
    expect(doubtful('Your code. So.\n')).toBe(none)
    expect(doubtful('Your code to sign in. So.\n')).toBe(SCORE.farBelowNoun)
  })
  test('letters have to be right below the noun, unless they have hardly a vowel', () => {
    const letters = (lead: string, value: string) => {
      const mail = mailText(`${lead}${value}`, 'Harbour')
      const start = mail.text.indexOf(value)
      const end = start + value.length
      return scoreOf(mail, { start, end, value, look: 1, digits: false, doubtful: true })
    }
    const far = 'Verification code. So.\nSo\n'
    expect([letters('Verification code so\n', 'HAVOKE'), letters(far, 'HAVOKE')]).toEqual([
      SCORE.farBelowNoun,
      none,
    ])
    expect(['HVXKDR', 'ZJBGI', 'HVXK', 'HVXKDRT', 'HAVXI'].map((value) => letters(far, value))).toEqual([
      SCORE.farBelowNoun,
      SCORE.farBelowNoun,
      none,
      none,
      none,
    ])
    expect(letters('Your code. So.\nSo\n', 'ZJBGI')).toBe(none)
    expect(letters(`Verification code. ${'na '.repeat(85)}\nSo\n`, 'ZJBGI')).toBe(none)
  })
  test('letters and digits at the end of prose that was wrapped are a word', () => {
    const prose = (length: number, end: string, value: string) =>
      score(`Verification code. ${'the sea is calm '.repeat(9).slice(0, length - 20)}${end}\n${value}`, {
        value,
      })
    expect([
      prose(51, 'a', '7391'),
      prose(50, 'a', '7391'),
      prose(51, '.', '7391'),
      prose(51, ',', '7391'),
    ]).toEqual([none, SCORE.belowNoun, SCORE.belowNoun, none])
    expect([prose(51, 'a', '482913'), prose(51, 'a\n', '7391')]).toEqual([SCORE.belowNoun, SCORE.belowNoun])
  })
})

describe('the score of a value that the reader is asked to enter', () => {
  test.each([
    ['Enter 482913 to sign in', SCORE.requested],
    ['Enter: 482913 to sign in', SCORE.requested],
    ['Please enter now 482913 to sign in', SCORE.requested],
    ['482913 を入力してください', SCORE.requested],
    ['Your verification code is below. So.\n\nEnter 482913 now', SCORE.requestedAfterExplanation],
    [`Verification code. ${FAR(590)} Enter 482913 now`, SCORE.requestedAfterExplanation],
    [`${FAR(500)} Enter 482913 now`, none],
    [`${FAR(300)} Enter 482913 now`, SCORE.requestedAfterExplanation],
    [`To sign in. ${FAR(500)} Enter 482913 now`, SCORE.requestedAfterExplanation],
    [`${FAR(500)} Enter 482913 now. It expires in 10 minutes.`, SCORE.requestedAfterExplanation],
    [`${FAR(500)} Enter 482913 now. Never share it.`, SCORE.requestedAfterExplanation],
    ['Use it to log in: 482913', SCORE.requestedAfterExplanation],
    ['Use it to log in, as 12 do: 482913', none],
    ['Use it to log in. See: 482913', none],
    [`Use it to log in${' a'.repeat(39)}: 482913`, SCORE.requestedAfterExplanation],
    [`Use it to log in${' a'.repeat(40)}: 482913`, none],
    ['Use the following code to verify it 482913', SCORE.requestedAfterExplanation],
  ])('%#: %s', (text, points) => {
    expect(score(text)).toBe(points)
  })
  test('a short number, or letters and digits, need more', () => {
    expect(score('Use it to log in: 4829', { value: '4829' })).toBe(none)
    expect(score('Enter 4829 now', { value: '4829' })).toBe(none)
    expect(score('Enter 48291 now', { value: '48291' })).toBe(SCORE.requestedAfterExplanation)
    expect(score('Enter XK42QP now', { value: 'XK42QP' })).toBe(SCORE.requestedAfterExplanation)
    expect(score('Enter XK4QPM now', { value: 'XK4QPM' })).toBe(none)
    expect(score('Enter X48291 now', { value: 'X48291' })).toBe(none)
    expect(score(`${FAR(400)} Enter XK42QP now. Never share it.`, { value: 'XK42QP' })).toBe(none)
  })
})

describe('the score of a value before a noun', () => {
  test.each([
    ['482913 Instagram code', SCORE.startsLine],
    ['482913 your Instagram code', SCORE.startsLine],
    ['482913 one two three four code', none],
    ['Hello. 482913 Instagram code', SCORE.startsLine],
    ['[482913] Instagram code', SCORE.startsLine],
    ['See 482913 Instagram code', none],
    [`482913 is${' a'.repeat(28)} your code`, none],
    ['482913 is not. Your code', none],
  ])('%s', (text, points) => {
    expect(score(`See below.\n${text}`)).toBe(points)
  })
})

describe('the score of a value in the subject', () => {
  test.each([
    ['Verification code for Acme 4829', SCORE.inSubject],
    ['Verification code for Acme of the big 4829', none],
    ['Verification code for Acme 7 4829', none],
    [`Verification code for ${'A'.repeat(28)} 4829`, none],
    ['Verification code. Acme 4829', none],
    ['4829 to sign in. Code', none],
  ])('right behind a noun: "%s"', (subject, points) => {
    expect(score('Hello', { subject, value: '4829' })).toBe(points)
  })
  test.each([
    ['482913 to sign in', SCORE.inSubject],
    ['[Orchard] 482913 to sign in', SCORE.inSubject],
    ['(Orchard) 482913 to sign in', SCORE.inSubject],
    ['【Orchard】482913 to sign in', SCORE.inSubject],
    ['Sign in: so 482913', SCORE.inSubject],
    ['Orchard 482913 to sign in', none],
    ['482913 of Orchard', none],
    ['4829 to sign in', none],
  ])(
    'at its beginning or end, if it says what for and the text speaks of a code: "%s"',
    (subject, points) => {
      const value = subject.includes('482913') ? '482913' : '4829'
      expect(score('The code is for you.', { subject, value })).toBe(points)
      expect(score('It is for you.', { subject, value })).toBe(none)
    },
  )
})

describe('a sender whose name is a word for other numbers', () => {
  test.each(['Line: 482913 is your verification code', '<#> Account: 482913 is your verification code'])(
    '%s',
    (text) => {
      expect(score(text)).toBe(SCORE.stated)
    },
  )
  test.each([
    'Line: 482913 is your code',
    'Your account: 482913 is your verification code',
    'Account ending: 482913. Below is your verification code',
  ])('but not %s', (text) => {
    expect(score(text)).toBe(none)
  })
})

test.each([
  ['Verification code. So 482913 here', true],
  [`Verification code. ${FAR(157)} 482913 here`, true],
  [`Verification code. ${FAR(158)} 482913 here`, false],
  [`So 482913 here ${'a'.repeat(57)} code`, true],
  [`So 482913 here ${'a'.repeat(58)} code`, false],
  [`So 482913 here ${'a'.repeat(57)} log in`, true],
  [`So 482913 here ${'a'.repeat(58)} log in`, false],
  ['See: 482913 here', true],
  ['See:482913 here', true],
  ['See:  482913 here', false],
  ['482913', true],
  ['So 482913を入力してください', true],
  ['Enter 482913 here', true],
  ['So 482913 here', false],
])('a value is worth scoring in %#: %s', (text, isWorth) => {
  const mail = mailText(`Hello\n${text}`, 'Harbour')
  expect(isWorthScoring(mail, candidateOf(mail, '482913'))).toBe(isWorth)
})
