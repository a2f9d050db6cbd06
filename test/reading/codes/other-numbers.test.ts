import { describe, expect, test } from '@jest/globals'
import { findCandidates } from '../../../reading/codes/candidates.ts'
import {
  isOtherNumber,
  otherNumberLabel,
  withoutSubjectNumber,
} from '../../../reading/codes/other-numbers.ts'
import { candidateOf, mailText } from './mail-text.ts'

const isOther = (text: string, value = '4829') => {
  const mail = mailText(text)
  return isOtherNumber(mail, candidateOf(mail, value))
}

describe('what is beside a number makes it another one', () => {
  test.each([
    ...['usd', 'EUR', 'gbp', 'chf', 'inr', 'cny', 'jpy', 'rs', 'Rs.', 'R$', 'USD.'].map(
      (unit) => `Pay ${unit} 4829`,
    ),
    'Call (089) 4829',
    'Call (89) 4829',
    'Call (12345) 4829',
    'Call (012345) 4829',
    ...[...'%‰°$€£¥₩₽₹₺₴₫'].map((sign) => `Pay 4829 ${sign}`),
    ...['€', '%', '°'].map((sign) => `Pay 4829${sign}`),
    '10:42 -4829',
    '10:42:07 +4829',
    '10:42 cet (4829',
    '10:42 utc -4829',
    '10:42 cest -4829',
    ...[...'#№§©'].map((sign) => `See ${sign}4829`),
    ...[...'#№§©'].map((sign) => `See ${sign} 4829`),
    'Card **4829',
    'Card •• 4829',
    'Card ··4829',
    'Card xx 4829',
    'Card …… 4829',
    'Card **-4829',
    'Card **** 4829',
    'Card *4829',
    '4829 minutes',
    '4829 GB',
    '4829 km',
  ])('%s', (text) => {
    expect(isOther(text)).toBe(true)
  })

  test.each([
    'Pay 4829',
    'euros 4829',
    'Call () 4829',
    'Call (8) 4829',
    'Call (1234567) 4829',
    'Call (089) x 4829',
    '10:42 4829',
    '10:4 -4829',
    '10:42 zones -4829',
    'Card\n*4829',
    'Card x 4829',
    '**4829**',
    '***4829***',
    '# 4829',
    'Code\n# 4829',
    '4829  minutes',
    '4829 x%',
    'usd for you: 4829',
  ])('but not in %s', (text) => {
    expect(isOther(text)).toBe(false)
  })

  test('a sign of a unit counts only behind digits', () => {
    expect([isOther('Pay XK42 €', 'XK42'), isOther('See #XK42', 'XK42')]).toEqual([false, true])
  })

  test('bold type has its mark on both sides, and a heading begins its line', () => {
    const texts = ['****4829****', '**4829', 'x # 4829', '## 4829', '#4829', '\n#4829']
    expect(texts.map((text) => isOther(text))).toEqual([true, true, true, true, true, true])
  })
})

describe('the label of another number', () => {
  const labelOf = (text: string, floor = 0) => {
    const mail = mailText(text)
    const label = otherNumberLabel(mail, mail.text.indexOf('4829'), floor + 2)
    return label === null ? null : mail.text.slice(label, mail.text.indexOf('4829'))
  }
  test.each([
    ['Your order 4829', 'order 4829'],
    ['Your order: 4829', 'order: 4829'],
    ['Your order #4829', 'order #4829'],
    ['Your order № 4829', 'order № 4829'],
    ['Your order (4829)', 'order (4829)'],
    ['Your order\t4829', 'order\t4829'],
    ['Your order - 4829', 'order - 4829'],
    ['Your order is 4829', 'order is 4829'],
    ['Your order is: 4829', 'order is: 4829'],
    ['Tel. 4829', 'Tel. 4829'],
    ['Your order. 4829', 'order. 4829'],
    [`Your order${' '.repeat(12)}4829`, `order${' '.repeat(12)}4829`],
  ])('%s', (text, label) => {
    expect(labelOf(text)).toBe(label.slice(0, label.indexOf('4829')))
  })
  test.each([
    'Your value 4829',
    'Your order, 4829',
    'Your order\n4829',
    'Your order for you 4829',
    'This is your parcel number. 4829',
    `Your order${' '.repeat(13)}4829`,
  ])('is missing in %s', (text) => {
    expect(labelOf(text)).toBeNull()
  })
  test('begins behind a floor', () => {
    expect([labelOf('Your order 4829', 5), labelOf('Your order 4829', 6)]).toEqual(['order ', null])
  })
})

describe('the number of the ticket in the subject is no code', () => {
  const left = (subject: string, text: string) => {
    const mail = mailText(text, subject)
    return withoutSubjectNumber(mail, findCandidates(mail.text)).map(({ value }) => value)
  }
  test.each([
    ['#482913 Ticket created', '482913\n730518', ['730518']],
    ['Ticket #4829', '4829\n730518', ['730518']],
    ['Ticket #4829135567', '4829135567\n730518', ['730518']],
    ['Ticket # 4829', '4829\n730518', ['4829', '4829', '730518']],
    ['Ticket created', '#482913\n730518', ['482913', '730518']],
    ['Your verification code, #482913', '482913\n730518', ['482913', '482913', '730518']],
    ['Your postal code, #482913', '482913\n730518', ['730518']],
    ['#482913 Ticket created', 'Your verification code: 482913', []],
  ])('%s: %j', (subject, text, values) => {
    expect(left(subject, text)).toEqual(values)
  })
})
