import { fold } from '../../core/inbox/filter.ts'
import type { Person } from '../../reading/message.ts'
import { CatcherError } from './catcher-error.ts'
import { timeIn } from './time-zone.ts'
import { type MessageView, wordsOf } from './view.ts'

/** Each term is looked for in every message. */
const TERMS_MAX = 50

/** Decides about a message; `value` is folded. */
type Test = (view: MessageView, value: string) => boolean | Promise<boolean>

interface Term {
  isNegated: boolean
  /** A key of TESTS; undefined for a term without one. */
  field: string | undefined
  value: string
  test: Test
}

/** A parsed search of Mailpit (mailpit.axllent.org/docs/usage/search-filters). */
export interface SearchQuery {
  /** Folded texts that an address or name, and the subject, of each match contain. */
  addresses: string[]
  subjects: string[]
  matches(view: MessageView): Promise<boolean>
}

const contains = (texts: (string | null)[], value: string) =>
  texts.some((text) => text !== null && fold(text).includes(value))
const inPeople = (people: Person[], value: string) =>
  people.some(({ name, address }) => contains([name, address], value))

const ADDRESS_TESTS: Record<string, Test> = {
  to: ({ email }, value) => inPeople(email.to, value),
  from: ({ email }, value) => inPeople([email.from], value),
  cc: ({ email }, value) => inPeople(email.cc, value),
  bcc: async (view, value) => inPeople(await view.bcc(), value),
  'reply-to': async (view, value) => inPeople(await view.replyTo(), value),
  addressed: async (view, value) =>
    inPeople([view.email.from, ...view.email.to, ...view.email.cc], value) ||
    contains(view.recipients, value) ||
    inPeople([...(await view.bcc()), ...(await view.replyTo())], value),
}

const TESTS: Record<string, Test> = {
  ...ADDRESS_TESTS,
  subject: ({ email }, value) => contains([email.subject], value),
  'message-id': async (view, value) => contains([(await view.details()).messageId], value),
  tag: () => false,
}

const SIZE_TESTS: Record<string, (size: number, limit: number) => boolean> = {
  larger: (size, limit) => size > limit,
  smaller: (size, limit) => size < limit,
}

const TIME_TESTS: Record<string, (time: number, limit: number) => boolean> = {
  before: (time, limit) => time <= limit,
  after: (time, limit) => time >= limit,
}

/** Terms that are whole words. */
const FLAGS: Record<string, Test> = {
  'is:read': ({ listed }) => listed.read,
  'is:unread': ({ listed }) => !listed.read,
  'is:tagged': () => false,
  'has:attachment': async (view) => (await view.details()).attachments.some(({ inline }) => !inline),
  'has:inline': async (view) => (await view.details()).attachments.some(({ inline }) => inline),
}

/**
 * Parses a search. A term without a value, or with a date that cannot be read, counts as absent.
 * @param zone for dates without one, as in the query parameter `tz`
 * @throws CatcherError 400 for more than TERMS_MAX terms
 */
export function parseQuery(text: string, zone: string): SearchQuery {
  const found = tokens(text)
  if (found.length > TERMS_MAX) throw new CatcherError(400, `Error: a search has at most ${TERMS_MAX} terms`)
  const terms = found.flatMap((token) => termOf(token, zone) ?? [])
  const wanted = terms.filter(({ isNegated }) => !isNegated)
  return {
    addresses: wanted.filter(isAddressed).map(({ value }) => value),
    subjects: wanted.filter(({ field }) => field === 'subject').map(({ value }) => value),
    async matches(view) {
      for (const { isNegated, test, value } of terms)
        if ((await test(view, value)) === isNegated) return false
      return true
    },
  }
}

/**
 * Whether the index of addresses answers the term. A whole address without a prefix is looked for
 * in addresses only, not in texts, because suites search for their recipient in this way.
 */
function isAddressed({ field, value }: Term): boolean {
  return field === undefined ? isAddress(value) : Object.hasOwn(ADDRESS_TESTS, field)
}

function isAddress(value: string): boolean {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value)
}

async function anyAddress(view: MessageView, value: string): Promise<boolean> {
  return (await ADDRESS_TESTS.addressed!(view, value)) || contains([await view.returnPath()], value)
}

async function anywhere(view: MessageView, value: string): Promise<boolean> {
  if (view.words.includes(value)) return true
  const { attachments } = await view.details()
  const people = [...(await view.replyTo()), ...(await view.bcc())]
  const more = [
    await view.returnPath(),
    ...people.flatMap(({ name, address }) => [name, address]),
    ...attachments.map(({ filename }) => filename),
  ]
  if (more.some((text) => wordsOf(text ?? '').includes(value))) return true
  return view.email.bodyTextTruncated && wordsOf(JSON.parse((await view.bodies()).text)).includes(value)
}

/** Divides a search at spaces outside of double quotes, which are removed. */
function tokens(text: string): string[] {
  const found = text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []
  return found.map((token) => token.replaceAll('"', '')).filter((token) => token !== '')
}

function termOf(token: string, zone: string): Term | undefined {
  const isNegated = /^[-!]./.test(token)
  const positive = fold(isNegated ? token.slice(1) : token)
  const flag = FLAGS[positive.replace(/^(has:.*)s$/, '$1')]
  if (flag !== undefined) return { isNegated, field: undefined, value: positive, test: flag }
  const [, name = '', rest = ''] = /^([a-z-]+):(.*)$/s.exec(positive) ?? []
  const value = (name === 'subject' ? rest : rest.replaceAll(/[<>]/g, '')).trim()
  const field = Object.hasOwn(TESTS, name) ? name : undefined
  const test = field === undefined ? testWithLimit(name, value, zone) : TESTS[field]!
  if (test === undefined) {
    const words = wordsOf(positive)
    const test = isAddress(words) ? anyAddress : anywhere
    return words === '' ? undefined : { isNegated, field, value: words, test }
  }
  return test === 'none' || value === '' ? undefined : { isNegated, field, value, test }
}

/**
 * Returns the test of a size or time, which is read once: a formatter of a time zone costs more
 * than a message. 'none' if the time cannot be read; undefined if the term is a text to look for.
 */
function testWithLimit(name: string, value: string, zone: string): Test | 'none' | undefined {
  if (Object.hasOwn(SIZE_TESTS, name)) {
    const limit = bytesOf(value)
    return limit > 0 ? ({ email }) => SIZE_TESTS[name]!(email.size, limit) : undefined
  }
  if (!Object.hasOwn(TIME_TESTS, name)) return undefined
  const limit = timeIn(zone, value)
  return limit === undefined ? 'none' : ({ email }) => TIME_TESTS[name]!(email.receivedAt, limit)
}

/** Bytes of `2000`, `2k` or `1.5M`; 0 for another text. */
function bytesOf(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s?([km]?)b?$/.exec(text) ?? []
  if (number === undefined) return 0
  return Number(number) * (unit === 'k' ? 1024 : unit === 'm' ? 1024 * 1024 : 1)
}
