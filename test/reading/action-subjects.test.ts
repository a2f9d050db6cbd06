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
