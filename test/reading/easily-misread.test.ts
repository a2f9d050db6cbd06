import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../reading/links.ts'
import { findCodes } from './find-codes.ts'

/* Mails that are easy to misread, in languages other than English. */

const LIMITS = { links: 50, linkBytes: 2048 }
const RESET = 'https://app.example/reset-password?token=Q7mVx2LkTz0eSbYw4dRcHn5J'

describe('the old code is never given beside the new one', () => {
  test.each([
    ['de', 'Ihr Code', 'Ihr bisheriger Code 114902 ist abgelaufen. Ihr neuer Code lautet 730518.'],
    ['it', 'Codice', 'Il codice precedente 114902 è scaduto. Il tuo nuovo codice è 730518.'],
    ['pt', 'Código', 'O código anterior 114902 expirou. O seu novo código é 730518.'],
    ['nl', 'Code', 'Uw oude code 114902 is verlopen. Uw nieuwe code is 730518.'],
    ['pl', 'Kod', 'Poprzedni kod 114902 wygasł. Twój nowy kod to 730518.'],
    ['tr', 'Kod', 'Önceki kodunuz 114902 artık geçerli değil. Yeni kodunuz: 730518.'],
    ['ko', '인증 코드', '이전 인증번호 114902는 만료되었습니다. 새 인증번호는 730518입니다.'],
    ['zh', '验证码', '您之前的验证码 114902 已失效。您的新验证码是 730518。'],
    ['ar', 'رمز التحقق', 'انتهت صلاحية الرمز السابق 114902. رمز التحقق الجديد هو 730518.'],
    ['uk', 'Код', 'Ваш попередній код 114902 більше не дійсний. Ваш новий код: 730518.'],
    ['sv', 'Kod', 'Din gamla kod 114902 har gått ut. Din nya kod är 730518.'],
    ['fi', 'Koodi', 'Vanha koodisi 114902 on vanhentunut. Uusi koodisi on 730518.'],
    ['cs', 'Kód', 'Předchozí kód 114902 již neplatí. Váš nový kód je 730518.'],
    ['hu', 'Kód', 'A korábbi kódja (114902) lejárt. Az új kódja: 730518.'],
    ['vi', 'Mã', 'Mã trước đó 114902 đã hết hạn. Mã mới của bạn là 730518.'],
    ['hi', 'कोड', 'आपका पुराना कोड 114902 समाप्त हो गया है। आपका नया कोड 730518 है।'],
    ['fr', 'Code', 'Votre nouveau code est 730518. Le code 114902 n’est plus valable.'],
    ['es', 'Código', 'Su nuevo código es 730518 (el anterior, 114902, ya no es válido).'],
    ['ru', 'Код', 'Код 114902 уже использован. Введите новый код: 730518'],
    ['ja', '認証コード', '以前のコード 114902 は無効になりました。新しい認証コード：730518'],
  ])('%s', (_language, subject, text) => {
    expect(findCodes({ subject, text, html: null })).toEqual(['730518'])
  })
})

describe('hidden text is not joined to the code, and is searched last', () => {
  test.each([
    [
      'de',
      'Ihr Code',
      '<p>Ihr Bestätigungscode lautet <b>730518</b><span style="display:none">99</span></p>',
    ],
    ['fr', 'Code', '<p>Votre code de vérification : <b>7305<span style="font-size:0">x9k</span>18</b></p>'],
    [
      'ja',
      '認証コード',
      '<div style="display:none">認証コード 114902</div><p>認証コードは <b>730518</b> です。</p>',
    ],
    [
      'pt',
      'Código',
      '<p>O seu código de verificação é <b>730518</b></p><p style="color:#fff;background:#fff">O seu código de verificação é 114902</p>',
    ],
    [
      'ru',
      'Код',
      '<p style="background:#ffffff">Ваш код подтверждения: 730518<span style="color:#FFFFFF">44</span></p>',
    ],
    ['it', 'Codice', '<p>Il tuo codice di verifica è 730<span style="visibility:hidden">0</span>518</p>'],
    ['ko', '인증', '<div style="display:none;max-height:0">인증번호 730518</div><p>앱에서 확인하세요.</p>'],
  ])('%s', (_language, subject, html) => {
    expect(findCodes({ subject, text: '', html })).toEqual(['730518'])
  })
})

describe('numbers of orders, customers and offers are no codes', () => {
  test.each([
    ['de', 'Bestellung', 'Ihre Bestellnummer lautet 482913. Der Abholcode für die Packstation: 7741'],
    ['fr', 'Facture', 'Votre facture n° 482913 de 49,90 € est disponible. Code client : 77412'],
    ['es', 'Envío', 'Su código de seguimiento es 482913775. Código postal: 28013'],
    ['pl', 'Zamówienie', 'Numer zamówienia: 482913. Kod rabatowy: LATO2026'],
    ['ja', '注文', '注文番号：482913　郵便番号：150-0001　クーポンコード：SUMMER20'],
    ['nl', 'Factuur', 'Factuurnummer 482913, klantcode 55120, kortingscode ZOMER10'],
    ['ru', 'Заказ', 'Номер заказа: 482913. Код товара: 55120. Промокод: SALE20'],
    ['tr', 'Sipariş', 'Sipariş numaranız: 482913. İndirim kodu: YAZ20'],
  ])('%s', (_language, subject, text) => {
    expect(findCodes({ subject, text, html: null })).toEqual([])
  })
})

describe('a report of a changed password offers no reset', () => {
  test.each([
    [
      'nl',
      'Je wachtwoord is gewijzigd',
      'Hallo Ines,\n\nHet wachtwoord van je account is zojuist gewijzigd. Was jij dit niet? Stel dan meteen je wachtwoord opnieuw in:\n',
    ],
    [
      'it',
      'La tua password è stata modificata',
      'Ciao Ines,\n\nla password è stata cambiata. Se non sei stato tu, reimposta la password:\n',
    ],
    [
      'pl',
      'Twoje hasło zostało zmienione',
      'Cześć Ines,\n\nhasło do konta zostało zmienione. Jeśli to nie Ty, zresetuj hasło:\n',
    ],
    [
      'sv',
      'Ditt lösenord har ändrats',
      'Hej Ines,\n\nditt lösenord har ändrats. Om det inte var du, återställ lösenordet:\n',
    ],
    [
      'ru',
      'Ваш пароль изменён',
      'Здравствуйте!\n\nПароль вашей учётной записи был изменён. Если это были не вы, сбросьте пароль:\n',
    ],
    [
      'tr',
      'Şifreniz değiştirildi',
      'Merhaba Ines,\n\nşifreniz değiştirildi. Bunu siz yapmadıysanız şifrenizi sıfırlayın:\n',
    ],
    [
      'cs',
      'Heslo bylo změněno',
      'Dobrý den,\n\nheslo k účtu bylo změněno. Pokud jste to nebyli vy, obnovte heslo:\n',
    ],
    [
      'vi',
      'Mật khẩu của bạn đã được thay đổi',
      'Chào Ines,\n\nMật khẩu của bạn vừa được thay đổi. Nếu không phải bạn, hãy đặt lại mật khẩu:\n',
    ],
    [
      'ar',
      'تم تغيير كلمة المرور',
      'مرحبا،\n\nتم تغيير كلمة مرور حسابك. إذا لم تكن أنت، أعد تعيين كلمة المرور:\n',
    ],
    [
      'el',
      'Ο κωδικός σας άλλαξε',
      'Γεια σας,\n\nο κωδικός πρόσβασης άλλαξε. Αν δεν ήσασταν εσείς, επαναφέρετε τον κωδικό:\n',
    ],
    [
      'id',
      'Kata sandi Anda telah diubah',
      'Halo Ines,\n\nkata sandi Anda baru saja diubah. Jika bukan Anda, atur ulang kata sandi:\n',
    ],
    [
      'ko',
      '비밀번호가 변경되었습니다',
      '안녕하세요,\n\n비밀번호가 변경되었습니다. 본인이 아닌 경우 비밀번호를 재설정하세요:\n',
    ],
    ['he', 'הסיסמה שלך שונתה', 'שלום,\n\nהסיסמה לחשבונך שונתה. אם זה לא היית אתה, אפס את הסיסמה:\n'],
    [
      'hu',
      'Jelszava megváltozott',
      'Tisztelt Ines!\n\nA jelszava megváltozott. Ha nem Ön volt, állítsa vissza a jelszavát:\n',
    ],
    [
      'fi',
      'Salasanasi on vaihdettu',
      'Hei Ines,\n\nsalasanasi on vaihdettu. Jos et ollut sinä, palauta salasana:\n',
    ],
    [
      'ro',
      'Parola a fost schimbată',
      'Bună Ines,\n\nparola contului a fost schimbată. Dacă nu ai fost tu, resetează parola:\n',
    ],
    [
      'da',
      'Din adgangskode er ændret',
      'Hej Ines,\n\ndin adgangskode er blevet ændret. Hvis det ikke var dig, så nulstil den:\n',
    ],
  ])('%s', (_language, subject, text) => {
    const body = `${text}${RESET}`
    expect(findLinks({ subject, text: body, html: null }, LIMITS).actionLink).toBeNull()
  })
})

describe('an answer to a question about the reader', () => {
  const approve = 'https://app.example/signin/approve?t=Q7mVx2LkTz0eSbYw4dRc'
  const html = (yes: string, no: string) =>
    `<p>...</p><a href="${approve}">${yes}</a> <a href="https://app.example/signin/deny?t=Q7mVx2">${no}</a>`

  test.each([
    ['Was this you?', 'Yes, it was me', 'No, secure my account'],
    ['Waren Sie das?', 'Ja, das war ich', 'Nein, das war ich nicht'],
    ['Etait-ce vous ?', "Oui, c'était moi", "Non, ce n'était pas moi"],
  ])('%s', (subject, yes, no) => {
    const found = findLinks({ subject, text: '', html: html(yes, no) }, LIMITS)
    expect(found.actionLink).toMatchObject({ url: approve, kind: 'confirm' })
  })
})

test.each(['Was this you?', 'Waren Sie das?', 'これはあなたですか？'])(
  'an answer to a question in a mail that reports a sign-in: %s',
  (question) => {
    const url = 'https://app.example/signin/approve?t=Q7mVx2LkTz0eSbYw4dRc'
    const html = `<p>We noticed a new sign-in. ${question}</p><a href="${url}">Yes, it was me</a> <a href="https://app.example/signin/deny?t=Q7mVx2">No, secure my account</a>`
    const { actionLink } = findLinks({ subject: 'New sign-in to Kestrel', text: '', html }, LIMITS)
    expect(actionLink).toMatchObject({ url, kind: 'confirm' })
  },
)

test.each([
  ['Confirmez votre e-mail pour vous connecter', 'Confirmer', 'confirm'],
  ['Verify your email to sign in to Kestrel', 'Verify email', 'confirm'],
  ['Seu link de acesso', 'Entrar', 'sign_in'],
])('what a subject says is confirmed: %s', (subject, words, kind) => {
  const html = `<a href="https://click.mailer.example/x/Q7mVx2LkTz0eSbYw4dRcHn5J">${words}</a>`
  expect(findLinks({ subject, text: '', html }, LIMITS).actionLink?.kind).toBe(kind)
})

test.each([
  ['Nieuwe aanmelding', 'Was jij dit niet?', 'Stel je wachtwoord opnieuw in'],
  ['New sign-in', 'Was this not you?', 'Reset your password'],
  ['Neue Anmeldung', 'Waren Sie das nicht?', 'Passwort zurücksetzen'],
  ['Nuevo inicio de sesión', '¿No has sido tú?', 'Restablece tu contraseña'],
])('a question before a link says for whom it is: %s', (subject, question, words) => {
  const html = `<p>${question} <a href="https://a.example/reset?t=Q7mVx2LkTz0eSbYw4dRcHn5J">${words}</a>.</p>`
  expect(findLinks({ subject, text: '', html }, LIMITS).actionLink).toBeNull()
})

test('a button that deletes the account is the action only of a mail that asks to confirm it', () => {
  const url = 'https://app.example/account/delete/confirm?t=Q7mVx2LkTz0eSbYw4dRc'
  const html = `<p>You asked for it.</p><a href="${url}">Delete my account</a>`
  const action = (subject: string) => findLinks({ subject, text: '', html }, LIMITS).actionLink
  expect(action('Confirm the deletion of your account')).toMatchObject({ url })
  expect(action('What is new in Harbour')).toBeNull()
})

test('eight letters of hexadecimal digits are a code where they are stated', () => {
  const codes = (text: string) => findCodes({ subject: '', text, html: null })
  expect(codes('Your verification code is deadbeef')).toEqual(['deadbeef'])
  expect(codes('Verification code: cafebabe\n\nIt expires in 5 minutes.')).toEqual(['cafebabe'])
  expect(codes('Your verification code is decades old')).toEqual([])
})

test.each([
  ['TIDE2 - Your verification code', '© 2018 TIDE2'],
  ['TIDE2: Your verification code', 'Copyright 2018 TIDE2'],
  ['[TIDE2] | Your verification code', 'The TIDE2 team'],
  ['Your verification code', '© TIDE2'],
  ['Your verification code', '(c) TIDE2'],
  ['Your verification code', 'Copyright TIDE2'],
])('the name of a sender with a digit is no code: %s, %s', (subject, end) => {
  const codes = (text: string) => findCodes({ subject, text: `Hello,\n\n${text}\n\n${end}`, html: null })
  expect(codes('Your verification code is 482913.')).toEqual(['482913'])
  expect(codes('Your one-time password is\n\njakjV877')).toEqual(['jakjV877'])
  expect(codes('Your verification code is shown in the app.')).toEqual([])
})

test.each([
  ['Your OTP is KJH-605660. Please use this to log in to your account.', ['605660']],
  ['Your OTP is KJ-605660. It expires in 5 minutes.', ['605660']],
  ['Verification code: KJHT-605660', ['605660']],
  ['Your verification code was sent for INC-605660.', []],
  ['Ticket INC-605660: we cannot send your verification code yet.', []],
  ['Your OTP is KJHTX-605660.', ['KJHTX-605660']],
])(
  'up to four letters before a code are not typed, and no number of a ticket is a code: %s',
  (text, codes) => {
    expect(findCodes({ subject: 'Kestrel', text, html: null })).toEqual(codes)
  },
)
