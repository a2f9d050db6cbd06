import { describe, expect, test } from '@jest/globals'
import { findCodes } from './find-codes.ts'

/** The codes of a mail with a text. */
const codes = (text: string, subject = 'Hello') => findCodes({ subject, text, html: null })
/** The codes of a mail with HTML. */
const ofHtml = (html: string, subject = 'Hello') => findCodes({ subject, text: '', html })

describe('a code of a template that was written in a hurry', () => {
  test.each([
    [
      '<p>Enter the following code:</p><code>447190</code><span>This code is valid for one hour</span>',
      '447190',
    ],
    ['<div>Hi KatjaYour code is<b>840 663</b>and expires in10minutes</div>', '840663'],
    ['<p>Use code:<strong>L0nDv8Qe</strong>to set new password.</p>', 'L0nDv8Qe'],
    ['<p>Здравствуйте, Анна! Введите<b>40 71 55</b>на сайте.</p>', '407155'],
    ['<h2>You are invited!</h2><div>Invite code<b>602917</b></div><div>Expires in 7 days</div>', '602917'],
  ])('has no blanks between elements: %s', (html, code) => {
    expect(ofHtml(html)).toEqual([code])
  })

  test('but digits in boxes are one', () => {
    expect(ofHtml('<p>Your code is <b>4829</b><b>13</b></p>')).toEqual(['482913'])
    expect(ofHtml('<p>Your code is <b>730518</b><i>x9k</i></p>')).not.toEqual(['730518'])
  })

  test.each([
    '<p>Username: ines</p><p>Password: Welcome<b>2026</b></p>|Welcome2026',
    '<p>Username: ines<br>Password: Harbour<wbr>2931</p>|Harbour2931',
    '<p>Your verification code is <span>ABCD</span><span>1234</span></p>|ABCD1234',
    '<p>Your verification code is <span>XKD</span><span>4829</span></p>|XKD4829',
    '<p>Your invitation code: <b>HARB<!-- -->2931</b></p>|HARB2931',
    '<p>Your invitation code: <b>HARB<!-- -->293155</b></p>|HARB293155',
    '<p>User: ines</p><p>Password: <span class=SpellE>Sommer</span>202612</p>|Sommer202612',
    '<p>Your verification code is <span>ABCD</span><span>123456</span></p>|ABCD123456',
    '<p>Your invitation code: <b>HARB</b><b>293155</b></p>|HARB293155',
    '<p>Hi player<b>482913</b>, a verification code was sent to your phone.</p>|',
    '<p>Ticket <a>INC</a><b>482913</b>: your verification code request</p>|',
    '<p>Your invitation code is ACM<b>482913</b>.</p>|ACM482913',
    '<p>Your support ticket INC<b>482913</b> about the verification code was updated.</p>|',
    '<p>Hi kim<span>4829</span>, your verification code is <b>730518</b></p>|730518',
    '<p>Hi player<b>48291</b>, a verification code was sent to your phone.</p>|',
  ])('a value in several elements is whole: %s', (example) => {
    const [html, code] = example.split('|')
    expect(ofHtml(html!, 'Your account')).toEqual(code === '' ? [] : [code])
  })

  test.each([
    ['Your otp is 👉 205817', '205817'],
    ['🔑 Code: 🔒 205817', '205817'],
    ['Your otp is👉205817👈 do not share it', '205817'],
    ['Your code is 4️⃣8️⃣2️⃣9️⃣1️⃣3️⃣. It expires in 5 minutes.', '482913'],
  ])('stands beside pictures: %s', (text, code) => {
    expect(codes(text)).toEqual([code])
  })

  test('a picture may begin the subject', () => {
    expect(codes('Hello', '🔐 482913 is your code')).toEqual(['482913'])
  })

  test('it has a sign before it, and a word asks for it', () => {
    expect(codes('Please enter the verification code:\n\n#419582\n\nThanks')).toEqual(['419582'])
    expect(codes('Please enter the verification code. Your order:\n\n#419582\n\nThanks')).toEqual([])
    expect(codes('Please enter the verification code of\n\n#419582\n\nThanks')).toEqual([])
    // The verb is of the sentence before.
    expect(codes('Please enter it now.\nVerification code:\n\n#419582\n\nThanks')).toEqual([])
  })

  test('the blank behind it is missing in a text', () => {
    expect(codes('Thank you! Verification code:240196Please enter it within 3 min.')).toEqual(['240196'])
  })

  test('the full stop of a unit ends no sentence', () => {
    const text =
      'Кодът за потвърждение на плащането Ви от 64,20 лв. към ЧЕЗ е 902145.\nКодът е валиден 5 минути.'
    expect(codes(text, 'Код за потвърждение')).toEqual(['902145'])
  })
})

describe('a password of a mail that somebody wrote by hand', () => {
  test.each([
    ['Your default password is: Dlt@7731. Please log in and change it.', 'Dlt@7731'],
    ['Username - ben.harcourt, Password - chalice77\n\nRegards', 'chalice77'],
    ['Voici votre mot de passe pour accéder à votre compte GoCar :\n\ntR8!wQz2\n\nBonne route', 'tR8!wQz2'],
    ['ID: acme-01\n初期パスワード: 「Tsubaki-39」（かぎ括弧は含みません）', 'Tsubaki-39'],
    ['Please use these to log in:\n  **Password**: Gate4!kunal\n\nThanks', 'Gate4!kunal'],
    ['Please use these to log in:\n  **Password:** Gate4!kunal\n\nThanks', 'Gate4!kunal'],
    ['**Username:** ines\n**Password:** `kX7pQ2mN`\n\nPlease sign in and change it.', 'kX7pQ2mN'],
    ['**Username:** ines\n**Password:** ***Kp7!vR2m***\n\nPlease sign in.', 'Kp7!vR2m'],
    ['Email: a.rios@example.co\nClave: Kp7!vR2mQz\nRol: MESERO', 'Kp7!vR2mQz'],
    ['Username: holmcer\nPassword: b0VwT(93kz\n\nControl panel', 'b0VwT(93kz'],
    ['Here is your password\n\nw8Kd0ZtR\n\nThanks', 'w8Kd0ZtR'],
  ])('%j', (text, password) => {
    expect(codes(text, 'Your account')).toEqual([password])
  })

  test('is found behind many words with letters only', () => {
    const names = 'Fischer invited Creator Atelier collaborate questions Welcome account default together'
    const text = `${names} ${names}\n\nYour account password is set by default to kZ84mw1r.`
    expect(codes(text)).toEqual(['kZ84mw1r'])
  })

  test.each([
    'There were failed login attempts for user backup01 with a wrong password on nas-04.',
    'Your password for the account is safe with us in 2026.',
    'A password with 8 characters is too short.',
    'Your password\n\nHarbour365\n\nwas changed.',
    'Reset your password for username u8x3k2\n\nhttps://acme.example/reset?token=a8b7c6d5e4f3',
    'You have changed your password for user k4m2p9.\n\nNot you? Call us.',
    'Your password will expire for netid jd42k7\n\nChange it in the portal.',
    'Your password was changed with request id 7f3a2b9c.',
    'Your password has been changed for the following account:\n\nharbour#4821\n\nIf this was not you, call us.',
    'Reset your password with this link:\nharbour.example/reset?c=a1B2c3\n',
    'Your password must contain at least one of these:\n!@#$%^&*1aA',
    'Log in with your e-mail address and your password <password1>',
    'The password for your file is Name@DDMM1.',
    'The password for the guest wifi is Harbour#2026.',
    'Your password must include one character of each of these sets:\nA-Z,a-z,0-9,!@#$%^&*',
    'Your password will expire for the following account:\nACME+Ines2026\n\nChange it at the portal.',
    'Username: ines, Password - 8-digit date of birth',
    'パスワード: 「yamada1990」のように名前と生年月日を組み合わせてください。',
    'Here is the password for our wifi\n\nw8Kd0ZtR',
    'Hotel Wi-Fi\n\nYour password: w8Kd0ZtR\n\nEnjoy your stay.',
    'Member: ines, Pass: Gold2026',
    'Password - chapter12\n\nRead on.',
    'Email: ines@acme.example\nYour code: ORD#4821A\n',
    'Your password was found in a leak\n\nCollection1Part2\n',
  ])('but not in %j', (text) => {
    expect(codes(text, 'Your account')).toEqual([])
  })
})

test.each([
  ['Recipient: Ines\nEmail: ines@acme.example\nCode: GsQ7mZ29kk\nValue: 50 EUR', 'Your gift voucher'],
  ['Name: Ines\nE-mail: ines@acme.example\nCode: Bk82QxT1\nTable for 4, 19:30', 'Reservation'],
  ['Here is your password\n\nw8Kd0ZtR\n\nCheck out the PDF with your booking.', 'Statement'],
  ['Invitation code: hVq81LzN\n\nRedeem it for a voucher and share your invitation code.', 'A gift'],
])('a value of something else is no code: %j', (text, subject) => {
  expect(codes(text, subject)).toEqual([])
})

describe('a password of letters and digits', () => {
  test.each([
    ['Your temporary password is 4829Tiger.\n\nPlease log in and change it.', '4829Tiger'],
    ['Your new password is 123456Acme please change it after login.', '123456Acme'],
    ['Für den Benutzer ines wurde das Passwort auf Harbour-2026 gesetzt.', 'Harbour-2026'],
    ['A new password was generated for you.\n\nhappy-tiger\n\nPlease sign in and change it.', 'happy-tiger'],
    ['Your password: 123456Abcd\nLog in to change it.', '123456Abcd'],
    ['Your username is ines and your password is Harbour-2026, please change it.', 'Harbour-2026'],
    ['El usuario es ines y la contraseña es Harbour-2026 hasta mañana.', 'Harbour-2026'],
    ['Username ines with password set to ab12cd for now.', 'ab12cd'],
  ])('is whole: %j', (text, password) => {
    expect(codes(text, 'Your account')).toEqual([password])
  })
})

describe('a number beside a word for a code', () => {
  test.each([
    ['Your question about the verification code has this ticket number:\n\n#419582\n\nRegards'],
    ['The color of the verification code:\n\n#482193'],
    ['Your verification code is in the app.\n☎ 480 2916\nhelp@acme.example'],
    ['Your verification code is valid for 15 min. Reference: 482913'],
    ['Copy the code utf8mb4 and paste it'],
    ['Please enter the verification code sent to your phone to track your order:\n\n#48291377\n\nThanks'],
    ['Enter the code g4m3r0n in the game to get a free skin'],
  ])('is none: %j', (text) => {
    expect(codes(text, 'Docs')).toEqual([])
  })

  test('and one that is bound to a site is not taken for a part of another', () => {
    expect(codes('Your code is ABC747723.\n\n@acme.example #747723')).toContain('747723')
  })
})

describe('a code that is redeemed', () => {
  test('is one of an invitation', () => {
    const text = 'Invitation code: hVq81LzN\n\nTo redeem this invitation code, go to the page and register.'
    expect(codes(text, 'Invitation to join')).toEqual(['hVq81LzN'])
  })

  test('or one of a discount', () => {
    expect(codes('Your exclusive cart rescue code\n\nCART15\n\n15% off. Valid for 48 hours only.')).toEqual(
      [],
    )
    expect(
      codes('Your invite code\nART-7QK4M2XP\nValid for 14 days.\nRedeem your code for a discount'),
    ).toEqual([])
    expect(codes('邀请好友得红包\n您的邀请码:XM8820Q', '邀请好友,各得20元')).toEqual([])
  })
})
