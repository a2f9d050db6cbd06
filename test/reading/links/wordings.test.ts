import { describe, expect, test } from '@jest/globals'
import { readAddress } from '../../../reading/links/action-address.ts'
import { readIntent } from '../../../reading/links/intent.ts'
import { Phrases } from '../../../reading/links/phrases.ts'
import { sentenceOf } from '../../../reading/links/sentence.ts'
import { readWording, shownWords } from '../../../reading/links/wording.ts'

const T = 'a81f9c2e77b04d15'

/** The words of a link that count, and what its reader sees of them; null if it leads to no action. */
function wordingOf(subject: string, rest: string, words: string, around = '') {
  const mention = { words, around }
  const address = { ...readAddress(`https://harbour.example${rest}`)!, isOnlyOne: true }
  const found = readWording(mention, address, readIntent(subject, '', new Phrases()))
  if (found === null) return null
  return {
    said: found.said,
    isGeneric: found.isGeneric,
    counts: found.counts,
    shown: shownWords(mention, found),
  }
}

describe('what the words of a link, or the sentence around it, say', () => {
  const SENTENCE = 'To confirm your email, open this link:'
  test.each([
    [
      'words of their own',
      'Confirm  your\nemail',
      { said: 'confirm your email', isGeneric: false, shown: 'Confirm your email' },
    ],
    ['words that say nothing', 'here', { isGeneric: true, shown: 'here' }],
    ['no words', '', { isGeneric: true, shown: SENTENCE }],
    ['marks', '»', { isGeneric: true, shown: SENTENCE }],
    ['its address', `https://harbour.example/x/${T}`, { isGeneric: true, shown: SENTENCE }],
    ['its address in brackets', `<https://harbour.example/x/${T}>`, { isGeneric: true, shown: SENTENCE }],
    ['a long address', `https://harbour.example/${'x'.repeat(100)}`, { isGeneric: true, shown: SENTENCE }],
  ])('%s', (_name, words, expected) => {
    expect(wordingOf('Harbour', `/x/${T}`, words, SENTENCE)).toMatchObject({ counts: true, ...expected })
  })
  test('a code is a link that says nothing, in a mail that brings one', () => {
    const sentence = 'Use this code to sign in:'
    expect(wordingOf('Your login code', `/login/${T}`, '482913', sentence)).toMatchObject({
      isGeneric: true,
      counts: true,
    })
    expect(wordingOf('Harbour', `/login/${T}`, '482913', sentence)).toMatchObject({ isGeneric: false })
  })
  test('brackets that are empty without the link are not shown', () => {
    const shown = (sentence: string) => wordingOf('Harbour', `/x/${T}`, '', sentence)?.shown
    expect(
      [
        'To confirm your email ( )  open it',
        'To confirm your email [] open it',
        'To confirm your email < > open it',
      ].map(shown),
    ).toEqual(Array.from({ length: 3 }, () => 'To confirm your email open it'))
  })
})

describe('a link that leads to no action', () => {
  test.each([
    ['Harbour', `/x/${T}`, 'View it', ''],
    ['Harbour', `/x/${T}`, 'here', 'Read the story here:'],
    ['Harbour', `/verify/${T}`, 'Unsubscribe', ''],
    ['Harbour', `/verify/${T}`, 'Privacy policy', ''],
    ['Harbour', `/verify/${T}`, 'View order', ''],
    ['Harbour', `/verify/${T}`, 'It was not me', ''],
    ['Harbour', `/verify/${T}`, 'here', 'To unsubscribe, click here:'],
    ['Your order', `/verify/${T}`, 'Go to it', ''],
    ['Your order', `/verify/${T}`, 'here', 'To see your order, click here:'],
    ['Confirm your email', `/x/${T}`, 'Delete my account', ''],
  ])('below "%s": %s, "%s"', (subject, rest, words, around) => {
    expect(wordingOf(subject, rest, words, around)).toBeNull()
  })
  test.each([
    ['Harbour', `/verify/${T}`, 'Go to it', ''],
    ['Harbour', `/verify/${T}`, 'here', 'Read the story here:'],
    ['Your order', `/verify/${T}`, 'Confirm it', ''],
    ['Confirm your email', `/verify/${T}`, 'Delete my account', ''],
    ['Confirm your email', `/verify/${T}`, 'here', 'To see your order, click here:'],
    ['Harbour', `/verify/${T}`, 'here', 'By the terms of use, click here:'],
  ])('but not below "%s": %s, "%s"', (subject, rest, words, around) => {
    expect(wordingOf(subject, rest, words, around)).not.toBeNull()
  })
})

describe('the line that leads to a link', () => {
  test.each([
    ['To confirm your email:', 'To confirm your email:'],
    ['Hello\nTo confirm your email:', 'To confirm your email:'],
    ['To confirm your email\nclick here:', 'To confirm your email click here:'],
    ['If you did not request this, ignore it\nclick here:', 'click here:'],
    ['click here:', 'click here:'],
    [
      'Hello. To confirm your email\nOr paste this into your browser:',
      'To confirm your email Or paste this into your browser:',
    ],
    ['Confirm your email.\nIf you did not request this, ignore this mail.', 'Confirm your email.'],
    [
      'To confirm your email, go on. If you did not request this, ignore it. Confirm:',
      'To confirm your email, go on. Confirm:',
    ],
    [
      'Hello\nIf you did not request this, reset your password:',
      'If you did not request this, reset your password:',
    ],
    ['', ''],
  ])('%j: %j', (around, line) => {
    expect(sentenceOf({ words: '', around }, new Phrases())).toBe(line)
  })
})
