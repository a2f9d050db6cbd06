import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { LINK_BYTES, LINKS_MAX } from '../../core/limits.ts'
import { findLinks } from '../../reading/links.ts'
import type { ActionKind } from '../../reading/message.ts'

const LIMITS = { links: LINKS_MAX, linkBytes: LINK_BYTES }

/** A mail of each kind in a language: what the test builds a mail of. */
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
  /** The words that go with it, where they are in question. */
  said: string | null
}

function fixture<T>(name: string): T[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/mails/${name}.json`, import.meta.url), 'utf8'))
}

const ROWS = fixture<Row>('action-links')

const TRACKED = 'https://u7.click.example/ls/click?upn=u001.Zk2qT-2FbQ8f14e45fce-2B9d'

/** As newsletter tools send it: every address is a tracking one, and a logo and a footer stand around it. */
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

describe('where the link and its words stand', () => {
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
