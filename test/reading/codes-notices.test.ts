import { describe, expect, test } from '@jest/globals'
import { codesBelow, findCodes } from './find-codes.ts'

test('a comment that a code forge reports has no code', () => {
  const text =
    'Ines left a comment\n\nThe request returns 500 when the code is 123456 and the session expired.'
  expect(codesBelow('Re: [acme/api] Login code 500 error (Issue #4821)', text)).toEqual([])
  expect(codesBelow('Re: Login code 500 error', text)).toEqual(['123456'])
})

test.each([
  ['fr', 'Votre rendez-vous avec Dr Vasseur est prévu mardi.', "Code d'accès à l'immeuble : 58A21"],
  ['en', 'Your appointment with Dr Vasseur is on Tuesday.', 'Access code: 58A21'],
  ['de', 'Ihr Termin bei Dr. Vasseur ist am Dienstag.', 'Zugangscode: 58A21'],
  ['es', 'Su cita con la doctora Vasseur es el martes.', 'Código de acceso: 58A21'],
])('an appointment has codes of its own: %s', (_language, sentence, code) => {
  expect(codesBelow('Kestrel', `${sentence}\n\n${code}\n`)).toEqual([])
  expect(codesBelow('Kestrel', `Hello Ines,\n\n${code}\n`)).toEqual(['58A21'])
})

test.each([
  ['fr', 'Reçu de paiement', "Code d'autorisation : 482913"],
  ['tr', 'Ödemeniz alındı.', 'Onay kodu: 482913'],
  ['id', 'Pembayaran berhasil.', 'Kode otorisasi: 482913'],
])('a payment that was made has a code of its own: %s', (_language, sentence, code) => {
  expect(codesBelow('Kestrel', `${sentence}\n\n${code}\n`)).toEqual([])
})

test('the number of a reported event is no code', () => {
  const report =
    'Új bejelentkezés történt.\nEszköz: Chrome\nHivatkozás: 482913\nHa nem Ön volt, írjon nekünk.'
  expect(codesBelow('Új bejelentkezés a fiókjába', report)).toEqual([])
})

test('the label above a value is the last sentence of its line', () => {
  const text = 'Ihr Paket liegt in der Packstation. Abholcode:\n482913'
  expect(codesBelow('Paket zugestellt', text)).toEqual([])
})

test('a noun for a code of another kind before a value names it', () => {
  const text = 'Please sign in to see more within 3 days.\n\nMã nhân viên: 482913\n\nKestrel'
  expect(codesBelow('Your account', text)).toEqual([])
})

test('a purpose that is a part of the label of a number asks for nothing', () => {
  const text = 'Please sign in to see more within 3 days.\n\nRegistration number:\n482913\n\nKestrel'
  expect(codesBelow('Your account', text)).toEqual([])
})

test('the name of the sender in brackets and above the code is no code', () => {
  const html =
    '<h1>Sub2API</h1><p>Your verification code is:</p><p>207364</p><p>It expires in 15 minutes.</p>'
  expect(findCodes({ subject: '[Sub2API] Email Verification Code', text: '', html })).toEqual(['207364'])
})

test('a value before a verb that comes last is a stated password', () => {
  const text = 'Zure aldi baterako pasahitza P255lXhn3 da. Mesedez, erabili saioa hasteko.'
  expect(codesBelow('', text)).toEqual(['P255lXhn3'])
})

test.each(['Yeni şifreniz aşağıda', 'Twoje nowe hasło znajduje się poniżej.'])(
  'a password below a line that speaks of it: %s',
  (line) => {
    expect(codesBelow('Kestrel', `Reset\n\n${line}\n\nmW3vB9sa\n\nKestrel`)).toEqual(['mW3vB9sa'])
    expect(codesBelow('Kestrel', `Reset\n\n${line}\n\nmW3vB9sa\n\nSign in to mW3vB9sa`)).toEqual([])
    expect(codesBelow('Kestrel', `Reset\n\n${line}\n\nKestrel42\n\n`)).toEqual([])
  },
)

describe('a name with a digit or in capitals beside a code', () => {
  test.each([
    ['behind the noun', 'WSO2 OTP', 'Dear customer,\n\nyour OTP for WSO2 is {}.\n\nWSO2'],
    ['behind the noun, and nowhere else', 'OTP', 'Dear customer,\n\nyour OTP for WSO2 is {}.'],
    ['above and below', 'Verify your email', 'WSO2\n\nVerification code: {}\n\n-- \nWSO2'],
    ['in the brackets of East Asian texts', '验证码', '【WSO2】您的验证码是{},5分钟内有效。'],
    [
      'at the end of the subject',
      'Code de vérification WSO2',
      'WSO2\n\nVotre code de vérification\n\n{}\n\nWSO2',
    ],
  ])('is no code: %s', (_place, subject, text) => {
    for (const code of ['207364', 'K7PM2X'])
      expect(codesBelow(subject, text.replace('{}', code))).toEqual([code])
  })

  test('ends with a word for a code of another kind', () => {
    expect(codesBelow('Verify', 'Your Sub2API code\n\n207364\n')).toEqual(['207364'])
    expect(codesBelow('Verify', 'Your API code\n\n207364\n')).toEqual([])
  })
})

test('a portal may mention an appointment beside its access code', () => {
  const text = 'Your access code is 93K-2LT.\n\nYour appointment: 24 November 2026, Room 2107.'
  expect(codesBelow('Kestrel portal: access code', text)).toEqual(['93K-2LT'])
  expect(codesBelow('Kestrel booking: access code', text)).toEqual([])
  expect(codesBelow('Kestrel', text)).toEqual([])
})

test.each([
  ['ja', 'ご利用速報', 'ご利用日: 2026年11月8日\nご利用金額: 842円\n承認番号: 004417', '承認番号: 004417'],
  ['ko', '카드 승인 내역', '이용일: 11월 8일\n이용금액: 8,420원\n승인번호: 004417', '승인번호: 004417'],
])('the use of a card has a number of its approval: %s', (_language, subject, text, number) => {
  expect(codesBelow(subject, text)).toEqual([])
  expect(codesBelow('Kestrel', number)).toEqual(['004417'])
})

test('a number in the subject of another message is no code', () => {
  const text = (subject: string) =>
    `You have received a private message with the following subject:\n\n${subject}\n\nSign in to read it.`
  expect(codesBelow('New private message', text('Re: Spare valve, code 4410?'))).toEqual([])
  expect(codesBelow('Your code', 'Your code:\n\n482913')).toEqual(['482913'])
})

describe('a notice about a password or a key states none', () => {
  test.each([
    'Your password was changed at: 2026-11-30T10:00:00+01:00',
    'Your password was found in a data breach at: Canva2019!',
    'Password requested: 2026-11-30T10:00:00',
    'User name: ines\nPassword: your-mailbox-password\nPort: 993',
    'Your account is ready.\n\nReset password: account.harbour.example',
    'A password reset was requested for the account:\n\nines-martin\n\nIf you are not ines-martin, ignore this.',
    'A new SSH key was added to your account:\n\nines-laptop\n\nhttps://git.example.com/keys/ines-laptop',
    'Name: Ines\nTelefon: 030482913\nCaptcha: 7351\nNachricht: Hallo',
  ])('%j', (text) => {
    expect(codesBelow('Your account', text)).toEqual([])
  })
})

test('codes that resemble what other mails quote are codes', () => {
  const reply = 'Hi Ines,\n\nyour access code is 482913. It expires in 10 minutes.'
  expect(codesBelow('Re: [billing] Your access code (#1207)', reply)).toEqual(['482913'])
  expect(codesBelow('New SMS "Your login code is 482913"', 'SMS:\nYour login code is 482913.')).toEqual([
    '482913',
  ])
  expect(codesBelow('482913 is your code', 'Email code: 482913\nPhone code: 771204')).toEqual([
    '482913',
    '771204',
  ])
  const replaced = 'Your code was KR8251. It has expired. Here is a new one: KR8252'
  expect(codesBelow('Your code', replaced)).toEqual(['KR8252'])
  const list = '48291377\n00112233\n44556677\n88990011'
  expect(codesBelow('Recovery codes', `Your recovery codes for ines42\n\n${list}\n`)).toEqual(
    list.split('\n'),
  )
})
