import type { Random } from '../../hostile/search/random.ts'
import type { Words } from './words.ts'

/** A piece of the body: a paragraph, or a label with its value. */
export type Piece = string | { label: string; value: string; layout: Layout }

type Layout = (typeof LAYOUTS)[number]

/** How a label and its value are laid out; a text part writes `bold` and `table` with a colon. */
export const LAYOUTS = ['colon', 'colon', 'spaced', 'dash', 'below', 'bold', 'heading', 'table'] as const

const BRANDS = ['Nordwind', 'Pixelo', 'Acme', 'Lumora', 'Tavoo', 'Kestrel']
/** Footers with numbers that are no codes. */
const FOOTERS = [
  '© 2026 {brand}, 24 Harbour Street, 10115 Berlin',
  '{brand} · +49 30 901820 · help@example.com',
  '{brand}, 12.06.2026 14:32',
  'https://example.com/help?ref=20418',
  '',
  '',
]

/** Adds greeting, closing and footer, and writes the mail as text, HTML or both. */
export function writeMail(random: Random, words: Words, subject: string, pieces: Piece[]) {
  const brand = random.pick(BRANDS)
  const isGreeted = random.below(4) > 0
  const full = [
    isGreeted ? random.pick(words.greetings) : '',
    ...pieces,
    random.pick([random.pick(words.closings), '']),
    random.pick(FOOTERS),
  ].filter((piece) => piece !== '')
  const named = (text: string) => text.replaceAll('{brand}', brand)
  const colon = /^(?:zh|ja)/.test(words.language) ? '：' : ': '
  const text = named(full.map((piece) => asText(piece, colon)).join('\n\n'))
  const tag = random.pick(['p', 'div', 'span'])
  const html = named(`<html><body>${full.map((piece) => asHtml(piece, tag, colon)).join('\n')}</body></html>`)
  const parts = random.pick([
    { text, html: null },
    { text: '', html },
    { text, html },
  ])
  return { subject: named(subject), ...parts }
}

function asText(piece: Piece, colon: string): string {
  if (typeof piece === 'string') return piece
  const { label, value, layout } = piece
  if (layout === 'spaced') return `${label} : ${value}`
  if (layout === 'dash') return `${label} - ${value}`
  if (layout === 'below') return `${label}:\n${value}`
  return layout === 'heading' ? `${label}\n\n${value}` : `${label}${colon}${value}`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')

function asHtml(piece: Piece, tag: string, colon: string): string {
  if (typeof piece === 'string') {
    return `<${tag}>${escaped(piece)}</${tag}>${tag === 'span' ? '<br><br>' : ''}`
  }
  const label = escaped(piece.label)
  const value = escaped(piece.value)
  if (piece.layout === 'table') return `<table><tr><td>${label}</td><td>${value}</td></tr></table>`
  if (piece.layout === 'heading') return `<p>${label}</p><h1>${value}</h1>`
  if (piece.layout === 'bold') return `<p>${label}${colon}<b>${value}</b></p>`
  return `<p>${escaped(asText(piece, colon))}</p>`
}
