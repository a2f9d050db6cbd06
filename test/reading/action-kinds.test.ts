import { describe, expect, test } from '@jest/globals'
import { htmlText } from '../../reading/html/text.ts'
import { findLinks } from '../../reading/links.ts'
import type { ActionLink } from '../../reading/message.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'
/** An address that says nothing, as senders that count clicks make it. */
const OPAQUE = 'https://click.harbour.example/f/a/Zq81TUvLh0eSx3~~/7bYwQ2mVd94KcR6nHs5J'

function inHtml(subject: string, html: string): ActionLink | null {
  return findLinks({ subject, text: htmlText(html), html, isTextOfHtml: true }, LIMITS).actionLink
}

function page(text: string, words: string, url = OPAQUE): string {
  return `<p>${text}</p><p><a href="${url}">${words}</a></p>`
}

describe('an invitation stays one where its button activates the account or sets a password', () => {
  test.each([
    ['Ola Berg invited you as a guest', 'Welcome to Harbour.', 'Activate account'],
    ['Ola Berg hat dich als Gast eingeladen', 'Willkommen bei Harbour.', 'Konto aktivieren'],
    ['Ola Berg vous a invité', 'Bienvenue chez Harbour.', 'Activer le compte'],
    ['Ola Berg пригласил тебя как гостя', 'Здравствуйте.', 'Активировать аккаунт'],
    ['You’re invited to join Harbour', 'To get in, you’ll need to set a password.', 'Set my password'],
    ['Welcome to Harbour', 'Ola Berg has invited you to join Harbour.', 'Activate account'],
    ['Добро пожаловать в Harbour', 'Ola Berg пригласил вас в Harbour.', 'Активировать аккаунт'],
    ['Account created', 'An account has been created for you on Harbour.', 'Confirm your account'],
  ])('%s: %s', (subject, text, words) => {
    expect(inHtml(subject, page(text, words))).toMatchObject({ url: OPAQUE, kind: 'invite' })
  })

  test('also at an address that is made to set a password', () => {
    const url = `https://a.example/auth/password/reset/${TOKEN}`
    const text = 'You are receiving this email because an account has been created for you on Harbour.'
    expect(inHtml('Account Created', page(text, 'Setup Your Account', url))).toMatchObject({
      url,
      kind: 'invite',
    })
  })
})

test.each([
  ['de', 'Für Sie wurde ein Benutzerkonto angelegt.', 'Konto aktivieren'],
  ['de', 'Wir haben ein Konto für dich erstellt.', 'Konto aktivieren'],
  ['es', 'Ola ha creado una cuenta para ti.', 'Activar cuenta'],
  ['fr', 'Un compte a été créé pour vous.', 'Activer le compte'],
  ['it', 'Abbiamo creato un account per te.', 'Attiva account'],
  ['pt', 'Foi criada uma conta para si.', 'Ativar conta'],
  ['nl', 'Er is een account voor je aangemaakt.', 'Account activeren'],
  ['sv', 'Ola har skapat ett konto åt dig.', 'Aktivera konto'],
  ['da', 'Ola har oprettet en konto til dig.', 'Aktiver konto'],
  ['nb', 'Ola har opprettet en konto for deg.', 'Aktiver konto'],
  ['pl', 'Utworzono dla Ciebie konto.', 'Aktywuj konto'],
  ['ru', 'Для вас создана учётная запись.', 'Активировать аккаунт'],
  ['uk', 'Для вас створено обліковий запис.', 'Активувати обліковий запис'],
  ['cs', 'Byl pro vás vytvořen účet.', 'Aktivovat účet'],
  ['tr', 'Sizin için bir hesap oluşturuldu.', 'Hesabı etkinleştir'],
  ['hu', 'Fiókot hoztunk létre Önnek.', 'Fiók aktiválása'],
  ['fi', 'Sinulle on luotu tili.', 'Aktivoi tili'],
  ['ro', 'Am creat un cont pentru dumneavoastră.', 'Activează contul'],
  ['zh', '我们已为您创建了一个账号。', '激活账号'],
])('%s: an account that someone else created is an invitation: %s', (_language, text, words) => {
  expect(inHtml('Harbour', page(text, words))).toMatchObject({ url: OPAQUE, kind: 'invite' })
})

describe('a mail that mentions an invitation confirms or resets', () => {
  test.each([
    [
      'if its subject asks for that',
      'Confirm your account',
      'Ola invited you.',
      'Activate account',
      'confirm',
    ],
    ['if it asks politely', 'Bienvenido', 'Te invitamos a activar tu cuenta.', 'Activar cuenta', 'confirm'],
    ['if it asks politely', 'Harbour', 'Приглашаем вас подтвердить почту.', 'Подтвердить почту', 'confirm'],
    [
      'if a later sentence asks politely',
      'Welcome to Harbour',
      'Thank you for your interest in Harbour. You are invited to join us and to confirm your email address. Bye.',
      'Confirm email address',
      'confirm',
    ],
    ['if "bod" is Welsh', 'Harbour', 'Rhaid eich bod chi yma.', 'Cadarnhewch eich cyfeiriad', 'confirm'],
    ['if the subject resets', 'Reset your password', 'Ola invited you.', 'Reset your password', 'reset'],
  ])('%s: %s, %s', (_why, subject, text, words, kind) => {
    expect(inHtml(subject, page(text, words))).toMatchObject({ url: OPAQUE, kind })
  })
})

describe('a subject that announces a new account leaves its first password to be set', () => {
  test.each([
    ['Your Harbour account was created', 'Please set the password by accessing it:', 'Here'],
    ['Dein Harbour-Konto wurde erstellt', 'Bitte erstelle dein Passwort:', 'hier'],
    ['Votre compte Harbour a été créé', 'Veuillez définir un mot de passe en', 'cliquant ici.'],
    ['Se ha creado su cuenta de Harbour', 'Por favor establezca la contraseña:', 'aquí'],
    ['Llogaria juaj Harbour u krijua', 'Ju lutemi, caktoni fjalëkalimin duke shkuar:', 'këtu'],
    ['חשבון Harbour שלך נוצר', 'יש להגדיר את הסיסמא על ידי כניסה לקישור:', 'כאן'],
    ['您的 Harbour 帳號已經建立', '請通過以下方式設置密碼：', '這裡'],
  ])('%s', (subject, sentence, words) => {
    const html = `<p>Harbour<br>${sentence} <a href="${OPAQUE}">${words}</a></p>`
    expect(inHtml(subject, html)).toMatchObject({ url: OPAQUE, kind: 'reset' })
  })

  test.each(['Your account was updated', 'Your account has been deleted'])(
    '%s: still a report',
    (subject) => {
      expect(inHtml(subject, page('If this was not you:', 'Set a new password'))).toBeNull()
    },
  )
})

test.each([
  ['Updating your Harbour email address', 'Change my email address'],
  ['Uppdatera din e-postadress på Harbour', 'Ändra min e-postadress'],
])('a change of the address is confirmed by a button that names it: %s', (subject, words) => {
  const text = 'Please click on the link below.'
  expect(inHtml(subject, page(text, words))).toMatchObject({ url: OPAQUE, kind: 'confirm' })
})

test('a page to ask for a new password is not the action beside the link of a tracker', () => {
  const form = 'https://app.harbour.example/forgot-password'
  const html = `${page('You can use the following button:', 'Reset your password')}<p>To get a new password reset link, visit: <a href="${OPAQUE}2">${form}</a></p>`
  expect(inHtml('Reset your Harbour password', html)).toMatchObject({ url: OPAQUE, kind: 'reset' })
})

test.each(['https://harbour.example', 'https://harbour.example/'])(
  'a link of a tracker that shows the front page of a site, %s, is no action',
  (shown) => {
    const html = `<p>Harbour</p><p>--<br><a href="${OPAQUE}">${shown}</a></p>`
    expect(inHtml('Reset your password', html)).toBeNull()
  },
)

test.each([(url: string) => url, (url: string) => `&lt;${url}&gt;`])(
  'a link that shows its address has the words in front of it as text',
  (shown) => {
    const url = `https://harbour.example/verify?token=${TOKEN}`
    const html = `<p>To verify your address, open <a href="${url}">${shown(url)}</a>.</p>`
    expect(inHtml('Verify your address', html)).toEqual({
      url,
      text: 'To verify your address, open',
      kind: 'confirm',
    })
  },
)

test.each([
  ['Password reset has been requested', 'Reset your password', 'reset'],
  ['Redefinir senha foi solicitada', 'Redefinir senha', 'reset'],
  ['Your Harbour details', 'Yes, this is my address', 'confirm'],
  ['Подтвердите подписку', 'Да, подпишитесь', 'confirm'],
])('a request is no report: %s', (subject, words, kind) => {
  expect(inHtml(subject, page('Hello Noor,', words))).toMatchObject({ url: OPAQUE, kind })
})

test.each([
  ['is', 'Það tókst að breyta lykilorði'],
  ['ko', '암호가 성공적으로 변경됨'],
  ['nn', 'Passord er endra'],
  ['lo', 'ລະຫັດຜ່ານປ່ຽນແປງສຳເລັດແລ້ວ'],
  ['th', 'เปลี่ยนรหัสผ่าน Harbour สำเร็จแล้ว'],
  ['es', 'Suscripción confirmada'],
])('%s: it reports something that was done: %s', (_language, subject) => {
  expect(inHtml(subject, page('Harbour', 'Harbour'))).toBeNull()
})

describe('the page where all readers sign in', () => {
  const url = 'https://app.harbour.example/sign-in'
  const link = (sentence: string) => `<p>${sentence}</p><p><a href="${url}">${url}</a></p>`

  test.each([
    'You were invited. Click the link below to sign in to Harbour and accept the invitation.',
    'Du wurdest eingeladen. Melde dich hier an, um die Einladung anzunehmen:',
  ])('is an invitation if the sentence above says so: %s', (sentence) => {
    expect(inHtml('Join Harbour Lane', link(sentence))).toMatchObject({ url, kind: 'invite' })
  })

  test.each(['You were invited. Sign in here:', 'You were invited to Harbour. Visit our page:'])(
    'is none otherwise: %s',
    (sentence) => {
      expect(inHtml('Join Harbour Lane', link(sentence))).toBeNull()
    },
  )
})

test('an authentication link signs in', () => {
  const text = 'Use this link to authenticate:'
  const url = 'https://a.example/auth?token=Q7mVx2LkTz0eSbYw4dRcHn5J'
  const html = `<p>${text} <a href="${url}">${url}</a></p>`
  expect(inHtml('Your Authentication Link', html)).toMatchObject({ url, kind: 'sign_in' })
})

test('words that sign in decide beside an address that verifies, unless the mail invites', () => {
  const url = 'https://a.example/auth/verify?token=Q7mVx2LkTz0eSbYw4dRcHn5J'
  const html = (text: string) => page(text, 'Sign in to your account', url)
  expect(inHtml('You already have an account', html('It looks like you have one.'))).toMatchObject({
    url,
    kind: 'sign_in',
  })
  expect(inHtml('Welcome', html('Ola Berg has invited you.'))).toMatchObject({ url, kind: 'invite' })
})

test('a request to become a member is an invitation, though its address confirms', () => {
  const url = 'https://a.example/organization/tide/members/confirm?token=Q7mVx2LkTz0eSbYw4dRcHn5J'
  for (const [subject, wish, words] of [
    [
      'Membership request',
      'The user "ola" would like you to become a collaborator.',
      'To accept the request and become a collaborator:',
    ],
    [
      'Package request',
      'The user "ola" would like to add you as an owner.',
      'To accept this request and become an owner:',
    ],
  ] as const)
    expect(inHtml(subject, `<p>${wish}</p><p>${words}</p><p><a href="${url}">${url}</a></p>`)).toMatchObject({
      url,
      kind: 'invite',
    })
})

describe('an account that was created for the reader is an invitation', () => {
  test.each([
    ['el', 'Δημιουργήσαμε έναν λογαριασμό για εσάς στο Harbour.', 'Αλλαγή του κωδικού μου'],
    ['et', 'Oleme loonud teile konto saidil Harbour.', 'Muuda minu parooli'],
    ['id', 'Kami telah membuatkan akun untuk Anda di Harbour.', 'Ubah kata sandi saya'],
    ['ja', 'Harbour にあなたのアカウントを作成しました。', 'パスワードを変更'],
    ['lt', 'Sukūrėme jums paskyrą sistemoje Harbour.', 'Pakeisti mano slaptažodį'],
    ['sk', 'Vytvorili sme vám účet na Harbour.', 'Zmeniť moje heslo'],
    ['sr', 'Kreirali smo nalog za vas na Harbour.', 'Promeni moju lozinku'],
    ['uk', 'Ми створили для вас обліковий запис в Harbour.', 'Змінити мій пароль'],
    ['bn', 'আমরা আপনার জন্য Harbour-এ একটি অ্যাকাউন্ট তৈরি করেছি। নতুন পাসওয়ার্ড সেট করুন।', 'আমার পাসওয়ার্ড পরিবর্তন করুন'],
    [
      'ne',
      'हामीले तपाईंका लागि Harbour मा एउटा खाता सिर्जना गरेका छौँ। नयाँ पासवर्ड सेट गर्नुहोस्।',
      'मेरो पासवर्ड परिवर्तन गर्नुहोस्',
    ],
  ])('%s: %s', (_code, text, words) => {
    const url = 'https://a.example/auth/resetpw?token=Q7mVx2LkTz0eSbYw4dRcHn5J'
    expect(inHtml('Harbour', page(text, words, url))).toMatchObject({ url, kind: 'invite' })
  })

  test('but not one that will not be created, nor one whose address names an invitation', () => {
    const url = 'https://a.example/registration?nonce=13025&method=invite-mail'
    const html = page(
      'If you ignore this mail, we will not create an account for you.',
      'Confirm your address',
      url,
    )
    expect(inHtml('Welcome to Harbour', html)).toMatchObject({ url, kind: 'confirm' })
  })
})

test('a button that confirms an address resets the password if the subject and the sentence above do', () => {
  const html = page(
    'Hai dimenticato la password? Clicca qui sotto per reimpostarla:',
    'Conferma il tuo indirizzo e-mail',
  )
  expect(inHtml('Reimposta la password Harbour', html)).toMatchObject({ url: OPAQUE, kind: 'reset' })
})

test('the first password of an account that was created is an invitation, unless the subject asks for it', () => {
  const url = 'https://a.example/reset-password/Q7mVx2LkTz0eSbYw4dRcHn5J'
  const html = page('Your admin account has been created successfully.', 'Set your password', url)
  expect(inHtml('Welcome - account setup', html)).toMatchObject({ url, kind: 'invite' })
  expect(inHtml('Welcome - set your password', html)).toMatchObject({ url, kind: 'reset' })
  const task = page('A task has been created.', 'Set your password', url)
  expect(inHtml('Welcome', task)).toMatchObject({ url, kind: 'reset' })
})

describe('where the words, the subject and the address name different kinds', () => {
  test('a device is approved, also at an address that signs in', () => {
    const url = `https://a.example/email-auth/device?code=${TOKEN.toLowerCase()}`
    const text = 'A sign-in from a new device needs your approval.'
    const found = inHtml('Approve new device sign-in', page(text, 'Approve this device', url))
    expect(found).toMatchObject({ url, kind: 'confirm' })
  })

  test.each([
    ['Passwort abrufen', 'Sie rufen Ihr Passwort ab.', 'Klicken Sie hier, um die E-Mail zu bestätigen'],
    ['recupera password', 'Stai recuperando la tua password.', "Fai clic qui per verificare l'email"],
  ])('the page of a forgotten password resets it: %s', (subject, text, words) => {
    const url = 'https://a.example/forgotten?code=918350&email=ines%40acme.example'
    expect(inHtml(subject, page(text, words, url))).toMatchObject({ url, kind: 'reset' })
  })
})

describe('whatever else the mail says', () => {
  test('an address that was changed is confirmed where the mail asks for that', () => {
    const url = `https://a.example/auth/email/${TOKEN}`
    const text =
      'Sie empfangen diese E-Mail auf Ihrer neuen Adresse. Folgen Sie dem Link, um diese zu bestätigen:'
    expect(inHtml('Ihre E-Mail-Adresse wurde geändert', page(text, 'Link', url))).toMatchObject({
      kind: 'confirm',
    })
    const denied = 'Waren Sie das nicht? Folgen Sie dem Link, um Ihr Konto zu sperren:'
    expect(inHtml('Ihre E-Mail-Adresse wurde geändert', page(denied, 'Link', url))).toBeNull()
  })

  test('an access link signs in, though its address says "verify"', () => {
    const url = `https://a.example/auth/verify/${TOKEN}`
    const text = 'Click the button below to log in.'
    expect(inHtml('Your access link to Harbour', page(text, 'Access my files', url))).toMatchObject({
      kind: 'sign_in',
    })
  })

  test.each([
    [
      'Jums ir izveidots Harbour Business konts',
      'Izvēlieties paroli, lai sāktu to lietot:',
      'Iestatīt paroli',
    ],
    [
      'Un account è stata creato per te su Harbour',
      'Devi scegliere una nuova password:',
      'Scegli la password',
    ],
  ])('an account was made for the reader: %s', (subject, text, words) => {
    const url = `https://a.example/set-password/${TOKEN}`
    expect(inHtml(subject, page(text, words, url))).toMatchObject({ kind: 'invite' })
  })

  test('a Dutch verb is split by more words', () => {
    const url = `https://a.example/apparaat/goedkeuren?token=${TOKEN}`
    const text = 'Was u dit? Keur het apparaat dan binnen 10 minuten goed:'
    expect(inHtml('Keur je nieuwe apparaat goed', page(text, 'Ja, dit ben ik', url))).toMatchObject({
      kind: 'confirm',
    })
  })

  test('a label in brackets before the address is no sentence', () => {
    const url = `https://a.example/register/complete?code=${TOKEN}`
    const text = `以下のURLにアクセスして登録を完了させてください。\n\n【URL】${url}\n`
    const found = findLinks({ subject: '会員登録のご案内', text, html: null }, LIMITS).actionLink
    expect(found).toMatchObject({ url, kind: 'confirm' })
  })
})

describe('the sentence above a line that only leads to the link', () => {
  const url = `https://a.example/account/${TOKEN}`
  const kindOf = (text: string) =>
    findLinks({ subject: 'Harbour', text, html: null }, LIMITS).actionLink?.kind

  test.each([
    'Please confirm that your e-mail address is correct.\nTo do so, open this page:\n\n',
    'Bitte bestätigen Sie Ihre E-Mail-Adresse.\nDazu rufen Sie folgende Seite auf:\n\n',
    'Please confirm that your e-mail address is correct. To do so, open this page: ',
  ])('%j', (lead) => {
    expect(kindOf(`${lead}${url}\n`)).toBe('confirm')
  })

  test('but not above a line about something else', () => {
    expect(
      kindOf(`Please confirm your e-mail address.\nThe invoice of your order:\n\n${url}\n`),
    ).toBeUndefined()
  })
})

test('letters in no order are a token, with a dash as well', () => {
  const url = 'https://a.example/email/verify/ZXHtOBrScgDq-jCMHxrIyU'
  expect(inHtml('Harbour', page('Please confirm your e-mail address.', 'Confirm', url))).toMatchObject({
    kind: 'confirm',
  })
})

test('a notice that names the address whose password was changed offers no reset', () => {
  const text = 'The password of ines@acme.example was changed. If it was not you, reset your password.'
  expect(inHtml('Harbour', page(text, 'Reset password'))).toBeNull()
})

test('an invitation to an account whose password is chosen by it', () => {
  const text = 'An account was created for you. Accept the invitation and choose a password.'
  expect(inHtml('Harbour', page(text, 'Continue'))).toMatchObject({ kind: 'invite' })
})

test('a button below a sentence about signing in without a password', () => {
  const text = 'You asked us to send you a link that signs you in without a password.'
  expect(inHtml('Harbour', page(text, 'Sign in'))).toMatchObject({ kind: 'sign_in' })
})

describe('below an account that was created for the reader, confirming the address is no invitation', () => {
  const url = `https://a.example/c/${TOKEN}`
  const actionOf = (text: string) =>
    findLinks({ subject: 'Welcome to Harbour', text: `${text}\n${url}\n`, html: null }, LIMITS).actionLink

  test.each([
    ['en', 'A new account was created for you. Please confirm your email address:'],
    ['de', 'Ihr Konto wurde für Sie erstellt. Bitte bestätigen Sie Ihre E-Mail-Adresse:'],
    ['es', 'Hemos creado una cuenta para ti. Confirma tu correo:'],
    ['ru', 'Для вас создали аккаунт. Подтвердите адрес:'],
    ['tr', 'Sizin için yeni bir hesap oluşturduk. E-posta adresinizi onaylayın:'],
    ['is', 'Aðgangur var stofnaður fyrir þig. Staðfestu netfangið:'],
    ['ms', 'Akaun telah dicipta untuk anda. Sahkan e-mel anda:'],
    ['zh', '已为您创建账户。请确认您的邮箱：'],
  ])('%s', (_language, text) => {
    expect(actionOf(text)).toMatchObject({ url, kind: 'confirm' })
  })

  test.each([
    'A new account was created for you. Please confirm your email address and choose a password:',
    'A new account was created for you. Please activate your account:',
  ])('but %s', (text) => {
    expect(actionOf(text)).toMatchObject({ url, kind: 'invite' })
  })
})

test('a reader who registered is not invited by "you were invited to choose a password"', () => {
  const url = `https://a.example/c/${TOKEN}`
  const text = `Your account was created. You were invited to choose a password and activate your account:\n${url}`
  const kindOf = (above: string) =>
    findLinks({ subject: 'Activate your account', text: above + text, html: null }, LIMITS).actionLink?.kind
  expect(kindOf('Thank you for registering. ')).toBe('confirm')
})

describe('only an answer in an address that names an action refuses it', () => {
  const kindOf = (subject: string, text: string, path: string) =>
    findLinks({ subject, text: `${text} https://a.example/${path}&token=${TOKEN}`, html: null }, LIMITS)
      .actionLink?.kind

  test.each(['verify?on_error=cancel', 'verify?return=cancel'])('%s', (path) => {
    expect(kindOf('Verify your email', 'Verify:', path)).toBe('confirm')
  })

  test.each(['action=cancel', 'type=revoke', 'do=decline'])('account?%s', (answer) => {
    const text = 'To confirm that your API access should be revoked, click here:'
    expect(kindOf('Confirm the revocation of your key', text, `account?${answer}`)).toBe('confirm')
  })

  test.each(['action=reject', 'response=decline'])('but not verify?%s', (answer) => {
    expect(kindOf('Verify your email', 'Verify:', `verify?${answer}`)).toBeUndefined()
  })
})

describe('news of signing in without a password are no link for it', () => {
  test.each([
    ['New: sign in without a password.', 'Sign in to try it'],
    ['Neu: Anmelden ohne Passwort.', 'Jetzt anmelden'],
  ])('%s', (text, words) => {
    expect(inHtml('What is new', page(text, words))).toBeNull()
  })
})

test.each([
  [
    'fr',
    'Confirmation de compte',
    'Vous avez été invité(e) dans l’organisation Val par Hélène.',
    'Activer votre compte',
  ],
  [
    'en',
    'Account confirmation',
    'Oliver invited you to join the organisation Fenland.',
    'Activate your account',
  ],
])(
  'an address of invitations is one below a subject that confirms: %s',
  (_language, subject, text, words) => {
    const url = `https://a.example/users/invitation/accept?invitation_token=${TOKEN}`
    const html = `<p>${text}</p><p><a href="${url}">${words}</a></p>`
    expect(findLinks({ subject, text: `${text}\n\n${words}`, html }, LIMITS).actionLink).toMatchObject({
      url,
      kind: 'invite',
    })
  },
)

test('an advertisement that was activated is no request', () => {
  const text =
    'Din annonce https://a.example/cykler/cykel-2041.html er blevet aktiveret, den er nu synlig for alle!'
  expect(
    findLinks({ subject: 'Din annonce er blevet aktiveret!', text, html: null }, LIMITS).actionLink,
  ).toBeNull()
})

test('"go on with your registration" confirms it', () => {
  const url = 'https://a.example/user/76f051da-7d7a-4223-a3bd-09a28d0815be'
  const text = `Jatka rekisteröitymistä tästä linkistä ${url}\nLinkki on voimassa 2 päivää.`
  const found = findLinks({ subject: 'Rekisteröityminen', text, html: null }, LIMITS).actionLink
  expect(found).toMatchObject({ url, kind: 'confirm' })
})
