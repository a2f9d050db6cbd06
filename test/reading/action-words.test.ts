import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../reading/links.ts'
import type { ActionLink } from '../../reading/message.ts'

const LIMITS = { links: 50, linkBytes: 2048 }
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
