import { Buffer } from 'node:buffer'
import { decodeText, isInformative } from './charset.ts'
import { decodeBytes, decodeWords, type HeaderContext, unescapeHex } from './encoded-words.ts'
import { trimAscii } from './text.ts'

/** Parameters by their names in lower case. */
export type Parameters = Map<string, string>

/** No header has more. */
const PARAMETERS_MAX = 200

/** The parameters that are used. Others are not decoded. */
const USED = new Set(['boundary', 'charset', 'name', 'filename', 'format', 'delsp'])

/** `name*1*`: a piece of a value (RFC 2231, section 3), percent-encoded (section 4). */
const PIECE = /^([^*]+)\*(?:(\d{1,3})(\*?))?$/

/** The separators of two parameters. */
const SEPARATORS = /[ \t\r\n\f\v;,]*/y
/** The value up to the next parameter, even if the semicolon between the two is missing. */
const TOKEN = /[^; \t\r\n\f\v]*(?:[ \t]+(?![\w-]+(?:\*\d*\*?)?=)[^; \t\r\n\f\v]+)*/y
const NAME = /([^ \t\r\n\f\v=;"]+)[ \t\r\n\f\v]*=[ \t\r\n\f\v]*/y

interface Piece {
  position: number
  text: string
  isEncoded: boolean
}

/**
 * Parses a header field's value and its parameters (RFC 2045, section 5.1; RFC 2231), in time
 * linear in its length. Also accepted: encoded words in values and bytes above ASCII, as Outlook
 * and Gmail write them; blanks in values without quotes; and backslashes before anything but a
 * quote or a backslash, because Windows writes paths there.
 * @param field one character per byte, unfolded
 * @returns the value, and of the parameters only those that are used
 */
export function parseParameters(
  field: string,
  context: HeaderContext,
): { value: string; parameters: Parameters } {
  const text = trimAscii(field.includes('(') ? withoutComments(field) : field)
  const value = /^[^ \t\r\n\f\v;]*/.exec(text)?.[0] ?? ''
  const parameters: Parameters = new Map()
  const pieces = new Map<string, Piece[]>()
  for (let at = value.length, n = 0; n < PARAMETERS_MAX; n++) {
    at = endOf(SEPARATORS, text, at)
    if (at >= text.length) break
    NAME.lastIndex = at
    const name = NAME.exec(text)
    if (name === null) {
      const next = text.indexOf(';', at)
      if (next === -1) break
      at = next
      continue
    }
    const given = readValue(text, NAME.lastIndex)
    at = given.end
    const key = (name[1] ?? '').toLowerCase()
    const piece = key.includes('*') ? PIECE.exec(key) : null
    if (piece === null) {
      if (USED.has(key) && !parameters.has(key)) parameters.set(key, decodeWords(given.text, context))
      continue
    }
    const [, whole = '', position = '0', star] = piece
    if (!USED.has(whole)) continue
    const isEncoded = piece[2] === undefined || star === '*'
    const all = pieces.get(whole) ?? []
    all.push({ position: Number(position), text: given.text, isEncoded })
    pieces.set(whole, all)
  }
  for (const [name, all] of pieces) parameters.set(name, joinPieces(all, context))
  return { value, parameters }
}

/** Where the match of a sticky pattern ends that begins at `at`; `at` if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function readValue(text: string, from: number): { text: string; end: number } {
  if (text[from] !== '"') {
    const end = endOf(TOKEN, text, from)
    // A quote at the end had a partner that is missing.
    return { text: text.slice(from, text[end - 1] === '"' ? end - 1 : end), end }
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

/** Returns the last piece of each position. */
function inOrder(pieces: Piece[]): Piece[] {
  const byPosition = new Map(pieces.map((piece) => [piece.position, piece]))
  return [...byPosition.values()].sort((a, b) => a.position - b.position)
}

/** Joins the pieces of one value. */
function joinPieces(pieces: Piece[], context: HeaderContext): string {
  const ordered = pieces.length === 1 ? pieces : inOrder(pieces)
  const first = ordered[0]
  const language = first?.isEncoded ? /^([^']*)'[^']*'/.exec(first.text) : null
  const bytes = ordered.map(({ text, isEncoded }, index) => {
    const content = index === 0 && language !== null ? text.slice(language[0].length) : text
    return isEncoded ? unescapeHex(content, '%') : content
  })
  const raw = bytes.join('')
  // Programs split or encode a value that they have encoded as words.
  if (raw.includes('=?')) return decodeWords(raw, context)
  const charset = language?.[1]
  // A name in a charset costs as much as an encoded word.
  const isAffordable = context.wordsLeft > 0 && context.unknownCharsetsLeft > 0
  if (!charset || !isAffordable || !isInformative(charset)) return decodeBytes(raw, context)
  context.wordsLeft--
  return decodeText(Buffer.from(raw, 'latin1'), charset, context)
}

/** What comes before the value of a name: `name`, `filename`, and their pieces. */
const BEFORE_NAME = /name[*\d]*[ \t]*$/i

/**
 * Comments (RFC 5322, section 3.2.2) outside quotes count as blanks. A bracket in the value of a
 * name, or within the value of another parameter, is a part of it, because programs leave out the
 * quotes that it requires: `filename=tide (1).pdf`, `boundary=a(b)c`.
 */
function withoutComments(text: string): string {
  let kept = ''
  let depth = 0
  let isQuoted = false
  let isName = false
  let isValue = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\\') {
      if (depth === 0) kept += char + (text[at + 1] ?? '')
      at++
    } else if (isQuoted || depth === 0) {
      if (char === '"') isQuoted = !isQuoted
      else if (char === '=' && !isQuoted) {
        isValue = true
        isName ||= BEFORE_NAME.test(text.slice(Math.max(0, at - 16), at))
      } else if (char === ';' && !isQuoted) isValue = isName = false
      const isText = isQuoted || isName || (isValue && /[^ \t=)]/.test(text[at - 1] ?? ''))
      if (char === '(' && !isText) depth++
      else kept += char
    } else if (char === '(') depth++
    else if (char === ')') depth--
  }
  // A bracket that is never closed is no comment.
  return depth === 0 ? kept : text
}
