import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../reading/links.ts'
import type { ActionLink } from '../../reading/message.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'
/** The address of a tracker, which says nothing. */
const TRACKED = `https://click.mail.example/ls/click?upn=u001.${TOKEN}`

function actionOf(subject: string, text: string, html: string | null = null): ActionLink | null {
  return findLinks({ subject, text, html }, LIMITS).actionLink
}

/** The action of a mail of HTML with these buttons, each with the address of a tracker. */
function buttonOf(subject: string, lead: string, ...buttons: string[]): ActionLink | null {
  const links = buttons.map((words, n) => `<p><a href="${TRACKED}${n}">${words}</a></p>`)
  return actionOf(subject, [lead, ...buttons].join('\n\n'), `<p>${lead}</p>${links.join('')}`)
}

describe('an address', () => {
  test('of a page for every reader is the action if its query has a token', () => {
    const text = 'Click here to confirm your subscription:\n\nhttps://club.example/news/summer'
    expect(actionOf('Your subscription', `${text}?token=com-${TOKEN}`)).toMatchObject({ kind: 'confirm' })
    expect(actionOf('Your subscription', `${text}?page=com-${TOKEN}`)).toBeNull()
  })

  test('of a social network is the action in a mail of its own, and no invitation to a channel', () => {
    const url = `https://www.instagram.com/accounts/confirm_email/${TOKEN}/?app_redirect=False`
    expect(actionOf('Confirm your email address', `Please confirm your address:\n\n${url}`)).toMatchObject({
      url,
      kind: 'confirm',
    })
    const channel = 'https://discord.gg/invite/Kx7pQ2mNc4'
    expect(actionOf('You are invited to Harbour', `Join our channel:\n\n${channel}`)).toBeNull()
  })

  test('that changes the address of an account is confirmed, in any language', () => {
    const url = `https://forum.example/profile.php?id=7&action=change_email&key=${TOKEN}`
    expect(actionOf('Xyzzy', `Foo bar:\n${url}`)).toMatchObject({ url, kind: 'confirm' })
    expect(actionOf('Xyzzy', 'Foo bar:\nhttps://forum.example/profile.php?action=change_email')).toBeNull()
  })

  test('with a token does not outweigh one that does something else, which the mail is about', () => {
    const confirm = 'Confirm your email address: https://app.example/confirm-your-email-address'
    for (const other of ['Reset your password', 'Accept the invitation'])
      expect(
        actionOf(
          'Confirm your email address',
          `${confirm}\n\n${other}: https://app.example/x?token=${TOKEN}`,
        ),
      ).toMatchObject({ kind: 'confirm' })
  })

  test('with a token outweighs one of a form that does the same', () => {
    const url = `https://app.example/account/claim?token=${TOKEN}`
    const text =
      `Please visit the following link to set your password:\n\n${url}\n\n` +
      'Later, begin by resetting your password here:\n\nhttps://app.example/reset-password'
    expect(actionOf('Password reset', text)).toMatchObject({ url, kind: 'reset' })
  })

  test('of an activation leads to a new password if the words say so', () => {
    const url = `https://app.example/users/activate?u=${TOKEN}`
    expect(actionOf('Harbour', `Follow this link to reset your password:\n\n${url}`)).toMatchObject({
      kind: 'reset',
    })
    expect(actionOf('Harbour', `Set a password to activate your account:\n\n${url}`)).toMatchObject({
      kind: 'confirm',
    })
  })
})

describe('a button', () => {
  test('that activates nothing that is named is none in a mail about a discount', () => {
    expect(buttonOf('We miss you', 'Come back and take a 50% discount!', 'Activate now!')).toBeNull()
    expect(buttonOf('Welcome to Harbour', 'Nice to see you.', 'Activate now!')).toMatchObject({
      kind: 'confirm',
    })
    expect(
      buttonOf('We miss you', 'Come back and take a 50% discount!', 'Activate your account'),
    ).toMatchObject({ kind: 'confirm' })
  })

  test('that accepts the invitation outweighs one that creates an account for that', () => {
    const lead = 'You have been invited to join the team of Harbour.'
    expect(buttonOf('Team invitation', lead, 'Create account', 'Accept invitation')).toMatchObject({
      text: 'Accept invitation',
    })
  })

  test.each(['Claim seat', 'Claim your account', 'Set up account'])('%s takes up an invitation', (words) => {
    const lead = 'Maren has invited you to Harbour.'
    expect(buttonOf('Your seat at Harbour', lead, 'How Harbour works', words)).toMatchObject({
      text: words,
      kind: 'invite',
    })
  })

  test('whose words are a code opens the form for it', () => {
    const lead = 'Somebody asked for a new password. Use this code:'
    for (const words of ['XK42-99QP', '48-13-90'])
      expect(buttonOf('Password reset', lead, words)).toMatchObject({ text: words, kind: 'reset' })
    expect(buttonOf('Password reset', lead, 'Harbour')).toBeNull()
  })

  test('whose words name nothing is none below a code, which the beginning of the text announces', () => {
    const lead = (length: number) => `${'Somebody asked for it.'.padEnd(length - 'code'.length, ' na')}code`
    expect(buttonOf('Password reset', lead(1000), 'Harbour')).toBeNull()
    expect(buttonOf('Password reset', lead(1001), 'Harbour')).toMatchObject({
      text: 'Harbour',
      kind: 'reset',
    })
  })

  test('of many words confirms an address only if no other link was made for its reader', () => {
    const words = 'Click this to confirm the address of your account with us at Harbour'
    expect(buttonOf('Harbour', 'Hello', words)).toMatchObject({ text: words, kind: 'confirm' })
    expect(buttonOf('Harbour', 'Hello', words, 'Harbour news')).toBeNull()
    const sentence = `We checked it all, and we would like to ask you to confirm: ${TRACKED}`
    expect(actionOf('Harbour', sentence)).toMatchObject({ url: TRACKED, kind: 'confirm' })
    expect(actionOf('Harbour', `${sentence}\n\n${TRACKED}2`)).toBeNull()
  })
})

test('a report that a second factor was turned off asks for nothing', () => {
  for (const word of ['enabled', 'disabled'])
    expect(
      buttonOf(
        `Multi-factor authentication ${word} on your account`,
        'You can ignore this.',
        'harbour.example',
      ),
    ).toBeNull()
})

test('the answer to an invitation is none', () => {
  expect(buttonOf('Leandro a accepté votre invitation !', 'Bonne lecture.', 'Voir Leandro')).toBeNull()
})

test('a long sentence in Cyrillic leaves enough searches for its link', () => {
  const text =
    'Мы получили запрос на смену адреса электронной почты для вашего аккаунта на Alster Werkstatt. ' +
    'Чтобы завершить запрос, нажмите на ссылку ниже.'
  const html = `<p>Здравствуйте,</p><p>${text}</p><p><a href="${TRACKED}">${TRACKED}</a></p>`
  expect(actionOf('Смена почтового адреса на сайте Alster Werkstatt', '', html)).toMatchObject({
    url: TRACKED,
    kind: 'confirm',
  })
})

test.each([
  ['cs', 'Klikněte na níže uvedený odkaz pro potvrzení odběru:'],
  ['it', 'Clicca qui per confermare la tua iscrizione:'],
  ['lv', 'Noklikšķiniet šeit, lai apstiprinātu savu abonementu:'],
  ['nl', 'Klik hier om uw inschrijving te bevestigen:'],
  ['pl', 'Kliknij tutaj, aby potwierdzić subskrypcję:'],
  ['pt', 'Clicar aqui para confirmar a subscrição:'],
  ['sq', 'Kliko këtu mbi këtë vegëz për të konfirmuar abonimin tuaj:'],
  ['sr', 'Да бисте потврдили претплату кликните на линк испод:'],
  ['sv', 'Klicka här för att bekräfta din prenumeration:'],
  ['tr', 'Aboneliğinizi onaylamak için şuraya tıklayın:'],
  ['fa', 'لینک زیر را برای تایید اشتراک‌تان کلیک کنید:'],
])('a subscription is confirmed, beside the way to end it: %s', (_code, sentence) => {
  const end = `https://club.example/e?token=cor-${TOKEN.toLowerCase()}`
  expect(actionOf('Harbour', `${sentence}\n\n${TRACKED}\n\n...\n\n${end}`)).toMatchObject({
    url: TRACKED,
    kind: 'confirm',
  })
})

test.each([
  ['ast', 'Contraseña escaecida'],
  ['ca', 'Oblit de la contrasenya'],
  ['gl', 'Chave esquecida'],
  ['he', 'שכיחת הסיסמה'],
  ['ht', 'Modpas ki oublye'],
  ['hu', 'Jelszó elvesztése'],
  ['oc', 'Mot de santa Clara oblidat'],
  ['sv', 'Glömma bort lösenord'],
  ['th', 'การรีเซตรหัสผ่าน Harbour'],
  ['yo', 'Harbour Ọrọigbaniwọle Tunto'],
  ['pt', 'Reinicia a sua palavra-passe do Harbour'],
])('a forgotten password is a subject: %s, %s', (_code, subject) => {
  expect(actionOf(subject, `Harbour\n\n${TRACKED}`)).toMatchObject({ kind: 'reset' })
})

test.each([
  ['ja', '申請内容のご確認は以下のページをご利用ください。'],
  ['ja', '情報源の一覧は以下でご確認ください。'],
])('to look at a list is not to confirm it: %s, %s', (_code, sentence) => {
  expect(actionOf('Harbour', `${sentence}\n${TRACKED}`)).toBeNull()
})

test.each([
  ['he', 'ניהול ההזמנה:'],
  ['he', 'הזמנה זו שולמה. סמנו אותה בעמוד המכירות:'],
  ['ar', 'عرض الفعالية:'],
])('a booking is no invitation, and an event is nothing to activate: %s, %s', (_code, sentence) => {
  expect(actionOf('Harbour', `${sentence}\n${TRACKED}`)).toBeNull()
})

test('the ways to say "reset" in Indonesian', () => {
  expect(actionOf('Pengaturan ulang kata sandi', `Harbour\n\n${TRACKED}`)).toMatchObject({ kind: 'reset' })
  expect(actionOf('Atur ulang kata sandi', `Harbour\n\n${TRACKED}`)).toMatchObject({ kind: 'reset' })
})

test.each([
  ['fr', 'Pour réinitialiser votre mot de passe, rendez-vous à :'],
  ['es', 'Para configurar su contraseña visite:'],
  ['da', 'For at sætte din adgangskode, besøg:'],
])('a password is set: %s, %s', (_code, sentence) => {
  expect(actionOf('Harbour', `${sentence}\n${TRACKED}`)).toMatchObject({ kind: 'reset' })
})

test('what was requested is no invitation, and an appointment is no way to go to a page', () => {
  expect(actionOf('Запрошенная вами информация', `Чтобы сбросить пароль:\n${TRACKED}`)).toMatchObject({
    kind: 'reset',
  })
  expect(actionOf('Confirmez votre rendez-vous', `Confirmez votre rendez-vous :\n${TRACKED}`)).toBeNull()
})

test.each([0, 1, 4, 10])('a notice asks for nothing, with %d sentences between it and its link', (count) => {
  const url = `https://app.example/reset?token=${TOKEN}`
  const between = 'It was done in the settings of the application by a person on your team. '.repeat(count)
  const text = (notice: string) => `${notice}\n\n${between}\n\nReset your password: ${url}`
  expect(actionOf('Hello', text('Your password was changed.'))).toBeNull()
  expect(actionOf('Hello', `${text('Hello.')}\n\nYour password was changed.`)).toMatchObject({
    kind: 'reset',
  })
})

describe('a link beside a code signs in', () => {
  const link = `https://app.example/x/${TOKEN}`

  test.each([
    ['Harbour 482913 - OTP', 'Enter the OTP: 482913\n\nOr click on the following link to sign in.'],
    ['Your authentication token', 'Or use this link to log in:'],
    ['Harbour 482913 - OTP', 'Je kunt ook op de volgende link klikken om in te loggen.'],
    ['Ihr Sicherheitscode', 'Oder klicken Sie auf diesen Link, um sich anzumelden:'],
  ])('%s: %s', (subject, text) => {
    expect(actionOf(subject, `${text}\n\n${link}`)).toMatchObject({ url: link, kind: 'sign_in' })
  })

  test('in any language if its address says so', () => {
    const url = `https://app.example/sign-in?otp=482913&email=ines%40mail.example`
    expect(
      actionOf('Harbour - رمز یک‌بار مصرف', `482913\n\nیا بر روی لینک زیر کلیک کنید\n\n${url}`),
    ).toMatchObject({
      url,
      kind: 'sign_in',
    })
  })

  test('at the path of a second factor, which has no code for a page of settings', () => {
    const url = `https://app.example/two-factor/verify?token=482913&user=${TOKEN}`
    const html = (href: string) => `<p>Enter this token: 482913</p><p><a href="${href}">Login</a></p>`
    const subject = 'Your authentication token is 482913'
    expect(actionOf(subject, 'Login', html(url))).toMatchObject({ url, kind: 'sign_in' })
    expect(actionOf(subject, 'Login', html(`https://app.example/two-factor/${TOKEN}`))).toBeNull()
    const withoutCode = `https://app.example/two-factor/verify?token=&user=${TOKEN}`
    expect(actionOf(subject, 'Login', html(withoutCode))).toBeNull()
  })

  test.each([
    [
      'another address was made for the reader too',
      'Harbour 482913 - OTP',
      `Read more: https://app.example/n/${TOKEN}`,
    ],
    ['the code is one of another kind', 'Your code for 20 % off', ''],
    ['the code is a voucher', 'Your secret voucher code', ''],
    ['the subject brings no code', 'Your new statement', ''],
    ['the subject reports', 'New sign-in with a login code', ''],
  ])('but not if %s', (_reason, subject, more) => {
    expect(actionOf(subject, `Click on the following link to sign in.\n\n${link}\n\n${more}`)).toBeNull()
  })
})

describe('a code that is the words of a link', () => {
  const mail = (subject: string, sentence: string, words = '915721') =>
    actionOf(subject, '', `<p>${sentence} <a href="${TRACKED}">${words}</a></p>`)

  test.each([
    ['One time code', 'Use this one time code to sign in:', 'sign_in'],
    ['Ihr Anmeldecode', 'Mit diesem Code können Sie sich anmelden:', 'sign_in'],
    ['Your verification code', 'Use this code to confirm your email address:', 'confirm'],
  ])('does what the sentence says: %s', (subject, sentence, kind) => {
    expect(mail(subject, sentence)).toMatchObject({ url: TRACKED, kind })
  })

  test('is none in a mail that brings no code, and below other words', () => {
    expect(mail('Your parcel', 'Use this code to sign in:')).toBeNull()
    expect(mail('One time code', 'Your one time code is:')).toBeNull()
    expect(mail('One time code', 'Use this one time code to sign in:', 'Harbour')).toBeNull()
  })
})

const CONFIRM = `https://shop.example/a/${TOKEN}`
const LEAVE = `https://shop.example/b/${TOKEN}`

test.each([
  `Your_order has shipped._To confirm your email address, click <a href="${CONFIRM}">here</a>. Thank you.`,
  `To confirm your email address, click_<a href="${CONFIRM}">here</a>. To unsubscribe, click_<a href="${LEAVE}">here</a>.`,
  `To_unsubscribe, click_<a href="${LEAVE}">here</a>. To confirm your email address, click_<a href="${CONFIRM}">here</a>.`,
  `Hello,_we are glad._Confirm your email address_<a href="${CONFIRM}">here</a>. If this was not you, ignore it.`,
])('the sentence around a link is the same in HTML with wide spaces: %s', (sentence) => {
  for (const space of [' ', '\n', '\n\t\t', ' '.repeat(60)]) {
    const html = `<p>${sentence.replaceAll('_', space)}</p>`
    expect(actionOf('Hello', '', html)?.url).toBe(CONFIRM)
  }
})
