import type { Person } from '../message.ts'
import { decodeWords, type HeaderContext } from './encoded-words.ts'
import { isAsciiSpace, trimAscii } from './text.ts'

/** A word of an entry. */
interface Word {
  text: string
  isQuoted: boolean
  /** Whether white space separates it from the word before; any value for the first word. */
  isApart: boolean
}

/** One entry of an address field, as far as it was read. */
interface Entry {
  words: Word[]
  /** Whether one of the words contains an @. */
  hasAt: boolean
  comments: string[]
  /** The text between the first pair of angle brackets. */
  angle: string | undefined
}

/** Where a word ends, and where it ends behind the last comment. */
const WORD_END = /[ \t\r\n\f\v"(<,;:]/g
const WORD_END_BEHIND_COMMENTS = /[ \t\r\n\f\v"<,;:]/g

/**
 * Returns the mailboxes of an address field (RFC 5322, section 3.4), members of groups included, in
 * time linear in its length. Also accepted: the obsolete forms (section 4.4: routes, comments and
 * blanks inside addresses), commas or semicolons between entries as Outlook writes them, and names
 * without quotes.
 * @param value one character per byte, unfolded
 * @param most the number of mailboxes after which the search ends
 */
export function addressesIn(value: string, most: number, context: HeaderContext): Person[] {
  const found: Person[] = []
  const entries = new EntryReader(value)
  while (found.length < most && !entries.isAtEnd) {
    const person = personOf(entries.next(), context)
    if (person !== null) found.push(person)
  }
  return found
}

/** Reads the entries of an address field, one after the other. */
class EntryReader {
  readonly #value: string
  readonly #lastQuote: number
  #lastParenthesis: number
  #at = 0
  #isApart = true
  #entry = emptyEntry()

  constructor(value: string) {
    this.#value = value
    this.#lastQuote = value.lastIndexOf('"')
    this.#lastParenthesis = value.lastIndexOf(')')
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#value.length
  }

  /** Reads up to the comma or semicolon that ends the entry. */
  next(): Entry {
    this.#entry = emptyEntry()
    while (!this.isAtEnd) {
      const char = this.#value.charAt(this.#at)
      if (char === ',' || char === ';') {
        this.#at++
        break
      }
      this.#readToken(char)
    }
    return this.#entry
  }

  #readToken(char: string): void {
    const value = this.#value
    const from = this.#at + 1
    if (char === '"' && this.#at < this.#lastQuote) {
      const { text, end } = quotedString(value, from)
      this.#addWord(text, true, end)
    } else if (char === '(' && this.#at < this.#lastParenthesis) {
      this.#readComment(from)
    } else if (char === '<') {
      const end = endOfAngle(value, from)
      this.#entry.angle ||= value.slice(from, end)
      this.#at = end
      while (value[this.#at] === '>') this.#at++
    } else if (char === ':' && !this.#entry.hasAt) {
      // The words before a colon are the name of a group.
      this.#entry.words = []
      this.#at = from
    } else if (isAsciiSpace(char.charCodeAt(0))) {
      this.#isApart = true
      this.#at = from
    } else {
      const wordEnd = this.#at < this.#lastParenthesis ? WORD_END : WORD_END_BEHIND_COMMENTS
      wordEnd.lastIndex = from
      const end = wordEnd.exec(value)?.index ?? value.length
      this.#addWord(value.slice(this.#at, end), false, end)
    }
  }

  #readComment(from: number): void {
    const { text, end, isClosed } = comment(this.#value, from)
    const { hasAt, angle } = this.#entry
    if (isClosed || hasAt || angle !== undefined) {
      this.#entry.comments.push(text)
      this.#at = end
    } else {
      // It would hide the address behind it. No later bracket counts either, so that the field is not searched again.
      this.#lastParenthesis = -1
    }
  }

  #addWord(text: string, isQuoted: boolean, end: number): void {
    this.#entry.words.push({ text, isQuoted, isApart: this.#isApart })
    this.#entry.hasAt ||= text.includes('@')
    this.#isApart = false
    this.#at = end
  }
}

function emptyEntry(): Entry {
  return { words: [], hasAt: false, comments: [], angle: undefined }
}

function personOf({ words, angle, comments }: Entry, context: HeaderContext): Person | null {
  // A comment alone is nobody.
  if (words.length === 0 && angle === undefined) return null
  let address = angle === undefined ? '' : bareAddress(angle)
  let nameWords = words
  if (angle !== undefined && !address.includes('@') && /\S[ \t]+\S/.test(angle)) {
    // Browsers write who saved a page: `<Saved by Blink>`.
    nameWords = [...words, { text: trimAscii(angle), isQuoted: false, isApart: true }]
    address = ''
  } else if (address === '') {
    const at = words.findIndex(({ text, isQuoted }) => !isQuoted && text.includes('@'))
    if (at !== -1) {
      const [from, to] = addressAround(words, at)
      const parts = words.slice(from, to)
      // A bracket at the end had a partner that is missing.
      address = parts.map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text.replace(/>$/, ''))).join('')
      nameWords = [...words.slice(0, from), ...words.slice(to)]
    }
  }
  const phrase = nameWords.map((word) => (word.isApart ? ` ${shown(word)}` : shown(word))).join('')
  const name = decodeWords(phrase, context).trim() || decodeWords(comments.join(' '), context).trim()
  if (name === '' && address === '') return null
  return { name: name || null, address: decodeWords(address, context).trim() || null }
}

/** The word without a quote that has no partner. */
function shown({ text, isQuoted }: Word): string {
  return isQuoted || !text.includes('"') ? text : text.replaceAll(/^"|"$/g, '')
}

/**
 * The words that form the address around one of them: `ann . lee @ example . com` is one address
 * (section 4.4).
 */
function addressAround(words: readonly Word[], at: number): [number, number] {
  let from = at
  while (isJoined(words[from - 1], words[from], /\.$/)) from--
  let to = at + 1
  while (isJoined(words[to - 1], words[to], /[@.]$/)) to++
  return [from, to]
}

/** Whether two adjacent words belong to one address. */
function isJoined(before: Word | undefined, after: Word | undefined, endsOpen: RegExp): boolean {
  if (before === undefined || after === undefined) return false
  return !after.isApart || /^[@.]/.test(after.text) || endsOpen.test(before.text)
}

/** The address between angle brackets, without comments, blanks, and the route before a colon. */
function bareAddress(angle: string): string {
  const text = angle.replaceAll(/\([^()]*\)/g, '')
  const closed = text.includes('"') ? trimAscii(text) : text.replaceAll(/[ \t\r\n\f\v]/g, '')
  return closed.startsWith('@') ? closed.slice(closed.lastIndexOf(':') + 1) : closed.replace(/^mailto:/i, '')
}

function quotedString(value: string, from: number): { text: string; end: number } {
  let text = ''
  for (let at = from; at < value.length; at++) {
    if (value[at] === '"') return { text, end: at + 1 }
    if (value[at] === '\\' && at + 1 < value.length) at++
    text += value[at]
  }
  return { text, end: value.length }
}

function comment(value: string, from: number): { text: string; end: number; isClosed: boolean } {
  let text = ''
  let depth = 1
  for (let at = from; at < value.length; at++) {
    if (value[at] === '(') depth++
    else if (value[at] === ')' && --depth === 0) return { text, end: at + 1, isClosed: true }
    else if (value[at] === '\\' && at + 1 < value.length) at++
    text += value[at]
  }
  return { text, end: value.length, isClosed: false }
}

/** Where the closing bracket is; without one the address ends before the next entry. */
function endOfAngle(value: string, from: number): number {
  let isQuoted = false
  for (let at = from; at < value.length; at++) {
    const char = value[at]
    if (char === '\\') at++
    else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && (char === '>' || char === '<')) return at
    else if (!isQuoted && (char === ',' || char === ';') && !value.startsWith('@', from)) return at
  }
  return value.length
}
