import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { CODE_SEARCH_WINDOW } from '../../reading/codes.ts'
import { htmlText, searchableText } from '../../reading/html/text.ts'
import { findCodes } from './find-codes.ts'

interface Row {
  name: string
  subject: string
  text: string
  html?: string
  codes: string[]
}

/** One mail per line. The held-out mails were written independently of the search. */
function rows(file: string): Row[] {
  const url = new URL(`../fixtures/mails/${file}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')) as Row[]
}

const MAILS = rows('codes')
const HELD_OUT = rows('codes-held-out')
/** Mails in 102 languages, with layouts that separate the code from its words. */
const LANGUAGES = rows('codes-languages')

function codes(text: string, html: string | null = null, subject = ''): string[] {
  return findCodes({ subject, text, html })
}

/** The mails for which the search returns something else than expected. */
function wrong(mails: Row[], read: (row: Row) => string[]): Array<{ name: string; codes: string[] }> {
  const found = mails.map((row) => ({ name: row.name, codes: read(row), wanted: row.codes }))
  return found
    .filter(({ codes, wanted }) => codes.join() !== wanted.join())
    .map(({ name, codes }) => ({ name, codes }))
}

test.each([
  ['mails', MAILS],
  ['held-out mails', HELD_OUT],
  ['mails in many languages', LANGUAGES],
])('%s', (_title, mails) => {
  expect(mails.length).toBeGreaterThan(100)
  expect(wrong(mails, ({ subject, text, html }) => findCodes({ subject, text, html: html ?? null }))).toEqual(
    [],
  )
})

/** Ways in which senders lay a text out in HTML. */
const LAYOUTS: Array<[string, (lines: string[]) => string]> = [
  ['a line in a div', (lines) => lines.map((line) => `<div>${line}</div>`).join('')],
  [
    'a line in a row',
    (lines) => `<table>${lines.map((line) => `<tr><td>${line}</td></tr>`).join('')}</table>`,
  ],
  [
    'a label and its value in cells',
    (lines) =>
      `<table>${lines.map((line) => `<tr><td>${line.replace(': ', ':</td><td>')}</td></tr>`).join('')}</table>`,
  ],
]

test.each(LAYOUTS)('the same mails in HTML, %s', (_title, layout) => {
  const plain = [...MAILS, ...HELD_OUT].filter((row) => row.html === undefined)
  const inHtml = (row: Row) => {
    const lines = row.text.split('\n').filter((line) => line.trim() !== '')
    const html = layout(lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')))
    return codes('This mail has to be seen as HTML.', html, row.subject)
  }
  expect(wrong(plain, inHtml)).toEqual([])
})

test('HTML may begin with text, and a < that begins no tag is text', () => {
  expect(searchableText('Hello <b>you</b>').shown).toBe('Hello you')
  expect(searchableText('5 < 6 <b>and</b> <5').shown).toBe('5 < 6 and <5')
})

test('a tag ends at its own >, not at one inside of an attribute', () => {
  expect(searchableText('<p title="5 > 3">one</p><p data-x=\'a>b\'>two</p>').shown.trim()).toBe('one\n\ntwo')
})

test.each([
  ['one<td>two', 'one\ttwo', 'one two'],
  ['one<br>two', 'one\ntwo', 'one\ntwo'],
  ['one<br><br>two', 'one\ntwo', 'one\n\ntwo'],
  ['one<br> <br> <br>two', 'one\ntwo', 'one\n\ntwo'],
  ['one<p><br>two', 'one\n\ntwo', 'one\n\ntwo'],
])('the break in %s is %j where codes are searched, and %j for readers', (html, searched, read) => {
  expect([searchableText(html).shown, htmlText(html)]).toEqual([searched, read])
})

test('a tag is known by its whole name, in upper case too', () => {
  expect(searchableText('one<TD>two</Td>three<H1>four').shown).toBe('one\ttwo\tthree\n\nfour')
  expect(searchableText('one<ap>two<h7>three<abr>four<x:y>five').shown).toBe('onetwothreefourfive')
})

describe('a code is returned as it is to be typed', () => {
  test.each([
    ['73 91 05', '739105'],
    ['55-83-19', '558319'],
    ['123 456', '123456'],
    ['123-456', '123456'],
    ['123\u00a0456', '123456'],
    ['123\u2011456', '123456'],
    ['482 · 913', '482913'],
    ['4 8 2 9 1 3', '482913'],
    ['4-8-2-9-1-3', '482913'],
    ['482.913', '482913'],
    ['482\n913', '482913'],
    ['4\n8\n2\n9', '4829'],
    ['482 913\n\n30 minutes', '482913'],
    ['482\n913\n\n30 minutes', '482913'],
    ['4 8 2 9 1 3\n\n5 minutes', '482913'],
    ['4\n8\n2\n9\n\n5 minutes', '4829'],
    ['4 | 8 | 2 | 9', '4829'],
    ['４８２９１３', '482913'],
    ['٤٨٢٩١٣', '482913'],
    ['۴۸۲۹۱۳', '482913'],
    ['4\u200b8\u200b2\u200b9\u200b1\u200b3', '482913'],
    ['G-482913', '482913'],
    ['FB-48291', '48291'],
    ['XK42-99QP-7M3D', 'XK42-99QP-7M3D'],
    ['XTB-MFK', 'XTB-MFK'],
    ['R7BKW', 'R7BKW'],
    ['x7kp2q', 'x7kp2q'],
    ['"482913"', '482913'],
    ['**482913**', '482913'],
    ['# 482913', '482913'],
    ['【482913】', '482913'],
    ['>> 482913 <<', '482913'],
    ['482913 (valid for 10 minutes)', '482913'],
    ['0042', '0042'],
    ['𝟒𝟖𝟐𝟗𝟏𝟑', '482913'],
    ['4️⃣8️⃣2️⃣9️⃣', '4829'],
    ['௪௮௨௯௧௩', '482913'],
    ['၄၈၂၉၁၃', '482913'],
    ['᱔᱘᱒᱙᱑᱓', '482913'],
    ['𞥔𞥘𞥒𞥙𞥑𞥓', '482913'],
    ['_482913_', '482913'],
    ['kqxvbt', 'kqxvbt'],
    ['kQxVbt', 'kQxVbt'],
    ['copper-lantern-drift', 'copper-lantern-drift'],
    ['copper lantern', 'copper lantern'],
    ['copper lantern drift', 'copper lantern drift'],
    ['"copper.lantern.drift"', 'copper.lantern.drift'],
    ['sk_9f8e7d6c5b4a39281706f5e4d3c2', 'sk_9f8e7d6c5b4a39281706f5e4d3c2'],
  ])('%s', (shown, typed) => {
    expect(codes(`Your verification code is:\n\n${shown}\n\nDo not share it.`)).toEqual([typed])
    expect(codes(`Your verification code is:\r\n\r\n${shown}\r\n\r\nDo not share it.`)).toEqual([typed])
  })
})

test('a code in quotation marks behind a short word', () => {
  expect(codes('Open the app with the code from "875525" to go on.')).toEqual(['875525'])
})

describe('numbers beside a code are not codes', () => {
  test.each(['+44 7911 1234', '+49 482913', '+45 12 34 56 78'])(
    'the groups behind a country code: %s',
    (number) => {
      expect(codes(`Sent to ${number} is your verification code.`)).toEqual([])
    },
  )

  test.each([
    '© 2026 Acme',
    '21 November 2026',
    '2026-11-21 14:05:33',
    '21.11.2026, 14:05 Uhr',
    'IP address: 83.12.44.128',
    'Phone: +49 30 1234567',
    'Call 0800 123 4567',
    '(415) 555-0199',
    'Order number: 55831947',
    'Order #55831947',
    'Ticket 558319',
    'Invoice 2026-004829',
    'Customer number\n55831947',
    'Total: $1250.00',
    'Total: 1250 EUR',
    'Windows 10, Chrome 131.0.6778',
    'Version 20261121',
    '1600 Amphitheatre Parkway, Mountain View, CA 94043',
    '10115 Berlin',
    'Card ending in 4242',
    'Card **** 4242',
    'Card ••4242',
    'Promo code: SAVE2026',
    'Postal code: 94107',
    'Error code 50012',
    'Colour #1a2b3c',
    '50 % of 48000 users',
    'valid for 1440 minutes',
    'https://acme.example/r/558319?code=771204',
    'help+558319@acme.example',
    'Tracking number\n00340434161094022115',
  ])('%s', (line) => {
    expect(codes(`Your verification code is 771904.\n\n${line}\n`)).toEqual(['771904'])
    expect(codes(`${line}\n\nYour verification code is 771904.\n`)).toEqual(['771904'])
    expect(codes(`Never share your verification code with anyone.\n\n${line}\n`)).toEqual([])
  })
})

describe('formats of a code', () => {
  test.each([
    ['for one site', 'Hello\n\n@acme.example #482913', '482913'],
    ['for one site, in a frame', '@acme.example #482913 @pay.example', '482913'],
    ['a clause after it in full-width marks', '验证码482913，5分钟内有效', '482913'],
    ['the ending of a word', 'Tasdiqlash kodi: 482913-ni kiriting', '482913'],
    ['a label without a noun', 'Verification: 482913', '482913'],
    ['a short mail with a bare noun', 'Tidepool code: 3851', '3851'],
    ['a password', 'Use 003407 as your password', '003407'],
    ['the only value of a mail', '482913', '482913'],
    ['a label in capitals', 'TOKEN: K7PM2X9Q\n\nUse it to log in.', 'K7PM2X9Q'],
    ['a purpose in order to', 'Enter the code in order to log in: 482913', '482913'],
    ['the only value, after a name', '© Knot\nKnot: 9313\n\nDo not share this with anyone.', '9313'],
    ['the only value, in an unknown language', 'Zorp blim kwatu:\n\n482 913\n\nBlimo!', '482913'],
    ['eight digits in groups', 'Welcome to Harbour.\n\n4829 1375\n\nSign in with this.', '48291375'],
    [
      'a verb after an explanation',
      'You are signing in to Acme.\n\nIf that is you, enter 913 774.',
      '913774',
    ],
    ['a verb that comes last', 'لاگ ان کرنے کے لیے 771682 درج کریں۔', '771682'],
  ])('%s', (_name, text, code) => {
    expect(codes(text)).toEqual([code])
  })
})

describe('a number alone on its line, with and without the minutes that it is valid', () => {
  test.each([
    ['Hello,\n\n4829\n\nIt expires in 10 minutes.', ['4829']],
    ['Hello,\n\n4829\n\nIt expires soon.', []],
    ['Zorp blim\n\n482917\n\nPlim 10 daqiqa.', ['482917']],
    ['Zorp blim\n\n482917\n\nPlim trovi.', []],
  ])('%j', (text, found) => {
    expect(codes(text)).toEqual(found)
  })
})

describe('international words', () => {
  test.each([
    ['de', 'Ihr Einmalpasswort (OTP) lautet 730418.'],
    ['de', 'Ihre TAN lautet 730418'],
    ['es', 'Su contraseña de un solo uso (OTP) es 730418.'],
    ['es', 'Su OTP es 730418'],
    ['fr', 'Votre mot de passe à usage unique (OTP) est 730418.'],
    ['pt', 'Sua senha de uso único (OTP) é 730418.'],
    ['it', 'La tua password monouso (OTP) è 730418.'],
    ['pl', 'Twoje hasło jednorazowe (OTP) to 730418.'],
    ['tr', 'Tek kullanımlık şifreniz (OTP): 730418'],
    ['id', 'Kata sandi sekali pakai (OTP) Anda adalah 730418.'],
    ['vi', 'Mật khẩu một lần (OTP) của bạn là 730418.'],
    ['th', 'รหัสผ่านแบบใช้ครั้งเดียว (OTP) ของคุณคือ 730418'],
    ['ko', '일회용 비밀번호(OTP)는 730418입니다.'],
    ['ja', 'ワンタイムパスワード（OTP）は730418です。'],
    ['zh', '您的一次性密码(OTP)为 730418，5分钟内有效。交易代号：K7PM'],
    ['zh-TW', '您的一次性密碼(OTP)為 730418'],
    ['hi', 'आपका वन-टाइम पासवर्ड (OTP) ७३०४१८ है'],
    ['ar', 'كلمة المرور لمرة واحدة (OTP) هي 730418'],
    ['ru', 'Ваш одноразовый пароль (OTP): 730418'],
    ['bn', 'আপনার ওয়ান-টাইম পাসওয়ার্ড (OTP) হল 730418'],
  ])('%s: %s', (_language, text) => {
    expect(codes(text)).toEqual(['730418'])
  })

  test.each([
    'Seu código de verificação é 730418',
    'Mã xác minh của bạn là 730418.',
    'Κωδικός επαλήθευσης: 730418',
  ])('with accents that are characters of their own: %s', (text) => {
    expect(codes(text.normalize('NFD'))).toEqual(['730418'])
  })
})

describe('invitation codes', () => {
  test.each([
    'Your invitation code is 577428. Enter it to sign up.',
    'Ihr Einladungscode lautet 577428.',
    "Votre code d'invitation est 577428",
    'Tu código de invitación es 577428',
    '招待コードは 577428 です。',
  ])('%s', (text) => {
    expect(codes(text)).toEqual(['577428'])
  })
  test('are not returned if they earn a reward', () => {
    expect(codes('Share your invitation code K7PM22 with friends and earn $10.')).toEqual([])
  })
})

describe('words and numbers that only look like a code', () => {
  test.each([
    ['a host below a noun', 'Reset your password', 'Your password reset code:\nmail.acme.com\n'],
    ['a bare domain', 'Password Change at Acme', 'acme.com\n\nUse this code:\n\nacme.com\n\nBye'],
    ...['iPhone14', 'Iphone14', 'MacBook14', 'Windows11', 'kernel5'].map((name): [string, string, string] => [
      'a word and its number',
      '',
      `${name} is your code.`,
    ]),
    ['a number within a line, before a noun', '', 'Case 482913 – Your code'],
    ['a number within a line, before a name', '', 'For Ann 482913 Instagram kodunuz'],
    ['the year of a date', '', 'The verification code sent on March 12, 2025 was wrong.'],
    ['the year after a day', 'Your verification code has expired', 'We sent it on 20 November 2026.'],
    ['a word after the noun', '', 'The verification code was wrong.'],
    ['capitals that begin a line', '', 'IMPORTANT: your verification code has changed.'],
    [
      'the name of the sender at the end of a subject',
      'Recupera tu contraseña — VELERO',
      'Pulsa el botón para volver a entrar en VELERO.',
    ],
    ['pl: the number of a job', 'Zmiana zlecenia', 'Dzień dobry,\n\nNumer zlecenia:\n\n481726\n'],
    ['a word on the next line', '', 'Kod weryfikacyjny: kliknij\nprzycisk\n\nOk'],
    [
      'a record',
      'Vérifié',
      "Équipements vérifiés sous votre nom:\n\nNom: MacBook\nNuméro d'inventaire: 48213\nModèle: A1278\n",
    ],
    ['a record without known labels', 'Verified', 'Zorp: Blim\nKwatu: 482135\nTolo: Wex\n'],
    ['an invoice', '', 'A számla elkészült.\n\nSzámla azonosítója: 0048213\nÖsszeg: 1200'],
    ['a report', '', '您的帳號已驗證\n\n報告識別碼 918273'],
    ['a postal code', '', 'המיקוד שלך הוא 9138201\nכתובת: תל אביב'],
    [
      'the label of an advertisement',
      'Running it as a user',
      `${'It runs as a user app, and I would like to know how others do that. '.repeat(7)}\n\n------\nOpen source developers, register now for the Hammer\nSymposium. Code: EX8664 http://hammer.example/lab`,
    ],
    [
      'the name of a protocol',
      'Strange ssh problem',
      'He is asked for a password, except for the passphrase of the key. We use only SSH2 with keys:\n\ndebug1: got SSH2_MSG_SERVICE_ACCEPT\ndebug1: authentications that can continue: password\n',
    ],
    [
      'a part of the name of a constant',
      'Re: [PATCH] Add a handler',
      'So when I compile this code, I get this:\n\nMCSR_MASK\n\nEach undeclared identifier is reported once.',
    ],
    [
      'a year below a bare "code"',
      '',
      "Use formats that are consistent with the code you're changing.\n\n1995...\n",
    ],
    [
      'a number far from anything about signing in',
      "Une commande n'a pas pu aboutir",
      `Vérifiez le catalogue de votre fournisseur. ${'Les quantités en attente peuvent être trop élevées. '.repeat(6)}\n\nJonas Weber\n\n824086`,
    ],
    ['a booking', '', 'ご予約ありがとうございます。\n確認番号: 482913\n便名: NH10'],
  ])('%s', (_name, subject, text) => {
    expect(codes(text, null, subject)).toEqual([])
  })
})

describe('mails without a code', () => {
  test.each([
    ['an address in Massachusetts', 'Please log in.\n\nAcme, 44 Farquhar Street, Boston, MA 02131 USA'],
    ['an address in India', 'Visit us: 14 MG Road, Bengaluru, Karnataka, PIN 560103'],
    ['an address in India, in lines', '22 Park Street\nKolkata\nPIN Code: 700016'],
    ['a receipt', 'Total 48.20\nVISA\nAuthorization code: 048213\nMerchant ID 889120'],
    ['a gift card', 'Gift card number 6006 4912\nPIN: 4821'],
    ['a meeting', 'Join by phone: +1 555-010-7788\nPIN: 482 913 776#\nPasscode: 771203'],
    ['a time zone', 'On Fri, 20 Nov 2026 10:14:02 -0400, Sam wrote:\n> I added code to my filter'],
    ['a bounce', 'Status: 5.1.1\nDiagnostic-Code: SMTP; 550 5.1.1 user unknown'],
    [
      'a signature',
      'Your verification code is in the app.\n\n-----BEGIN PGP SIGNATURE-----\n\nA7K2M9\n=4829\n-----END PGP SIGNATURE-----',
    ],
    [
      'an uuencoded file',
      'Your verification code is attached.\n\nbegin 644 a.txt\n#4829 13\n482913\n`\nend\n',
    ],
    [
      'two messages in ASCII armor',
      `${'-----BEGIN PGP MESSAGE-----\n\n482913\n-----END PGP MESSAGE-----\n'.repeat(2)}Your code is in the app.`,
    ],
    ['a name in a program', '#if LINUX_VERSION_CODE < KERNEL_VERSION(2, 5, 24)\nsign in to read the code'],
    ['a code that is only spoken of', 'Your one-time code is waiting in the app. It is required.'],
  ])('%s', (_name, text) => {
    expect(codes(text)).toEqual([])
  })
})

test('markup that was escaped twice', () => {
  const html =
    '<body>\n\\<p\\>Кодты енгізу арқылы растаңыз.\\</p\\>\\<p\\>\\<b\\>405726\\</b\\>\\</p\\></body>'
  expect(codes('', html, 'E-mail растау')).toEqual(['405726'])
})

describe('order', () => {
  test('a code that the text names comes before one that only stands out', () => {
    expect(codes('Sign in with one of these codes.\n\n118203\n\nYour verification code is 774519.')[0]).toBe(
      '774519',
    )
  })
  test('a code in the subject and in the body is returned once', () => {
    expect(codes('Your code: 482913', null, '482913 is your code')).toEqual(['482913'])
  })
  test('at most ten codes are returned', () => {
    const list = Array.from({ length: 30 }, (_, n) => `A7K${10 + n}-M9QX2`).join('\n')
    expect(codes(`Your recovery codes:\n\n${list}`)).toHaveLength(10)
  })
})

describe('text and HTML', () => {
  test('HTML is read when the text has no code', () => {
    expect(codes('Please use another program.', '<p>Your verification code: <b>482913</b></p>')).toEqual([
      '482913',
    ])
  })
  test('the alternative text of a picture is read', () => {
    expect(codes('', '<p>Your verification code is</p><img src="x.png" alt="730418">')).toEqual(['730418'])
  })
  test('the subject is searched if the text mentions its code', () => {
    const subject = '[Orchard] 604182 — finish signing in'
    expect(codes('Your code is in the subject of this mail.', null, subject)).toEqual(['604182'])
    expect(codes('Your order is ready.', null, subject)).toEqual([])
  })

  test('an address in the subject does not hide the code behind it', () => {
    const subject = 'Sign in to Harbour as jo@example.com: 482913'
    expect(codes('You need this code.', null, subject)).toEqual(['482913'])
  })
  test('the text is read when the HTML has no code', () => {
    expect(codes('Your verification code: 482913', '<p>Your verification code is in the text</p>')).toEqual([
      '482913',
    ])
  })
  test.each([
    '<!---->',
    '<!-->',
    '<!--->',
    '<!-- -->',
    '<!-- > -->',
    '<!--[if !mso]><!-->',
    '<!doctype html>',
  ])('the text behind %s is read, up to the next comment', (comment) => {
    const html = `${comment}<p>Your verification code is 482913</p><!-- 771820 --><p>Bye</p>`
    expect(codes('', html)).toEqual(['482913'])
    expect(htmlText(html)).toBe('Your verification code is 482913\n\nBye')
  })
  test('scripts, styles, comments and attributes are not read', () => {
    const html =
      '<style>.code:482913{}</style><script>code=482913</script><!-- code: 482913 --><p title="code: 482913">Your verification code is in the app</p>'
    expect(codes('', html)).toEqual([])
  })
})

/** A size at which a cost that is not linear exceeds the deadline of a test by far. */
const RUNS = 4

describe('a mail of many years', () => {
  const read = (years: number) =>
    findCodes({
      subject: '',
      text: `${'In 1997, '.repeat(years)}\n\nYour verification code is 2031.`,
      html: null,
    })

  test('has no code that looks like a year', () => {
    expect([read(10), read(60)]).toEqual([['2031'], []])
  })
})

describe('hostile mail', () => {
  const PIECES = [
    '4',
    '4 ',
    '482913 ',
    '482913\n',
    '48 29 ',
    'A',
    'A-',
    '4-',
    '-',
    ' ',
    '\n',
    '\t',
    '<',
    '<td>',
    '<td>4</td>',
    '<a href="',
    '<!--',
    '<style>',
    '&',
    '&#',
    '@',
    'a@',
    '://',
    'code ',
    'code: ABCDEF\n\n',
    'Your code\n\n482913\n\n',
    'postal code ',
    'sign in 4829 ',
    '码',
    '验证码',
    'код ',
    'kod a a ',
    'é',
    'e\u0301',
    'İ',
    '４ ',
    '\u200b',
    '\ud800',
    'nummer',
    'verification code: ',
    'Verification code: kqxvbt ',
    'code is code is ',
    'Your code:\n\ncopper lantern\n\n',
    'begin 644 a\n',
    '-----BEGIN PGP ',
    'sicherheitscodesicherheitscode',
    'รหัส',
    'अ\u093c',
  ]

  test.each(PIECES)('%j repeated without an end costs time in proportion to its size', (piece) => {
    const full = piece.repeat(Math.ceil(CODE_SEARCH_WINDOW / piece.length))
    const text = `Your verification code\n\n${full}`
    // Squared, the window would cost minutes: the test's own deadline tells the two apart on any machine.
    for (let i = 0; i < RUNS; i++) {
      expect(() => codes(text)).not.toThrow()
      expect(() => codes('', `<p>Your verification code</p>${full}`)).not.toThrow()
    }
  })

  test('text beyond the window costs no time and contains no codes', () => {
    const filler = 'lorem ipsum '.repeat(CODE_SEARCH_WINDOW / 12 + 1)
    expect(codes(`${filler}\nYour verification code is 482913`)).toEqual([])
    expect(codes(`Your verification code is 482913\n${filler.repeat(20)}`)).toEqual(['482913'])
  })

  test('any characters are accepted', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join('')
    expect(() => codes(all, all, all)).not.toThrow()
    expect(() => codes(`code ${all}`, `<b>code ${all}`, all)).not.toThrow()
  })
})
