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
    ['if "bod" is Welsh', 'Harbour', 'Rhaid eich bod chi yma.', 'Cadarnhau eich cyfeiriad', 'confirm'],
    ['if the subject resets', 'Reset your password', 'Ola invited you.', 'Reset your password', 'reset'],
  ])('%s: %s, %s', (_why, subject, text, words, kind) => {
    expect(inHtml(subject, page(text, words))).toMatchObject({ url: OPAQUE, kind })
  })
})
