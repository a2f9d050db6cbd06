import { describe, expect, test } from '@jest/globals'
import {
  asksToEnter,
  isBookingOrMeeting,
  isOffer,
  isReceipt,
  isShort,
  isTrusted,
} from '../../../reading/codes/trust.ts'
import { candidateOf, mailText } from './mail-text.ts'

/** Whether the first word for a code in a text means a verification code at the value 482913. */
const trusted = (text: string, { subject = 'Harbour', introduces = false, value = '482913' } = {}) => {
  const mail = mailText(text, subject)
  const noun = mail.nouns.find(({ start }) => start > mail.subjectEnd)!
  return isTrusted(mail, noun, candidateOf(mail, value), introduces)
}
const PROSE = 'The forest is quiet and the birds begin. '
const LONG = PROSE.repeat(100)

describe('a word for a code means a verification code', () => {
  test.each([
    'Verification code 482913, with 20% off',
    'Some access code 482913',
    'Some access code 482913, with 20% off',
    'Invitation code 482913',
    'Your code 482913',
    'Some code 482913, to sign in',
    'Some code 482913. Your verification code',
    'Hello Ann, code 482913',
    'Your code 482913 for the ticket',
    `Your code 482913. ${PROSE.repeat(10)}Train`,
    'Some code to book? Enter the code 482913 to pay. Paid.',
  ])('%s', (text) => {
    expect(trusted(text)).toBe(true)
  })
  test.each([
    'Your postal code 482913',
    'Your password 482913',
    'Some code 482913',
    'Your code 482913, with 20% off',
    'Your code 482913 for the hotel booking',
    'Your code 482913 for the flight',
    'Your access code 482913 for the meeting',
    'Mill Lane, PIN 482913',
    'Mill Lane - PIN 482913',
    'Receipt of your payment. Your access code 482913',
    'Invitation code 482913, with 20% off',
    `Your code 482913. ${LONG}`,
    'Join us today. Code 482913',
  ])('but not in %s', (text) => {
    expect(trusted(text)).toBe(false)
  })
  test('that introduces the value, with weak signs', () => {
    const texts = [
      'Some code 482913',
      `Some code 482913. ${PROSE.repeat(10)}`,
      'Some code 482913 by the postal code',
    ]
    expect(texts.map((text) => trusted(text, { introduces: true }))).toEqual([true, false, false])
    expect(
      trusted(`Some code 482913. ${PROSE.repeat(10)}It expires in 10 minutes.`, { introduces: true }),
    ).toBe(true)
    expect(trusted(`Some code 482913. ${PROSE.repeat(10)}Never share it.`, { introduces: true })).toBe(true)
    expect(trusted(`Your code 482913. ${LONG}`, { introduces: true })).toBe(true)
  })
  test('letters beside a discount are a voucher', () => {
    expect(trusted('Some access code SAVE30NOW, with 20% off', { value: 'SAVE30NOW' })).toBe(false)
  })
  test('in a mail about travel only if the subject says so', () => {
    const text = 'Your code 482913 for the hotel booking'
    expect(trusted(text, { subject: 'Your verification code' })).toBe(true)
    expect(trusted(text.replace('code', 'access code'), { subject: 'Your verification code' })).toBe(false)
  })
  test('beside a discount only if the subject confirms an address and the mail asks to enter it', () => {
    const text = 'To load the discount, enter the following code: 482913'
    expect(trusted(text, { subject: 'Confirm your email address' })).toBe(true)
    expect(trusted(text, { subject: 'Confirm your order' })).toBe(false)
    expect(trusted(text, { subject: 'Your email address' })).toBe(false)
    expect(trusted(text.replace('enter', 'see'), { subject: 'Confirm your email address' })).toBe(false)
    expect(
      trusted(text.replace('482913', 'SAVE30'), { subject: 'Confirm your email address', value: 'SAVE30' }),
    ).toBe(false)
  })
})

describe('a label of a kind that is not known needs more', () => {
  test.each([
    'Shipment code: 482913',
    'Skjellkode: 482913',
    'Shipment-code: 482913',
    '* Shipment code: 482913',
    'Shipment code\t482913',
  ])('%j', (label) => {
    const text = (rest: string) => `${PROSE}\n${label}\n${PROSE}${rest}`
    expect(trusted(text('Sign in.'))).toBe(false)
    expect(trusted(text('Sign in. It expires in 10 minutes.'))).toBe(true)
    expect(trusted(text('Sign in. Never share it.'))).toBe(true)
    expect(trusted(text('Sign in and enter the code.'))).toBe(true)
  })
  test.each([
    'Security code: 482913',
    'Innloggingskode: 482913',
    'Your code: 482913',
    'Harbour code: 482913',
    'Shipment code 482913',
    'The shipment code: 482913',
    'Ab code: 482913',
  ])('but not %j', (label) => {
    expect(trusted(`${PROSE}\n${label}\n${PROSE}Sign in to Harbour.`)).toBe(true)
  })
  test('nor where the body says nothing else', () => {
    expect([
      trusted('Shipment code: 482913', { introduces: true }),
      trusted(`Shipment code: 482913\n${PROSE}${PROSE}`, { introduces: true }),
    ]).toEqual([true, false])
  })
  test('behind the noun, in a record', () => {
    const text = (label: string) => `${PROSE}\nName: Ines\nCode ${label}: 482913\n${PROSE}Sign in.`
    expect([trusted(text('of the shipment')), trusted(text('to sign in'))]).toEqual([false, true])
    expect(trusted(text('of the shipment').replace('Name: ', 'Name '))).toBe(true)
  })
})

test.each([
  [isOffer, 'discount', 150],
  [isBookingOrMeeting, 'hotel', 400],
  [isReceipt, 'receipt', 400],
] as const)('%p: a word within a distance shows the topic', (is, word, reach) => {
  const near = (text: string, subject = '') => {
    const mail = mailText(text, subject)
    return is(mail, candidateOf(mail, '482913'))
  }
  expect([near('482913'), near('482913', word), near(`482913 ${word}`)]).toEqual([false, true, true])
  expect(near(`${word}${' '.repeat(reach - word.length)}482913`)).toBe(true)
  expect(near(`${word}${' '.repeat(reach - word.length + 1)}482913`)).toBe(false)
  expect(near(`482913${' '.repeat(reach - 1)}${word}`)).toBe(true)
  expect(near(`482913${' '.repeat(reach)}${word}`)).toBe(false)
})

test('a number with a percent sign near a value is an offer', () => {
  const offer = (text: string) => {
    const mail = mailText(text)
    return isOffer(mail, candidateOf(mail, '482913'))
  }
  expect(
    ['482913 20%', '20 % 482913', `20%${' '.repeat(148)}482913`, `482913${' '.repeat(147)}20%`].map(offer),
  ).toEqual([true, true, true, true])
  expect(
    ['482913 a %', '482913 a%', `20%${' '.repeat(149)}482913`, `482913${' '.repeat(148)}20%`].map(offer),
  ).toEqual([false, false, false, false])
})

test('a receipt neither warns nor expires', () => {
  const receipt = (text: string) => {
    const mail = mailText(text)
    return isReceipt(mail, candidateOf(mail, '482913'))
  }
  expect(
    ['Receipt 482913', 'Receipt 482913. Never share it.', 'Receipt 482913 for 10 minutes'].map(receipt),
  ).toEqual([true, false, false])
})

test.each([
  ['Enter the code', true],
  ['Enter the new code', true],
  ['Enter the whole long code', false],
  ['コードを入力してください', true],
  ['The code', false],
  ['Code. Enter it', false],
])('"%s" asks to enter a code: %s', (text, asks) => {
  expect(asksToEnter(mailText(text))).toBe(asks)
})

test('a mail of fewer than 400 characters is short', () => {
  expect([isShort(mailText('a'.repeat(397))), isShort(mailText('a'.repeat(398)))]).toEqual([true, false])
})
