import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../reading/links.ts'
import type { ActionLink } from '../../reading/message.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'

function actionOf(subject: string, text: string): ActionLink | null {
  return findLinks({ subject, text, html: null }, LIMITS).actionLink
}

describe('a value at the path "/" makes an address one for its reader', () => {
  test.each([`https://app.example/?token=${TOKEN}`, `https://app.example/#token=${TOKEN}`])('%s', (url) => {
    expect(actionOf('Reset your password', `Hello,\n\nhere is what you asked for.\n\n${url}`)).toMatchObject({
      url,
      kind: 'reset',
    })
    expect(actionOf('Sign in to Harbour', `Hello,\n\nhere is what you asked for.\n\n${url}`)).toMatchObject({
      url,
      kind: 'sign_in',
    })
  })

  test('a bare front page is none', () => {
    expect(
      actionOf('Reset your password', 'Hello,\n\nhere is what you asked for.\n\nhttps://app.example/'),
    ).toBeNull()
  })
})

describe('the only address with a value below a sentence that asks', () => {
  const sentence = 'To confirm that it was really you who sent us the request, please follow the link below.'
  const url = `https://app.example/r/${TOKEN}`

  test('is the action, however long the sentence is', () => {
    expect(actionOf('Your request', `Hello,\n\n${sentence}\n\n${url}\n\nHarbour`)).toMatchObject({
      url,
      kind: 'confirm',
    })
  })

  test('is none if another address has a value too', () => {
    const other = `https://app.example/x/${TOKEN.split('').reverse().join('')}`
    expect(actionOf('Your request', `Hello,\n\n${sentence}\n\n${url}\n\nMore: ${other}`)).toBeNull()
  })

  test('is none if the value is the name of a page', () => {
    expect(
      actionOf('Your request', `Hello,\n\n${sentence}\n\nhttps://app.example/r/page-2026-11-overview.html`),
    ).toBeNull()
  })
})

describe('the kind that a subject names', () => {
  const url = `https://app.example/verify.php?id=7&confirm_hash=${TOKEN}`

  test.each([
    'To change your password, visit this address:',
    'If you asked for it, visit this page to confirm the request:',
    'Visit this address:',
  ])('outweighs the address: %s', (sentence) => {
    expect(actionOf('[Harbour] Password Reset', `${sentence}\n\n${url}`)).toMatchObject({
      url,
      kind: 'reset',
    })
  })

  test('outweighs words about a browser that has an address too', () => {
    const text = `Please press the confirmation button. If it fails, copy this into the address bar of your browser:\n\n${url}`
    expect(actionOf('Password reset on Harbour', text)).toMatchObject({ url, kind: 'reset' })
  })

  test('does not outweigh words that contradict it', () => {
    const text = `Please confirm your e-mail address:\n\n${url}`
    expect(actionOf('Reset your password', text)).toMatchObject({ url, kind: 'confirm' })
  })
})

describe('a report of a changed password or address offers no reset', () => {
  const url = `https://app.example/reset-password?token=${TOKEN}`

  test.each([
    ['Your password has been changed', 'If that was not you, reset your password:'],
    [
      'Your e-mail address was changed',
      'If it was not you who changed it, act now and correct your\ne-mail address and reset your password:',
    ],
    ['News of your account', 'Your password was changed today.\n\nReset your password:'],
    ['Ihr Passwort wurde geändert', 'Passwort zurücksetzen:'],
    ['Votre mot de passe a été modifié', 'Réinitialiser le mot de passe :'],
    ['Tu contraseña ha sido cambiada', 'Restablecer la contraseña:'],
    ['La contrasenya del vostre compte ha estat canviada', 'Restablir la contrasenya:'],
    ['Teie parool on muudetud', 'Parooli lähtestamine:'],
    ['パスワードが変更されました', 'パスワードを再設定する：'],
    ['თქვენი პაროლი შეიცვალა', 'პაროლის აღდგენა:'],
    ['비밀번호가 변경되었습니다', '비밀번호 재설정:'],
    ['Jūsų slaptažodis buvo pakeistas', 'Atkurti slaptažodį:'],
    ['Vaše heslo bolo zmenené', 'Obnoviť heslo:'],
    ['您的密码已修改', '重置密码：'],
    ['您的密碼已變更', '重設密碼：'],
  ])('%s', (subject, sentence) => {
    expect(actionOf(subject, `Hello Ines,\n\n${sentence}\n${url}`)).toBeNull()
  })

  test.each([
    'Verify that your email address was changed',
    'Please confirm your new email address: it was changed',
    'Bestätigen Sie: Ihre E-Mail-Adresse wurde geändert',
  ])('unless the subject begins with a request: %s', (subject) => {
    const link = `https://app.example/x/${TOKEN}`
    expect(actionOf(subject, `Open this link:\n${link}`)).toMatchObject({ url: link, kind: 'confirm' })
  })

  test('unless the subject asks for it', () => {
    const text = `Your password was changed by an administrator. Choose a new one:\n${url}`
    expect(actionOf('Reset your password', text)).toMatchObject({ url, kind: 'reset' })
  })
})

describe('an address that undoes is never the action', () => {
  const token = '0fd8ef8f18f94cf1b3534507fb6123a7'
  test.each(['Special:InvalidateEmail', 'cancelChange', 'account/decline-invite', 'revokeAccess'])(
    '%s',
    (path) => {
      const confirm = `https://wiki.example/Special:ConfirmEmail/${token}`
      const text = `フォームを開いてください：\n\n${confirm}\n\nメールアドレスの確認を取り消す：\n\nhttps://wiki.example/${path}/${token}`
      expect(actionOf('メールアドレスの確認', text)).toMatchObject({ url: confirm })
    },
  )
})

test.each([
  [
    'Harbour email address confirmation',
    'To confirm that this account belongs to you, open this link in your browser:',
  ],
  [
    'Conferma indirizzo email',
    'Per confermare che questo account ti appartiene, apri questo link nel tuo browser:',
  ],
  ['Bekräftelse av e-postadress', 'För att bekräfta kontot, öppna denna länk i din webbläsare:'],
])('a link that is to be opened in the browser is no web version: %s', (subject, sentence) => {
  const url = `https://app.example/x/${TOKEN}`
  expect(actionOf(subject, `${sentence}\n\n${url}`)).toMatchObject({ url, kind: 'confirm' })
})

test.each([
  ['Confirmar el nuevo inicio de sesión en Harbour', 'Confirmar inicio de sesión:'],
  ['Neue Anmeldung bei Harbour bestätigen', 'Anmeldung bestätigen:'],
  ['Vahvista uusi kirjautuminen palveluun Harbour', 'Vahvista kirjautuminen:'],
])('a subject that asks to confirm a new sign-in is no report: %s', (subject, sentence) => {
  const url = `https://click.mail.example/ls/click?upn=${TOKEN}`
  expect(actionOf(subject, `Harbour\n\n${sentence}\n${url}`)).toMatchObject({ url })
})

test.each(['', '→', '•', '👉', '1.', '*'])('the mark %j before a button says nothing about it', (mark) => {
  const button = `<a href="https://acme.example/c/${TOKEN}"><img alt="Continue here" src="x.png"></a>`
  const html = `<p>Confirm your email address:</p><p>${mark}${button}</p><p><a href="https://acme.example/terms">More</a></p>`
  expect(findLinks({ subject: 'Hello', text: '', html }, LIMITS).actionLink?.kind).toBe('confirm')
})

test('the page where all readers sign in confirms nothing', () => {
  const text =
    'Un administrador confirmó manualmente tu cuenta\n==\nAhora puedes iniciar sesión: https://app.example/login'
  expect(actionOf('Un administrador confirmó manualmente tu cuenta', text)).toBeNull()
})

test('the address of a reset confirms no address', () => {
  const url = `https://app.example/password-reset/confirm/MTI/${TOKEN}/`
  expect(
    actionOf('您在Harbour网站更新了邮箱地址。', `请马上重置你的密码并且调整你的邮箱地址\n${url}`),
  ).toBeNull()
  expect(actionOf('Password reset', `Follow this link:\n${url}`)).toMatchObject({ kind: 'reset' })
})

describe('a sign-in that is to be approved', () => {
  const approve = `https://app.example/signin/approve?token=${TOKEN}`
  const deny = `https://app.example/signin/deny?token=${TOKEN}`

  test.each([
    ['New sign-in request', 'Approve', 'Deny'],
    ['Approve sign-in from a new device', 'Approve this device', 'No'],
    ['Nouvelle demande de connexion', 'Approuver', 'Refuser'],
    ['Запрос на вход', 'Одобрить', 'Отклонить'],
    ['新しいログインの承認', '承認する', '拒否する'],
  ])('%s', (subject, yes, no) => {
    expect(actionOf(subject, `Hello,\n\n${yes}: ${approve}\n\n${no}: ${deny}`)?.url).toBe(approve)
  })

  test.each(['Timesheet approval needed', 'Expense report awaiting your approval', 'Invoice 4471'])(
    'is not one of "%s"',
    (subject) => {
      const url = `https://app.example/t/${TOKEN}`
      expect(actionOf(subject, `Hello,\n\nApprove: ${url}\n\nReject: ${url}/reject`)).toBeNull()
    },
  )
})

describe('an account that is to be deleted', () => {
  const url = `https://app.example/account/delete?token=${TOKEN}`
  const htmlOf = (words: string) => `<p>You asked us for it.</p><p><a href="${url}">${words}</a></p>`
  const found = (subject: string, words: string) =>
    findLinks({ subject, text: '', html: htmlOf(words) }, LIMITS).actionLink

  test.each([
    ['Confirm account deletion', 'Delete my account'],
    ['Confirma la eliminación de tu cuenta', 'Eliminar mi cuenta'],
  ])('%s', (subject, words) => {
    expect(found(subject, words)).toMatchObject({ url, kind: 'confirm' })
  })

  test('is not deleted by a mail that confirms the account', () => {
    expect(found('Confirm your account', 'Delete my account')).toBeNull()
  })
})

test.each([
  ['Invitation: Review @ Thu 3 Dec 2026 10:00 - 11:00', 'Join the call'],
  ['Marta invited you to a meeting', 'Join'],
])('a meeting is no invitation: %s', (subject, words) => {
  expect(actionOf(subject, `Marta has invited you.\n\n${words}: https://meet.example/j/${TOKEN}`)).toBeNull()
})

test.each([
  'https://forum.example/t/how-to-reset-a-code-lock/48291',
  'https://forum.example/t/why-verify-your-email/48291',
  'https://forum.example/t/please-confirm-my-account-now/48291',
])('an article is no action: %s', (url) => {
  expect(actionOf('Your digest: verify your email', `Why verify your email\n${url}`)).toBeNull()
})

test('a form to invite the sender of a request is no invitation', () => {
  const url = 'https://app.example/#/members?team-id=a8f2c0d1-77b3&invite-email=ines@harbour.example'
  expect(actionOf('Request access to “Orchard”', `Give access to the team:\n${url}`)).toBeNull()
})

test('a reset that was requested is no notice, in Danish as well', () => {
  const url = `https://app.example/lostpass/${TOKEN}`
  const text = `Følg dette link snart for at verificere din identitet:\n\n${url}`
  expect(actionOf('Adgangskode blev anmodet nulstillet', text)).toMatchObject({ url, kind: 'reset' })
})

describe('an invitation', () => {
  const invited = 'Ines has invited you to the team of Harbour'

  test.each(['https://a.example/auth/userInvite/1eb3008a', 'https://a.example/Harbour/membership/accept'])(
    'is known by its address: %s',
    (url) => {
      expect(
        actionOf(invited, `${invited}.\n\nView the team: https://a.example/Harbour\nGo on: ${url}`),
      ).toMatchObject({
        url,
        kind: 'invite',
      })
    },
  )

  test.each([
    'Create my account',
    'Register your account',
    'Konto erstellen',
    'Créer mon compte',
    'Zarejestruj się',
    'Opret en konto',
  ])('asks for an account: %s', (words) => {
    const url = `https://a.example/register/${TOKEN}`
    expect(actionOf('You are invited to Harbour', `${invited}.\n\n${words}: ${url}`)).toMatchObject({
      url,
      kind: 'invite',
    })
  })
})

test.each([
  ['fr', "Vérifiez à https://a.example/ticket/c530e541-aa36-4835 si c'est correct."],
  ['nl', 'Controleer op https://a.example/ticket/c530e541-aa36-4835 of het correct is en herstel het.'],
  ['pt', 'Confirme que https://a.example/ticket/c530e541-aa36-4835 está correto.'],
  ['ro', 'Te rugam verifica https://a.example/ticket/c530e541-aa36-4835 daca este corect.'],
])('%s: checking whether something is correct confirms nothing', (_language, sentence) => {
  expect(actionOf('Ticket 4711', `Hello,\n\n${sentence}\n\nHarbour`)).toBeNull()
})

test('the sources of the program that sent the mail are no invitation', () => {
  const text =
    'You have been confirmed as a member of Harbour.\n\n===\nGithub: https://github.com/tide-works/harbourwarden\n'
  expect(actionOf('Invitation to Harbour confirmed', text)).toBeNull()
})

test('a page to set a password is a reset, also if one signs in there', () => {
  const url = `https://a.example/password-recovery/${TOKEN}`
  expect(actionOf('Your account', `Please sign in here to set your new password:\n\n${url}`)).toMatchObject({
    url,
    kind: 'reset',
  })
})

describe('a Korean word means "check" as well as "confirm"', () => {
  const url = `https://app.example/x/${TOKEN}`

  test.each([
    ['이메일 확인', '아래 링크를 눌러 이메일을 확인해 주세요.'],
    ['Harbour', '이메일 주소를 확인하려면 아래 링크를 누르세요.'],
  ])('it confirms an address: %s, %s', (subject, text) => {
    expect(actionOf(subject, `${text}\n\n${url}\n`)).toMatchObject({ url, kind: 'confirm' })
  })

  test('a button with nothing but that word takes its sense from the sentence above', () => {
    const html = (text: string) => `<p>${text}</p><a href="${url}">확인</a>`
    const found = (text: string) =>
      findLinks({ subject: 'Harbour', text: 'See the HTML.', html: html(text) }, LIMITS).actionLink
    expect(found('이메일 주소를 확인하려면 아래 버튼을 누르세요.')).toMatchObject({ url, kind: 'confirm' })
    expect(found('새 댓글이 있습니다.')).toBeNull()
  })

  test.each(['자세한 내용은 다음에서 확인할 수 있습니다.', '주문 내용을 확인하세요.'])(
    'it is no action: %s',
    (text) => {
      expect(actionOf('새 제안서', `${text}\n\n${url}\n`)).toBeNull()
    },
  )
})

test('a link that signs in without a password is of that kind, though it says "verify"', () => {
  const url = `https://app.example/login/verify-magic-link?token=${TOKEN}`
  expect(actionOf('Your sign-in link', `Hello,\n\n${url}\n`)).toMatchObject({ kind: 'sign_in' })
  expect(actionOf('رابط الدخول الخاص بك', `Hello,\n\n${url}\n`)).toMatchObject({ kind: 'sign_in' })
})

test.each([
  ['Confirm booking request from Noor', 'Visit this link to confirm the booking request:'],
  ['Buchungsanfrage von Noor bestätigen', 'Dieser Link führt zur Bestätigung der Buchungsanfrage:'],
])('a booking is confirmed by no action, though its address says so: %s', (subject, text) => {
  expect(actionOf(subject, `${text}\nhttps://app.example/appointments/${TOKEN}/confirm/signed`)).toBeNull()
})

test('a mark behind the sentence for readers who did not ask leads to no other link', () => {
  const text = '如果您没有请求此更改，请点击下方的链接阻止此更改。:'
  expect(actionOf('电子邮件更改请求', `${text}\nhttps://app.example/users/email_block/${TOKEN}`)).toBeNull()
})

test.each([
  ['confirm', 'Continue your registration on Harbour'],
  ['confirm', 'Continuez votre inscription sur Harbour'],
  ['reset', 'Password initialization on Harbour'],
])('a registration that goes on is confirmed, and a first password is chosen: %s, %s', (kind, subject) => {
  const text = 'To finish your account creation, follow the link below:'
  const url = `https://app.example/${kind === 'reset' ? 'reset' : 'register'}/${TOKEN}`
  expect(actionOf(subject, `${kind === 'reset' ? 'Follow the link below:' : text}\n\n${url}`)).toMatchObject({
    kind,
  })
})

test('an address between two sentences is the action, with a denial behind it', () => {
  const url = `https://app.example/admin/reset/${TOKEN}`
  const text = `Please click on the following link to choose a new password: ${url} If you did not ask for this, ignore this email.`
  expect(actionOf('Harbour', text)).toMatchObject({ url, kind: 'reset' })
})

test.each([
  ['cs', 'Nová přihláška: Tide tables', 'Podrobnosti najdete na'],
  ['sk', 'Nová prihláška: Tide tables', 'Podrobnosti nájdete na'],
])('an application for a talk is no way to sign in: %s', (_code, subject, text) => {
  expect(actionOf(subject, `${text}\n\n  https://app.example/submissions/XK7QPZ/`)).toBeNull()
})

describe('confirming is often beside another action, which is the one that counts', () => {
  test.each([
    ['Confirm and reset your password', 'x', 'reset'],
    ['Confirm the invitation', 'x', 'invite'],
    ['Continue', 'invite/verify', 'invite'],
  ])('%s, at /%s', (words, path, kind) => {
    const html = `<p>Hello</p><a href="https://app.example/${path}/${TOKEN}">${words}</a>`
    const { actionLink } = findLinks({ subject: 'Harbour', text: '', html }, LIMITS)
    expect(actionLink).toMatchObject({ kind })
  })
})

describe('an address behind a full stop belongs to the sentence that ends there', () => {
  const url = `https://click.example/ls/${TOKEN}`
  const sentence = 'One step is left. Follow this link and complete your registration.'

  test('in a text', () => {
    expect(actionOf('Harbour', `${sentence} ${url}`)).toMatchObject({ url, kind: 'confirm' })
  })

  test.each([
    ['https', ''],
    ['https', ' It expires in an hour.'],
    ['http', ' It expires in an hour.'],
  ])('in a document, of %s, before "%s"', (scheme, rest) => {
    const address = url.replace(/^https/, scheme)
    const html = `<p>${sentence} <a href="${address}">${address}</a>${rest}</p>`
    expect(findLinks({ subject: 'Harbour', text: '', html }, LIMITS).actionLink).toMatchObject({
      url: address,
      kind: 'confirm',
    })
  })
})

describe('an address with a value that has the name of a link to sign in', () => {
  test.each([
    ['register', 'Go to the following URL to complete your registration:', 'confirm'],
    ['register', 'Benutzen Sie folgenden Link um die Registrierung abzuschließen:', 'confirm'],
    ['lostpw', 'Please follow the link below to change your Harbour password:', 'reset'],
    ['lostpw', 'Wybierz poniższy odnośnik by zmienić hasło:', 'reset'],
  ])('does what else it names: %s, %s', (what, sentence, kind) => {
    const url = `https://bugs.example/index.php?do=${what}&magic_url=${TOKEN}1a`
    expect(actionOf('Notification', `Hello,\n\n${sentence}\n\n${url}\n`)).toMatchObject({ url, kind })
  })

  test('signs in if it names nothing else', () => {
    const url = `https://bugs.example/index.php?do=enter&magic_url=${TOKEN}1a`
    expect(actionOf('Sign in', `Hello,\n\nSign in here:\n\n${url}\n`)).toMatchObject({ url, kind: 'sign_in' })
  })
})

describe('a sentence about a new account, above an address made to create one', () => {
  const paths = [`user/create/${TOKEN}1`, `auth/new/MTIz/${TOKEN}1/`, `merchant-signup/${TOKEN}1`]

  test.each(paths)('%s', (path) => {
    const url = `https://app.example/${path}`
    for (const sentence of [
      'Click the following link to create your account:',
      'Hier können Sie ein Konto erstellen:',
    ])
      expect(actionOf('Welcome to Harbour!', `${sentence}\n\n${url}\n`)).toMatchObject({
        url,
        kind: 'confirm',
      })
  })

  test('is the action too if only the subject says that the registration is completed', () => {
    const url = `https://app.example/signup/${TOKEN.toLowerCase()}1`
    for (const [subject, words] of [
      ['Complete your registration', 'Sign up'],
      ['가입을 완료하세요', '가입하기'],
    ] as const) {
      const html = `<a href="${url}">${words}</a>`
      const mail = { subject, text: words, html, isTextOfHtml: true }
      expect(findLinks(mail, LIMITS).actionLink).toMatchObject({ url, kind: 'confirm' })
      expect(findLinks({ ...mail, subject: 'Harbour' }, LIMITS).actionLink).toBeNull()
    }
  })

  test('is none above another page, or beside another value', () => {
    const text = 'Click the following link to create your account:\n\nhttps://app.example/'
    expect(actionOf('Welcome to Harbour!', `${text}${TOKEN}1\n`)).toBeNull()
    expect(actionOf('Welcome to Harbour!', `${text}user/create\n`)).toBeNull()
    const other = `Our map: https://app.example/m/${TOKEN.toLowerCase()}2\n`
    expect(actionOf('Welcome to Harbour!', `${text}user/create/${TOKEN}1\n\n${other}`)).toBeNull()
    expect(actionOf('Welcome!', `Our account manager:\n\nhttps://app.example/signup/${TOKEN}1\n`)).toBeNull()
  })
})
