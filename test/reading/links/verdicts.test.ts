import { describe, expect, test } from '@jest/globals'
import { readAddress } from '../../../reading/links/action-address.ts'
import { readIntent } from '../../../reading/links/intent.ts'
import { Phrases } from '../../../reading/links/phrases.ts'
import { judge } from '../../../reading/links/verdict.ts'

/** Judges one link of a mail with this subject: the first letter of the kind and its points, or "--". */
function verdictOn(subject: string, rest: string, words: string, around = '', isOnlyOne = true): string {
  const mail = readIntent(subject, '', new Phrases())
  const url = `https://harbour.example${rest.replace('TOKEN', 'a81f9c2e77b04d15')}`
  const found = judge({ words, around }, { ...readAddress(url)!, isOnlyOne }, mail)
  return found === null ? '--' : `${found.kind.charAt(0)}${found.score}`
}

/** The columns of the table below: the words of a link; the last one has none, and a sentence above it. */
const WORDS = [
  'here',
  'Confirm',
  'Confirm your email',
  'Reset password',
  'Sign in',
  'Accept invitation',
  'Join',
  'Approve',
  'Create account',
  '',
]
const SENTENCE = 'To confirm your email address, follow this link:'

/* Words alone are enough, unless they say too little or the mail reports; the address and the subject add to them. */
describe.each([
  [
    'Harbour',
    [
      ['/', '-- -- -- -- -- i4 -- -- -- --'],
      ['/x', '-- -- -- -- -- i4 -- -- -- --'],
      ['/login', '-- -- -- -- -- i4 -- -- -- --'],
      ['/verify', '-- -- -- -- -- i4 -- -- -- --'],
      ['/reset-password', '-- -- -- -- -- i4 -- -- -- --'],
      ['/x/TOKEN', '-- c3 c4 r3 -- i4 -- -- -- c4'],
      ['/verify/TOKEN', 'c3 c6 c7 r3 s3 i4 c3 c3 c3 c7'],
      ['/reset-password/TOKEN', 'r3 r3 c4 r6 r3 i4 r3 r3 r3 c3'],
      ['/invite/TOKEN', 'i3 i3 c4 r3 i3 i7 i3 i3 i3 i3'],
      ['/login/TOKEN', '-- c3 c4 r3 s6 i4 -- -- -- c4'],
      ['/magic-link/TOKEN', 's5 c3 c4 r3 s6 i4 -- -- -- s5'],
      ['/register/TOKEN', '-- c3 c4 r3 -- i4 -- -- c4 c4'],
    ],
  ],
  [
    'Confirm your email address',
    [
      ['/', '-- c5 c6 -- -- i4 -- -- -- --'],
      ['/x', '-- c5 c6 -- -- i4 -- -- -- c6'],
      ['/login', '-- c5 c6 -- -- i4 -- -- -- --'],
      ['/verify', 'c4 c7 c8 c4 c4 i4 c4 c4 c4 c8'],
      ['/reset-password', '-- c5 c6 -- -- i4 -- -- -- c4'],
      ['/x/TOKEN', '-- c5 c6 r3 -- i4 -- -- -- c6'],
      ['/verify/TOKEN', 'c5 c8 c9 c5 c5 c5 c5 c5 c5 c9'],
      ['/reset-password/TOKEN', 'c3 c5 c6 r6 c3 i4 c3 c3 c3 c4'],
      ['/invite/TOKEN', 'c3 c5 c6 r3 c3 i7 c3 c3 c3 c4'],
      ['/login/TOKEN', '-- c5 c6 r3 s6 i4 -- -- -- c6'],
      ['/magic-link/TOKEN', 'c5 c5 c6 r3 s6 i4 -- -- -- c5'],
      ['/register/TOKEN', '-- c5 c6 r3 -- c5 c5 -- c6 c6'],
    ],
  ],
  [
    'Reset your password',
    [
      ['/', '-- -- -- -- -- i4 -- -- -- --'],
      ['/x', '-- -- -- -- -- i4 -- -- -- --'],
      ['/login', '-- -- -- -- -- i4 -- -- -- --'],
      ['/verify', '-- -- -- -- -- i4 -- -- -- --'],
      ['/reset-password', '-- -- -- -- -- i4 -- -- -- --'],
      ['/x/TOKEN', '-- r3 c4 r5 -- i4 -- -- -- c4'],
      ['/verify/TOKEN', 'r3 r6 c7 r5 r3 i4 r3 r3 r3 c7'],
      ['/reset-password/TOKEN', 'r5 r5 r5 r8 r5 r5 r5 r5 r5 r5'],
      ['/invite/TOKEN', 'r3 r3 c4 r5 r3 i7 r3 r3 r3 r3'],
      ['/login/TOKEN', '-- r3 c4 r5 r6 i4 -- -- -- c4'],
      ['/magic-link/TOKEN', 'r5 r3 c4 r5 r6 i4 -- -- -- r5'],
      ['/register/TOKEN', '-- r3 c4 r5 -- i4 -- -- r4 c4'],
    ],
  ],
  [
    'You are invited to join Harbour',
    [
      ['/', '-- -- -- -- -- i6 i5 -- i5 --'],
      ['/x', '-- -- -- -- -- i6 i5 -- i5 --'],
      ['/login', '-- -- -- -- -- i6 i5 -- i5 --'],
      ['/verify', '-- -- -- -- -- i6 i5 -- i5 --'],
      ['/reset-password', '-- -- -- -- -- i6 i5 -- i5 --'],
      ['/x/TOKEN', '-- i3 i4 i3 -- i6 i5 -- i5 i4'],
      ['/verify/TOKEN', 'i3 i6 i7 i3 i3 i6 i5 i3 i5 i7'],
      ['/reset-password/TOKEN', 'r3 r3 i4 r6 r3 i6 i5 r3 i5 i3'],
      ['/invite/TOKEN', 'i5 i5 i5 i5 i5 i9 i8 i5 i8 i5'],
      ['/login/TOKEN', '-- i3 i4 i3 s6 i6 i5 -- i5 i4'],
      ['/magic-link/TOKEN', 'i5 i3 i4 i3 s6 i6 i5 -- i5 i5'],
      ['/register/TOKEN', '-- i3 i4 i3 -- i6 i5 -- i5 i4'],
    ],
  ],
  [
    'Sign in to Harbour',
    [
      ['/', '-- -- -- -- -- i4 -- -- -- --'],
      ['/x', '-- -- -- -- -- i4 -- -- -- --'],
      ['/login', '-- -- -- -- -- i4 -- -- -- --'],
      ['/verify', '-- -- -- -- -- i4 -- -- -- --'],
      ['/reset-password', '-- -- -- -- -- i4 -- -- -- --'],
      ['/x/TOKEN', '-- s3 c4 r3 s5 i4 -- s3 -- c4'],
      ['/verify/TOKEN', 's3 s6 c7 r3 s5 i4 s3 s6 s3 c7'],
      ['/reset-password/TOKEN', 'r3 r3 c4 r6 s5 i4 r3 r3 r3 c3'],
      ['/invite/TOKEN', 's3 s3 c4 r3 s5 i7 s3 s3 s3 s3'],
      ['/login/TOKEN', 's5 s5 s5 s5 s8 s5 s5 s5 s5 s5'],
      ['/magic-link/TOKEN', 's7 s5 s5 s5 s8 s5 s5 s5 s5 s7'],
      ['/register/TOKEN', '-- s3 c4 r3 s5 i4 -- s3 s4 c4'],
    ],
  ],
  [
    'Your password was changed',
    [
      ['/', '-- -- -- -- -- -- -- -- -- --'],
      ['/x', '-- -- -- -- -- -- -- -- -- --'],
      ['/login', '-- -- -- -- -- -- -- -- -- --'],
      ['/verify', '-- -- -- -- -- -- -- -- -- --'],
      ['/reset-password', '-- -- -- -- -- -- -- -- -- --'],
      ['/x/TOKEN', '-- -- -- -- -- -- -- -- -- --'],
      ['/verify/TOKEN', '-- r6 c7 -- -- -- -- -- -- c7'],
      ['/reset-password/TOKEN', '-- -- -- -- -- -- -- -- -- --'],
      ['/invite/TOKEN', '-- -- -- -- -- i7 -- -- -- --'],
      ['/login/TOKEN', '-- -- -- -- s6 -- -- -- -- --'],
      ['/magic-link/TOKEN', '-- -- -- -- s6 -- -- -- -- --'],
      ['/register/TOKEN', '-- -- -- -- -- -- -- -- -- --'],
    ],
  ],
  [
    'New sign-in to your account',
    [
      ['/', '-- -- -- -- -- -- -- -- -- --'],
      ['/x', '-- -- -- -- -- -- -- -- -- --'],
      ['/login', '-- -- -- -- -- -- -- -- -- --'],
      ['/verify', '-- -- -- -- -- -- -- -- -- --'],
      ['/reset-password', '-- -- -- -- -- -- -- -- -- --'],
      ['/x/TOKEN', '-- -- -- -- -- -- -- c3 -- --'],
      ['/verify/TOKEN', '-- c6 c7 -- -- -- -- c6 -- c7'],
      ['/reset-password/TOKEN', '-- -- -- r6 -- -- -- c3 -- --'],
      ['/invite/TOKEN', '-- -- -- -- -- i7 -- c3 -- --'],
      ['/login/TOKEN', '-- -- -- -- s6 -- -- c3 -- --'],
      ['/magic-link/TOKEN', '-- -- -- -- s6 -- -- c3 -- --'],
      ['/register/TOKEN', '-- -- -- -- -- -- -- c3 -- --'],
    ],
  ],
  [
    'Review at 10:00',
    [
      ['/', '-- -- -- -- -- -- -- -- -- --'],
      ['/x', '-- -- -- -- -- -- -- -- -- --'],
      ['/login', '-- -- -- -- -- -- -- -- -- --'],
      ['/verify', '-- -- -- -- -- -- -- -- -- --'],
      ['/reset-password', '-- -- -- -- -- -- -- -- -- --'],
      ['/x/TOKEN', '-- -- c4 r3 -- -- -- -- -- c4'],
      ['/verify/TOKEN', '-- -- c7 r3 -- -- -- -- c3 c7'],
      ['/reset-password/TOKEN', 'r3 r3 c4 r6 r3 r3 r3 r3 r3 c3'],
      ['/invite/TOKEN', '-- -- c4 r3 -- -- -- -- -- --'],
      ['/login/TOKEN', '-- -- c4 r3 s6 -- -- -- -- c4'],
      ['/magic-link/TOKEN', 's5 -- c4 r3 s6 -- -- -- -- s5'],
      ['/register/TOKEN', '-- -- c4 r3 -- -- -- -- c4 c4'],
    ],
  ],
])('the points of words at an address, below the subject "%s"', (subject, rows) => {
  test.each(rows)('%s', (rest, points) => {
    expect(
      WORDS.map((words) => verdictOn(subject, rest, words, words === '' ? SENTENCE : '')).join(' '),
    ).toBe(points)
  })
})

describe('words that prove little', () => {
  const LINE = (length: number) => `To confirm your email address${' '.padEnd(length - 30, 'a')}:`
  test('a button of more than 60 characters is a headline, unless it is about an address and the only one', () => {
    const words = (length: number) => `Confirm${' a'.repeat((length - 7) / 2)}b`.slice(0, length)
    const judged = (length: number) => verdictOn('Harbour', '/x/TOKEN', words(length))
    expect([judged(59), judged(60), judged(61)]).toEqual(['c3', 'c3', '--'])
    const long = `Click here to confirm the email address of your account${' a'.repeat(10)}`
    expect([
      verdictOn('Harbour', '/x/TOKEN', long),
      verdictOn('Harbour', '/x/TOKEN', long, '', false),
    ]).toEqual(['c4', '--'])
  })
  test('a link of more than 90 characters is no button', () => {
    const words = (length: number) => `Confirm your email ${'a'.repeat(length - 19)}`
    expect([
      verdictOn('Harbour', '/verify/TOKEN', words(90)),
      verdictOn('Harbour', '/verify/TOKEN', words(91)),
    ]).toEqual(['c7', '--'])
  })
  test('a sentence of more than 220 characters does not count', () => {
    const judged = (length: number) => verdictOn('Harbour', '/x/TOKEN', 'here', LINE(length))
    expect([judged(220), judged(221)]).toEqual(['c4', '--'])
  })
  test('a sentence about a code does not count', () => {
    expect(verdictOn('Harbour', '/x/TOKEN', 'here', 'To confirm your email, enter the code here:')).toBe('--')
  })
  test('a sentence that names no address is short, if other links have a value too', () => {
    const judged = (sentence: string, isOnlyOne: boolean) =>
      verdictOn('Harbour', '/x/TOKEN', 'here', sentence, isOnlyOne)
    const long = 'Please confirm it with the link below:'
    expect([judged(long, true), judged(long, false), judged('Confirm it here:', false)]).toEqual([
      'c3',
      '--',
      'c3',
    ])
  })
})

describe('what the sentence above the link says', () => {
  test.each([
    ['Harbour', '/reset-password/TOKEN', 'here', 'If this was not you, reset your password:', '--'],
    [
      'Reset your password',
      '/reset-password/TOKEN',
      'here',
      'If this was not you, reset your password:',
      'r8',
    ],
    ['Harbour', '/verify/TOKEN', 'Confirm your email', 'If this was not you, ignore this mail.', 'c7'],
    ['Harbour', '/reset-password/TOKEN', 'Confirm your email', 'Forgot your password? Reset it:', 'c4'],
    [
      'Reset your password',
      '/reset-password/TOKEN',
      'Confirm your email',
      'Forgot your password? Reset it:',
      'r6',
    ],
    ['Your password was changed', '/magic-link', 'Sign in', '', 's5'],
    ['New sign-in', '/x/TOKEN', 'Yes, it was me', 'Was this you?', 'c3'],
    ['Harbour', '/invite/TOKEN', 'Sign in', 'Sign in to accept the invitation:', 'i4'],
    ['You are invited', '/login', 'here', 'Sign in to accept the invitation:', 'i5'],
    ['You are invited', '/x', 'here', 'Sign in to accept the invitation:', '--'],
    ['Confirm your email', '/x', 'here', 'To confirm your email, follow this link:', 'c6'],
    ['Confirm your email', '/', 'here', 'To confirm your email, follow this link:', '--'],
    ['Confirm your email', '/login', 'here', 'To confirm your email, follow this link:', '--'],
    ['Confirm your email', '/x', 'here', 'To confirm it, follow this link:', '--'],
    ['Harbour', '/x/TOKEN', 'here', 'Click here to create your account:', '--'],
    ['Harbour', '/register/TOKEN', 'here', 'Click here to create your account:', 'c4'],
  ])('%s: %s, "%s" below "%s"', (subject, rest, words, sentence, points) => {
    expect(verdictOn(subject, rest, words, sentence)).toBe(points)
  })
})
