import { closingBracket } from '../brackets.ts'
import { isWhite } from '../lexicon/letters.ts'
import type { Mention } from './link.ts'

/** A URL in a text. The words around it are read when they are needed, because those of most are not. */
class UrlInText implements Mention {
  readonly url: string
  readonly words = ''
  readonly #before: string
  readonly #after: string
  #around: string | undefined

  constructor(url: string, before: string, after: string) {
    this.url = url
    this.#before = before
    this.#after = after
  }

  get around(): string {
    this.#around ??= leadOf(this.#before, this.#after)
    return this.#around
  }

  get below(): string | undefined {
    const line = this.#before.slice(this.#before.lastIndexOf('\n') + 1)
    return LETTER.test(line) && !/[:：]\s*$/.test(line) ? GOES_ON.exec(this.#after)?.[1] : undefined
  }
}

const SCHEME_END = '://'
const SCHEME_MAX = 5
const SCHEME = /https?$/i

/**
 * A URL ends at white space, at marks that it cannot hold, and at East Asian characters, which
 * follow it without a space. Other letters may be part of it, because people write
 * internationalized addresses.
 */
const END = /[\s<>"`{}|\\^\0-\x20\x7f\u2018-\u201f\u2026\u2e80-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]/

/** What END says of each UTF-16 unit, once it was asked: a look-up costs a tenth of a search. */
const ENDS = new Uint8Array(0x10000)
const IS_PART = 1
const IS_END = 2

function endOfUrl(text: string, from: number): number {
  let at = from
  while (at < text.length && (ENDS[text.charCodeAt(at)]! || look(text.charCodeAt(at))) === IS_PART) at++
  return at
}

function look(code: number): number {
  ENDS[code] = END.test(String.fromCharCode(code)) ? IS_END : IS_PART
  return ENDS[code]!
}

/** Where the next URL begins and where its scheme ends; null behind the last one. */
function nextScheme(text: string, from: number): { start: number; end: number } | null {
  for (let mark = text.indexOf(SCHEME_END, from); mark !== -1; ) {
    const scheme = SCHEME.exec(text.slice(Math.max(from, mark - SCHEME_MAX), mark))
    if (scheme !== null) return { start: mark - scheme[0].length, end: mark + SCHEME_END.length }
    mark = text.indexOf(SCHEME_END, mark + 1)
  }
  return null
}

/** Punctuation that belongs to the sentence when a URL ends with it. */
const TRAILING = new Set(".,;:!?'*«»")
const BRACKETS: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
const CLOSING = new Map(Object.entries(BRACKETS).map(([close, open]) => [open, close]))

/**
 * The first `most` URLs in a text, each with the words around it; linear in the text. URLs of twice
 * `linkBytes` are skipped, and so are those that `isWanted` rejects.
 */
export function urlsIn(
  text: string,
  linkBytes: number,
  most: number,
  isWanted: (url: string) => boolean = () => true,
): UrlInText[] {
  const urls: UrlInText[] = []
  let done = 0
  for (let n = 0; n < most; n++) {
    const scheme = nextScheme(text, done)
    if (scheme === null) break
    const { start } = scheme
    const end = endOfUrl(text, scheme.end)
    // A longer URL is useless, and so is its beginning.
    if (end - start <= 2 * linkBytes) {
      const url = withoutSentenceMarks(closed(text, start, end))
      const before = text.slice(Math.max(done, start - LEAD), start)
      // A full stop behind the URL ends the sentence around it, and is no part of the URL.
      const isEndOfSentence = ENDS_SENTENCE.test(text.slice(start + url.length, end))
      const after = (isEndOfSentence ? '. ' : '') + text.slice(end, end + TAIL)
      if (isWanted(url)) urls.push(new UrlInText(url, before, after))
    }
    done = end
  }
  return urls
}

/** The URL up to the bracket that closes one right before it: "[https://a.example/b]it". */
function closed(text: string, start: number, end: number): string {
  const url = text.slice(start, end)
  const opening = text.charAt(start - 1)
  const closing = CLOSING.get(opening)
  if (closing === undefined) return url
  const close = closingBracket(url, 0, opening, closing)
  return close === -1 ? url : url.slice(0, close)
}

/** The number of a note behind a URL: "https://a.example/b[1]". */
const NOTE = /\[\d{1,2}\]$/
const NOTE_MAX = 4

function withoutSentenceMarks(shown: string): string {
  let url = shown
  while (NOTE.test(url.slice(-NOTE_MAX))) url = url.slice(0, url.lastIndexOf('['))
  const end = url.charAt(url.length - 1)
  return TRAILING.has(end) || end in BRACKETS ? withoutMarksAtEnd(url) : url
}

function withoutMarksAtEnd(url: string): string {
  /** How many more of each bracket are closed than opened, of those that are at the end. */
  const surplus: Record<string, number> = {}
  let end = url.length
  for (; end > 0; end--) {
    const last = url[end - 1]!
    if (TRAILING.has(last)) continue
    const open = BRACKETS[last]
    if (open === undefined) break
    surplus[last] ??= url.split(last).length - url.split(open).length
    if (surplus[last]! <= 0) break
    surplus[last]!--
  }
  return url.slice(0, end)
}

/** Characters before and after a URL that are examined. */
const LEAD = 500
const TAIL = 120

function leadOf(before: string, after: string): string {
  const lines = withoutWraps(before.split('\n'))
  const line = lines.pop()!
  const sentence = sentenceAround(line, after.split(/\n|https?:/, 1)[0]!)
  const above = (most: number) =>
    lines
      .filter((other) => LETTER.test(other))
      .slice(-most)
      .map((other) => other.slice(-WORDS))
  // "Continue: <link>" is the button of a text, and says nothing alone.
  if (LETTER.test(sentence)) {
    const withLead = behindSentenceBefore(line, sentence)
    return LABEL.test(sentence.trimEnd()) ? [...above(1), withLead].join('\n') : withLead
  }
  return (LETTER.test(line) ? [...above(1), sentencesBefore(line)] : above(2)).join('\n')
}

/** "Use the link <URL>,", and on the next line "to complete your registration". Georgian has no capitals. */
const GOES_ON = /^[ \t,;)>\]]{0,4}\r?\n((?![\u10d0-\u10ff])\p{Ll}[^\n:]{0,100})(?=\r?\n|$)/u
const LETTER = /\p{L}/u
/** A short line that leads to its link. */
const LABEL = /^[^.!?。！？\n]{1,40}(?:[:：[(<](?:\s*[\])>])?|】)$/
const WORDS = 200

/** A line of fewer characters is not wrapped. East Asian characters are twice as wide. */
const WRAPPED_MIN = 50
const WRAPPED_MIN_WIDE = 25
const ENDS_WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]$/
/** The end of a sentence, or of a line that introduces something. */
const ENDS_SENTENCE = /[.:!?。：！？।։]\s*$/

/** Lines with those joined that were one sentence before it was wrapped. The last one is kept. */
function withoutWraps(lines: string[]): string[] {
  const joined: string[] = []
  let isOpen = false
  for (const line of lines) {
    if (isOpen && LETTER.test(line))
      joined[joined.length - 1] += (ENDS_WIDE.test(joined.at(-1)!) ? '' : ' ') + line
    else joined.push(line)
    isOpen =
      line.length >= (ENDS_WIDE.test(line) ? WRAPPED_MIN_WIDE : WRAPPED_MIN) && !ENDS_SENTENCE.test(line)
  }
  return joined
}

/** The text before and after a link on its line, as far as it is the same sentence. */
export function sentenceAround(before: string, after: string): string {
  const start = lastSentence(before)
  // In "Confirm here: <link> Unsubscribe", the words before the link belong to it.
  const end = /[:：]\s*$/.test(start) ? '' : firstSentence(after.slice(0, WORDS))
  return `${start} ${end}`.trim()
}

/** Between a sentence and the one before it in its paragraph. */
export const SENTENCE_BREAK = '\u2028'

/** "Confirm your address. You can do so here": the sentence with the one before it, if there is one. */
export function behindSentenceBefore(before: string, sentence: string): string {
  const near = before.slice(-2 * WORDS)
  const begun = lastSentence(near)
  if (begun.length >= WORDS) return sentence
  const above = endingSentence(near.slice(0, near.length - begun.length).trimEnd())
  return LETTER.test(above) ? `${above}${SENTENCE_BREAK}${sentence}` : sentence
}

function firstSentence(text: string): string {
  const end = text.search(/[.!?](?:\s|$)|[。！？]/)
  return end === -1 ? text : text.slice(0, end)
}

/**
 * "Follow this link to confirm. <link>": the last sentence before a link, although a full stop ends it, below
 * the one before it: "Confirm here. If you did not ask for this, ignore this mail. <link>".
 */
export function sentencesBefore(before: string): string {
  const near = withoutStop(before.slice(-WORDS))
  const last = lastSentence(near)
  const above = withoutStop(endingSentence(near.slice(0, near.length - last.length)))
  return LETTER.test(above) ? `${above}\n${last.trim()}` : last.trim()
}

/** The last sentence of a text, with the full stop that ends it. */
function endingSentence(text: string): string {
  const bare = withoutStop(text)
  return text.slice(bare.length - lastSentence(bare).length).trim()
}

function withoutStop(text: string): string {
  let end = text.length
  while (end > 0 && SENTENCE_MARKS.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

const SENTENCE_MARKS = ' .!。！'

/**
 * "Was this not you? Reset your password": a question says for whom the next sentence is. A loop, because a text of
 * full stops has hundreds of sentences, and every link asks.
 */
function lastSentence(text: string): string {
  const from = Math.max(0, text.length - WORDS)
  /** The code unit behind the one that is looked at; 0 at the end. */
  let next = 0
  for (let at = text.length - 1; at >= from; at--) {
    const code = text.charCodeAt(at)
    if (code === IDEOGRAPHIC_STOP || code === WIDE_EXCLAMATION) return text.slice(at + 1)
    if ((code === STOP || code === EXCLAMATION) && isWhite(next)) return text.slice(at + 2)
    next = code
  }
  return text.slice(from)
}

const EXCLAMATION = 0x21
const STOP = 0x2e
const IDEOGRAPHIC_STOP = 0x3002
const WIDE_EXCLAMATION = 0xff01
