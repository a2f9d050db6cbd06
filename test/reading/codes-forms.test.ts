import { describe, expect, test } from '@jest/globals'
import { codesIn as codes, codesBelow } from './find-codes.ts'

describe('recovery codes of groups in one sentence are all given', () => {
  test.each([
    [
      'Here are the recovery codes of your account: K4QZ7-2MNB1, P0LW8-XC5VR, 9TGH3-JJ2SD. With one of them you can sign in.',
    ],
    ['Your recovery codes are K4QZ7-2MNB1, P0LW8-XC5VR and 9TGH3-JJ2SD.'],
    ['Your recovery codes: K4QZ7-2MNB1 / P0LW8-XC5VR / 9TGH3-JJ2SD'],
    ['Your recovery codes: K4QZ7-2MNB1; P0LW8-XC5VR;\n9TGH3-JJ2SD'],
  ])('%s', (text) => {
    expect(codes(text)).toEqual(['K4QZ7-2MNB1', 'P0LW8-XC5VR', '9TGH3-JJ2SD'])
  })

  test('also of small letters', () => {
    expect(
      codesBelow('Varakoodit', 'Varakoodisi ovat 0ac7-51de, 94b2-f8e3 ja 7d16-20fa. Kukin toimii kerran.'),
    ).toEqual(['0ac7-51de', '94b2-f8e3', '7d16-20fa'])
  })

  test('a value of other groups behind them is none', () => {
    expect(codes('Your recovery codes: K4QZ7-2MNB1, P0LW8-XC5VR, SKU-4821.')).toEqual([
      'K4QZ7-2MNB1',
      'P0LW8-XC5VR',
    ])
  })

  test.each(['a) ', '① ', '1. '])('lines that begin with "%s"', (first) => {
    const marks = { 'a) ': ['a) ', 'b) ', 'c) '], '① ': ['① ', '② ', '③ '], '1. ': ['1. ', '2. ', '3. '] }[
      first
    ]!
    const values = ['k2f9-xx71', 'p0q3-7hsd', '9ztm-41lw']
    const lines = values.map((value, n) => `${marks[n]}${value}`)
    expect(codes(`Your recovery codes:\n${lines.join('\n')}\n`)).toEqual(values)
  })
})

describe('names with a digit, right behind the noun', () => {
  test.each([
    ['SONNE-KITA-5R, BLUME-HORT-7Q or STERN-WALD-2P', ['SONNE-KITA-5R', 'BLUME-HORT-7Q', 'STERN-WALD-2P']],
    ['SONNE-KITA-5R for your group BLUME-HORT-7Q', ['SONNE-KITA-5R']],
    ['SONNE-KITA-5R, KITA-7Q', ['SONNE-KITA-5R']],
  ])('%s', (values, given) => {
    expect(codes(`Type the invitation code ${values} when you register.`)).toEqual(given)
  })
})

describe('a value right behind a noun that cannot mean another code', () => {
  test.each([
    ['open the page, user number 118, activation code 3e7d-b1c0', '3e7d-b1c0'],
    ['Type the invitation code SONNE-KITA-5R when you register.', 'SONNE-KITA-5R'],
    ['Tippen Sie bei der Registrierung den Einladungscode SONNE-KITA-5R ein.', 'SONNE-KITA-5R'],
    ['Při registraci vyplňte kód pozvánky CHATA-LIPNO-7.', 'CHATA-LIPNO-7'],
    [
      'Falls das nicht klappt: Benutzer-ID 552 und Aktivierungscode 7ad02f91c4 von Hand eingeben.',
      '7ad02f91c4',
    ],
  ])('%s', (text, value) => {
    expect(codes(text)).toEqual([value])
  })

  test.each([
    'Your verification code for yii2-user is on its way.',
    'The invitation code was sent on 2026-11-29.',
    'Your class code BIO-2F8K',
    'Your verification code expires 30-min after you receive it.',
    'A 2-step verification code 2-factor setup is needed.',
    'Use the invitation code before 1-Jan.',
    'Your password for Harbour#2026 was changed to a new one.',
    'As agreed, your password was changed by Support#4406.',
  ])('but not %s', (text) => {
    expect(codes(text)).toEqual([])
  })
})

describe('passwords', () => {
  test.each([
    ['User name .......... webh4471\nPassword ........... u7Gk-29bT-xQ0p\n', 'u7Gk-29bT-xQ0p'],
    ['Login.....: anselmo.reis\nSenha.....: Jabuti@309\n', 'Jabuti@309'],
    ['User name -> tomb5c\nPassword -> kX7pQ2mN\n', 'kX7pQ2mN'],
    ['{\n  "user": "f.zebrano",\n  "password": "kX7pQ2mN",\n}', 'kX7pQ2mN'],
    ['Username: parent_kofori\nTemporary Password: Usa@ZIwgkx\n', 'Usa@ZIwgkx'],
    ['As agreed, the password of jsoe was changed to Birk!4406. Call us.', 'Birk!4406'],
  ])('%s', (text, value) => {
    expect(codes(text)).toEqual([value])
  })

  test('beside the code of an activation: both are given', () => {
    const text =
      'Your username is tom and your password is brisk8867.\n\nTo activate your account, enter the code "4ee9b73e1b".'
    expect(codes(text).toSorted()).toEqual(['4ee9b73e1b', 'brisk8867'])
    const other = text.replace('"4ee9b73e1b"', '"482913"').replace('brisk8867', 'Brisk#8867')
    expect(codes(other).toSorted()).toEqual(['482913', 'Brisk#8867'])
  })

  test('of a wireless network is none', () => {
    expect(codesBelow('Hytte', 'Internett: IndokNetworker. Passord: PaaHytta4')).toEqual([])
  })
})

describe('numbers that are no codes', () => {
  test.each([
    [
      'Akun aktif',
      'Alamat email Anda telah terverifikasi.\nSilakan masuk melalui situs.\nID Mitra: 88120457',
    ],
    ['Registrazione completata', 'Il profilo è attivo.\nCodice contribuente: 0044178.'],
    ['Konec platnosti karty', 'Karta přestane platit 31. 3. 2025.\n\nVariabilní symbol: 402917'],
    ['Meeting', 'Wednesday 13:00\nMeeting ID: 881 2047 7719\nPasscode: 330418\n'],
    ['定例会議のご案内', '日時:水曜 13:00\nミーティングID:881 2047 7719\nパスコード:330418\n'],
    ['Bjud in en vän, få 100 kr', 'Din kod:\nMOA-5512\n'],
  ])('%s: %s', (subject, text) => {
    expect(codesBelow(subject, text)).toEqual([])
  })
})

describe('marks on both sides of a line do not belong to it', () => {
  test.each(['** 739105 **', '=== 739105 ===', '# 739105 #', '--- 739105 ---'])('%s', (line) => {
    expect(codes(`Your verification code is:\n\n${line}\n\nEnter it in the app.`)).toEqual(['739105'])
  })
})

test('the label of each thing of a list is no code', () => {
  const mail = (first: string) =>
    `You have 3 days left to return the books.\n\n${first} - Code: BK00217\nClean Architecture - Code: BK01093\n`
  expect(codes(mail('Operating Systems'))).toEqual([])
  expect(codes('You have 3 days left.\n\nOperating Systems - Code: BK00217\n')).toEqual(['BK00217'])
})

test('letters in both cases behind a noun that is to be typed', () => {
  expect(codes('Visit the page and enter the code zpFEqE.', 'Your login code')).toEqual(['zpFEqE'])
  expect(codes('Visit the page and enter the code OpenFarm.', 'Your login code')).toEqual([])
})

test('the words of a link that resets a password are no password', () => {
  const text = 'parola sıfırlama bağlantısını talep ettiniz.\nişte o bağlantı:\nparolamı sıfırla\n'
  expect(codes(text, 'parola sıfırlama')).toEqual([])
})

describe('the code of a video meeting is below its number', () => {
  test.each([
    ['de', 'Meeting-ID', 'Kenncode'],
    ['fr', 'ID de réunion', 'Code secret'],
    ['es', 'ID de reunión', 'Código de acceso'],
    ['pt', 'ID da reunião', 'Senha'],
    ['it', 'ID riunione', "Codice d'accesso"],
    ['ru', 'Идентификатор конференции', 'Код доступа'],
    ['uk', 'Ідентифікатор конференції', 'Код доступу'],
    ['fi', 'Kokoustunnus', 'Pääsykoodi'],
    ['ar', 'معرف الاجتماع', 'رمز الدخول'],
    ['ja', 'ミーティング ID', 'パスコード'],
  ])('%s', (_language, id, label) => {
    for (const value of ['471902', 'kX7pQ2'])
      expect(codesBelow('Board', `Zoom\n\n${id}: 842 9173 3508\n${label}: ${value}\n`)).toEqual([])
  })

  test('or behind it', () => {
    expect(codes('Athugasemd: Zoom 873 4410 2297, aðgangskóði 552019')).toEqual([])
  })

  test.each([
    ['Téléphone : 842 9173 3508\nCode secret : 471902'],
    ['AWS account ID: 1234 5678 9012\nVerification code: 471902'],
    ['Apple ID: +1 555 123 4567\nVerification code: 471902'],
    ['手机号：138 0013 8000\n验证码：471902'],
    ['Appointments: 881 204 7719\nYour verification code is 471902.'],
    ['Citas: 900 123 456\nCódigo de verificación: 471902'],
    ['Call Zoom: 888 799 9666, your verification code is 471902'],
    ['Для входа в личный кабинет конференции введите код:\n\n471902'],
  ])('but not that of an account or a telephone: %j', (text) => {
    expect(codes(text)).toEqual(['471902'])
  })
})

test.each(['2026. 11. 27. 19:12', '2026.11.27', '2026. 12. 01'])('a date behind the code: %s', (date) => {
  expect(codes(`Az ellenőrző kód: 561249\nA kód lejár: ${date}.`)).toEqual(['561249'])
})

test.each([
  'Ihr Bestätigungscode: 1984. 10.12.2026, 10:30 Uhr',
  'Your code is 1984. 5. 10 minutes',
  'Ваш код подтверждения 1984. 10.12 в 12:00',
])('a code like a year, and a date behind it: %s', (text) => {
  expect(codes(text)).toEqual(['1984'])
})

test('recovery codes of one group each, below a sentence about the ones before', () => {
  const values = ['hK3pQm7TzRw92LbX', 'mV8sYd4NcJf61GtA', 'pR5wZx2HqBk97UeC']
  const sentence = 'You generated new backup codes. Your previous backup codes no longer work.'
  expect(codesBelow('Your backup codes', `${sentence}\n\n  ${values.join('\n  ')}\n`)).toEqual(values)
})
