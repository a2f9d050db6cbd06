import type { Person } from '../message.ts'
import { decodedWords } from './encoded-words.ts'

/** A word of an entry, and whether a blank parts it from the one before. */
interface Word {
  text: string
  quoted: boolean
  apart: boolean
}

/**
 * The mailboxes of an address field (RFC 5322, section 3.4), those of groups like all others, in time linear in
 * its length. It takes the obsolete forms (section 4.4: routes, comments and blanks inside of addresses), commas
 * or semicolons between entries as Outlook writes them, and names without quotes.
 * @param value one character a byte, unfolded
 * @param most no more are looked for
 */
export function addressesIn(value: string, most: number): Person[] {
  const found: Person[] = []
  let words: Word[] = []
  let comments: string[] = []
  let angle: string | null = null
  let apart = true

  function flush(): void {
    const person = personOf(words, angle, comments)
    if (person !== null) found.push(person)
    words = []
    comments = []
    angle = null
    apart = true
  }

  const lastQuote = value.lastIndexOf('"')
  const lastBracket = value.lastIndexOf(')')
  for (let at = 0; at < value.length && found.length < most; ) {
    const char = value[at]!
    if (char === '"' && at < lastQuote) {
      const { text, end } = quotedString(value, at + 1)
      words.push({ text, quoted: true, apart })
      apart = false
      at = end
    } else if (char === '(' && at < lastBracket) {
      const { text, end } = comment(value, at + 1)
      comments.push(text)
      at = end
    } else if (char === '<') {
      const end = endOfAngle(value, at + 1)
      angle ??= value.slice(at + 1, end)
      at = value[end] === '>' ? end + 1 : end
    } else if (char === ',' || char === ';') {
      flush()
      at++
    } else if (char === ':' && !words.some(({ text }) => text.includes('@'))) {
      // What stands before it is the name of a group.
      words = []
      apart = true
      at++
    } else if (/\s/.test(char)) {
      apart = true
      at++
    } else {
      WORD.lastIndex = at + 1
      const end = WORD.exec(value)?.index ?? value.length
      words.push({ text: value.slice(at, end), quoted: false, apart })
      apart = false
      at = end
    }
  }
  if (found.length < most) flush()
  return found
}

/** Where a word ends. */
const WORD = /[\s"(<,;:]/g

function personOf(words: Word[], angle: string | null, comments: string[]): Person | null {
  let address = angle === null ? null : bare(angle)
  let named = words
  if (address === null || address === '') {
    const at = words.findIndex(({ text, quoted }) => !quoted && text.includes('@'))
    if (at !== -1) {
      const [from, to] = addressAround(words, at)
      address = words
        .slice(from, to)
        .map(({ text, quoted }) => (quoted ? `"${text}"` : text))
        .join('')
      named = [...words.slice(0, from), ...words.slice(to)]
    }
  }
  const phrase = named.map(({ text, apart }, index) => (apart && index > 0 ? ` ${text}` : text)).join('')
  const name = decodedWords(phrase).trim() || decodedWords(comments.join(' ')).trim()
  if (name === '' && (address ?? '') === '') return null
  return { name: name || null, address: decodedWords(address ?? '').trim() || null }
}

/** The words that make up the address: `ann . lee @ example . com` is one (section 4.4). */
function addressAround(words: Word[], at: number): [number, number] {
  let from = at
  let to = at + 1
  while (
    from > 0 &&
    (!words[from]!.apart || /^[@.]/.test(words[from]!.text) || words[from - 1]!.text.endsWith('.'))
  )
    from--
  while (
    to < words.length &&
    (!words[to]!.apart || /[@.]$/.test(words[to - 1]!.text) || /^[@.]/.test(words[to]!.text))
  )
    to++
  return [from, to]
}

/** What stands between angle brackets, without comments, blanks, and the route before a colon. */
function bare(angle: string): string {
  const text = angle.replaceAll(/\([^()]*\)/g, '')
  const quoted = text.includes('"')
  const closed = quoted ? text.trim() : text.replaceAll(/\s/g, '')
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

/** Where the bracket closes; one that nothing closes ends before the next entry. */
function endOfAngle(value: string, from: number): number {
  let quoted = false
  for (let at = from; at < value.length; at++) {
    const char = value[at]
    if (char === '\\') at++
    else if (char === '"') quoted = !quoted
    else if (!quoted && (char === '>' || char === '<')) return at
    else if (!quoted && (char === ',' || char === ';') && !value.startsWith('@', from)) return at
  }
  return value.length
}
