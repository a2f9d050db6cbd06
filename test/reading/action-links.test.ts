import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { LINK_BYTES, LINKS_MAX } from '../../core/limits.ts'
import { findLinks } from '../../reading/links.ts'
import type { ActionKind } from '../../reading/message.ts'

const LIMITS = { links: LINKS_MAX, linkBytes: LINK_BYTES }

/** The parts from which the tests build a mail of each kind in a language. */
interface Row {
  language: string
  kind: ActionKind
  subject: string
  lead: string
  button: string
}

interface Mail {
  name: string
  subject: string
  text: string
  html: string | null
}

interface Placed extends Mail {
  url: string
  kind: ActionKind
  /** The words beside the link, if the case is about them. */
  said: string | null
}

function fixture<T>(name: string): T[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/mails/${name}.json`, import.meta.url), 'utf8'))
}

const ROWS = fixture<Row>('action-links')

const TRACKED = 'https://u7.click.example/ls/click?upn=u001.Zk2qT-2FbQ8f14e45fce-2B9d'

/** The layout of newsletter tools: tracking addresses, a logo above and a footer below. */
function html({ lead, button }: Row): string {
  return `<table><tr><td><a href="${TRACKED}1"><img src="https://cdn.example/logo.png" alt="Harbour"></a></td></tr>
<tr><td><p>${lead}</p><table><tr><td><a style="padding:12px" href="${TRACKED}2"><span>${button}</span></a></td></tr></table>
<p>Harbour Ltd, 1 Quay Road</p></td></tr>
<tr><td><a href="${TRACKED}3">Help</a> <a href="${TRACKED}4">Privacy</a> <a href="${TRACKED}5">Unsubscribe</a></td></tr></table>`
}

const named = ROWS.map((row): [string, Row] => [`${row.language} ${row.kind}: ${row.button}`, row])

describe('a button with a tracking link', () => {
  test.each(named)('%s', (_name, row) => {
    const { actionLink, links } = findLinks({ subject: row.subject, text: '', html: html(row) }, LIMITS)
    expect(actionLink).toEqual({ url: `${TRACKED}2`, text: row.button, kind: row.kind })
    expect(links[0]).toBe(`${TRACKED}2`)
  })
})

describe('a text with the words above the address', () => {
  test.each(named)('%s', (_name, row) => {
    const text = `${row.lead}\n\n${row.button}:\n\nhttps://harbour.example/x/8fk29d\n\nHarbour: https://harbour.example/\n`
    const { actionLink } = findLinks({ subject: row.subject, text, html: null }, LIMITS)
    expect(actionLink).toEqual({
      url: 'https://harbour.example/x/8fk29d',
      text: `${row.button}:`,
      kind: row.kind,
    })
  })
})

describe('the positions of the link and its words', () => {
  test.each(fixture<Placed>('action-link-places').map((row): [string, Placed] => [row.name, row]))(
    '%s',
    (_name, { subject, text, html, url, kind, said }) => {
      const { actionLink } = findLinks({ subject, text, html }, LIMITS)
      expect(actionLink).toMatchObject({ url, kind, ...(said !== null && { text: said }) })
    },
  )
})

describe('no action', () => {
  test.each(fixture<Mail>('no-action-link').map((row): [string, Mail] => [row.name, row]))(
    '%s',
    (_name, { subject, text, html }) => {
      expect(findLinks({ subject, text, html }, LIMITS).actionLink).toBeNull()
    },
  )
})

const JWT = `eyJhbGciOiJIUzI1NiJ9.${'a1b2c3d4'.repeat(16)}`
const FOOTER =
  '<p><a href="https://acme.example/privacy">Privacy</a> <a href="https://acme.example/unsubscribe">Unsubscribe</a></p>'

/** A sentence, a button in a table below it, and a footer. */
function button(url: string, words: string, lead: string): string {
  return `<p>${lead}</p><table><tr><td><a href="${url}">${words}</a></td></tr></table>${FOOTER}`
}

/** A subject, a text or HTML, and the kind of action; null for none. */
const STRUCTURES: Array<[string, string, { text?: string; html?: string }, ActionKind | null]> = [
  [
    'a link whose words are its own long address',
    'Confirm your email address',
    {
      html: `<p>Please confirm:</p><p><a href="https://a.example/c?t=${JWT}">https://a.example/c?t=${JWT}</a></p>`,
    },
    'confirm',
  ],
  [
    'a denial before the button of a reset',
    'Reset your password',
    {
      html: button(
        'https://a.example/reset?token=a1b2c3',
        'Reset password',
        'If you did not request this, ignore it.',
      ),
    },
    'reset',
  ],
  [
    'a denial before the button of a sign-in',
    'Sign in to Acme',
    {
      html: button(
        'https://a.example/magic?token=a1b2c3',
        'Sign in',
        'If you did not request this, ignore it.',
      ),
    },
    'sign_in',
  ],
  [
    'a denial before the button of an invitation',
    'You are invited to Acme',
    {
      html: button(
        'https://a.example/invite/a1b2c3',
        'Accept invitation',
        'If you do not know Ada, ignore it.',
      ),
    },
    'invite',
  ],
  [
    'a denial in a text',
    'Reset your password',
    {
      text: 'If you did not request this, ignore it.\n\nReset password: https://a.example/reset?token=a1b2c3\n',
    },
    'reset',
  ],
  [
    'a warning about a stranger',
    'Security alert',
    {
      html: button(
        'https://a.example/reset?token=a1b2c3',
        'Reset password',
        'If this was not you, secure your account:',
      ),
    },
    null,
  ],
  [
    'the only link of an invitation',
    'Ada invites you to a board',
    {
      text: 'Ada invites you to the board "Plans".\n\nPlease follow the link below:\n\nhttps://k.example/b/Xk29/plans\n',
    },
    'invite',
  ],
  [
    'the page to sign up with the code of an invitation, which is the same for every reader',
    'Ada sent you an invitation',
    { text: 'Follow the link below:\nhttps://k.example/sign-up\n\nAnd your invitation code is: 577428\n' },
    null,
  ],
  [
    'an invitation to create an account',
    'Invitation from Gilde',
    {
      html: '<p>Ada has invited you</p><a href="https://g.example/register?token=a1b2c3">Click here to create your account.</a><p><a href="https://g.example">Gilde</a></p>',
    },
    'invite',
  ],
  [
    'several links of an invitation without words',
    'Ada invites you to a board',
    { text: 'See https://k.example/b/1 and https://k.example/b/2\n' },
    null,
  ],
  [
    'a request whose subject sounds like a report',
    'Verify Acme login from a new location',
    { html: button('https://click.a.example/ls/click?upn=a1', 'Verify login', 'Someone tried to log in.') },
    'confirm',
  ],
  [
    'two buttons: the one of the subject',
    'Reset your password',
    {
      html: '<a href="https://a.example/verify?token=a1b2c3">Verify email</a> <a href="https://a.example/reset?token=a1b2c3">Reset password</a>',
    },
    'reset',
  ],
  [
    'the only link after a reset',
    'Your password was reset',
    { html: button('https://a.example/login', 'Log in', 'Your password was reset.') },
    null,
  ],
  [
    'a link for more information below a code in a language without link words',
    'Ären Verifizéierungscode',
    { text: 'Äre Code ass 482913\n\nFir méi Informatiounen, kuckt https://a.example/wiki/Help:Auth\n' },
    null,
  ],
  [
    'an event with a calendar invite',
    'Date booked for Garden plan',
    {
      html: '<p>We have sent them calendar invites.</p><a href="https://a.example/poll/x8k29d">View event</a>',
    },
    null,
  ],
  [
    'words about something else than the address',
    'Your account',
    { html: '<p>Confirm:</p><a href="https://a.example/lost_password?token=a1b2c3">here</a>' },
    'reset',
  ],
  [
    'a word of one language inside of one of another',
    'Votre site',
    {
      html: '<p>Vérifiez votre adresse pour terminer :</p><a href="https://a.example/s/verify?k=a1b2c3">ici</a>',
    },
    'confirm',
  ],
  [
    'a sentence above a plain page',
    'News of May',
    { text: 'Activate the new menu here:\n\nhttps://a.example/my/account\n' },
    null,
  ],
  [
    'words that could be read in many ways',
    'Hello',
    { html: `<a href="https://a.example/x">${'open'.repeat(22)}ß</a>` },
    null,
  ],
]

describe('the surroundings of the link', () => {
  test.each(STRUCTURES)('%s', (_name, subject, { text = '', html = null }, kind) => {
    expect(findLinks({ subject, text, html }, LIMITS).actionLink?.kind ?? null).toBe(kind)
  })
})
