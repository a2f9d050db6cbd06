import { describe, expect, test } from '@jest/globals'
import { codesBelow as codes } from './find-codes.ts'

/* Names of senders look like codes and stand alone at the top and at the end of a mail. */

const NAMES = ['DHIS2', 'WeKan', 'O365', 'phpBB3', 'EC-CUBE', '9GAG', 'yii2-user', 'BTCPay Server']

describe('the name of the sender is no code', () => {
  test.each([
    [
      'before what the subject is about',
      '{} - Password reset',
      'You asked to reset your password.\n\nThanks,\n{}',
    ],
    ['behind it', 'Password reset – {}', 'Hello,\n\nYou asked to reset your password.\n\nThanks,\n{}'],
    [
      'behind words about a code',
      'Security code changed - {}',
      'Your security code was changed.\n\n{}\n12 Mill Lane',
    ],
    ['as the whole subject', '{}', 'Your verification code has expired. Please request another.\n\n{}'],
    ['in a sentence', 'Two-factor code', 'Enter the code from your app to sign in to {}.\n\n{}'],
    ['amid words of a subject', 'Welcome to {}', 'Your password is known only to you.\n{}\nSupport'],
    ['amid words without blanks', '您的{}密码', '您好,\n您的{}密码已重置。\n{}'],
    ['above the text', '{} Passwort', '{}\n\nIhr Passwort wurde geändert.\n\n{}'],
    ['as the first line', '{} verification', '{}\n\nPlease use the code in your app to sign in.\n\n{} Inc.'],
    ['before a verb', '[{}] New password', 'Your new password for {} was created. Please sign in to {}.'],
  ])('%s', (_where, subject, text) => {
    for (const name of NAMES)
      expect(codes(subject.replaceAll('{}', name), text.replaceAll('{}', name))).toEqual([])
  })
})

describe('a code that the mail has several times is one', () => {
  test.each([
    ['X7K2MQ – Your Harbour code', 'Hi,\n\nenter this code to sign in.\n\nX7K2MQ\n\nThe Harbour team'],
    ['Harbour - X7K2MQ', 'Your code is below.\n\nX7K2MQ\n\nIt expires in 10 minutes.'],
    ['[Harbour] X7K2MQ', 'Your sign-in code is below.\n\nX7K2MQ'],
    ['Your code - X7K2MQ', 'Enter this code to sign in.\n\nX7K2MQ'],
    [
      'X7K2MQ is your Harbour code',
      'Enter this code to sign in.\n\nX7K2MQ\n\nNever share X7K2MQ with anyone.',
    ],
    ['Verify your email', 'Enter X7K2MQ on the page.\n\nThis is your code.\nX7K2MQ'],
    ['X7K2MQ', 'Your verification code is X7K2MQ'],
    ['Sign in', 'The order code => X7K2MQ\n\nEnter the value below. It expires in 10 minutes.\n\nX7K2MQ'],
    ['Sign in', 'Your code of the order is X7K2MQ.\n\nIt expires in 10 minutes.\n\nX7K2MQ'],
    ['認証コード', 'X7K2MQ を入力してください。\n\n認証コードは次のとおりです。\n\nX7K2MQ'],
    ['Kode', 'Kode verifikasi Anda:\n\nX7K2MQ\n\nMasukkan X7K2MQ di aplikasi. Kode Anda X7K2MQ kedaluwarsa.'],
  ])('%s: %s', (subject, text) => {
    expect(codes(subject, text)).toEqual(['X7K2MQ'])
  })
})

test.each(['12306', '4399'])('a number at the top is the name of the sender: %s', (name) => {
  const text = '尊敬的 王芳 女士：\n\n请点击以下链接完成邮箱核验，该链接24小时内有效。'
  expect(codes('用户激活', `${name}\n\n${text}`)).toEqual([])
  expect(codes('用户激活', `${text}\n\n${name}`)).toEqual([name])
  expect(codes('用户激活', `${name}\n\n${text}\n\n验证码`)).toEqual([name])
  expect(codes(`用户激活`, `482913\n\n${text}`)).toEqual(['482913'])
})

test('a code of which only one or two letters repeat its label is no number of that kind', () => {
  expect(codes('Sign in', 'Enter XY code XY-9K2 to sign in to Harbour.')).toEqual(['XY-9K2'])
})

test.each([
  ['PASSWORD', []],
  ['SECURITY', []],
  ['KONTO', []],
  ['QWZRTP', ['QWZRTP']],
])('capitals alone below a noun are a code, unless they are a word of the lexicon: %s', (letters, found) => {
  const text = `Your verification code:\n\n${letters}\n\nIt expires in 10 minutes.`
  expect(codes('Kestrel', text)).toEqual(found)
})
