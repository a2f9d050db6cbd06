import type { Person } from '../message.ts'
import { isAsciiSpace, trimAscii } from './ascii.ts'
import { decodeWords, type HeaderContext } from './encoded-words.ts'

/** A word of an entry. */
interface Word {
  text: string
  isQuoted: boolean
  /** Whether white space separates it from the word before. */
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

/** Where a word ends. */
const WORD_END = /[ \t\r\n\f\v"(<,;:]/g

/**
 * Returns the mailboxes of an address field (RFC 5322, section 3.4), members of groups included, in time linear in
 * its length. Also accepted: the obsolete forms (section 4.4: routes, comments and blanks inside addresses), commas
 * or semicolons between entries as Outlook writes them, and names without quotes.
 * @param value one character per byte, unfolded
 * @param most the number of mailboxes after which the search ends
 */
export function addressesIn(value: string, most: number, context: HeaderContext): Person[] {
  const found: Person[] = []
  let entry = emptyEntry()
  let isApart = true

  function endEntry(): void {
    const person = personOf(entry, context)
    if (person !== null) found.push(person)
    entry = emptyEntry()
    isApart = true
  }

  function addWord(text: string, isQuoted: boolean): void {
    entry.words.push({ text, isQuoted, isApart })
    entry.hasAt ||= text.includes('@')
    isApart = false
  }

  const lastQuote = value.lastIndexOf('"')
  const lastParenthesis = value.lastIndexOf(')')
  for (let at = 0; at < value.length && found.length < most; ) {
    const char = value[at]
    if (char === '"' && at < lastQuote) {
      const { text, end } = quotedString(value, at + 1)
      addWord(text, true)
      at = end
    } else if (char === '(' && at < lastParenthesis) {
      const { text, end } = comment(value, at + 1)
      entry.comments.push(text)
      at = end
    } else if (char === '<') {
      const end = endOfAngle(value, at + 1)
      entry.angle ??= value.slice(at + 1, end)
      at = value[end] === '>' ? end + 1 : end
    } else if (char === ',' || char === ';') {
      endEntry()
      at++
    } else if (char === ':' && !entry.hasAt) {
      // The words before a colon are the name of a group.
      entry.words = []
      isApart = true
      at++
    } else if (isAsciiSpace(value.charCodeAt(at))) {
      isApart = true
      at++
    } else {
      WORD_END.lastIndex = at + 1
      const end = WORD_END.exec(value)?.index ?? value.length
      addWord(value.slice(at, end), false)
      at = end
    }
  }
  if (found.length < most) endEntry()
  return found
}

function emptyEntry(): Entry {
  return { words: [], hasAt: false, comments: [], angle: undefined }
}

function personOf({ words, angle, comments }: Entry, context: HeaderContext): Person | null {
  let address = angle === undefined ? '' : bareAddress(angle)
  let nameWords = words
  if (address === '') {
    const at = words.findIndex(({ text, isQuoted }) => !isQuoted && text.includes('@'))
    if (at !== -1) {
      const [from, to] = addressAround(words, at)
      const parts = words.slice(from, to)
      address = parts.map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text)).join('')
      nameWords = [...words.slice(0, from), ...words.slice(to)]
    }
  }
  const phrase = nameWords.map(({ text, isApart }, n) => (isApart && n > 0 ? ` ${text}` : text)).join('')
  const name = decodeWords(phrase, context).trim() || decodeWords(comments.join(' '), context).trim()
  if (name === '' && address === '') return null
  return { name: name || null, address: decodeWords(address, context).trim() || null }
}

/** The words that form the address around one of them: `ann . lee @ example . com` is one address (section 4.4). */
function addressAround(words: readonly Word[], at: number): [number, number] {
  let from = at
  while (from > 0 && isJoined(words[from - 1], words[from], /\.$/)) from--
  let to = at + 1
  while (to < words.length && isJoined(words[to - 1], words[to], /[@.]$/)) to++
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

function comment(value: string, from: number): { text: string; end: number } {
  let text = ''
  let depth = 1
  for (let at = from; at < value.length; at++) {
    if (value[at] === '(') depth++
    else if (value[at] === ')' && --depth === 0) return { text, end: at + 1 }
    else if (value[at] === '\\' && at + 1 < value.length) at++
    text += value[at]
  }
  return { text, end: value.length }
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
