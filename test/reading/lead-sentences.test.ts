import { describe, expect, test } from '@jest/globals'
import { sentencesBefore } from '../../reading/links/text.ts'
import { findLinks } from '../../reading/links.ts'
import type { ActionLink } from '../../reading/message.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'
const URL_OF_READER = `https://app.example/r/${TOKEN}`

function actionOf(subject: string, text: string): ActionLink | null {
  return findLinks({ subject, text, html: null }, LIMITS).actionLink
}

describe('a sentence that was wrapped is read as a whole', () => {
  test.each([
    [
      'en',
      'Before we do anything else, we need to know that it was you, so please click on the\nlink below to confirm the new account that was made for you and for\nyour team:',
    ],
    ['de', 'Falls die Anfrage von Ihnen kam, bestätigen Sie bitte über den folgenden Link Ihr\nneues Konto:'],
    [
      'uk',
      'якщо це були Ви, будь ласка, натисніть на посилання нижче, щоб підтвердити Ваш\nобліковий запис:',
    ],
    ['ja', '他の作業を行う前に、以下のリンクをクリックしてアカウントを確認してくださ\nい。'],
  ])('%s', (_language, sentence) => {
    const text = `Hello,\n\n${sentence}\n\n${URL_OF_READER}\n`
    expect(actionOf('Welcome to Harbour', text)).toMatchObject({ url: URL_OF_READER, kind: 'confirm' })
  })

  test('but not a line with the line above it, if that is short', () => {
    const text = `Please confirm your account\nThe map of today:\n${URL_OF_READER}\n`
    expect(actionOf('Harbour', text)).toBeNull()
  })
})

describe('a sentence that says only that a link follows is read with the one above', () => {
  test.each([
    ['Tom Berg invited you to the board "Budget".', 'Please follow the link below:', 'invite'],
    ['Tom Berg lädt dich zum Board „Budget“ ein.', 'Bitte klicke auf den folgenden Link:', 'invite'],
    ['Tom Bergさんがあなたをボードへ招待しています。', '以下のリンクをクリックしてください。', 'invite'],
    ['Vous avez demandé à confirmer votre adresse.', 'Veuillez cliquer sur le lien ci-dessous :', 'confirm'],
    ['Подтвердите свой адрес.', 'Нажмите на эту ссылку:', 'confirm'],
  ])('%s %s', (above, line, kind) => {
    const text = `Hello,\n\n${above}\n${line}\n\n${URL_OF_READER}\n`
    expect(actionOf('Harbour', text)).toMatchObject({ url: URL_OF_READER, kind })
  })

  test('unless that one is for readers who did not ask', () => {
    const text = `Hello,\n\nIf you did not confirm your address:\nPlease follow the link below:\n\n${URL_OF_READER}\n`
    expect(actionOf('Harbour', text)).toBeNull()
  })
})

describe('nouns of confirming beside an account', () => {
  test.each([
    'Para completar la validación de tu cuenta, por favor visita',
    "Per finalitzar l'activació del seu compte - si us plau visiteu",
    'Per terminare la validazione del tuo account visita',
    'Zum Abschluss der Aktivierung Ihres Kontos besuchen Sie',
    'Для підтвердження Вашого облікового запису',
    'Untuk menyelesaikan aktivasi akun anda, mohon kunjungi',
  ])('%s', (sentence) => {
    expect(actionOf('Welcome ines!', `Hello ines!\n\n${sentence} ${URL_OF_READER}\n`)).toMatchObject({
      url: URL_OF_READER,
      kind: 'confirm',
    })
  })

  test('and not alone', () => {
    expect(actionOf('Your order', `Confirmación del pedido 4821: ${URL_OF_READER}\n`)).toBeNull()
  })
})

describe('a subject about changing an address', () => {
  const above = 'You requested a change of your email address.'
  const line = 'To complete your request, please use the link below.'

  test('makes the only address for the reader the confirmation', () => {
    expect(
      actionOf('Change of email address', `Hello,\n\n${above}\n${line}\n\n${URL_OF_READER}`),
    ).toMatchObject({ url: URL_OF_READER, kind: 'confirm' })
    const russian = `Вы запросили смену email.\nЧтобы завершить запрос, нажмите на ссылку ниже.\n\n${URL_OF_READER}`
    expect(actionOf('Смена почтового адреса на сайте', russian)).toMatchObject({ kind: 'confirm' })
  })

  test('but not if it was changed already, or if the text says nothing of it', () => {
    const changed = 'Your email address has been changed.\nSee the page of the change.'
    expect(actionOf('Email address changed', `Hello,\n\n${changed}\n\n${URL_OF_READER}`)).toBeNull()
    expect(
      actionOf('Our new email address', `Hello,\n\nSee the page of today.\n\n${URL_OF_READER}`),
    ).toBeNull()
  })
})

test('a front page confirms nothing', () => {
  const text =
    'Two-factor authentication was added to your account at https://chat.example by the administrator.'
  expect(actionOf('[Harbour] Authentication of accounts', text)).toBeNull()
})

test('a request that is called like an order does not hide the confirmation', () => {
  const text = `Precisamos de saber se este pedido foi feito por ti. Se sim, clica na ligação para confirmares a tua conta:\n\n${URL_OF_READER}`
  expect(actionOf('Bem-vinda ao Harbour', text)).toMatchObject({ url: URL_OF_READER, kind: 'confirm' })
})

test('details to sign in with are reset, if the subject asks for that', () => {
  const text = `Bruk lenken for å endre innloggingsdetaljene:\n\nhttps://id.example/action?key=${TOKEN}`
  expect(actionOf('Tilbakestill passord', text)).toMatchObject({ kind: 'reset' })
})

describe('the number of a note is no part of an address', () => {
  test.each([`${URL_OF_READER}[1]`, `${URL_OF_READER}[1][12]`, `[${URL_OF_READER}][1]`])('%s', (written) => {
    const text = `Hello!\n\nYou have been invited to Harbour.\n\n${written}\n\n[1]: ${URL_OF_READER}\n`
    expect(actionOf('Tom invited you to Harbour', text)).toMatchObject({ url: URL_OF_READER, kind: 'invite' })
  })
})

test('a long button that names the address is the action, if no other link is for the reader', () => {
  const button = 'Click here to confirm the email address that you gave us today'
  const html = (more: string) => `<p>Welcome</p><p><a href="${URL_OF_READER}">${button}</a></p>${more}`
  const action = (body: string) => findLinks({ subject: 'Welcome', text: '', html: body }, LIMITS).actionLink
  expect(action(html(''))).toMatchObject({ url: URL_OF_READER, kind: 'confirm' })
  expect(action(html(`<a href="https://app.example/x/${TOKEN}2">News of today</a>`))).toBeNull()
})

describe('a sentence that says to ignore the mail does not hide the request above it', () => {
  const html = (before: string) => `${before} <a href="${URL_OF_READER}">${URL_OF_READER}</a></p>`
  const inHtml = (subject: string, before: string) =>
    findLinks({ subject, text: before.replace(/<[^>]*>/g, ' '), html: html(before) }, LIMITS).actionLink

  test.each([
    [
      'Log in to Harbour',
      'Click the link below to log in.',
      'If you did not ask for this, please ignore this mail.',
      'sign_in',
    ],
    [
      'Anmelden bei Harbour',
      'Klicken Sie auf den Link, um sich anzumelden.',
      'Falls Sie das nicht waren, ignorieren Sie diese E-Mail.',
      'sign_in',
    ],
    ['登入到Harbour', '请在 5 分钟内点击下方链接进行登入。', '如果您未授权该登入请求，请无视。', 'sign_in'],
  ])('%s', (subject, request, denial, kind) => {
    const expected = { url: URL_OF_READER, kind }
    expect(inHtml(subject, `<p>${request} ${denial}`)).toMatchObject(expected)
    expect(inHtml(subject, `<p>${request}</p><p>${denial}`)).toMatchObject(expected)
    expect(actionOf(subject, `${request} ${denial} ${URL_OF_READER}`)).toMatchObject(expected)
    expect(actionOf(subject, `${request}\n\n${denial} ${URL_OF_READER}`)).toMatchObject(expected)
  })

  test('but one that says what to do leads to its own link', () => {
    const denial = 'If this was not you, reset your password now.'
    expect(inHtml('Your password was changed', `<p>Your password was changed. ${denial}`)).toBeNull()
    expect(
      actionOf('Harbour', `Welcome back. If this was not you, reset your password. ${URL_OF_READER}`),
    ).toBeNull()
  })
})

test('what stands above the last sentence counts if it has a letter', () => {
  expect(sentencesBefore('Confirm here. Ignore this mail otherwise.')).toBe(
    'Confirm here\nIgnore this mail otherwise',
  )
  expect(sentencesBefore('12. Follow this link to confirm.')).toBe('Follow this link to confirm')
})

describe('a line for readers whose button does not work says nothing alone', () => {
  test.each([
    [
      'Your application was accepted. Please verify your email address by clicking the link below.',
      'Please click on the following link, or paste this into your browser to complete the process:',
    ],
    ['Bitte bestätigen Sie Ihr Konto.', 'Oder kopieren Sie diese Zeile in Ihren Browser:'],
    ['Veuillez confirmer votre compte.', 'Sinon, copiez cette ligne dans votre navigateur :'],
  ])('%s', (above, line) => {
    const text = `Hello,\n\n${above}\n\n${line}\n\n${URL_OF_READER}\n`
    expect(actionOf('Harbour', text)).toMatchObject({ url: URL_OF_READER, kind: 'confirm' })
  })

  test('nor with a line above it that says nothing', () => {
    for (const above of ['We have news.', 'Please confirm your account. We have news.'])
      expect(actionOf('Harbour', `${above}\n\nOr copy this line:\n\n${URL_OF_READER}\n`)).toBeNull()
  })
})

describe('a sentence that says only that a link follows is read with the one before it in its paragraph', () => {
  const asks = 'Please confirm your email address.'
  test.each([
    `${asks} Click here: ${URL_OF_READER}`,
    `${asks} Please follow this link: ${URL_OF_READER}`,
    `Bitte bestätigen Sie Ihre E-Mail-Adresse. Klicken Sie hier: ${URL_OF_READER}`,
  ])('%s', (text) => {
    expect(actionOf('Harbour', `Hello Ines,\n\n${text}\n\nHarbour`)).toMatchObject({
      url: URL_OF_READER,
      kind: 'confirm',
    })
  })

  const ofHtml = (html: string) => findLinks({ subject: 'Harbour', text: '', html }, LIMITS).actionLink
  const link = (words: string) => `<a href="${URL_OF_READER}">${words}</a>`
  test('in HTML', () => {
    expect(ofHtml(`<p>${asks} Click ${link('here')}.</p>`)).toMatchObject({ kind: 'confirm', text: 'here' })
  })

  test.each([
    `${asks} If you did not ask for this, click ${link('here')}.`,
    `${asks} You find your order ${link('here')}.`,
    `Thanks for confirming your email address. You find our guide ${link('here')}.`,
    `Merci d'avoir confirmé votre adresse. Notre guide est ${link('ici')}.`,
    `Mara invited Tom to the project. The notes are ${link('here')}.`,
    `Your password was changed. Click ${link('here')}.`,
    `Il tuo indirizzo è stato confermato. Clicca ${link('qui')}.`,
    `メールアドレスが確認されました。${link('こちら')}`,
    `Your account was verified. Click ${link('here')} to continue.`,
    `Confirm your address to see your order. Click ${link('here')}.`,
  ])('but not %s', (html) => {
    expect(ofHtml(`<p>${html}</p>`)).toBeNull()
  })

  test('a sentence that asks for nothing leaves the line above in place', () => {
    for (const before of ['You can unsubscribe at any time.', 'Thanks!'])
      expect(
        actionOf('Welcome', `Please confirm your address.\n\n${before} Continue: ${URL_OF_READER}`),
      ).toMatchObject({ kind: 'confirm' })
  })

  test('a dozen paragraphs with links leave enough for the button', () => {
    const prose = `<p>We wrote about the garden and the sea in spring. Read it <a href="https://app.example/p?t=${TOKEN}N">here</a>.</p>`
    const html = Array.from({ length: 12 }, (_, n) => prose.replace('N"', `${n}"`)).join('')
    const button = `<a href="${URL_OF_READER}">Confirm your email address</a>`
    expect(
      findLinks({ subject: 'Confirm your email address', text: '', html: html + button }, LIMITS).actionLink,
    ).toMatchObject({ url: URL_OF_READER })
  })
})

test('words of a link that are the name of its host say nothing behind a colon, and are only mentioned elsewhere', () => {
  const html = `<p>To get a new password, follow this link: <a href="${URL_OF_READER}">harbour.example</a></p>`
  const ofHtml = (html: string) =>
    findLinks({ subject: 'harbour.example', text: '', html }, LIMITS).actionLink
  expect(ofHtml(html)).toMatchObject({ kind: 'reset' })
  expect(ofHtml(html.replace('follow this link: ', 'visit '))).toBeNull()
})

test.each([
  ['de', `https://app.example/einladung/${TOKEN}`, 'invite'],
  ['it', `https://app.example/invito/${TOKEN}`, 'invite'],
  ['sv', `https://app.example/inbjudan/${TOKEN}`, 'invite'],
  ['fr', `https://app.example/mdp/${TOKEN}`, 'reset'],
  ['el', `https://app.example/epivevaiosi/${TOKEN}`, 'confirm'],
  ['sl', `https://app.example/potrdi/${TOKEN}`, 'confirm'],
])('an address in the language of its site names the action: %s', (_language, url, kind) => {
  expect(actionOf('Harbour', `Hello,\n\n${url}`)).toMatchObject({ url, kind })
})

test('a path that only begins like "block" blocks nothing', () => {
  const url = `https://app.example/blockchain/confirm/${TOKEN}`
  expect(actionOf('Confirm email', `Confirm email: ${url}`)).toMatchObject({ url })
})

test('a link that stops or blocks invitations is none', () => {
  const html = (words: string, path: string) =>
    `<p>Ruth invited you.</p><a href="https://app.example/${path}">${words}</a>`
  const ofHtml = (words: string, path: string) =>
    findLinks({ subject: 'Ruth invited you', text: '', html: html(words, path) }, LIMITS).actionLink
  expect(ofHtml('Invitations', `block-invites?e=${TOKEN}`)).toBeNull()
  expect(ofHtml('Never send me invitations again', `invites?e=${TOKEN}`)).toBeNull()
  expect(ofHtml('No further invitations', `invites?e=${TOKEN}`)).toBeNull()
  expect(ofHtml('Accept', `invites?e=${TOKEN}`)).toMatchObject({ kind: 'invite' })
})

test.each([
  ['en', 'Denys invited you to join Harbour. Accept the invitation:', 'invite'],
  ['de', 'Anna Weigert hat Sie zu Hafen eingeladen. Einladung annehmen:', 'invite'],
  ['pl', 'Aby odbierać wiadomości, potwierdź swój adres e-mail:', 'confirm'],
  ['hr', 'Ostala su još neka podešavanja; potvrdite svoju adresu ovde:', 'confirm'],
  ['fr', 'Clique ici pour que tu choisisses ton mot de passe :', 'reset'],
  ['it', 'Grazie per la disponibilità, conferma ora il tuo indirizzo email:', 'confirm'],
  ['en', 'Please confirm your subscription (we will never send you spam):', 'confirm'],
])('words for declining in one language are none in another: %s %s', (_language, sentence, kind) => {
  expect(actionOf('Hello', `${sentence} ${URL_OF_READER}`)).toMatchObject({ kind })
})

test.each([
  'Confirmez ou refusez cette connexion',
  'Bekräfta eller neka inloggningen',
  'Bekreft eller avvis påloggingen',
])('a sign-in may be confirmed or refused: %s', (words) => {
  expect(actionOf('Harbour', `${words}: https://app.example/confirm/${TOKEN}`)).not.toBeNull()
})

test.each([
  ['Accept the invitation (no further invitations will be sent):', 'invite'],
  ['To stop receiving this reminder, verify your email:', 'confirm'],
])('what is said of further mails takes nothing from the request: %s', (sentence, kind) => {
  expect(actionOf('Harbour', `${sentence} ${URL_OF_READER}`)).toMatchObject({ kind })
})

test.each(['Ditt konto har verifierats', 'Ditt konto har bekräftats', 'Ditt konto har aktiverats'])(
  'a subject in the past tense asks for nothing: %s',
  (subject) => {
    expect(actionOf(subject, `Har du glömt ditt lösenord? ${URL_OF_READER}`)?.kind).not.toBe('confirm')
  },
)

test.each([
  ['fr', 'Cliquez ici pour confirmer votre disponibilité'],
  ['it', 'Clicca qui per confermare la riconsegna'],
  ['en', 'Click here to confirm your availability'],
])('to confirm that one is free, or has something, is no action: %s', (_language, sentence) => {
  expect(actionOf('Action required', `${sentence}: ${URL_OF_READER}`)).toBeNull()
})

describe('a sentence that goes on below its link is read to its end, if it says nothing before', () => {
  test.each([
    ['en', `Please use the link ${URL_OF_READER},\nto confirm your account.`],
    ['bg', `Моля използвайте връзката ${URL_OF_READER}\nза да потвърдите вашия акаунт.`],
    ['de', `Nutzen Sie bitte den Link ${URL_OF_READER}\num Ihr Konto zu bestätigen.`],
  ])('%s', (_language, text) => {
    expect(actionOf('Harbour', `Hello,\n\n${text}\n`)).toMatchObject({ kind: 'confirm' })
  })

  test.each([
    ['a sentence of its own', `Please use the link ${URL_OF_READER}\nTo confirm your account, sign in.`],
    ['the end of a sentence', `Please use the link ${URL_OF_READER}.\nto confirm your account.`],
    ['a paragraph of its own', `Please use the link ${URL_OF_READER}\n\nto confirm your account.`],
    ['one with its own link', `The map: ${URL_OF_READER}\nto confirm your account: https://app.example/`],
    ['a label', `Please use this:\n${URL_OF_READER} (a map)\nto confirm your account.`],
    [
      'a link on a line of its own',
      `Your order has left:\n${URL_OF_READER}\nto confirm your account, call us.`,
    ],
  ])('but not with %s', (_what, text) => {
    expect(actionOf('Harbour', `Hello,\n\n${text}\n`)).toBeNull()
  })

  test.each([
    [
      'reset',
      `To reset your password, visit ${URL_OF_READER}\nif you did not ask for this, ignore this mail.`,
    ],
    ['confirm', `Please confirm your e-mail address by visiting ${URL_OF_READER}\nor enter the code 482913.`],
    ['confirm', `გთხოვთ დაადასტუროთ თქვენი ელფოსტა: ${URL_OF_READER}\nბმული მოქმედებს 24 საათი.`],
  ])('nor otherwise: %s, %s', (kind, text) => {
    expect(actionOf('Harbour', `Hello,\n\n${text}\n`)).toMatchObject({ kind })
  })
})

test('the words of an action have no line below that its sentence does not need', () => {
  const text = `To reset your password, visit ${URL_OF_READER}\nif you did not ask for this, ignore this mail.`
  expect(actionOf('Harbour', text)?.text).toBe('To reset your password, visit')
  const wrapped = `Please use the link ${URL_OF_READER}\nto confirm your account.`
  expect(actionOf('Harbour', wrapped)?.text).toBe('Please use the link to confirm your account.')
})

describe('a label for something else does not take the request of the sentence before it', () => {
  test.each([
    ['Your verification code is 482913. Enter it to confirm your email.', 'Read our guide:'],
    ['Reset your password every six months.', 'Our tips:'],
    ['You have been invited to 3 groups this week.', 'See them here:'],
    ['Dear Ann, we confirm that we received your application.', 'Status page:'],
    ['Please confirm your address is up to date.', 'View it here:'],
    ["Don't forget to confirm your account!", 'See how it works:'],
    ['Bestätigen Sie nie Ihre Daten am Telefon.', 'Mehr dazu:'],
    ['Te enviaremos un correo para confirmar el envío.', 'Detalles:'],
    ['Ti invieremo una email per confermare la spedizione.', 'Dettagli:'],
    ['Saisissez-le pour confirmer votre adresse.', 'En savoir plus :'],
    ['Введите его, чтобы подтвердить адрес.', 'Подробнее:'],
    ['Vahvistamme tilauksen pian.', 'Tiedot:'],
    ['Please verify your email in the app.', 'For help, visit this page:'],
    ['Bitte bestätigen Sie Ihr Konto in der App.', 'Mehr dazu auf der folgenden Seite:'],
    ['Подтвердите свой адрес в приложении.', 'Подробнее по этой ссылке:'],
    ['メールアドレスを確認してください。', '詳しくはガイドで：'],
  ])('%s %s', (above, label) => {
    for (const text of [`${above} ${label} ${URL_OF_READER}`, `${above}\n${label}\n${URL_OF_READER}`])
      expect(actionOf('News from Harbour', `${text}\n`)).toBeNull()
  })

  test.each([
    ['en', 'You asked for a new password.', 'Use the link below to choose one:'],
    ['en', 'You asked for a new password.', 'To choose one, click here:'],
    ['uk', 'Хтось запросив новий пароль.', 'Встановити його можна за посиланням нижче:'],
    ['bg', 'Поискана е нова парола.', 'Можете да я зададете от връзката по-долу:'],
    ['cs', 'Někdo požádal o nové heslo.', 'Nastavit si ho můžete pomocí odkazu níže:'],
    ['nl', 'Er is een nieuw wachtwoord aangevraagd.', 'Via onderstaande link kiest u er een:'],
    ['pt', 'Foi pedida uma nova palavra-passe.', 'Pode defini-la através da ligação abaixo:'],
    ['sv', 'Någon har bett om ett nytt lösenord.', 'Klicka på länken för att välja ett:'],
    ['es', 'Pediste cambiar la contraseña.', 'Hacé clic acá para elegir otra:'],
    ['ja', '新しいパスワードを設定してください。', '下のリンクから行えます：'],
  ])('but a line that points to the link does: %s, %s %s', (_language, above, line) => {
    for (const text of [`${above} ${line} ${URL_OF_READER}`, `${above}\n${line}\n${URL_OF_READER}`])
      expect(actionOf('Harbour', `${text}\n`)).toMatchObject({ url: URL_OF_READER, kind: 'reset' })
  })

  test('and so does a line that goes on behind an abbreviation', () => {
    const text = `Patvirtinkite, kad tai jūsų el. pašto adresas: ${URL_OF_READER}`
    expect(actionOf('Harbour', text)).toMatchObject({ kind: 'confirm' })
    const sentence = `Patvirtinkite, kad tai jūsų adresas. mūsų gidas: ${URL_OF_READER}`
    expect(actionOf('Harbour', sentence)).toBeNull()
  })
})
