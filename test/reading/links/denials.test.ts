import { describe, expect, test } from '@jest/globals'
import { Phrases } from '../../../reading/links/phrases.ts'
import { sentenceOf } from '../../../reading/links/sentence.ts'

const lead = (around: string) => sentenceOf({ words: '', around }, new Phrases())
const DENIAL = 'If this was not you, ignore this mail.'

describe('a sentence for readers who did not ask for the mail leads to no link', () => {
  test.each([
    [`Confirm your email. ${DENIAL}`, 'Confirm your email.'],
    [`${DENIAL} Confirm your email.`, 'Confirm your email.'],
    [`${DENIAL} Confirm your email. So be it.`, 'Confirm your email. So be it.'],
    [`Confirm it. -- ${DENIAL}`, 'Confirm it.'],
    ['Confirm it. If this was not you， ignore this mail.', 'Confirm it.'],
    ['Confirm it. If this was not you、 ignore this mail.', 'Confirm it.'],
    ['Confirm it. If this was not you، ignore this mail.', 'Confirm it.'],
    [`Confirm your email\n${DENIAL}`, 'Confirm your email'],
    [`Hello\nConfirm your email\n${DENIAL}`, 'Confirm your email'],
  ])('%j: %j', (around, sentence) => {
    expect(lead(around)).toBe(sentence)
  })

  test.each([
    ['Confirm it. If this was not you, reset your password.', 'its main clause is the action'],
    ['Confirm it. If this was not you, click here.', 'its main clause says nothing else'],
    ['Confirm it. If this was not you: reset it.', 'no comma ends its clause'],
    ['If this was not you, reset your password.', 'it is the only one'],
    ['If this was not you, reset your password:', 'a colon ends it'],
  ])('unless %j: %s', (around) => {
    expect(lead(around)).toBe(around)
  })

  test('in a line of at most twelve sentences', () => {
    const line = (count: number) => `${'Go on. '.repeat(count - 1)}${DENIAL}`
    expect([lead(line(12)), lead(line(13))]).toEqual(['Go on. '.repeat(11).trim(), line(13)])
  })
})

describe('a line that says nothing alone comes below the one above', () => {
  test.each([
    ['To confirm your email\nclick here:', 'To confirm your email click here:'],
    [`${DENIAL}\nclick here:`, 'click here:'],
    [
      'To confirm your email\nOr paste this into your browser:',
      'To confirm your email Or paste this into your browser:',
    ],
    [
      'Hello. To confirm it\nOr paste this into your browser:',
      'To confirm it Or paste this into your browser:',
    ],
    ['To confirm it\nOr paste this into your browser', 'Or paste this into your browser'],
    [
      'To go on\nOr paste this into your browser to confirm your email:',
      'Or paste this into your browser to confirm your email:',
    ],
  ])('%j: %j', (around, sentence) => {
    expect(lead(around)).toBe(sentence)
  })
})

describe('a line goes on below its link', () => {
  const withBelow = (around: string, below: string) => sentenceOf({ words: '', around, below }, new Phrases())
  test.each([
    'to confirm your email',
    'to sign in',
    'to reset your password',
    'to see who invited you',
    'to join the team',
  ])('if that asks for an action: %s', (below) => {
    expect(withBelow('Use the link', below)).toBe(`Use the link ${below}`)
  })
  test.each([
    ['Use the link', 'to go on'],
    ['Use the link', 'to confirm your email with the code'],
    ['Use the link', 'to confirm your order'],
    ['Use the link', 'to confirm that your password was changed'],
    ['Use the link', 'to confirm the new sign-in'],
    ['Use the link', 'to confirm your email or to unsubscribe'],
    ['Use the link', 'to confirm that this was not you'],
    ['To confirm your email', 'to sign in'],
  ])('and not otherwise: %s, %s', (around, below) => {
    expect(withBelow(around, below)).toBe(around)
  })

  test.each([
    ['To confirm your email.\u2028click here:', 'To confirm your email. click here:'],
    ['To sign in.\u2028click here:', 'To sign in. click here:'],
    ['To go on.\u2028click here:', 'Hello click here:'],
    ['To confirm your order.\u2028click here:', 'Hello click here:'],
  ])(
    'and a sentence that says nothing alone comes behind the one that asks, or below the line: %j',
    (line, sentence) => {
      expect(lead(`Hello\n${line}`)).toBe(sentence)
    },
  )
})
