import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { readLanguages } from '../../reading/lexicon/build.ts'
import { findLinks } from '../../reading/links.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
/** An address that says nothing, as senders that count clicks make it. */
const OPAQUE = 'https://click.harbour.example/f/a/Zq81TUvLh0eSx3~~/7bYwQ2mVd94KcR6nHs5J'
const SUBJECTS = JSON.parse(
  readFileSync(new URL('../fixtures/mails/action-subjects.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, string[]>>

function actionOf(subject: string, text = `${OPAQUE}\n`): string | null {
  return findLinks({ subject, text, html: null }, LIMITS).actionLink?.kind ?? null
}

describe('the subject decides the kind of the only link', () => {
  test.each(Object.entries(SUBJECTS))('%s', (_language, kinds) => {
    const wrong = Object.entries(kinds).flatMap(([kind, subjects]) =>
      subjects
        .filter((subject) => actionOf(subject) !== kind)
        .map((subject) => [kind, subject, actionOf(subject)]),
    )
    expect(wrong).toEqual([])
  })
})

const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'
const APPROVE = `https://app.example/login/approve?token=${TOKEN}`
const RESET = `https://app.example/reset-password?token=${TOKEN}`
const OPEN = `Open this link:\n${APPROVE}`
const TRIED = `Someone tried to sign in to Harbour.\n\nApprove:\n${APPROVE}`

describe('what the subject and the first sentences report', () => {
  test.each([
    'Approve new login on Harbour',
    'Genehmigen: neue Anmeldung bei Harbour',
    'Apruebe nuevo inicio de sesión',
    'Approuver nouvelle connexion à Harbour',
  ])('a subject that begins with a request reports nothing: %s', (subject) => {
    expect(actionOf(subject, OPEN)).toBe('sign_in')
  })

  test.each([
    'New sign-in to your account',
    'Neue Anmeldung bei Ihrem Konto',
    'Nouvelle connexion à votre compte',
    'Your email has been verified',
    'Your password reset token was created',
  ])('a report is no request, unless an account was created: %s', (subject) => {
    expect(actionOf(subject, OPEN)).toBeNull()
  })

  test.each([
    ['Your code to sign in to Harbour', OPAQUE, null],
    ['Sign in to Harbour', OPAQUE, 'sign_in'],
    ['News of your account', `Reset your password:\n${RESET}\n\nYour password was changed.`, 'reset'],
    ['News of your account', `Your password was changed.\n\nReset your password:\n${RESET}`, null],
    ['Security alert', TRIED, null],
    ['New device', TRIED, 'confirm'],
    // With a second link, the subject alone decides nothing.
    [
      'Reset your password',
      `Your password was changed. Choose a new one:\n${RESET}\n\nOr:\n${RESET}2`,
      'reset',
    ],
    [
      'News of your account',
      `Your password was changed. Choose a new one:\n${RESET}\n\nOr:\n${RESET}2`,
      null,
    ],
  ])('%s: %s', (subject, text, kind) => {
    expect(actionOf(subject, text)).toBe(kind)
  })
})

describe('a page to sign in, in a mail for many readers', () => {
  const textWith = (links: number) =>
    [
      `Sign in to Harbour:\nhttps://app.example/login?token=${TOKEN}`,
      ...Array.from({ length: links - 1 }, (_, n) => `Story ${n}:\nhttps://news.example/stories/${n}`),
    ].join('\n\n')

  test.each([
    ['News of Harbour', 12, 'sign_in'],
    ['News of Harbour', 13, null],
    ['Sign in to Harbour', 13, 'sign_in'],
  ])('%s, with %d links', (subject, links, kind) => {
    expect(actionOf(subject, textWith(links))).toBe(kind)
  })
})

const languages = [...readLanguages()].filter(([code]) => code !== 'international')

test.each(languages)(
  '%s has words for each kind of action, for passwords and for reports',
  (_code, { links }) => {
    for (const field of [
      'confirm',
      'signIn',
      'invite',
      'join',
      'approve',
      'deny',
      'password',
      'mailbox',
      'account',
      'changed',
    ] as const)
      expect(links).toHaveProperty(field)
  },
)

describe('a title that others wrote asks for nothing', () => {
  const page = (lead: string, words: string, url = OPAQUE) =>
    findLinks({ subject: '', text: lead, html: `<p>${lead}</p><p><a href="${url}">${words}</a></p>` }, LIMITS)
      .actionLink

  test.each(['tasks/8f2c77d1a0b4e6f19c3d', 'projects/issues/view/8f2c77d1a0b4e6f19c3d', 'incidents/48213'])(
    'at the page of a team, /%s',
    (path) => {
      const words = 'Reset the passwords of the shared accounts'
      expect(page('Tasks (1)', words, `https://app.example/${path}`)).toBeNull()
      expect(page('Tasks (1)', words, `https://app.example/r/${path.split('/').at(-1)}`)).not.toBeNull()
    },
  )

  test('though its query has a token', () => {
    const url = 'https://app.example/tasks/confirm?token=8f2c77d1a0b4e6f19c3d'
    expect(page('Hello,', 'Confirm your account', url)).toMatchObject({ url })
  })

  const kindOf = (subject: string, words: string) =>
    findLinks({ subject, text: '', html: `<p>Hello,</p><p><a href="${OPAQUE}">${words}</a></p>` }, LIMITS)
      .actionLink?.kind ?? null

  test('behind the number and the state of a ticket', () => {
    expect(kindOf('[#14:INVESTIGATING] Sign in to Harbour', 'here')).toBeNull()
    expect(kindOf('[#14: Open] Reset your password', 'here')).toBeNull()
    expect(kindOf('[Harbour: now] Reset your password', 'here')).toBe('reset')
  })

  test('if it resets no password and the words of the link do not either', () => {
    expect(kindOf('Training assigned: Reset your assumptions', 'Start training')).toBeNull()
    expect(kindOf('Training assigned: Reset your password', 'Start training')).toBe('reset')
    expect(kindOf('Training assigned: Reset your assumptions', 'here')).toBeNull()
  })
})
