import { describe, expect, test } from '@jest/globals'
import { codesBelow as codes } from './find-codes.ts'

describe('a label that begins with "here" is no code of an unknown kind', () => {
  test.each([
    ['be', 'код аўтэнтыфікацыі', 'Вось код: 0485'],
    ['id', 'kode otentikasi', 'Ini kodenya: 23004840'],
    ['ta', 'அங்கீகார குறியீடு', 'இங்கே குறியீடு: 4735'],
    ['hr', 'Kod za prijavu', 'Evo kod: 482913'],
    ['uk', 'Код входу', 'Ось код: 4829'],
    ['fi', 'Kirjautumiskoodi', 'Tässä koodi: 482913'],
  ])('%s', (_language, subject, line) => {
    const shown = /\d+/.exec(line)![0]
    expect(codes(subject, `Ines,\n\n${line}\n\nHarbour\n`)).toEqual([shown])
  })
})

test('the codes of electronic post are no postal codes', () => {
  const text = 'Din e-postverifiseringskode er oppgitt nedenfor. Vennligst skriv den inn.\n\n482913\n'
  expect(codes('Bekreft e-postadressen', text)).toEqual(['482913'])
  expect(codes('Adressen din', 'Din postkode er oppgitt nedenfor.\n\n4829\n')).toEqual([])
})

test.each(['您的邀请码是：101898', '您的邀請碼是：338688'])('an invitation code in Chinese: %s', (line) => {
  expect(codes('Tom Berg 邀请', `亲爱的ines：\n\n${line}\n\n谢谢。`)).toEqual([/\d+/.exec(line)![0]])
})

test('in scripts without spaces a word for "following" leaves the noun free', () => {
  expect(codes('驗證電子信箱', '驗證您的電子信箱，請輸入以下代碼。\n\nKN8F54LA\n')).toEqual(['KN8F54LA'])
  expect(codes('驗證電子信箱', '商品代碼。\n\nKN8F54LA\n')).toEqual([])
})

test.each([
  ['Of voer de code in "C2YCL" bij het inloggen.', 'C2YCL'],
  ['Or enter the code "K7QM2" at login.', 'K7QM2'],
  ['Please use the following code to verify it 6EYQWH', '6EYQWH'],
  ['Please use the following code to verify it 482913.', '482913'],
])('a code that a sentence asks for: %s', (sentence, code) => {
  expect(codes('Verify phone', `Hello Ines,\n\n${sentence}\n\nHarbour\n`)).toEqual([code])
})

test.each([
  'Use the verification code before the end of day 4821.',
  'The following code was sent to verify the phone 4821',
])('a number at the end of another sentence is none: %s', (sentence) => {
  expect(codes('Verify phone', `Hello Ines,\n\n${sentence}\n\nHarbour\n`)).toEqual([])
})

test('a dash and a request behind a number say more than a number on its own line', () => {
  const text = '604182 - please type this verification code\n\n482913\n\nKestrel'
  expect(codes('Kestrel', text)[0]).toBe('604182')
})

test.each([
  'LINE: 482913 is your verification code.',
  '<#> Account: 482913 is your Harbour account verification code. bP2R',
])('a sender whose name is a word for other numbers: %s', (text) => {
  expect(codes('', text)).toEqual(['482913'])
})

test('below a bare "code", the word before a number names it', () => {
  expect(codes('', 'Ticket: 482913 is your code.')).toEqual([])
})

test('a booking has a code of its own, though the text mentions a verification code', () => {
  const text =
    'Your code: 482913\n\nCheck-in at the hotel is at 3. A verification code comes later by text message.'
  expect(codes('Your stay', text)).toEqual([])
})

test('a number that is named so is no code, whatever the next sentence says', () => {
  expect(codes('Harbour', 'Order: 482913 is on its way. Your verification code comes later.')).toEqual([])
})

test('the mark at the end of a text message, which is for a program, is no second code', () => {
  expect(codes('', 'Verification code: 135790\n\nAB12cd3Efgh')).toEqual(['135790'])
})

test.each(['Your temporary password is Xy7#pQ2!', 'Your temporary password is "Xy7#pQ2!".\nBye'])(
  'a password with marks behind "is": %s',
  (text) => {
    expect(codes('Your account', text)).toEqual(['Xy7#pQ2!'])
  },
)

test.each([
  'Enter the code for the account named "482913" at login.',
  'Use the verification code before the end of day "4821".',
])('a number in quotation marks far from the noun is no code: %s', (sentence) => {
  expect(codes('Verify phone', `Hello Ines,\n\n${sentence}\n\nHarbour\n`)).toEqual([])
})

describe('a code of a form or of a phrase of its own', () => {
  test.each([
    ['"your" behind the noun', 'OTP', 'Berikut kode OTP anda PTB5P', 'PTB5P'],
    ['East Asian brackets', '重置密码', '验证码【svP3y】', 'svP3y'],
    ['groups like those of a telephone number', 'Harbour', 'Your code: 337-1337', '3371337'],
    ['groups the other way round', 'Harbour', 'Your code: 1337-337', '1337337'],
    ['groups of two lengths', 'Harbour', 'Please enter XY-9K2', 'XY-9K2'],
    ['stops in the noun', 'Harbour', 'Your O.T.P. is 482913', '482913'],
    ['a greeting with a comma before the noun', 'Harbour', 'Hello Ann, code 482913', '482913'],
    [
      'a sentence before it',
      'Verify',
      'Bonjour, saisissez ce code pour vous connecter. 482913 Il expire dans 10 minutes.',
      '482913',
    ],
    [
      'a sentence before it that ends with a word for other numbers',
      'Your code',
      'Use this code below to complete the verification request. 297040 This code expires soon.',
      '297040',
    ],
    [
      'the end of an account',
      'Harbour',
      'Account ending: 02008 Below is your one-time code: 718263',
      '718263',
    ],
    ['an order in the subject', 'Code de vérification — commande n° 4930218', 'Votre code : 8241', '8241'],
    ['the mark of a program', 'Harbour', 'Your code: 123456\nKeep this code\n\nabAbCDEFO1g', '123456'],
  ])('%s', (_name, subject, text, code) => {
    expect(codes(subject, text)).toEqual([code])
  })

  test.each([
    ['ru', 'Код удаления аккаунта'],
    ['uk', 'Код видалення акаунта'],
    ['pl', 'Kod usunięcia konta'],
    ['es', 'Código de eliminación de la cuenta'],
  ])('to delete an account, above a record: %s', (_language, label) => {
    const text = `${label}: 627263\n\nAnn: 20.11.2026 09:14, IP 198.51.100.24, Harbour`
    expect(codes(`627263 - ${label}`, text)).toEqual(['627263'])
  })
})

test('six digits behind a label of few words, which begins a sentence of its own', () => {
  const mail = (text: string) => codes('Harbour', text)
  expect(mail('Hi Nora, you are trying to log in. Second factor: 482913')).toEqual(['482913'])
  expect(mail('Second factor: 482913, of the list that you log in with.')).toEqual([])
  expect(mail('You log in with a list. Our second and third factor: 482913')).toEqual([])
})

test.each([
  [
    'behind a lead that was wrapped',
    '7391',
    'Your code for the account that you opened with us in the shop last\nweek is 7391, please enter it.',
  ],
  ['behind "enter" with a colon', '4829', 'Or enter: 4829 on the page to sign in'],
  ['behind a noun and what else the reader may do', '482913', 'Enter your code or order a new one: 482913'],
  ['behind a noun that is no voucher', '482913', 'Enter your code not order a new one: 482913'],
  ['in a record, with how long it is valid', '938313', 'Name: Ines\nKnot: 938313\n10 minutes.'],
])('a code %s: %s', (_place, code, text) => {
  expect(codes('Harbour', text)).toEqual([code])
})

const PROSE = 'The forest is quiet in the morning and the birds begin to sing. '

test.each([
  ['the zone of a time', '', 'Your verification code: 10:42 -0400'],
  ['beside the name of a variable', '', 'my_code: 482913'],
  ['behind a stop', '', 'v2.482913 is your verification code'],
  ['in the middle of a line, behind marks', '', 'Acme ("482913 Instagram code")'],
  [
    'below a label for another one with marks behind it',
    'Sign in',
    'Room number  :  - \n482913\n\nIt expires in 10 minutes.',
  ],
  ['of a telephone in quotation marks', '', 'A password was sent to "803-9646".'],
  [
    'with letters, at the end of a sentence that was wrapped',
    'Verification code',
    `The team of the site that you all know has written a new program, which is called\nZODB4\n\n${PROSE.repeat(14)}`,
  ],
])('a number is no code: %s', (_place, subject, text) => {
  expect(codes(subject, text)).toEqual([])
})

test('a code is found in a text that is signed', () => {
  const signature = '-----BEGIN PGP SIGNATURE-----\niQ482914\n-----END PGP SIGNATURE-----'
  const text = `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nYour verification code is 482913\n${signature}`
  expect(codes('Harbour', text)).toEqual(['482913'])
})

test('a number in the subject counts less than the code that the text states twice', () => {
  const text = 'Your verification code is 482913.'
  expect(codes('Verification code for Acme 7391', `${text}\n\n${text}`)).toEqual(['482913'])
})

test('a phrase is a code in a mail of up to 4000 characters', () => {
  const mail = (length: number) =>
    codes('', `Your passphrase is: copper-lantern-drift\n\n${PROSE.repeat(70)}`.slice(0, length))
  expect([mail(3998), mail(3999)]).toEqual([['copper-lantern-drift'], []])
})

test('a number behind the first word of a subject does not begin it', () => {
  expect(codes('482913: verify codes', '')).toEqual(['482913'])
  expect(codes('Add 482913: verify codes', '')).toEqual([])
})

test.each([
  ['Profil: kod autoryzacyjny nr 2 z dnia 2026-03-01 godz. 10:42:17 to: 84019357', '84019357'],
  ['Kod autoryzacyjny nr 2 z dnia 01-03-2026: 84019357', '84019357'],
  ['Kod autoryzacyjny nr 2 godz. 10:42 to: 84019357', '84019357'],
])('the number, day and time of a code are none: %s', (line, code) => {
  expect(codes('Kod', `${line}\n\nOperacja: zmiana adresu.\n`)).toEqual([code])
})

test.each([
  'Your access code expires on 2026-03-01 and your customer number is 84019357.',
  'Votre code est valable jusqu’au 01/12/2026 et votre numéro de client est 84019357.',
  'Kod autoryzacyjny wysłany o godz. 10:42 do zamówienia: 84019357',
])('but not another number behind them: %s', (line) => {
  expect(codes('Kod', `${line}\n\nHarbour\n`)).toEqual([])
})

test.each([
  ['Hello Ana,\n\nPIN: 396-493', '396493'],
  ['Hello Ana,\n\nPIN: G-237582', '237582'],
  ['239610 があなたのNordwind認証コードです。', '239610'],
  ['Nordwind验证码：239610', '239610'],
  ['로그인하려면 482913을(를) 입력하세요.', '482913'],
  ['Enter 6197 to confirm your e-mail address.', '6197'],
  ['Geben Sie 6197 ein, um Ihre E-Mail-Adresse zu bestätigen.', '6197'],
  ['Use e79c258f to sign in.', 'e79c258f'],
  ['Mit dem Code ZRw5BRET können Sie Ihr Passwort zurücksetzen.', 'ZRw5BRET'],
  ['Avec le code ac45ea2b vous pouvez vous connecter.', 'ac45ea2b'],
])('a code in a sentence or below a greeting: %j', (line, value) => {
  const text = line.startsWith('Hello') ? line : `Hello Ana,\n\n${line}\n\nKind regards,\nThe Harbour team`
  expect(codes('Harbour', text)).toEqual([value])
})

test.each(['Use iPhone14 to sign in.', 'To activate your account, use the code iPhone14.'])(
  'but none in %j',
  (line) => {
    expect(codes('Harbour', `Hello Ana,\n\n${line}\n`)).toEqual([])
  },
)
