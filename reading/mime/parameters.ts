import { Buffer } from 'node:buffer'
import { decodeText } from './charset.ts'
import { decodedWords } from './encoded-words.ts'

/** Parameters by their names in lower case. */
export type Parameters = Map<string, string>

/** No header has more of them. */
const PARAMETERS_MAX = 200

/** `name*1*=`: a piece of a value (RFC 2231, section 3), percent-encoded (section 4). */
const PIECE = /^([^*]+)\*(?:(\d{1,3})(\*?))?$/

/** The value up to the next parameter; a semicolon may be missing between the two. */
const TOKEN = /[^;\s]*(?:[ \t]+(?![\w-]+\*?\d*\*?=)[^;\s]+)*/y
const NAME = /[\s;,]*([^\s=;"]+)\s*=\s*/y

/**
 * A header field's value and its parameters (RFC 2045, section 5.1; RFC 2231). Taken as well: encoded words
 * in values and bytes above ASCII, as Outlook and Gmail write them; blanks in values without quotes; and
 * backslashes before anything but a quote or a backslash, since Windows writes paths there.
 * @param field one line, one character a byte
 */
export function parametersOf(field: string): { value: string; parameters: Parameters } {
  const text = field.includes('(') ? withoutComments(field) : field
  const value = /^\s*([^\s;]*)/.exec(text)!
  const plain: Parameters = new Map()
  const pieces = new Map<string, Map<number, { text: string; encoded: boolean }>>()
  let at = value[0].length
  for (let n = 0; n < PARAMETERS_MAX && at < text.length; n++) {
    NAME.lastIndex = at
    const name = NAME.exec(text)
    if (name === null) {
      const next = text.indexOf(';', at + 1)
      if (next === -1) break
      at = next
      continue
    }
    const given = readValue(text, NAME.lastIndex)
    at = given.end
    const key = name[1]!.toLowerCase()
    const piece = PIECE.exec(key)
    if (piece === null) {
      if (!plain.has(key)) plain.set(key, given.text)
      continue
    }
    const all = pieces.get(piece[1]!) ?? new Map()
    const encoded = piece[2] === undefined || piece[3] === '*'
    all.set(Number(piece[2] ?? 0), { text: given.text, encoded })
    pieces.set(piece[1]!, all)
  }
  const parameters: Parameters = new Map()
  for (const [name, written] of plain) parameters.set(name, decodedWords(written))
  for (const [name, all] of pieces) parameters.set(name, joined([...all].sort(([a], [b]) => a - b)))
  return { value: value[1]!, parameters }
}

function readValue(text: string, from: number): { text: string; end: number } {
  if (text[from] !== '"') {
    TOKEN.lastIndex = from
    const token = TOKEN.exec(text)![0]
    return { text: token, end: from + token.length }
  }
  let value = ''
  let done = from + 1
  for (let at = done; at < text.length; at++) {
    if (text[at] === '"') return { text: value + text.slice(done, at), end: at + 1 }
    if (text[at] !== '\\' || (text[at + 1] !== '"' && text[at + 1] !== '\\')) continue
    value += text.slice(done, at)
    done = ++at
  }
  return { text: value + text.slice(done), end: text.length }
}

function joined(pieces: [number, { text: string; encoded: boolean }][]): string {
  const first = pieces[0]![1]
  const language = first.encoded ? /^([^']*)'[^']*'/.exec(first.text) : null
  const bytes = pieces.map(([, { text, encoded }], index) => {
    const said = index === 0 && language !== null ? text.slice(language[0].length) : text
    return encoded ? unescaped(said) : said
  })
  return decodeText(Buffer.from(bytes.join(''), 'latin1'), language?.[1] || undefined)
}

function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Comments (RFC 5322, section 3.2.2) outside of quotes are blanks. */
function withoutComments(text: string): string {
  let kept = ''
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '\\') {
      if (depth === 0) kept += char + (text[at + 1] ?? '')
      at++
    } else if (quoted || depth === 0) {
      if (char === '"') quoted = !quoted
      if (char === '(' && !quoted) depth++
      else kept += char
    } else if (char === '(') depth++
    else if (char === ')') depth--
  }
  // A bracket that nothing closes is no comment.
  return depth === 0 ? kept : text
}
