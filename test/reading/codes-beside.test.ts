import { expect, test } from '@jest/globals'
import { codesIn as codes, codesBelow, findCodes } from './find-codes.ts'

test('the password of an account and a code beside it are both given, the password first', () => {
  const password = 'Password: Xy7#pQ2!'
  const code = 'Verification code: 758700'
  const user = 'Email: ines@mail.example'
  expect(codes(`${user}\n${password}\n${code}\n`)).toEqual(['Xy7#pQ2!', '758700'])
  expect(codes(`${code}\n${user}\n${password}\n`)).toEqual(['Xy7#pQ2!', '758700'])
  expect(codes(`${code}\n\nUser name: ines\n${password}\n`)).toEqual(['Xy7#pQ2!', '758700'])
})

test('a code below the password is given, whatever the mail is about', () => {
  const access = 'Password: jaIDyWnKd4\nScan access code: 758700'
  const mail = (record: string) =>
    `You scan the tickets of the event.\n\n${record}\n\nEnter your access code.`
  expect(codes(mail(`Email: ines@mail.example\n${access}`))).toEqual(['jaIDyWnKd4', '758700'])
  expect(codes(mail('Your ticket: 4829\nBooking access code: 758700'))).toEqual([])
})

test.each([
  'Your _code_ is 482913',
  'Your _verification code_ is _482913_',
  'Your __verification code__ is __482913__',
])('emphasis of Markdown does not count: %s', (text) => {
  expect(codes(text)).toEqual(['482913'])
})

test('a password keeps its low lines', () => {
  expect(codes('Password: kX7_pQ2_mN')).toEqual(['kX7_pQ2_mN'])
})

test.each(['Verification', 'Verifizierung', 'Vérification', 'Verificación', '認証', '인증'])(
  'a label without the noun, before letters and digits: %s',
  (label) => {
    expect(codes(`${label}: XY7Z89`)).toEqual(['XY7Z89'])
  },
)

test.each(['Verified: XY7Z89', 'Verification: Monday', 'Verification: XY7Z89 of Kestrel'])(
  'but not %s',
  (text) => {
    expect(codes(text)).toEqual([])
  },
)

test.each(['NEVER', 'NONE', 'PENDING'])('no code: %s', (value) => {
  expect(codes(`Code: ${value}`, 'Your code')).toEqual([])
  expect(codes(`Your verification code is ${value}. It expires in 10 minutes.`)).toEqual([])
})

const FILLERS = [
  ...['NULL', 'TRUE', 'FALSE', 'UNKNOWN', 'UNDEFINED', 'EMPTY', 'HIDDEN'],
  ...['REQUIRED', 'OPTIONAL', 'ACTIVE', 'INACTIVE', 'ENABLED', 'DISABLED', 'UNVERIFIED', 'REJECTED'],
  ...['SENT', 'SENDING', 'ABOVE', 'TODAY', 'TESTING', 'EXAMPLE'],
]
test.each(FILLERS)('a word in place of a value is no code: %s', (value) => {
  expect(codes(`Your verification code is ${value}. It expires in 10 minutes.`)).toEqual([])
})

test('a verification code may have twenty digits, another number not', () => {
  expect(codes('Your activation code: 48291375548291375548')).toEqual(['48291375548291375548'])
  expect(codes('Your code: 48291375548291375548')).toEqual([])
})

test.each([
  ['Parola ta este Xy7#pQ2!', 'ro'],
  ['Kata sandi Anda adalah Xy7#pQ2!', 'id'],
  ['Mật khẩu của bạn là: Xy7#pQ2!', 'vi'],
  ['Passordet ditt er Xy7#pQ2!', 'nb'],
  ['Your password is Xy7#pQ2!. Please change it.', 'a sentence behind it'],
  ['Password: Xy7#pQ2!. Please change it.', 'a sentence behind it'],
  ['Password\nXy7#pQ2!\n', 'below the label'],
  ['Temporary password\n\nXy7#pQ2!\n', 'below the label'],
  ['Ihr neues Passwort:\nXy7#pQ2!\n', 'below the label'],
])('a stated password with marks: %s (%s)', (text) => {
  expect(codes(`Hello Ines,\n\n${text}\n\nKestrel`)).toEqual(['Xy7#pQ2!'])
})

test.each(['Reset your password\nharbour#365\n', 'Forgot password?\nharbour#365\n'])(
  'a line that says more about a password is no label: %s',
  (text) => {
    expect(codes(`Hello Ines,\n\n${text}\n\nKestrel`)).toEqual([])
  },
)

test('a password that begins with a mark is given with it, and once', () => {
  expect(codes('User name: ines\nPassword: =Q7wE4rT')).toEqual(['=Q7wE4rT'])
  const html = '<p><b>Username:</b> ines<br><b>Password:</b> =Q7wE4rT</p>'
  expect(findCodes({ subject: '', text: '', html })).toEqual(['=Q7wE4rT'])
})

test('a second number of the sentence has a label of its own', () => {
  expect(codes('Your verification code is 482913 and your user ID is 77120.')).toEqual(['482913'])
})

test('a phone number before the code is none', () => {
  expect(codes('Your code for +49 170 4829137 is 771820', 'Verify phone')).toEqual(['771820'])
})

test('a hidden preview may have a code of letters and digits', () => {
  const html =
    '<div style="display:none">Your verification code is K7PM2X.</div><p>It expires in 10 minutes.</p>'
  expect(findCodes({ subject: 'Kestrel', text: '', html })).toEqual(['K7PM2X'])
})

test('a telephone number in pairs is no code, behind a label that the lexicon does not have', () => {
  const text = 'Klikk på lenken for å bekrefte. Lenken er gyldig i 24 timer.\nBillettkontoret: 21 42 21 21'
  expect(codesBelow('Bekreft e-postadressen din', text)).toEqual([])
  expect(codesBelow('Bekreft e-postadressen din', text.replace('21 42 21 21', '214221'))).toEqual(['214221'])
  expect(codesBelow('Votre code', 'Acme : 21 42 21 21\nNe partagez ce code avec personne.')).toEqual([
    '21422121',
  ])
})

test('a code for an amount off is no code', () => {
  expect(codesBelow('Your order', 'Spend €60 and use the code SPRING5 to get €5 off.')).toEqual([])
  expect(codesBelow('Your account', 'Please use the code SPRING5 to sign in.')).toEqual(['SPRING5'])
  expect(codesBelow('Confirm your email', 'Your code is 482913. Use it to get €5 off.')).toEqual(['482913'])
  expect(codesBelow('Harbour', '482913 is your Harbour code. $5 off today.')).toEqual(['482913'])
})

test('a code that is to be entered is given beside a password', () => {
  const text =
    'Your username is ines and your password is tq4Fm9wLz1.\n\nShould you have any problems, visit the page and enter the code "9d7cc4d337".'
  expect(codesBelow('Welcome to Harbour', text)).toEqual(['tq4Fm9wLz1', '9d7cc4d337'])
  expect(codesBelow('Welcome to Harbour', text.replace('enter the code', 'quote'))).toEqual(['tq4Fm9wLz1'])
})
