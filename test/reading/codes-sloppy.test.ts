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

  test('recovery codes beside each other are not joined', () => {
    const html = '<p>Twoje kody zapasowe:</p><code>331906</code><code>874250</code><code>605118</code>'
    expect(ofHtml(html)).not.toEqual(['331906874250605118'])
    expect(ofHtml(html)).not.toEqual(['331906 874250 605118'])
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
    expect(codes('#639184', 'Your code')).toEqual(['639184'])
    expect(codes('#639184', 'Your ticket')).toEqual([])
  })

  test('the blank behind it is missing in a text', () => {
    expect(codes('Thank you! Verification code:240196Please enter it within 3 min.')).toEqual(['240196'])
  })

  test('it is in two groups of unequal size', () => {
    expect(codes('Engangskoden din er: 480 2916\n\nIkke del den med noen.', 'Engangskoden din')).toEqual([
      '4802916',
    ])
    expect(codes('Call us at 480 2916\n\nYour verification code is in the app.')).toEqual([])
  })

  test('the full stop of a unit ends no sentence', () => {
    const text =
      'Кодът за потвърждение на плащането Ви от 64,20 лв. към ЧЕЗ е 902145.\nКодът е валиден 5 минути.'
    expect(codes(text, 'Код за потвърждение')).toEqual(['902145'])
  })

  test('it is of small letters and digits by turns, and to be entered', () => {
    expect(codes("Pour rejoindre la classe, saisissez le code b7k2wd dans l'application.")).toEqual([
      'b7k2wd',
    ])
  })
})

describe('a password of a mail that somebody wrote by hand', () => {
  test.each([
    ['Your default password is: Dlt@7731. Please log in and change it.', 'Dlt@7731'],
    ['Username - ben.harcourt, Password - chalice77\n\nRegards', 'chalice77'],
    ['staging is up again\n\nlogin: qa / pass: plum!42tree\n\nJo', 'plum!42tree'],
    ['attached is the report. The password for the file is Quarter!Four_26.\n\nRegards', 'Quarter!Four_26'],
    ['Voici votre mot de passe pour accéder à votre compte GoCar :\n\ntR8!wQz2\n\nBonne route', 'tR8!wQz2'],
    ['Ваш пароль для авторизации q5w8z1', 'q5w8z1'],
    ['ID: acme-01\n初期パスワード: 「Tsubaki-39」（かぎ括弧は含みません）', 'Tsubaki-39'],
    ['Please use these to log in:\n  **Password**: Gate4!kunal\n\nThanks', 'Gate4!kunal'],
    ['Please use these to log in:\n  **Password:** Gate4!kunal\n\nThanks', 'Gate4!kunal'],
    [
      'an account with reading rights: user audit26, password <Nordic!Fox#7> (without the brackets)',
      'Nordic!Fox#7',
    ],
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
    'Use the link below to set your own password for future logins.\n\nSet your password (expires soon).\n\nrealm-prod',
    'Your password for the account is safe with us in 2026.',
    'A password with 8 characters is too short.',
    'Your password\n\nHarbour365\n\nwas changed.',
  ])('but not in %j', (text) => {
    expect(codes(text, 'Your account')).toEqual([])
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
    expect(codes('邀请好友得红包\n您的邀请码:XM8820Q', '邀请好友,各得20元')).toEqual([])
  })
})
