import { describe, expect, test } from '@jest/globals'
import { SEARCHED_KINDS } from '../../../reading/lexicon/language.ts'
import { Phrases, placeOf, saysIn, without } from '../../../reading/links/phrases.ts'

const KINDS = [
  'confirm',
  'address',
  'reset',
  'notice',
  'addressChange',
  'password',
  'signIn',
  'invite',
  'unsubscribe',
  'legal',
] as const

describe('what words say', () => {
  test.each([
    ['confirm your email', 'confirm address', true],
    ['complete your registration', 'confirm', true],
    ['reset your password', 'reset password', true],
    ['change your password', 'reset password', true],
    ['set a new password', 'reset password', true],
    ['your password was changed', 'notice password', false],
    ['your email was changed', 'address notice addressChange', false],
    ['update your email address', 'address addressChange', false],
    ['changed', '', false],
    ['password', 'password', false],
    ['sign in', 'signIn', true],
    ['you are invited', 'invite', true],
    ['unsubscribe', 'unsubscribe', true],
    ['privacy policy', 'legal', true],
    ['the sea is calm', '', false],
    ['пароль был изменен', 'reset notice password', true],
    ['подтвердите ваш email', 'confirm address', true],
  ])('%s: %s', (text, kinds, isPurpose) => {
    const phrases = new Phrases()
    const folded = phrases.fold(text)
    expect(KINDS.filter((kind) => phrases.says(kind, folded)).join(' ')).toBe(kinds)
    expect(phrases.saysPurpose(folded)).toBe(isPurpose)
  })
})

describe('the searches of one mail', () => {
  test('are done once for each text and kind, whatever is asked between', () => {
    const phrases = new Phrases()
    const [text, another] = ['sign in here', 'sign-in of invited people']
    for (const one of [text, another, text, another]) phrases.says('signIn', one)
    expect(phrases.searches).toBe(2)
    phrases.says('invite', another)
    expect(phrases.searches).toBe(3)
  })
  test('are spared where no word of a kind begins', () => {
    const phrases = new Phrases()
    expect([phrases.says('signIn', 'the sea is calm'), phrases.says('signIn', 'море')]).toEqual([
      false,
      false,
    ])
    expect(phrases.searches).toBe(1)
  })
  test('are used up by long texts, and then no text says anything', () => {
    const phrases = new Phrases()
    expect(phrases.fold('sign in')).toBe('sign in')
    for (let n = 0; n < 13; n++) phrases.says('signIn', `${n}${'a'.repeat(1000)}`)
    expect([phrases.isExhausted, phrases.says('signIn', 'sign in')]).toEqual([false, true])
    phrases.says('signIn', 'b'.repeat(1000))
    expect([phrases.isExhausted, phrases.says('signIn', 'to sign in')]).toEqual([true, false])
    expect([phrases.says('signIn', 'sign in'), phrases.fold('sign in'), phrases.fold('else')]).toEqual([
      true,
      'sign in',
      '',
    ])
  })
})

test('where words of a kind are, and a text without them', () => {
  expect([placeOf('invite', 'sea and you are invited'), placeOf('invite', 'sea')]).toEqual([16, -1])
  expect(without('password', 'your password is here')).toBe('your   is here')
  expect(without('password', '密码, password')).toBe(' ,  ')
  expect([saysIn('password', 'пароль'), saysIn('password', 'password'), saysIn('password', 'sea')]).toEqual([
    true,
    true,
    false,
  ])
})

test.each(['confirm your account', 'sign in'])(
  'what "%s" says of one kind is not taken for another',
  (text) => {
    const asked = new Phrases()
    const answers = (of: () => Phrases) => SEARCHED_KINDS.map((kind) => [kind, of().says(kind, text)])
    expect(answers(() => asked)).toEqual(answers(() => new Phrases()))
  },
)

test('each kind has a bit of its own', () => {
  expect(SEARCHED_KINDS.length).toBeLessThanOrEqual(32)
})
