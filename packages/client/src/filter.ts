import type { Mail } from './mail.ts'
import { isPattern, type Shape } from './options.ts'
import { type EmailFilter, HAS, type Person } from './wire.ts'

/** Selects mails. A mail must match every given field. */
export interface MailFilter {
  /** A part of the sender's name or address in any case, or a pattern for one of them. */
  from?: string | RegExp
  /** A part of the address, or of a name or address in To or Cc, in any case, or a pattern. */
  to?: string | RegExp
  /** A part of the subject in any case, or a pattern. */
  subject?: string | RegExp
  has?: 'code' | 'link' | 'action_link' | 'attachment'
  /** A part of sender, subject, text or codes, in any case. */
  q?: string
  where?: Predicate
}

/** Whether the mail is wanted; `words` say so in errors, such as `whose URL contains "/terms"`. */
type Predicate = ((mail: Mail) => boolean) & { words?: string }

interface Field {
  /** Such as `from "shop.example"`. */
  words(shown: string): string
  /**
   * The texts that a pattern is compared with; the service applies every other value. Without them,
   * a pattern is refused.
   */
  texts?(mail: Mail): string[]
}

/** Every filter of the service. */
const FIELDS: Record<keyof EmailFilter, Field> = {
  from: { words: (shown) => `from ${shown}`, texts: ({ from }) => people([from]) },
  to: {
    words: (shown) => `to ${shown}`,
    texts: ({ address, to, cc }) => [address, ...people([...to, ...cc])],
  },
  subject: { words: (shown) => `with subject ${shown}`, texts: ({ subject }) => [subject] },
  q: { words: (shown) => `with ${shown} in it` },
  has: { words: (shown) => `with ${shown}` },
}
const NAMES = Object.keys(FIELDS) as (keyof EmailFilter)[]

/** The filters that the service applies itself: no patterns. */
export const PLAIN_SHAPE: Shape = Object.fromEntries(
  NAMES.map((name) => [name, name === 'has' ? 'has' : 'string']),
)

export const FILTER_SHAPE: Shape = {
  ...PLAIN_SHAPE,
  ...Object.fromEntries(NAMES.filter((name) => FIELDS[name].texts).map((name) => [name, 'text'])),
  where: 'function',
}

/** The query parameters for the part of the filter that the service applies. */
export function queryOf(filter: MailFilter): Record<string, string | undefined> {
  return Object.fromEntries(NAMES.map((name) => [name, plain(filter[name])]))
}

/** Applies the part of the filter that the service cannot apply. */
export function matches(mail: Mail, filter: MailFilter): boolean {
  for (const name of NAMES) {
    const pattern = filter[name]
    if (!isPattern(pattern)) continue
    if (!FIELDS[name].texts?.(mail).some((text) => contains(text, pattern))) return false
  }
  return filter.where === undefined || decided(filter.where(mail))
}

/**
 * The answer of a predicate.
 * @throws TypeError for a promise, which would count as true whatever it resolves to
 */
export function decided(answer: unknown): boolean {
  if ((answer as Partial<Promise<unknown>> | undefined)?.then)
    throw new TypeError('A predicate must not be async.')
  return answer as boolean
}

/** Such as `mail from shop.example with subject /code/ and a code`. */
export function described(filter: MailFilter, what = 'mail'): string {
  const parts = NAMES.map((name) => {
    const value = filter[name]
    if (value === undefined || (name === 'has' && what !== 'mail')) return ''
    return FIELDS[name].words(name === 'has' ? HAS[value as keyof typeof HAS] : shown(value))
  })
  if (filter.where !== undefined) parts.push(filter.where.words ?? 'that `where` accepts')
  return [what, ...parts.filter((part) => part !== '')].join(' ')
}

/**
 * As `pattern.test(text)`, but ignores `lastIndex`: a pattern with the flag g would miss every
 * other mail.
 */
export function contains(text: string, pattern: RegExp): boolean {
  return text.search(pattern) !== -1
}

function plain(value: string | RegExp | undefined): string | undefined {
  return isPattern(value) ? undefined : value
}

function people(persons: Person[]): string[] {
  return persons.flatMap(({ name, address }) => [
    address ?? '',
    name ?? '',
    `${name ?? ''} <${address ?? ''}>`,
  ])
}

function shown(value: string | RegExp): string {
  return isPattern(value) ? String(value) : `"${value}"`
}
