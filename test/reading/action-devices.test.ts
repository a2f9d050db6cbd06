import { describe, expect, test } from '@jest/globals'
import { readLanguages } from '../../reading/lexicon/build.ts'
import { findLinks } from '../../reading/links.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'
const URL = `https://id.harbour.example/x/${TOKEN}`

function kindOf(subject: string, text: string): string | null {
  return findLinks({ subject, text, html: null }, LIMITS).actionLink?.kind ?? null
}

function kindOfButton(subject: string, sentence: string, words: string, url = URL): string | null {
  const html = `<p>${sentence}</p><p><a href="${url}">${words}</a></p>`
  return findLinks({ subject, text: `${sentence}\n\n${words}\n`, html }, LIMITS).actionLink?.kind ?? null
}

describe('a new device that waits is approved by a link, which confirms', () => {
  test.each([
    ['Approve new device for Harbour', 'Someone tried to log in.', 'Approve this browser'],
    ['We don’t recognise this browser', 'The login is on hold.', 'Let this browser in'],
    ['Neues Gerät', 'Jemand hat sich angemeldet.', 'Gerät zulassen'],
    [
      'Nouvel appareil détecté',
      'Une connexion vient d’être demandée.',
      'J’autorise cet appareil'.replace('’', "'"),
    ],
    ['¿Eres tú?', 'Alguien ha escrito tu contraseña.', 'Autoriza este navegador'],
    ['Povolení nového prohlížeče', 'Někdo se hlásí.', 'Povolit prohlížeč'],
    ['Új eszköz jóváhagyása', 'Ismeretlen eszközről próbáltak belépni.', 'Eszköz jóváhagyása'],
    ['새 기기 등록', '처음 보는 기기에서 접속하려고 합니다.', '기기 승인'],
    ['Ново устройство', 'Опит за вход.', 'Разрешавам устройството'],
  ])('%s: %s %s', (subject, sentence, words) => {
    expect(kindOfButton(subject, sentence, words)).toBe('confirm')
  })

  test('also if the subject names the device, and the words the sign-in', () => {
    expect(
      kindOfButton('Разрешите вход с нового устройства', 'Мы приостановили вход.', 'Разрешить вход'),
    ).toBe('confirm')
  })

  test('or if only its address says so', () => {
    const url = `https://id.harbour.example/devices/approve/${TOKEN}`
    expect(kindOfButton('Hello', 'Somebody waits.', 'Continue', url)).toBe('confirm')
    expect(kindOfButton('Hello', 'Somebody waits.', 'Continue')).toBeNull()
  })

  test('but a browser into which an address is copied is no device', () => {
    const sentence = 'Copy the link into your web browser to approve the request.'
    const url = `https://app.harbour.example/approvePassword.jsp?approvalCode=${TOKEN}`
    expect(kindOf('Harbour - Password Reset', `${sentence}\n\n${url}\n`)).toBe('reset')
  })

  test('every language has a word for a device', () => {
    const without = [...readLanguages()].filter(
      ([code, { links }]) => code !== 'international' && links.device === undefined,
    )
    expect(without.map(([code]) => code)).toEqual([])
  })
})

describe('a link without a password signs in', () => {
  test.each([
    'Sign in without a password',
    'Ulaz bez lozinke',
    'Prihlásenie bez hesla',
    'Log ind uden adgangskode',
    'パスワードなしでログイン',
  ])('%s', (sentence) => {
    expect(kindOf('News of October', `Dear readers,\n\nautumn is here.\n\n${sentence}: ${URL}\n`)).toBe(
      'sign_in',
    )
  })

  test('but no page for every reader', () => {
    const text = 'Sign in without a password: https://harbour.example/login\n'
    expect(kindOf('News of October', text)).toBeNull()
    const named = 'Log ind uden adgangskode: https://harbour.example/passwordless\n'
    expect(kindOf('News of October', named)).toBeNull()
  })
})

describe('what is not the reader’s to accept or reset', () => {
  test.each([
    ["You're invited to complete: Follow-up", 'You have been invited to a survey.', 'Complete survey now'],
    [
      'Priyanka, you appeared in 14 searches',
      'People you may know',
      'Connect',
      `https://a.example/people/invite?t=${TOKEN}`,
    ],
    ['Your weekly quota was reset', 'You have 50,000 requests.', 'here'],
    ['6 people viewed your profile and you have 2 invitations', 'Lotte Maes', 'View'],
    [
      'Einladung: Vortrag über Wärme',
      'Sie sind eingeladen.',
      'Einladung annehmen',
      `https://a.example/v?einladung=${TOKEN}`,
    ],
    ['Pozvánka na online seminár', 'Pozývame vás.', 'Prijať pozvanie'],
    ['Undangan wawancara', 'Silakan pilih waktu.', 'Pilih waktu'],
    ['Elena Vidal quiere conectar contigo', 'Te ha enviado una invitación.', 'Aceptar'],
    ['お友だち紹介で500ポイント', '招待しよう', '招待する', `https://a.example/invite/${TOKEN}`],
    [
      'Log in to view your statement',
      'Your statement is ready.',
      'Log in to view',
      'https://a.example/signon',
    ],
    ['Prihlásenie na Púť', 'Viac info nájdeš tu.', 'Prihlásenie', 'https://a.example/page/prihlasovanie-6'],
  ])('%s: %s %s', (subject, sentence, words, url = URL) => {
    expect(kindOfButton(subject, sentence, words, url)).toBeNull()
  })

  test('a sentence in front of the one that asks may name an order: "pedido" is a request too', () => {
    const text = `Recebemos um pedido para redefinir a senha. Clique abaixo para criar uma nova senha:\n\n${URL}\n`
    expect(kindOf('Ajuda com a sua conta', text)).toBe('reset')
  })

  test('an address below /about may confirm a subscription', () => {
    const url = 'https://a.example/about/subscr_edit.php?ID=1174&CONFIRM_CODE=f473ba58'
    expect(kindOf('News', `Please confirm your subscription:\n${url}\n`)).toBe('confirm')
    expect(
      kindOf('News', `Please confirm your subscription:\n${url.replace('CONFIRM_CODE', 'PAGE')}\n`),
    ).toBeNull()
  })
})

describe('what 350 mails of other projects showed', () => {
  test('the words behind an address in the text lead to the next link', () => {
    const html = `<p>Your request to https://harbour.example was received. Confirm your e-mail by <a href="${URL}">clicking</a>.</p>`
    expect(findLinks({ subject: 'Hello', text: '', html }, LIMITS).actionLink).toMatchObject({
      url: URL,
      kind: 'confirm',
    })
  })

  test('the name of a sender in brackets speaks of no code', () => {
    const sentence =
      'To add a verified email address to your user account, please click on the following link'
    expect(kindOf('[Harbour Code Review] Email Verification', `${sentence}:\n\n${URL}\n`)).toBe('confirm')
  })

  test('the page on which a code is typed is no action, nor is one to change the password', () => {
    const page = 'https://harbour.example/verify-email'
    const text = 'Confirm your email address with the code 390571.'
    expect(kindOfButton('Confirm your email address', text, 'the verification page', page)).toBeNull()
    expect(
      kindOfButton(
        'Change of password',
        'Change it at',
        'Change password',
        'https://harbour.example/change-password',
      ),
    ).toBeNull()
  })

  test('a temporary password beside the link for a new one is no sign-in', () => {
    const url = `https://harbour.example/first-time-login?token=${TOKEN}`
    const text = `パスワードをリセットするため、仮パスワードを発行いたしました。以下のURLから新しいパスワードを設定してください。\n\n${url}\n`
    expect(kindOf('仮パスワード発行のお知らせ', text)).toBe('reset')
  })
})

describe('what 340 more mails showed', () => {
  test('an address in the language of its site says what it is for', () => {
    const open = (path: string) => kindOf('Hello', `Open this:\n\nhttps://harbour.example/${path}/${TOKEN}\n`)
    expect(open('bekreft-epost/7713')).toBe('confirm')
    expect(open('auth/troca-senha')).toBe('reset')
    expect(open('parool/uus')).toBe('reset')
    expect(open('parts/overview')).toBeNull()
  })

  test('the only magic link signs in, whatever the sentence says', () => {
    const url = `https://trust.harbour.example/verify-magic-link?token=${TOKEN}`
    expect(kindOf('Connect', `Please use this link to connect to our compliance page:\n\n${url}\n`)).toBe(
      'sign_in',
    )
  })

  test('of several links the only one that was made for the reader accepts an invitation', () => {
    const text = `Ann invited you.\n\nLog in here: https://harbour.example/trip/join/${TOKEN}\n\nLater: https://harbour.example/trip/\n`
    expect(kindOf('You have been invited to share your costs', text)).toBe('invite')
  })

  test('a meeting is no action', () => {
    expect(
      kindOf('Invitasjon til møte: Styremøte 14', `Mer informasjon: https://a.example/m/${TOKEN}\n`),
    ).toBeNull()
    expect(kindOf('Invitasjon til Harbour', `Mer informasjon: https://a.example/m/${TOKEN}\n`)).toBe('invite')
  })

  test('a question for somebody else denies what the next sentence offers', () => {
    const html = `<p>Didn't do this? Be sure to <a href="https://a.example/v2?e=${TOKEN}">change your password</a> now.</p>`
    expect(findLinks({ subject: 'Your PIN', text: '', html }, LIMITS).actionLink).toBeNull()
  })
})

test('a code in a cell of its own may be the link to sign in', () => {
  const html = `<table><tr><td>Voici votre lien de connexion :</td></tr><tr><td><a href="https://a.example/users/sign_in?code=581746&t=${TOKEN}"> 581746 </a></td></tr></table>`
  expect(findLinks({ subject: 'Code de connexion', text: '', html }, LIMITS).actionLink?.kind).toBe('sign_in')
})

test('the address of a forgotten password says so', () => {
  const url = 'https://a.example/user/forgottenPassword?u=20931&k=f7c2d19a0be84e53'
  expect(
    kindOfButton('Password change', 'You asked for it.', 'Click here to perform this operation', url),
  ).toBe('reset')
})
