import type { EmailSummary } from '../../reading/message.ts'
import { canonicalAddress } from '../address.ts'
import type { Email } from './email.ts'

/** The parts of an email that filters compare. */
export type Filtered = Having &
  Pick<EmailSummary, 'from' | 'to' | 'cc' | 'subject' | 'bodyText'> &
  Pick<Email, 'address'>

/** The values that stores keep beside an email, so that they need not read it for a filter. */
export type StoredField = 'sender' | 'subject' | 'has'

interface FilterField {
  /** What the value is, for people: in the OpenAPI document, the command and the tools. */
  help: string
  accepts(email: Filtered, value: string): boolean
  /** Why the email does not match, as a sentence for people. */
  mismatch(email: Filtered, value: string): string
  /** Absent if a store has to read the email. */
  stored?: StoredField
}

/** The parts of an email that `has` looks at. */
export type Having = Pick<EmailSummary, 'codes' | 'links' | 'actionLink' | 'attachmentCount'>

/** The values of `has`. */
export const HAS = {
  code: { words: 'a code', isIn: ({ codes }) => codes.length > 0 },
  link: { words: 'a link', isIn: ({ links }) => links.length > 0 },
  action_link: { words: 'an action link', isIn: ({ actionLink }) => actionLink !== null },
  attachment: { words: 'an attachment', isIn: ({ attachmentCount }) => attachmentCount > 0 },
} as const satisfies Record<string, { words: string; isIn(email: Having): boolean }>

export type Has = keyof typeof HAS
export const HAS_VALUES = Object.keys(HAS) as [Has, ...Has[]]

/**
 * Every filter of emails. The stores, the queries and bodies of the HTTP interface, its OpenAPI
 * document, webhooks, tools, the command, the pages and the types of the clients are made from it.
 * A value is a substring, compared without case; `has` is one of HAS.
 */
export const FILTERS = {
  from: {
    help: 'a part of the sender’s name or address',
    accepts: (email, value) => contains([named(email.from)], value),
    mismatch: ({ from }, value) => lacks(mailbox(from), value),
    stored: 'sender',
  },
  to: {
    help: 'a part of the recipient, or of a name or address in To or Cc',
    accepts: ({ address, to, cc }, value) => {
      const texts = [address, ...to.map(named), ...cc.map(named)]
      return recipientSpellings(value).some((spelling) => contains(texts, spelling))
    },
    mismatch: ({ address, to, cc }, value) =>
      lacks([address, ...[...to, ...cc].map(mailbox)].join(', '), value),
  },
  subject: {
    help: 'a part of the subject',
    accepts: ({ subject }, value) => contains([subject], value),
    mismatch: ({ subject }, value) => lacks(subject, value),
    stored: 'subject',
  },
  q: {
    help: 'a part of sender, subject, codes or the first 16 KiB of the text',
    accepts: (email, value) => {
      const part = fold(value)
      return foldedTexts(email).some((text) => text.includes(part))
    },
    mismatch: (_, value) => `no sender, subject, code or text in its first 16 KiB contains ${quoted(value)}`,
  },
  has: {
    help: HAS_VALUES.join(', '),
    accepts: (email, value) => HAS[value as Has].isIn(email),
    mismatch: (_, value) => `it does not have ${HAS[value as Has].words}`,
    stored: 'has',
  },
} as const satisfies Record<string, FilterField>

export type FilterName = keyof typeof FILTERS
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** A filter for emails. All given fields must match; an empty substring matches every email. */
export type EmailFilter = { [Name in FilterName]?: (Name extends 'has' ? Has : string) | undefined }

/** Returns the filter in an object that has other members, too. */
export function filterOf(query: EmailFilter): EmailFilter {
  return picked(query, () => true)
}

/** Returns the part of a filter for which a store has to read the email; undefined if it need not. */
export function unstoredPart(filter: EmailFilter): EmailFilter | undefined {
  const part = picked(filter, (name) => storedField(name) === undefined)
  return Object.keys(part).length === 0 ? undefined : part
}

/** Returns what a store compares by the values that it keeps, folded. */
export function storedPart(filter: EmailFilter): { field: StoredField; value: string }[] {
  return FILTER_NAMES.flatMap((name) => {
    const field = storedField(name)
    const value = filter[name]
    return field === undefined || value === undefined ? [] : [{ field, value: fold(value) }]
  })
}

function storedField(name: FilterName): StoredField | undefined {
  return (FILTERS[name] as FilterField).stored
}

function picked(filter: EmailFilter, isWanted: (name: FilterName) => boolean): EmailFilter {
  const names = FILTER_NAMES.filter((name) => filter[name] !== undefined && isWanted(name))
  return Object.fromEntries(names.map((name) => [name, filter[name]]))
}

/** Whether the email matches the filter. */
export function matches(email: Filtered, filter: EmailFilter): boolean {
  return FILTER_NAMES.every((name) => {
    const value = filter[name]
    return value === undefined || FILTERS[name].accepts(email, value)
  })
}

/** Returns the folded texts that stores keep beside the email. */
export function searchable(email: Pick<Filtered, 'from' | 'subject'>): Record<'sender' | 'subject', string> {
  return { sender: fold(named(email.from)), subject: fold(email.subject) }
}

/** Returns the values of `has` that select the email. */
export function hasValues(email: Having): Has[] {
  return HAS_VALUES.filter((value) => HAS[value].isIn(email))
}

/** Only text with one of these may have an accent as a character of its own. */
const MAY_BE_COMPOSED = /[\u0300-\uffff]/

/** Returns a text as filters compare it: in lower case, and an accent as one character with its letter (NFC). */
export function fold(text: string): string {
  return (MAY_BE_COMPOSED.test(text) ? text.normalize('NFC') : text).toLowerCase()
}

/**
 * Returns the spellings, folded, of which a recipient contains one if it matches `to`: the value
 * itself, and the canonical form of an address.
 */
export function recipientSpellings(value: string): string[] {
  const spellings = [value, canonicalAddress(value)?.address ?? value]
  return [...new Set(spellings.map(fold))]
}

const foldedByEmail = new WeakMap<Filtered, string[]>()

/** What `q` compares. Hundreds of waits and webhooks compare the same email, whose text has 16 KB. */
function foldedTexts(email: Filtered): string[] {
  let texts = foldedByEmail.get(email)
  if (texts === undefined) {
    texts = [named(email.from), email.subject, email.bodyText, ...email.codes].map(fold)
    foldedByEmail.set(email, texts)
  }
  return texts
}

function contains(texts: string[], part: string): boolean {
  const folded = fold(part)
  return texts.some((text) => fold(text).includes(folded))
}

function named({ name, address }: EmailSummary['from']): string {
  return `${name ?? ''} ${address ?? ''}`
}

/** Values in a sentence are cut to this length. */
const SHOWN_CHARACTERS = 120

/** Such as `“Welcome” does not contain “Confirm”`. */
function lacks(text: string, part: string): string {
  return `${quoted(text)} does not contain ${quoted(part)}`
}

function quoted(text: string): string {
  return `“${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}”`
}

function mailbox({ name, address }: EmailSummary['from']): string {
  if (name && address) return `${name} <${address}>`
  return name || address || ''
}
