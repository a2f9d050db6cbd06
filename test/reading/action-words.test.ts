import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../reading/links.ts'
import type { ActionLink } from '../../reading/message.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'
/** An address that says nothing, as senders that count clicks make it. */
const OPAQUE = 'https://click.harbour.example/f/a/Zq81TUvLh0eSx3~~/7bYwQ2mVd94KcR6nHs5J'

function inText(subject: string, text: string): ActionLink | null {
  return findLinks({ subject, text, html: null }, LIMITS).actionLink
}

function inHtml(subject: string, html: string, text = ''): ActionLink | null {
  return findLinks({ subject, text, html }, LIMITS).actionLink
}

function button(words: string, url = OPAQUE): string {
  return `<p>Hello Noor,</p><p><a href="${url}">${words}</a></p>`
}

describe('words of one language are no English words', () => {
  test.each([
    ['You are on the yearly plan', 'Invite colleagues'],
    ['Your workspace is ready', 'Invite your crew to Harbour'],
    ['Connect your calendar to see free slots', 'Connect calendar'],
    ['Please connect a bank', 'Connect a bank'],
  ])('%s: %s', (subject, words) => {
    expect(inHtml(subject, button(words))).toBeNull()
  })

  test.each([
    ['Your mail domain was successfully verified', 'The mail domain of your account at'],
    ['Your email address is confirmed', 'The address of your account at'],
  ])('%s', (subject, text) => {
    const url = 'https://app.example/harbour'
    expect(inText(subject, `${text} ${url} has been verified and confirmed.`)).toBeNull()
  })

  test.each([
    ['nl', 'Verifieer je e-mailadres'],
    ['nl', 'Verifiëren van je e-mailadres'],
    ['pt', 'Verifique o seu e-mail'],
    ['fr', 'Vérifiez votre adresse e-mail'],
    ['fr', 'Confirmez votre adresse e-mail'],
    ['fr', 'Vérification de votre compte'],
    ['fr', 'Réactivez votre compte'],
  ])('%s: %s', (_code, words) => {
    expect(inHtml(words, button(words))).toMatchObject({ kind: 'confirm' })
  })

  test.each([
    ['eo', 'Tomo invitis vin al Harbour'],
    ['oc', 'Sètz invitat a Harbour'],
    ['rm', 'Invitaziun a Harbour'],
  ])('%s: %s', (_code, subject) => {
    expect(inHtml(subject, button('Harbour'))).toMatchObject({ kind: 'invite' })
  })
})

describe('a button, at an address that says nothing', () => {
  test.each([
    ['it', 'Il tuo nuovo profilo', 'Attiva profilo', 'confirm'],
    ['uk', 'Новий обліковий запис', 'Увімкніть свій обліковий запис', 'confirm'],
    ['zh', '新的帳戶', '啟動您的帳戶', 'confirm'],
    ['hi', 'ईमेल पता सुनिश्चित करें', 'पता सुनिश्चित करें', 'confirm'],
    ['he', 'החשבון שלך', 'השלימו את ההרשמה', 'confirm'],
    ['de', 'Anmeldung bei Harbour', 'Jetzt anmelden', 'sign_in'],
    ['sv', 'Noor bjöd in dig till Harbour', 'Harbour', 'invite'],
    ['sw', 'Noor alikualika Harbour', 'Harbour', 'invite'],
  ])('%s: %s, %s', (_code, subject, words, kind) => {
    expect(inHtml(subject, button(words))).toMatchObject({ url: OPAQUE, kind })
  })
})

test.each([
  ['bg', 'Поканен сте от Noor.', 'Регистрирайте се'],
  ['ru', 'Вас пригласила Noor.', 'Зарегистрироваться'],
  ['uk', 'Вас запросила Noor.', 'Зареєструватися'],
])('registering is the answer to an invitation, %s: %s', (_code, lead, words) => {
  expect(inHtml('Harbour', button(words), `${lead}\n\n${words} [${OPAQUE}]\n`)).toMatchObject({
    kind: 'invite',
  })
})

describe('no action', () => {
  test.each([
    ['lt', 'Naujas prisijungimas', 'Prisijungta: Pixel 9. Jei tai ne jūs, ', 'pakeiskite slaptažodį'],
    ['bg', 'Ново устройство', 'Влизане: Pixel 9. ', 'Сменете паролата'],
    ['si', 'නව උපාංගයක්', 'මෙය අනපේක්ෂිත නම් ', 'මුරපදය යළි සකසන්න'],
  ])('in a report, %s: %s', (_code, subject, lead, words) => {
    expect(inHtml(subject, `<p>Harbour</p><p>${lead}<a href="${OPAQUE}">${words}</a></p>`)).toBeNull()
  })

  test('in a report of a key, whose reader is asked to look at the account', () => {
    const link = `<a href="${OPAQUE}">https://harbour.example/me</a>`
    const html = `<p>Look at your account at ${link} to confirm that no boat is missing.</p>`
    expect(inHtml('Your access key "Mole" has been revoked', html)).toBeNull()
  })

  test('to confirm payouts', () => {
    expect(inHtml('3 sellers wait for you', button('Check and confirm payouts'))).toBeNull()
  })

  test('to leave a newsletter', () => {
    expect(inHtml('Harbour: Newsletter-Abmeldung', button('Abmeldung bestätigen'))).toBeNull()
  })
})

describe('beside a code, the only link', () => {
  const text = (words: string) => `Type this code to verify your address: 482913\n\n${words} [${OPAQUE}]\n`
  const html = (words: string) =>
    `<p>Type this code to verify your address: 482913</p><p><a href="${OPAQUE}">${words}</a></p>`

  test.each(['Harbour Ltd', 'Write to us'])('is none if its words name something else: %s', (words) => {
    expect(inHtml('Verify your e-mail', html(words), text(words))).toBeNull()
  })

  test.each(['Open link', 'Continue'])('is the action if its words leave that open: %s', (words) => {
    expect(inHtml('Verify your e-mail', html(words), text(words))).toMatchObject({ kind: 'confirm' })
  })

  test('behind invisible characters, which fill the preview of an inbox', () => {
    const filled = `Harbour ${' \u200c\u034f\u200b\u200d\u200e\ufeff'.repeat(180)}\n${text('Harbour Ltd')}`
    expect(inHtml('Verify your e-mail', html('Harbour Ltd'), filled)).toBeNull()
  })
})

describe('an account is activated at a form for its first password', () => {
  const url = `https://app.example/lost-password/${TOKEN}`

  test.each([
    ['Welcome to Harbour', 'confirm'],
    ['Noor invited you to Harbour', 'invite'],
  ])('%s', (subject, kind) => {
    expect(inText(subject, `To activate your account, open ${url}`)).toMatchObject({ url, kind })
    expect(inHtml(subject, button('Activate your account', url))).toMatchObject({ url, kind })
  })

  test.each([
    ['Harbour: reset your password', 'To confirm your account, open'],
    ['Harbour', 'To activate your account with a password, open'],
  ])('and a reset is one: %s, %s', (subject, text) => {
    expect(inText(subject, `${text} ${url}`)).toMatchObject({ url, kind: 'reset' })
  })
})

test('an invitation may lead to a page for signing in, with a value for its reader', () => {
  const url = `https://app.example/auth/entry?email=noor@b.example&code=7KQ2MX`
  const text = `You have been invited to the crew of Harbour.\n\nFollow this link to join the crew: ${url}\n`
  expect(inText('Welcome, noor@b.example', text)).toMatchObject({ url, kind: 'invite' })
})

test.each(['Confirm login change', 'Login-Änderung bestätigen'])(
  'a new login is confirmed: %s',
  (subject) => {
    const url = `https://app.example/confirm-change?key=${TOKEN}`
    expect(inText(subject, `To confirm the new login, open ${url}`)).toMatchObject({ url, kind: 'confirm' })
  },
)

describe('a reset that was requested is no report', () => {
  test.each([
    ['de', 'Ein Passwort-Reset wurde angefordert', 'Mein Passwort zurücksetzen'],
    ['fr', 'La réinitialisation du mot de passe a été demandée', 'Réinitialiser mon mot de passe'],
    ['es', 'El cambio de contraseña ha sido solicitado', 'Restablecer mi contraseña'],
    ['it', 'La reimpostazione della password è stata richiesta', 'Reimposta la password'],
    ['it', 'Una richiesta di reimpostazione della password è stata effettuata', 'Reimposta la password'],
    ['ru', 'Сброс пароля был запрошен', 'Сбросить пароль'],
  ])('%s: %s', (_code, subject, words) => {
    expect(inHtml(subject, button(words))).toMatchObject({ url: OPAQUE, kind: 'reset' })
  })

  test.each([
    ['de', 'Ihr Passwort wurde geändert', 'Passwort zurücksetzen'],
    ['fr', 'Votre mot de passe a été modifié', 'Réinitialiser mon mot de passe'],
    ['es', 'Su contraseña ha sido cambiada', 'Restablecer mi contraseña'],
    ['it', 'La password è stata modificata', 'Reimposta la password'],
    ['ru', 'Пароль был изменён', 'Сбросить пароль'],
  ])('but one that was made is, %s: %s', (_code, subject, words) => {
    expect(inHtml(subject, button(words))).toBeNull()
  })
})

test('an invitation to reports is accepted, and a report is made', () => {
  const subject = 'You have been invited to join the project'
  expect(inHtml(subject, button('Accept report invitation'))).toMatchObject({ kind: 'invite' })
  expect(inHtml(subject, button('Report this invitation'))).toBeNull()
})

test('an address is updated at a sender whose name has two words', () => {
  const url = `https://ctf.example/x/${TOKEN}1`
  const html = `<p>We need to know that it is you.</p><p><a href="${url}">Update your email</a></p>`
  expect(inHtml('Update your Harbour CTF email', html)).toMatchObject({ url, kind: 'confirm' })
})

test('the setup of a missing account is finished by its reader', () => {
  const here = (sentence: string) => `<p>${sentence} <a href="${OPAQUE}">here</a>.</p>`
  const missing = "Since you don't have an account yet, please finish your setup by clicking"
  expect(inHtml('Welcome to Harbour', here(missing))).toMatchObject({ url: OPAQUE, kind: 'confirm' })
  const added = 'Your e-mail address has been added to the Harbour organization.'
  expect(inHtml('Welcome', `<p>${added}</p>${here(missing)}`, added)).toMatchObject({ kind: 'invite' })
  const invited = 'Harbour invited you to manage boats.'
  const setup = 'To finish your setup and get instructions please click'
  expect(inHtml('Welcome', `<p>${invited}</p>${here(setup)}`, invited)).toMatchObject({ kind: 'invite' })
  expect(inHtml('Welcome to Harbour', here(setup))).toBeNull()
})

test('a link that cancels an activation is no action in Russian', () => {
  const url = (n: number) => `https://app.example/x/${TOKEN}${n}`
  const confirms = `Вам необходимо активировать учетную запись, используя ссылку:\n${url(1)}\n`
  const cancels = `Чтобы отменить активацию учетной записи воспользуйтесь ссылкой:\n${url(2)}\n`
  expect(inText('Регистрация', confirms + cancels)).toMatchObject({ url: url(1) })
  expect(inText('Регистрация', cancels)).toBeNull()
})

describe('words of an action are not those of a bill, a ticket or a feature', () => {
  const url = `https://click.harbour.example/f/${'Q7mVx2LkTz0eSbYw4dRcHn5J'}`
  const kindOf = (text: string) =>
    findLinks({ subject: 'Harbour', text: `${text}：\n${url}\n`, html: null }, LIMITS).actionLink?.kind

  test.each([
    ['zh', '您好，我们已为您创建了工单，点击查看'],
    ['zh', '您好，我們已為您建立了本月報表，點此查看'],
    ['fa', 'برای شما صورت حساب جدیدی صادر شد'],
    ['ja', '通知を有効にするにはこちら'],
    ['ja', '2段階認証を有効にしてください'],
    ['th', 'การสมัครสมาชิกของคุณเสร็จสมบูรณ์แล้ว ดูบัญชีของคุณ'],
    ['th', 'คุณลงทะเบียนเข้าร่วมงานเสร็จเรียบร้อยแล้ว ดูตั๋วของคุณ'],
    ['uk', 'Активуй бонус уже зараз'],
    ['es', 'Has pedido una pizza. Confirma la entrega'],
    ['es', 'Genera contraseñas seguras'],
    ['eu', 'Zuretzat kontuan hartu dugu eskaintza'],
  ])('%s: %s', (_language, text) => {
    expect(kindOf(text)).toBeUndefined()
  })

  test.each([
    ['zh', '已为您创建了新的账户，点击查看', 'invite'],
    ['fa', 'برای شما یک حساب کاربری ساخته شد', 'invite'],
    ['ja', 'アカウントを有効にするにはこちら', 'confirm'],
    ['th', 'ลงทะเบียนให้เสร็จสมบูรณ์', 'confirm'],
    ['uk', 'Активуй свій обліковий запис', 'confirm'],
    ['es', 'Has pedido cambiar la contraseña. Genera una nueva contraseña', 'reset'],
    ['eu', 'Zuretzat kontu bat sortu dugu', 'invite'],
  ])('but %s: %s', (_language, text, kind) => {
    expect(kindOf(text)).toBe(kind)
  })
})
