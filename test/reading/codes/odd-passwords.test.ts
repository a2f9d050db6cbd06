import { expect, test } from '@jest/globals'
import { findCodeDetails } from '../../../reading/codes.ts'

const passwordsIn = (text: string) =>
  findCodeDetails({ subject: 'Your account', text: `Hello Ines,\n\n${text}\n`, html: null }).map(
    ({ value, kind }) => `${kind} ${value}`,
  )

test.each([
  [
    'letters that change their case, anywhere in a sentence',
    'Your password is initialized with SrgDfoLoQg, please update it.',
    'SrgDfoLoQg',
  ],
  [
    'letters right behind a colon',
    'Your login details,\nEmail: ines@kestrel.example\nPassword:jofoiRix',
    'jofoiRix',
  ],
  [
    'hexadecimal digits behind "is"',
    'The new master password is 52664812420c8b434aa7ae54a190d0da',
    '52664812420c8b434aa7ae54a190d0da',
  ],
  ...['Kex-47-Bim-93-Tol', 'Kx-47-Bm-93', 'Tam-4-Rol-38', 'Rab+39+kil-4'].map((value) => [
    'pieces between marks',
    `Your password was reset to ${value}, and you can change it.`,
    value,
  ]),
  [
    'letters, digits and a mark, alone below its label',
    'Temporary password\n\nTempk4x9zq57!\n\nSign in to change it.',
    'Tempk4x9zq57!',
  ],
  [
    'a value without a blank behind a word of a script without blanks',
    '這是您的臨時密碼oZ28Hlbew1。\n\n請使用此臨時密碼重新造訪您的帳戶。',
    'oZ28Hlbew1',
  ],
  [
    'a random value alone on its line, below a sentence about signing in',
    'We have reset your password.\nYou can sign in with:\ntq58hVzn\n\nHarbour',
    'tq58hVzn',
  ],
  [
    'a random value alone on its line, below a paragraph about a password that was created',
    'We have created a first password for you. Please change it as soon as you can.\n\nyqYBTnJ5JbD8PSEI\n\nHarbour',
    'yqYBTnJ5JbD8PSEI',
  ],
])('a stated password of %s', (_what, text, value) => {
  expect(passwordsIn(text)).toEqual([`password ${value}`])
})

test.each([
  ['a name with capitals', 'Your password is managed with OpenStackLdap, please update it.'],
  ['a word', 'The new master password is defaced'],
  ['digits', 'The new master password is 5266481242033434'],
  ['the name of a program without a blank', '初期密碼Win11Home版'],
  ['a longer name of a program without a blank', '初期密碼BitLocker2Go10版'],
  [
    'a value below another sentence about a password',
    'Your password was changed. If you did not do this, quote this.\n\nyqYBTnJ5JbD8PSEI\n\nHarbour',
  ],
  [
    'a value below the name of a user that was created with it',
    'We have created a password for you. Your user name is below.\n\nyqYBTnJ5JbD8PSEI\n\nHarbour',
  ],
  [
    'a value below a sentence for readers who created none',
    'Ihr Passwort wurde erstellt. Falls Sie das nicht waren, melden Sie sich.\n\nyqYBTnJ5JbD8PSEI\n\nHarbour',
  ],
  [
    'a random value below a line that introduces another one',
    'We have created a password for you. This message was sent by the server:\n\nyqYBTnJ5JbD8PSEI\n\nHarbour',
  ],
])('but not %s', (_what, text) => {
  expect(passwordsIn(text)).toEqual([])
})

test('the name of a sender in the subject is no password, also with a digit', () => {
  const found = (subject: string, text = 'Use the link.') =>
    findCodeDetails({ subject, text, html: null }).map(({ value }) => value)
  for (const subject of [
    'Password Reset - Learn2Play',
    'Password Reset | Learn2Play',
    'New password (Learn2Play)',
  ])
    expect(found(subject)).toEqual([])
  const text = 'Password Reset - Learn2Play\n\nHere is your temporary password: Hq7$vT2nLw9x'
  expect(found('Password Reset - Learn2Play', text)).toEqual(['Hq7$vT2nLw9x'])
  expect(found('Your new password - kX7pQ2mN')).toEqual(['kX7pQ2mN'])
  expect(found('Your password: Harbour4Gate', 'Your password is Harbour4Gate.')).toEqual(['Harbour4Gate'])
})

test.each([
  'We received a request to reset the password of the account: ines42.',
  'Otrzymaliśmy prośbę o odzyskanie hasła do konta: ines42.',
  'Vous avez demandé la réinitialisation du mot de passe du compte : ines42.',
])('the account that a request is for is no password: %s', (line) => {
  expect(passwordsIn(`${line}\n\nIgnore this mail if you did not ask for it.`)).toEqual([])
})

test.each([
  ['We have reset the password of your account to: harbour42', 'harbour42'],
  ['We have reset the password of your account: harbour42', 'harbour42'],
  ['We have reset the password for the following account: kX7pQ2mN', 'kX7pQ2mN'],
  ['Sign in with your password for the account: harbour42', 'harbour42'],
])('but a password that was reset or is stated is one: %s', (line, value) => {
  expect(passwordsIn(line)).toEqual([`password ${value}`])
})

test('the mark behind a code is no part of it, even alone on its line', () => {
  expect(passwordsIn('Here is your code:\n\nk7m2pq!')).toEqual(['one_time k7m2pq'])
  expect(passwordsIn('Your invite code for Harbour:\nabc123x!')).toEqual(['invitation abc123x'])
  expect(passwordsIn('Your one-time password is k4x9zq57!')).toEqual(['one_time k4x9zq57'])
})

test.each([
  ['sl', 'uporabi naslednjo kodo'],
  ['fi', 'käytä seuraavaa koodia'],
  ['hu', 'használd az alábbi kódot'],
  ['lt', 'naudokite žemiau pateiktą kodą'],
])('a code below "use the following code" in the case that the verb asks for: %s', (_language, words) => {
  const code = 'cb1d81c9-c2ff-4d62-9a35-17a53ab1f8e8'
  expect(passwordsIn(`${words}: ${code}`)).toEqual([`one_time ${code}`])
})

test('letters, digits and marks behind "reset to:" are a password', () => {
  expect(passwordsIn('Your password has been reset to: Doa70L#uDP8^\n\nSign in.')).toEqual([
    'password Doa70L#uDP8^',
  ])
  expect(passwordsIn('आपका नया कूटशब्द हैः\nvplysp3u')).toEqual(['password vplysp3u'])
})
