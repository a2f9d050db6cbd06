import type { Email } from '../lib/api.ts'

const HAS_VALUES = ['code', 'link', 'action_link', 'attachment'] as const
export type Has = (typeof HAS_VALUES)[number]

/** The parsed text of the search field. */
export interface SearchQuery {
  from?: string
  subject?: string
  has?: Has
  /** Words and quoted phrases in lower case; an email matches if it contains all of them, in any order. */
  words: string[]
}

/** `from:x`, `subject:x` and `has:x`, a phrase in quotes, or a word. A value with blanks is quoted, too. */
const TERM = /(?:(from|subject|has):)?(?:"([^"]*)"?|(\S+))/gi

/** Parses the text of the search field. An unknown `has:` value is searched for as a word. */
export function parseQuery(text: string): SearchQuery {
  const query: SearchQuery = { words: [] }
  for (const [whole, field, quoted, plain] of text.matchAll(TERM)) {
    const value = (quoted ?? plain ?? '').trim()
    if (value === '') continue
    const name = field?.toLowerCase()
    // A field that is being typed selects nothing yet.
    if (name === undefined && quoted === undefined && /^(from|subject|has):$/i.test(value)) continue
    if (name === 'from' || name === 'subject') query[name] = value
    else if (name === 'has' && hasOf(value) !== undefined) query.has = hasOf(value)
    else query.words.push((name === undefined ? value : whole).toLowerCase())
  }
  return query
}

/** The parameters of GET /api/public/emails/:address. Its `q` is one substring: the longest word selects best. */
export function queryParameters({ from, subject, has, words }: SearchQuery): Record<string, string> {
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return {
    ...(from === undefined ? {} : { from }),
    ...(subject === undefined ? {} : { subject }),
    ...(has === undefined ? {} : { has }),
    ...(longest === '' ? {} : { q: longest }),
  }
}

/** Whether an email that the service found contains the other words, too. */
export function containsWords({ words }: SearchQuery, email: Email): boolean {
  if (words.length < 2) return true
  const { from, subject, body_text, codes } = email
  const text = [from.name, from.address, subject, body_text, ...codes].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The text with `has:<value>` added or removed: what a chip does. */
export function toggleHas(text: string, value: Has): string {
  const without = text.replace(/(^|\s)has:\S*/gi, ' ').trim()
  return parseQuery(text).has === value ? without : `${without} has:${value}`.trim()
}

/** The value of `has:`, also in the plural. */
function hasOf(text: string): Has | undefined {
  const value = text.toLowerCase().replace(/s$/, '')
  return HAS_VALUES.find((known) => known === value)
}
