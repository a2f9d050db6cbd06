import { type EmailFilter, FILTER_NAMES, HAS_VALUES, type Has } from '../../core/inbox/filter.ts'
import type { Email } from '../lib/api.ts'

export type { Has }

/** The parsed text of the search field. */
export interface SearchQuery extends Omit<EmailFilter, 'q'> {
  /** Words and quoted phrases in lower case; an email matches if it contains all of them, in any order. */
  words: string[]
  /** Words after a minus, in lower case; an email matches if it contains none of them. */
  without: string[]
  /** Why a part of the text is searched for as it is, although it looks like a filter. */
  hint?: string
}

/** The filters that a term names, such as `from:x`; `q` are the words. */
const FIELDS = FILTER_NAMES.filter((name) => name !== 'q')
const NAMES = FIELDS.join('|')
/** A field with its value, or a phrase in quotes or a word, also after a minus. A value with blanks is quoted, too. */
const TERM = new RegExp(`(?:(${NAMES}):|(-)(?=[^\\s-]))?(?:"([^"]*)"?|(\\S+))`, 'gi')
/** A field that is being typed, which selects nothing yet. */
const BARE_FIELD = new RegExp(`^(${NAMES}):$`, 'i')
/** A word that its writer may mean as a filter; `https://…` is not one. */
const LIKE_FILTER = /^([a-z]{2,12}):(?!\/\/)./i

/** Parses the text of the search field. An unknown `has:` value is searched for as a word. */
export function parseQuery(text: string): SearchQuery {
  const query: SearchQuery = { words: [], without: [] }
  for (const [whole, field, minus, quoted, plain] of text.matchAll(TERM)) {
    const value = (quoted ?? plain ?? '').trim()
    if (value === '') continue
    const name = FIELDS.find((one) => one === field?.toLowerCase())
    if (name === undefined && quoted === undefined && BARE_FIELD.test(value)) continue
    if (name === 'has' && hasOf(value) !== undefined) query.has = hasOf(value)
    else if (name !== undefined && name !== 'has') query[name] = value
    else if (minus !== undefined) query.without.push(value.toLowerCase())
    else {
      const hint = quoted === undefined ? hintFor(whole) : undefined
      if (hint !== undefined) query.hint = hint
      query.words.push((name === undefined ? value : whole).toLowerCase())
    }
  }
  return query
}

/** The parameters of GET /api/public/emails/:address. Its `q` is one substring: the longest word selects best. */
export function queryParameters({
  words,
  without: _,
  hint: __,
  ...filter
}: SearchQuery): Record<string, string> {
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return {
    ...filter,
    ...(longest === '' ? {} : { q: longest }),
  }
}

/** Which filters there are, for a word that looks like another one. */
function hintFor(word: string): string | undefined {
  const name = LIKE_FILTER.exec(word)?.[1]?.toLowerCase()
  if (name === undefined) return undefined
  if (name === 'has') return `has: takes ${HAS_VALUES.join(', ')}.`
  return `${name}: is not a filter. There are ${FIELDS.map((field) => `${field}:`).join(', ')}, and a minus leaves out a word.`
}

/** Whether the page must compare the text itself: the service compares one word. */
export function comparesText({ words, without }: SearchQuery): boolean {
  return words.length > 1 || without.length > 0
}

/** Whether an email that the service found contains the other words, too, and none of those after a minus. */
export function containsWords(query: SearchQuery, email: Email): boolean {
  if (!comparesText(query)) return true
  const { words, without } = query
  const { from, subject, body_text, codes } = email
  const text = [from.name, from.address, subject, body_text, ...codes].join('\n').toLowerCase()
  return words.every((word) => text.includes(word)) && !without.some((word) => text.includes(word))
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
