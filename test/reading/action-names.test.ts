import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../reading/links.ts'

/** What the name of a sender, or a sentence above the link, must not hide. */

const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'

function actionOf(subject: string, text: string): string | null {
  const found = findLinks({ subject, text, html: null }, { links: 50, linkBytes: 2048 }).actionLink
  return found && `${found.kind} ${new URL(found.url).pathname}`
}

describe('a name of a sender that has a word for something that is bought, booked or met', () => {
  const body = `Hello Ines,\n\nyou were invited by Ann.\n\nAccept the invitation: https://app.example/user/confirm/${TOKEN}\n\nThe team of `
  test.each([
    ['Invitation to Invoice Ninja', 'Invoice Ninja'],
    ['Accept the invitation - Harbour Delivery', 'Harbour Delivery'],
    ['Invitation – Donations of Harbour', 'Donations of Harbour'],
  ])('%s', (subject, name) => {
    expect(actionOf(subject, body + name)).toBe(`invite /user/confirm/${TOKEN}`)
  })
  test.each([
    ['a name that the text lacks', 'Invitation to Dinner Saturday', 'Invoice Ninja'],
    ['a word that is no name', 'Invitation to the meeting of Invoice Ninja', 'Invoice Ninja'],
    ['a subject without a request', 'News of Invoice Ninja', 'Invoice Ninja'],
  ])('but not %s', (_case, subject, name) => {
    expect(actionOf(subject, body + name)).toBeNull()
  })
})

test.each([
  [
    'an address for what the subject asks, below who should ignore the mail',
    'Log into Harbour',
    'You asked to log into Harbour. If you do not recognize this request please ignore this email.',
    'oauth2/passwordless',
    'sign_in',
  ],
  [
    'an address to reset a login',
    'איפוס סיסמה',
    'בבקשה ללחוץ על הקישור הבא לאיפוס הסיסמה. אם לא ניתן ללחוץ, יש להעתיק את הקישור:',
    'resetlogin',
    'reset',
  ],
  [
    'a sign-in that the reader confirms',
    'Login attempt from a new IP address',
    'To confirm that this login attempt was made by you, click on the link below:',
    'admin',
    'confirm',
  ],
  [
    'a code in brackets',
    'Welcome to Harbour',
    'Here is your invitation code: FP-8KQ3-ZT61\n\nSign up here (the code is filled in for you):',
    'signup',
    'invite',
  ],
  [
    'a new password for which a mail is confirmed',
    'Bestätigung deiner Passwortanfrage',
    'Um ein neues Passwort zu erhalten, musst Du diese E-Mail bestätigen. Klicke dazu den Link unterhalb.',
    'log',
    'reset',
  ],
])('%s', (_case, subject, sentence, path, kind) => {
  expect(actionOf(subject, `${sentence}\n\nhttps://app.example/${path}/${TOKEN}`)).toBe(
    `${kind} /${path}/${TOKEN}`,
  )
})

test('the answer that leaves an address as it was is no action', () => {
  const text = `Someone has requested a change of your email address. If you did not, click below.\n\n`
  const html = `<p>${text}</p><a href="https://app.example/email/validate/${TOKEN}">Do not change!</a>`
  const mail = { subject: 'Changing your email address', text, html }
  expect(findLinks(mail, { links: 50, linkBytes: 2048 }).actionLink).toBeNull()
})

test.each([
  ['Invitation to vote', 'You are invited to vote. Your personal link:'],
  ['Poziv na elektronsko glasanje', 'Pozvani ste da glasate. Vaš lični link:'],
])('an invitation to vote is no action: %s', (subject, sentence) => {
  expect(actionOf(subject, `${sentence}\n\nhttps://app.example/v/${TOKEN}`)).toBeNull()
})

test.each([
  ['Please reset your password', 'Reset it:', `https://github.com/password_reset/${TOKEN}`, 'reset'],
  [
    'Sign in to Medium',
    'Sign in:',
    'https://medium.com/m/callback/email?token=bc67286df7f1&operation=login',
    'sign_in',
  ],
  ['Reset your password', 'Reset password:', `https://click.discord.com/ls/click?upn=${TOKEN}`, 'reset'],
  ['Confirm your subscription', 'Confirm:', `https://harbour.example/news/confirm/${TOKEN}`, 'confirm'],
])('%s at an address that mostly is none: %s %s', (subject, sentence, url, kind) => {
  const mail = { subject, text: `${sentence}\n\n${url}`, html: null }
  expect(findLinks(mail, { links: 50, linkBytes: 2048 }).actionLink).toMatchObject({ url, kind })
})

test.each([
  ['Potrdite prijavo na e-novice', 'Prijavo potrdite s klikom na povezavo:'],
  ['Verify Harbour login from a new location', 'Verify login:'],
])('a subject that asks to confirm a sign-in or a subscription: %s', (subject, sentence) => {
  expect(actionOf(subject, `${sentence}\n\nhttps://app.example/p/${TOKEN}`)).toBe(`confirm /p/${TOKEN}`)
})

test('a link to recover an account is no action below a code to sign in', () => {
  const text = (first: string) =>
    `${first}\n\nIf you are unable to access your account, use this recovery link:\nhttps://app.example/wizard/x?stoken=${TOKEN}`
  expect(
    actionOf('Access from new computer', text('Here is the code you need to log in:\n\nR7KPW')),
  ).toBeNull()
})
