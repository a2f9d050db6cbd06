import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../../reading/links.ts'

const T = 'a81f9c2e77b04d15'
const LIMITS = { links: 50, linkBytes: 2048 }
const link = (words: string, rest = `/x/${T}`) =>
  `<p><a href="https://harbour.example${rest}">${words}</a></p>`

/** The kind of the action of a mail with this HTML, and the words of the link; null if there is none. */
function action(subject: string, html: string, text = '') {
  const { actionLink } = findLinks({ subject, text, html, isTextOfHtml: false }, LIMITS)
  return actionLink === null ? null : `${actionLink.kind}: ${actionLink.text}`
}

describe('the only link of a mail is its action, if the subject asks for one', () => {
  test.each([
    ['Reset your password', link('Go to Harbour'), 'reset: Go to Harbour'],
    ['Confirm your email', link('Go to Harbour'), 'confirm: Go to Harbour'],
    ['You are invited to Harbour', link('Go to Harbour'), 'invite: Go to Harbour'],
    ['Sign in to Harbour', link('here'), 'sign_in: here'],
    ['Confirm the new password', link('Go to Harbour'), 'reset: Go to Harbour'],
    ['Reset your password', `${link('Go to Harbour')}${link('Home', '/')}`, 'reset: Go to Harbour'],
    ['Reset your password', `${link('Go to Harbour')}${link('Map', '/map')}`, 'reset: Go to Harbour'],
    ['Reset your password', `${link('Go to Harbour')}${link('Privacy', `/p/${T}`)}`, 'reset: Go to Harbour'],
    [
      'Reset your password',
      `${link('Go to Harbour')}${link('https://harbour.example', `/p/${T}`)}`,
      'reset: Go to Harbour',
    ],
    ['Reset your password', `${link('Go to Harbour')}${link('here', `/p/${T}`)}`, 'reset: here'],
    ['[Harbour] Reset your password', `${link('Go to it')}${link('Harbour', `/p/${T}`)}`, 'reset: Go to it'],
    [
      'Reset your password',
      `${link('Harbour')}${link(`https://harbour.example/x/${T}`, `/p/${T}`)}`,
      `reset: https://harbour.example/x/${T}`,
    ],
  ])('%s: %s', (subject, html, expected) => {
    expect(action(subject, html)).toBe(expected)
  })

  test.each([
    ['Harbour', link('Go to Harbour')],
    ['Your password was changed', link('Go to Harbour')],
    ['Confirm your order', link('Go to Harbour')],
    ['Reset your password', link('Go to Harbour', '/x')],
    ['Reset your password', link('Go to Harbour', '/')],
    ['Reset your password', `${link('Go to Harbour')}${link('Come to it', `/p/${T}`)}`],
    ['Reset your password', `${link('Go to Harbour')}${link('Come to it', '/p/abcde7')}`],
    ['You are invited to Harbour', `${link('Complete the survey')}${link('here')}`],
    ['Reset your password', link('It was not me')],
    ['Reset your password', link('View order')],
    ['Reset your assumptions', link('Start training')],
    ['Sign in to Harbour', link('Go to Harbour')],
    ['Confirm it', link('Go to Harbour')],
  ])('but not with %s: %s', (subject, html) => {
    expect(action(subject, html)).toBeNull()
  })

  test('beside a code, a link with a name or a picture is none', () => {
    const code = '<p>Enter this code: 482913</p>'
    const find = (words: string, text = 'Enter this code: 482913') =>
      action('Reset your password', `${code}${link(words)}`, text)
    expect([find('Harbour'), find('Harbour', ''), find('Reset it'), find('<img src="a.png">')]).toEqual([
      null,
      'reset: Harbour',
      'reset: Reset it',
      null,
    ])
  })

  test.each(['Sign in', 'Join us', 'Confirm', 'Set a new password'])(
    'beside a code, a link that names any action is one: %s',
    (words) => {
      const text = 'Enter this code: 482913'
      expect(action('Reset your password', `<p>${text}</p>${link(words)}`, text)).toBe(`reset: ${words}`)
    },
  )

  test('of at most 30 links', () => {
    const find = (count: number) =>
      action(
        'Reset your password',
        link('Go to Harbour') +
          Array.from({ length: count - 1 }, (_, n) => link('Map', `/map${String.fromCharCode(97 + n)}`)).join(
            '',
          ),
      )
    expect([find(14), find(30), find(31)]).toEqual(['reset: Go to Harbour', 'reset: Go to Harbour', null])
  })
})

describe('a request to change an address is confirmed by its only link', () => {
  const SUBJECT = 'Change of your email address'
  const html = (sentence: string, words: string, rest = `/x/${T}`) => `<p>${sentence}</p>${link(words, rest)}`
  test.each([
    ['You requested a change of your email address. To go on:', 'here', 'confirm: here'],
    ['Hello', 'here', 'confirm: here'],
    ['Hello', 'Change my email address', 'confirm: Change my email address'],
  ])('%s: %s', (sentence, words, expected) => {
    expect(action(SUBJECT, html(sentence, words))).toBe(expected)
  })
  test.each([
    ['Hello', 'Go to Harbour', `/x/${T}`],
    ['If this was not you:', 'here', `/x/${T}`],
    ['Hello', 'here', '/settings'],
  ])('but not with %s: %s, %s', (sentence, words, rest) => {
    expect(action(SUBJECT, html(sentence, words, rest))).toBeNull()
  })
})

describe('what is around the only link may say that it is for something else', () => {
  test.each([
    ['Reset your password', 'To unsubscribe:', 'here'],
    ['Reset your password', 'If this was not you:', 'here'],
    ['Sign in to Harbour', 'To see your order:', 'here'],
    ['Sign in to Harbour', 'To see it:', 'Go to Harbour'],
    ['Confirm it', 'To see it:', 'here'],
  ])('%s: %s %s', (subject, sentence, words) => {
    expect(action(subject, `<p>${sentence}</p>${link(words)}`)).toBeNull()
  })
  test.each([
    ['Reset your password', 'To see your order:', 'here', 'reset: here'],
    ['Reset your password', 'By our terms of use:', 'here', 'reset: here'],
    ['Sign in to Harbour', 'To sign in:', 'Go to Harbour', 'sign_in: Go to Harbour'],
    ['You are invited to Harbour', 'To see it:', 'Nora Berg', 'invite: Nora Berg'],
  ])('but not %s: %s %s', (subject, sentence, words, expected) => {
    expect(action(subject, `<p>${sentence}</p>${link(words)}`)).toBe(expected)
  })
})

describe('words about an order repeat what the subject asks to confirm', () => {
  test.each([
    ['Confirm the deletion of your account', 'Delete my order account', 'confirm: Delete my order account'],
    ['Confirm the deletion of your account', 'See my order account', null],
    ['Confirm the delegation of your account', 'Delete my order account', null],
    ['Confirm the deletion of your account', 'Delete my order', null],
    ['Reset the deletion of your account', 'Delete my order account', null],
  ])('%s: %s', (subject, words, expected) => {
    expect(action(subject, link(words))).toBe(expected)
  })
})

describe('a page without a token accepts an invitation', () => {
  const invitation = (sentence: string, words: string) =>
    action('You are invited to Harbour', `<p>${sentence} ${link(words, '/people/ann')}</p>`)
  test.each(['To confirm it:', 'To sign in:', 'To reset it:', 'You are invited:', 'To join us:', ''])(
    'if what leads to it asks for an action, or is not there: "%s"',
    (sentence) => {
      expect(invitation(sentence, 'here')).toBe('invite: here')
    },
  )
  test('or if its words do', () => {
    expect(invitation('Look at it:', 'Join the team')).toBe('invite: Join the team')
  })
  test.each([
    ['Look at it:', 'here'],
    ['To join us:', 'Ann Lee'],
    ['', 'Ann Lee'],
  ])('and not otherwise: "%s" %s', (sentence, words) => {
    expect(invitation(sentence, words)).toBeNull()
  })
})
