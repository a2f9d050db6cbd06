import { describe, expect, test } from '@jest/globals'
import { htmlText } from '../../reading/html/text.ts'
import { findLinks } from '../../reading/links.ts'
import type { ActionLink } from '../../reading/message.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'

function inHtml(subject: string, html: string): ActionLink | null {
  return findLinks({ subject, text: htmlText(html), html, isTextOfHtml: true }, LIMITS).actionLink
}

test('a campaign in the address of a page says nothing of the page', () => {
  const html =
    '<p>You requested a login code for <a href="https://harbour.example?utm_campaign=login-code">Harbour</a>.</p>'
  expect(inHtml('Login code: 209-577', `${html}<p>209-577</p>`)).toBeNull()
  const url = `https://harbour.example/verify?utm_source=mail&token=${TOKEN}`
  expect(inHtml('Verify your address', `<a href="${url}">Continue</a>`)).toMatchObject({
    url,
    kind: 'confirm',
  })
})

describe('an address that is made to confirm', () => {
  const url = `https://harbour.example/confirm?s=${TOKEN}`

  test('is no action in a mail about an order whose words name none', () => {
    const html = `<p>You can check the status of your order:</p><a href="${url}">Go to dashboard</a>`
    expect(inHtml('Your order has been processed', html)).toBeNull()
    expect(inHtml('Welcome to Harbour', html.replace('your order', 'it'))).toMatchObject({ url })
  })

  test('is the action if the words say so, also for an order', () => {
    const html = `<a href="${url}">Confirm your email address</a>`
    expect(inHtml('Your order has been processed', html)).toMatchObject({ url, kind: 'confirm' })
  })
})

describe('a link to share with others', () => {
  const url = `https://harbour.example/teams/invite?code=${TOKEN}`

  test('is no invitation', () => {
    const html = `<p>Start inviting your team by sharing this link: <a href="${url}">${url}</a></p>`
    expect(inHtml('Workspace created', html)).toBeNull()
  })

  test('is another one than a link that is not to be shared', () => {
    const text = `Ola Berg invited you. Never share this link: ${url}`
    expect(findLinks({ subject: 'Join Harbour', text, html: null }, LIMITS).actionLink).toMatchObject({ url })
  })
})

test('confirming an action that is not named is what the address says', () => {
  const url = `https://harbour.example/password-recovery?token=${TOKEN}`
  const html = `<p>To confirm this action, please use the following link:</p><p><a href="${url}">${url}</a></p>`
  expect(inHtml('Password query confirmation', html)).toMatchObject({ url, kind: 'reset' })
  expect(inHtml('Confirm your account', html)).toMatchObject({ url, kind: 'confirm' })
})

describe('links of a tracker', () => {
  const opaque = (path: string) => `https://click.harbour.example/f/a/${TOKEN}/${path}x7Q`
  const page = (sentence: string, words: string) =>
    `<p>${sentence} <a href="${opaque('a')}">${words}</a>.</p><p>Sent by <a href="${opaque('b')}">Harbour</a></p>`

  test.each([
    ['Team invite', 'You have been invited to Harbour. Finish setting up your account', 'here', 'invite'],
    ['Einladung', 'Du wurdest zu Harbour eingeladen. Richte dein Konto ein:', 'hier', 'invite'],
    ['Pyyntösi uudesta salasanasta', 'Pääset asettamaan sen', 'täältä', 'reset'],
  ])('%s: the one with words that say no more than "here"', (subject, sentence, words, kind) => {
    expect(inHtml(subject, page(sentence, words))).toMatchObject({ url: opaque('a'), kind })
  })

  test('not a picture beside such words', () => {
    const logo = `<a href="${opaque('c')}"> <img src="https://harbour.example/a.png"> </a>`
    expect(inHtml('Team invite', logo + page('Hello,', 'here'))).toMatchObject({ url: opaque('a') })
  })

  test('none of two with such words', () => {
    const other = `<p>Our rules are <a href="${opaque('c')}">here</a></p>`
    expect(inHtml('Team invite', page('Hello,', 'here') + other)).toBeNull()
  })

  test('not the one of a picture beside a code', () => {
    const logo = `<a href="${opaque('a')}"> <svg></svg> </a>`
    const code = '<p>Use the code below to sign in.</p><p>RWK42-99QPX</p>'
    expect(inHtml('Sign in to Harbour', logo + code)).toBeNull()
  })

  test.each([
    ['Sign in to Harbour', 'You can also sign in by', 'clicking here', 'sign_in'],
    [
      'Authorize your new address',
      'We received a request.',
      'Click here to authorize that change',
      'confirm',
    ],
  ])('%s: %s %s', (subject, sentence, words, kind) => {
    expect(inHtml(subject, page(sentence, words))).toMatchObject({ url: opaque('a'), kind })
  })
})

test.each([
  [
    'Join the workspace now',
    'Ola Berg is pleased to invite you to join our workspace.',
    'Log in here',
    `activate?token=${TOKEN}`,
  ],
  ['Harbour', 'Zostałeś zaproszony do Harbour.', 'Zarejestruj się', `register?code=${TOKEN}`],
  ['Harbour invite', 'Hello,', 'Register', `register?code=${TOKEN}`],
])('an invitation: %s %s', (subject, sentence, words, path) => {
  const url = `https://harbour.example/${path}`
  expect(inHtml(subject, `<p>${sentence}</p><p><a href="${url}">${words}</a></p>`)).toMatchObject({
    url,
    kind: 'invite',
  })
})

test.each([
  'Verify your bank account',
  'Bankkonto bestätigen',
  'Vérifiez votre compte bancaire',
  'Verifica tu cuenta bancaria',
  'Verifica il tuo conto bancario',
  'Verifique sua conta bancária',
  'Verifieer je bankrekening',
  'Zweryfikuj swoje konto bankowe',
  'Подтвердите банковский счёт',
  'Підтвердьте банківський рахунок',
  'Banka hesabınızı doğrulayın',
  'Bekräfta ditt bankkonto',
  'Bekræft din bankkonto',
  'Vahvista pankkitilisi',
  'Ověřte svůj bankovní účet',
  'Erősítse meg bankszámláját',
  'Confirmați contul bancar',
  'Επιβεβαιώστε τον τραπεζικό λογαριασμό',
  '銀行口座を確認する',
  '은행 계좌를 인증하세요',
  '验证您的银行账户',
  '驗證您的銀行帳戶',
  'تأكيد حسابك البنكي',
  'אימות חשבון הבנק',
  'تأیید حساب بانکی',
  'Xác minh tài khoản ngân hàng',
  'Verifikasi rekening bank Anda',
  'ยืนยันบัญชีธนาคารของคุณ',
  'अपना बैंक खाता सत्यापित करें',
])('a bank account is no account of the service: %s', (words) => {
  const url = `https://harbour.example/settings?open=${TOKEN}`
  expect(inHtml(words, `<p>${words}:</p><p><a href="${url}">${words}</a></p>`)).toBeNull()
})

describe('a sentence for readers who did not ask, at the end of the line above a link', () => {
  const url = `https://click.harbour.example/f/a/${TOKEN}/x7Q`
  const below = (sentence: string) =>
    `<p>Hello</p><p>${sentence}</p><p><a href="${url}">${url}</a></p><p><a href="https://harbour.example">Sign in to Harbour</a></p>`

  test.each([
    [
      'Sign in to Harbour',
      'Click the link below to sign in. If you did not ask to sign in, ignore this.',
      'sign_in',
    ],
    [
      'Harbour',
      'Use this link to verify your address. If you did not sign up, ignore this email.',
      'confirm',
    ],
    ['Harbour', 'Setze hier dein Passwort zurück. Falls du das nicht warst, ignoriere die Mail.', 'reset'],
    ['登录到 Harbour', '请点击下方链接进行登入。如果您未授权该登入请求，请无视。', 'sign_in'],
  ])('does not lead to it: %s: %s', (subject, sentence, kind) => {
    expect(inHtml(subject, below(sentence))).toMatchObject({ url, kind })
  })

  test.each([
    'If this was not you, reset your password.',
    'If this was not you, click here.',
    'If this was not you, tell us:',
    'Tell us if this was not you.',
  ])('leads to it: %s', (sentence) => {
    const html = `<p>Please verify your address in the app. ${sentence}</p><p><a href="${url}">${url}</a></p>`
    expect(inHtml('Harbour', html)).toBeNull()
    expect(inHtml('Harbour', html.replace(sentence, ''))).toMatchObject({ url })
  })

  test.each([
    ['New sign-in to Harbour', 'You signed in. If this was not you, tell us with the link below.'],
    ['Your password was changed', 'Your password was reset. If this was not you, write to us below.'],
  ])('begins no action in a report: %s: %s', (subject, sentence) => {
    expect(inHtml(subject, `<p>${sentence}</p><p><a href="${url}">${url}</a></p>`)).toBeNull()
  })
})

describe('the title of a ticket says nothing of the mail', () => {
  const page = `https://help.harbour.example/view/?ticket=press-482&key=${TOKEN}`
  const text = `Voit myös katsoa sitä verkossa:\n${page}`
  const inText = (subject: string) => findLinks({ subject, text, html: null }, LIMITS).actionLink

  test.each([
    '[press-482] Login page is slow (Avattu)',
    '[harbour #482] Login page is slow',
    '[Bug 482] Login page is slow',
    'Login page is slow (Issue #482)',
    '[Ticket 482] Login page is slow',
    'Login page is slow (PR 482)',
    'Login page is slow (PRESS-482)',
    'PRESS-482 Login page is slow',
    'Uusi kommentti: "Login page is slow"',
    'Uusi kommentti: „Login page is slow“',
    '新しいコメント「Login page is slow」',
  ])('%s', (subject) => expect(inText(subject)).toBeNull())

  test.each([
    'Login to Harbour',
    'Login (step 2)',
    'Login to Harbour (2026-11-20)',
    'Login to "Oxbow 482"',
    'Login to Harbour #482',
  ])('unlike a subject that asks: %s', (subject) =>
    expect(inText(subject)).toMatchObject({ kind: 'sign_in' }),
  )

  test('though a button in its mail does', () => {
    const html = `<a href="https://harbour.example/verify?token=${TOKEN}">Verify your email address</a>`
    expect(inHtml('[harbour #482] Login page is slow', html)).toMatchObject({ kind: 'confirm' })
  })

  test('nor does it ask to approve a sign-in', () => {
    const html = `<p>Please <a href="${page}">approve this request</a>.</p>`
    expect(inHtml('New sign-in', html)).toMatchObject({ kind: 'confirm' })
    expect(inHtml('[harbour #482] New approval: Login page is slow', html)).toBeNull()
  })
})

describe('an address for readers who want to cancel', () => {
  const asks = `To complete the change, visit the following link:\n\nhttps://harbour.example/token?t=aB3dE5fG7h&a=cfmpw\n`
  const cancels = `visit the following link:\n\nhttps://harbour.example/token?t=aB3dE5fG7h&a=cxlpw\n`
  const denial = 'If you are not the person who made this request, or you wish to cancel\nthis request,'
  const url = 'https://harbour.example/token?t=aB3dE5fG7h&a=cfmpw'
  const inText = (subject: string, text: string) =>
    findLinks({ subject, text, html: null }, LIMITS).actionLink

  test('leaves the one above as the only link', () => {
    const subject = 'Harbour Change Password Request'
    expect(inText(subject, `${asks}\n${denial} ${cancels}`)).toMatchObject({ url, kind: 'reset' })
    expect(inText(subject, `${asks}\nFor the north gate, ${cancels}`)).toBeNull()
  })

  test('leaves the one above as the only one that was made for its reader', () => {
    const text = `To confirm that it should be changed to this one, visit the following link:\n\n${url}\n`
    expect(inText('Harbour', `${text}\n${denial} ${cancels}`)).toMatchObject({ url, kind: 'confirm' })
    expect(inText('Harbour', `${text}\nFor the north gate, ${cancels}`)).toBeNull()
  })
})

test('a page about verifying is no action if its words name another one', () => {
  const html = (words: string) =>
    `<p>You need more verifications? <a href="https://harbour.example/guide-verified-numbers">${words}</a></p>`
  expect(inHtml('Verification of numbers: limit reached', html('Arrange billing'))).toBeNull()
  expect(inHtml('Verification of your address', html('Verify your address'))).toMatchObject({
    kind: 'confirm',
  })
})

test('signing in at the address of a reset replaces what one signs in with', () => {
  const url = `https://harbour.example/user/reset/48/1764062091/${TOKEN}`
  const html = `<p>You may now log in by clicking this link: <a href="${url}">${url}</a></p>`
  expect(inHtml('Replacement login information for ines', html)).toMatchObject({ url, kind: 'reset' })
})

test.each([
  ['en', 'If you want this action to be taken, please hit the following link:'],
  ['es', 'Si quieres que se realice esta acción, por favor, pulsa en el siguiente enlace:'],
  ['it', 'Se vuoi continuare con la richiesta, per piacere premi il seguente link'],
  ['en', 'To continue creating an account using this email address, visit the following link by Monday:'],
])('a requested action is confirmed: %s, %s', (_code, sentence) => {
  const url = `https://lists.harbour.example/auth/${TOKEN}/subscribe`
  const mail = { subject: 'Harbour lists', text: `${sentence}\n  ${url}\n`, html: null }
  expect(findLinks(mail, LIMITS).actionLink).toMatchObject({ url, kind: 'confirm' })
})

test.each([
  "The invitation for 'Ola' to join the community 'Harbour' expired",
  "Invitation to join the community 'Harbour' was declined",
])('an invitation that is over is none: %s', (subject) => {
  const html = `<a href="https://harbour.example/me/requests/${TOKEN}">Check out the invitation</a>`
  expect(inHtml(subject, html)).toBeNull()
  expect(inHtml("Invitation to join the community 'Harbour'", html)).toMatchObject({ kind: 'invite' })
})

test('a subject about a password makes a confirmed action a reset', () => {
  const url = `https://click.harbour.example/${TOKEN}`
  const html = `<p>To confirm this action, please use the following link:</p><a href="${url}">${url}</a>`
  expect(inHtml('Password query confirmation', html)).toMatchObject({ url, kind: 'reset' })
  expect(inHtml('Confirmation of your account and password', html)).toMatchObject({ url, kind: 'confirm' })
})

describe('a tracked link that activates something that is no account', () => {
  const url = `https://click.harbour.example/${TOKEN}`
  const html = (object: string) => `<p>To activate this ${object}, go to: <a href="${url}">${url}</a></p>`

  test.each(['job', 'group', 'video'])('is no action: %s', (object) =>
    expect(inHtml('New posting on Harbour', html(object))).toBeNull(),
  )

  test.each(['account', 'e-mail address', 'new account'])('is one: %s', (object) =>
    expect(inHtml('New posting on Harbour', html(object))).toMatchObject({ kind: 'confirm' }),
  )
})

test('the title of a question as the words of a link is no action', () => {
  const html = `<h1><a href="https://click.harbour.example/${TOKEN}">Cannot sign in after password reset</a></h1>`
  expect(inHtml('ola commented on a question', html)).toBeNull()
  expect(inHtml('ola posted an answer to your question', html)).toBeNull()
})

test('a login that has changed is reported', () => {
  const html = `<p>Click <a href="https://click.harbour.example/${TOKEN}">here</a> to set a password</p>`
  expect(inHtml("Your Harbour login has changed - here's what you need to know!", html)).toBeNull()
  expect(inHtml('Your Harbour login', html)).toMatchObject({ kind: 'reset' })
})

test('beside a picture, the button that changes an address confirms it', () => {
  const url = `https://click.harbour.example/${TOKEN}`
  const html = (words: string) =>
    `<a href="https://click.harbour.example/x${TOKEN}"><img src="l.png"></a><p>Hello</p><a href="${url}">${words}</a>`
  expect(inHtml('Confirm your email change', html('Change the email'))).toMatchObject({
    url,
    kind: 'confirm',
  })
  expect(inHtml('Confirm your email change', html('Read the manual'))).toBeNull()
  // A page of settings, which every mail of the site links.
  expect(inHtml('Your new e-mail at Harbour', html('Change the email'))).toBeNull()
})

test('an account whose confirmation is over, in Chinese', () => {
  const html = (words: string) =>
    `<p>${words}</p><a href="https://click.harbour.example/${TOKEN}">Harbour Lab</a>`
  expect(inHtml('儿童账户已验证', html('您的儿童账户已验证。'))).toBeNull()
  expect(inHtml('儿童账户未验证', html('您的儿童账户未验证。'))).toBeNull()
})

test.each([
  ['You have been invited to Harbour', 'Set up your Harbour account', 'invite'],
  ['Harbour', 'Recover password', 'reset'],
  ['Ανάκτηση κωδικού πρόσβασης - Harbour', 'Συνέχεια', 'reset'],
])('the words of tracked buttons: %s, %s', (subject, words, kind) => {
  const url = `https://click.harbour.example/${TOKEN}`
  const html = `<p>Harbour</p><a href="${url}">${words}</a>`
  expect(inHtml(subject, html)).toMatchObject({ url, kind })
})

test('the only link below a confirmed request for a password resets it', () => {
  const url = `https://click.harbour.example/${TOKEN}`
  const html = `<p>Wenn Sie dies wirklich wollen, klicken Sie auf den folgenden Link:</p><a href="${url}">${url}</a>`
  expect(inHtml('Passwort-Anfrage bestätigen', html)).toMatchObject({ url, kind: 'reset' })
  expect(inHtml('Bestellung bestätigen', html)).toBeNull()
  expect(inHtml('Konto und Passwort bestätigen', html)).toMatchObject({ url, kind: 'confirm' })
})

test.each([
  ['pl', 'Przejdź pod podany adres aby aktywować konto:'],
  ['zh', '請使用以下的連結啓用您的帳號。'],
])('an account is activated: %s, %s', (_code, sentence) => {
  const url = `https://click.harbour.example/${TOKEN}`
  const mail = { subject: 'Harbour', text: `${sentence}\n${url}\n`, html: null }
  expect(findLinks(mail, LIMITS).actionLink).toMatchObject({ url, kind: 'confirm' })
})

test('the answers to the invitation of a calendar are no action', () => {
  const url =
    'https://calendar.google.com/calendar/event?action=RESPOND&eid=dGVzdA4mKvQ2&rst=2&tok=MzQjdG9tcmljaGFy'
  const html = `<a href="${url}&n=1">Yes</a> <a href="${url}&n=2">Maybe</a> <a href="${url}&n=3">No</a>`
  expect(inHtml('Invitation: Stand-up @ Thu (ines@harbour.example)', html)).toBeNull()
})

test('a group of a network is no action in a mail about a password', () => {
  const html =
    '<p>You attempted to reset your password, but we do not have an account registered under this address.</p>' +
    '<a href="http://steamcommunity.com/groups/HarbourPlayersOfficial"><img src="s.png" alt="follow us on Steam Communities"></a>'
  expect(inHtml('Harbour password reset request', html)).toBeNull()
})

test('the first password of WordPress is set below a subject about signing in', () => {
  const url = `https://harbour.example/wp-login.php?login=ines&key=${TOKEN}&action=rp`
  const text = `Username: ines\n\nTo set your password, visit the following address:\n\n${url}\n\nhttps://harbour.example/wp-login.php\n`
  const found = findLinks({ subject: '[Harbour] Login Details', text, html: null }, LIMITS).actionLink
  expect(found).toMatchObject({ url, kind: 'reset' })
})

test('a page of help with a number is no action', () => {
  const text = `    [192.0.2.24]. To best protect our users from spam and phishing,
    550-5.7.26 the message has been blocked. For instructions on setting up
    550-5.7.26 authentication, go to 550 5.7.26
    https://support.google.com/mail/answer/81126#authentication
`
  const found = findLinks({ subject: 'Undelivered Mail Returned to Sender', text, html: null }, LIMITS)
  expect(found.actionLink).toBeNull()
})

describe('a link for readers who did not ask for the mail', () => {
  const url = `https://harbour.example/confirm-login?token=${TOKEN}&freeze_account=true`

  test.each([
    ['en', 'Reset Password Request', `If this was not you, <a href="${url}">freeze your account</a>.`],
    ['de', 'Passwort zurücksetzen', `Falls Sie das nicht waren, <a href="${url}">sperren Sie Ihr Konto</a>.`],
    ['es', 'Código de verificación', `Si no fue usted, <a href="${url}">congele su cuenta</a> de inmediato.`],
    [
      'ja',
      'パスワード変更確認コード',
      `ご本人でない場合は、<a href="${url}">アカウントを凍結</a>し、ご連絡ください。`,
    ],
    [
      'fa',
      'درخواست بازنشانی رمز عبور',
      `اگر این درخواست توسط شما انجام نشده است، <a href="${url}">حساب خود را مسدود کنید</a>.`,
    ],
  ])('is not what the subject asks for: %s', (_language, subject, sentence) => {
    expect(inHtml(subject, `<p>Harbour</p><p>482913</p><p>${sentence}</p>`)).toBeNull()
  })

  test('is the action if its words name what the subject asks for', () => {
    const reset = `https://harbour.example/reset-password?token=${TOKEN}`
    const html = `<p>If you do not know your password, <a href="${reset}">reset your password</a>.</p>`
    expect(inHtml('Reset your password', html)).toMatchObject({ url: reset, kind: 'reset' })
  })
})

describe('an account that was verified', () => {
  test.each([
    ['de', 'Konto verifiziert', 'Jetzt handeln'],
    ['es', 'Cuenta verificada', 'Comercie ahora'],
    ['fr', 'Compte vérifié', 'Commencer maintenant'],
    ['id', 'Akun Terverifikasi', 'Berdagang Sekarang'],
    ['pt', 'Conta verificada', 'Comece agora'],
    ['ja', 'アカウントの認証完了', '取引を始める'],
    ['ko', '계정 인증완료', '거래하기'],
    ['zh', '账号认证完成', '进行交易'],
    ['vi', 'Tài khoản đã được xác thực', 'Giao dịch ngay bây giờ'],
    ['ar', 'تم التحقق من الحساب', 'تداول الآن'],
    ['fa', 'حساب کاربری تایید شد', 'هم اکنون معامله کنید'],
    ['ur', 'اکاؤنٹ تصدیق شدہ', 'اب تجارت کریں'],
  ])('is not verified once more by the only link: %s', (_language, subject, words) => {
    const url = `https://click.harbour.example/f/a/${TOKEN}`
    expect(inHtml(subject, `<p>Ines,</p><p><a href="${url}">${words}</a></p>`)).toBeNull()
  })
})

test.each([
  ['es', 'Verificación', 'Para ver sus cuentas bancarias, visite la pestaña de verificación'],
  ['fr', 'Vérification', "Pour afficher vos comptes bancaires, visitez l'onglet de vérification"],
  ['zh', '銀行認證', '要查看您的銀行賬戶，請訪問驗證選項卡'],
  ['ur', 'بینک تصدیق', 'اپنے بینک اکاؤنٹس کو دیکھنے کے لیے، تصدیق والے ٹیب پر جائیں'],
])('a page that shows verified bank accounts confirms nothing: %s', (_language, subject, words) => {
  const html = `<p><a href="https://harbour.example/verification">${words}</a></p>`
  expect(inHtml(subject, html)).toBeNull()
})

test('a connected account does not sign in', () => {
  const html =
    '<p>To disconnect it, <a href="https://harbour.example/">sign in to your account</a> and open the services.</p>'
  expect(inHtml('You connected your account to Harbour', html)).toBeNull()
})

test('two apostrophes end a title in a subject', () => {
  const html =
    '<p>Go straight to the reply: <a href="https://harbour.example/topics/1829314?start=unread">open</a></p>'
  expect(inHtml("New reply for topic \"Login page is slow''", html)).toBeNull()
})

test('a button to register accepts an invitation in Albanian', () => {
  const url = `https://harbour.example/register?token=${TOKEN}`
  const html = `<p>Harbour ju ka ftuar.</p><p>Kodi juaj i verifikimit: 482913</p><p><a href="${url}">Regjistrohu</a></p>`
  expect(inHtml('Ftesë për Harbour', html)).toMatchObject({ url, kind: 'invite' })
})

test('a page of instructions below a stated password is no reset', () => {
  const url = 'https://harbour.example/how-to-change-my-password.html'
  const html = `<h3>Uw password is gereset</h3>Wachtwoord: kX7pQ2mN<br>
    Wanneer u ingelogd bent kunt u het wachtwoord wijzigen (zie <a href="${url}">hier</a> voor nadere uitleg).`
  expect(inHtml('Uw password is gereset', html)).toBeNull()
})

test.each([
  ['Sign Up', 'You can click the following link to sign up your Harbour account:', 'register', 'confirm'],
  ['Harbour', 'Complete your Harbour Notify registration at:', 'x', 'confirm'],
  ['Add a Harbour password', 'Click below to add a password to your account:', 'add-password', 'reset'],
])('%s: %s', (subject, sentence, path, kind) => {
  const url = `https://harbour.example/${path}/${TOKEN}`
  expect(inHtml(subject, `<p>${sentence}</p><p><a href="${url}">${url}</a></p>`)).toMatchObject({ url, kind })
})

describe('the link of a tracker beside the name of the sender', () => {
  const opaque = (path: string) => `https://click.harbour.example/f/a/${TOKEN}/${path}x7Q`
  const link = (path: string, words: string) => `<p><a href="${opaque(path)}">${words}</a></p>`
  const name = link('b', 'Harbour Club')

  test('shows an address with a value, which was made for this reader', () => {
    const shown = (address: string) => link('a', `https://club.example/${address}`) + name
    const subject = 'New email address activation required'
    expect(inHtml(subject, shown(`?new_email=yes&key=${TOKEN}`))).toMatchObject({ url: opaque('a') })
    expect(inHtml(subject, shown('?new_email=yes'))).toBeNull()
    const both = shown(`?key=${TOKEN}`) + link('c', `https://club.example/?key=${TOKEN}2`)
    expect(inHtml(subject, both)).toBeNull()
  })

  test('which its subject has in brackets, is no action', () => {
    expect(inHtml('[Harbour Club] Your new password', `<p>Hello Ines,</p>${name}`)).toBeNull()
    const twice = name.replace('Harbour Club', '<img alt="Harbour Club"> Harbour Club')
    expect(inHtml('[Harbour Club] Your new password', `<p>Hello Ines,</p>${twice}`)).toBeNull()
    const button = link('a', 'Choose it')
    expect(inHtml('[Harbour Club] Your new password', button + name)).toMatchObject({ url: opaque('a') })
  })
})

test.each([
  ['Harbour: 変更', 'イベントページを確認したい場合は、こちらのリンクから:'],
  ['Harbour: 返信', 'コメントを確認:'],
  ['担当者からのご返信', '担当者よりご返信いたしました。下記のページよりご確認ください。'],
])('to look at a page confirms nothing in Japanese: %s, %s', (subject, sentence) => {
  const url = `https://harbour.example/${TOKEN}1`
  expect(inHtml(subject, `<p>${sentence} <a href="${url}">${url}</a></p>`)).toBeNull()
  expect(
    inHtml('Harbour', `<p>メールアドレスを確認してください: <a href="${url}">${url}</a></p>`),
  ).toMatchObject({ url, kind: 'confirm' })
})

test('beside a code to reset a password, a link with a name is none', () => {
  const html = `<p>您的重置码: 606974</p><p>技术支持 <a href="https://click.a.example/${TOKEN}1">Harbour</a></p>`
  expect(inHtml('重置您的密码', html)).toBeNull()
})

test('an address for everyone who wants to join is no invitation of this reader', () => {
  const url = 'https://join.chat.example/t/harbour/shared_invite/zt-1587bzqk7-Y8ACcBKmwi0SWbI3Iu78eg'
  const html = `<p>The next step is to join our <a href="${url}">chat</a>.</p>`
  expect(inHtml('Welcome to Harbour', html)).toBeNull()
  const own = inHtml('Welcome to Harbour', html.replace('shared_invite', 'invite'))
  expect(own?.kind).toBe('invite')
})

test.each(['Account deactivation in two days', 'Désactivation de votre compte', 'Kontodeaktivierung'])(
  'a deactivation asks to confirm nothing: %s',
  (subject) => {
    const url = `https://click.a.example/${TOKEN}1`
    expect(inHtml(subject, `<p>Need help? <a href="${url}">Contact us</a></p>`)).toBeNull()
  },
)

test.each([
  ['cs', 'Připomenutí návštěvy', 'Potvrdit návštěvu'],
  ['hu', 'Időpont emlékeztető', 'Időpont megerősítése'],
  ['ro', 'Memento programare', 'Confirmă programarea'],
  ['fi', 'Muistutus ajanvarauksesta', 'Vahvista ajanvaraus'],
  ['el', 'Υπενθύμιση ραντεβού', 'Επιβεβαίωση ραντεβού'],
  ['uk', 'Нагадування про запис', 'Підтвердити запис'],
  ['vi', 'Nhắc lịch hẹn', 'Xác nhận lịch hẹn'],
  ['id', 'Pengingat janji temu', 'Konfirmasi janji temu'],
  ['th', 'แจ้งเตือนนัดหมาย', 'ยืนยันนัดหมาย'],
  ['ar', 'تذكير بالموعد', 'تأكيد الموعد'],
  ['he', 'תזכורת לתור', 'אישור התור'],
  ['pt', 'Lembrete de consulta', 'Confirmar consulta'],
  ['ru', 'Напоминание о записи', 'Подтвердить запись'],
  ['pl', 'Przypomnienie o wizycie', 'Potwierdź wizytę'],
  ['fa', 'یادآوری نوبت', 'تایید نوبت'],
  ['hi', 'अपॉइंटमेंट', 'अपॉइंटमेंट की पुष्टि करें'],
  ['lt', 'Vizito priminimas', 'Patvirtinti vizitą'],
  ['lv', 'Vizītes atgādinājums', 'Apstiprināt vizīti'],
  ['et', 'Visiidi meeldetuletus', 'Kinnita visiit'],
])('an appointment is confirmed by its reader, and is no action: %s', (_language, subject, words) => {
  const url = `https://click.a.example/${TOKEN}1`
  expect(inHtml(subject, `<p>10:30</p><p><a href="${url}">${words}</a></p>`)).toBeNull()
})

test('the digits of encoded characters are no value that was made for a reader', () => {
  const html = (value: string) => `<a href="https://harbour.example/login/${value}">Sign in</a>`
  expect(inHtml('Welcome', html('%e3%81%82%e3%81%84%e3%81%86%e3%82%a2%e3%82%a4'))).toBeNull()
  expect(inHtml('Welcome', html(TOKEN))).toMatchObject({ kind: 'sign_in' })
})

test.each(['two-step/confirm', 'confirm/2fa'])(
  'where every reader sets up a second factor is no action: %s',
  (path) => {
    const html = `<p>Confirm your sign-in: <a href="https://harbour.example/${path}">here</a></p>`
    expect(inHtml('Confirm your sign-in', html)).toBeNull()
  },
)

test('a magic link to a reset resets a password, though the subject is about signing in', () => {
  const html = `<a href="https://harbour.example/magic-link/reset?token=${TOKEN}">Continue</a>`
  expect(inHtml('Sign in to Harbour', html)).toMatchObject({ kind: 'reset' })
})

test('words whose last sentence is about an order, too, confirm no address', () => {
  const html = (words: string) => `<a href="https://harbour.example/confirm?token=${TOKEN}">${words}</a>`
  expect(inHtml('Welcome', html('See your order. For your order, confirm your address'))).toBeNull()
  expect(inHtml('Welcome', html('See your order. Confirm your address'))).toMatchObject({ kind: 'confirm' })
})

test('the subject of a ticket asks for nothing', () => {
  const html = `<p>Hello</p><a href="https://harbour.example/confirm?token=${TOKEN}">here</a>`
  expect(inHtml('[Ticket #482] Confirm your address', html)).toBeNull()
  expect(inHtml('Confirm your address', html)).toMatchObject({ kind: 'confirm' })
})

test('who did not change a password does not confirm an address', () => {
  const html = `<p>If it was not you, <a href="https://harbour.example/confirm?token=${TOKEN}">confirm your address</a>.</p>`
  expect(inHtml('Your password was changed', html)).toBeNull()
  expect(inHtml('Welcome', html)).toMatchObject({ kind: 'confirm' })
})

test('an address is confirmed to sign in if the subject asks for just that', () => {
  const html = `<a href="https://harbour.example/confirm?token=${TOKEN}">Confirm your account to sign in</a>`
  expect(inHtml('Sign in to your account', html)).toMatchObject({ kind: 'sign_in' })
})

test('what is read in the browser is no action, unless its address was made for this reader', () => {
  const html = (url: string) =>
    `<p>Confirm your address or read this in your browser: <a href="${url}">here</a></p>`
  expect(inHtml('Confirm your address', html('https://harbour.example/confirm'))).toBeNull()
  const url = `https://harbour.example/confirm?token=${TOKEN}`
  expect(inHtml('Confirm your address', html(url))).toMatchObject({ url })
})

test.each(['Obnovite zavarovanje', 'Obnovte své pojištění', 'Obnoviť predplatné'])(
  'an insurance or a subscription is renewed with the word for resetting: %s',
  (words) => {
    const html = `<p>Harbour.</p><a href="https://harbour.example/p/${TOKEN}">${words}</a>`
    expect(inHtml('Harbour', html)).toBeNull()
    expect(inHtml('Harbour', html.replace(words, 'Obnovit heslo'))).toMatchObject({ kind: 'reset' })
  },
)

test("a page to reset that names the reader's own address is the action only of a mail for that", () => {
  const url = 'https://harbour.example/reset-password?email=ines@acme.example'
  const html = `<p>We received a request.</p><a href="${url}">Reset your password</a>`
  expect(inHtml('Reset your password', html)).toMatchObject({ url, kind: 'reset' })
  expect(inHtml('Welcome to Harbour', html)).toBeNull()
  expect(inHtml('Reset your password', `<p>Enter the code 482913 to reset it.</p>${html}`)).toBeNull()
  const changed = '<p>Your password was changed.</p>'
  expect(inHtml('Reset your password', `${changed}<a href="${url}">Reset your password</a>`)).toBeNull()
  const own = `https://harbour.example/u/${TOKEN}`
  expect(inHtml('Reset your password', `<a href="${own}">Continue</a>${html}`)).toMatchObject({ url: own })
  const { actionLink } = findLinks({ subject: 'Reset your password', text: '', html }, LIMITS, undefined, [
    '482913',
  ])
  expect(actionLink).toBeNull()
})

test('a request to change a password in Russian is no notice that it was changed', () => {
  const url = `https://harbour.example/user/reset-password?token=${TOKEN}`
  const html = `<p>Чтобы обновить пароль, перейдите по ссылке</p><p><a href="${url}">${url}</a></p>`
  expect(inHtml('Обновление пароля', html)).toMatchObject({ url, kind: 'reset' })
  const notice = `<p>Пароль вашей учётной записи был изменён.</p><a href="${url}">Изменить пароль</a>`
  for (const subject of [
    'Пароль обновлён',
    'Уведомление об обновлении пароля',
    'Обновление пароля завершено',
  ])
    expect(inHtml(subject, notice)).toBeNull()
})
