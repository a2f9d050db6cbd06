import type { Buffer } from 'node:buffer'
import { decodeWords, type HeaderContext } from './encoded-words.ts'
import { isAsciiSpace, storable, trimAscii, trimAsciiEnd } from './text.ts'

/** A header field, one character per byte. */
export interface Field {
  /** The name in lower case. */
  key: string
  /** The field as it is in the message: name, colon and value, folded. */
  line: string
}

export interface HeaderBlock {
  fields: Field[]
  /**
   * Where in the block the body begins if the blank line between the two is missing; -1 if it is
   * not.
   */
  body: number
  /**
   * Whether there are more fields than were allowed; those after the last allowed one are left out.
   */
  hasMore: boolean
}

/**
 * A field's name (RFC 5322, section 2.2), blanks, which old programs wrote before the colon, and
 * the colon.
 */
const FIELD = /^[!-9;-~]+[ \t]*:/

/**
 * Fields that nearly every mail has. Lines before one of them belong to a header, whatever they
 * contain.
 */
const COMMON =
  /^(?:content-(?:type|transfer-encoding|disposition|id)|mime-version|from|to|cc|subject|date|message-id|received)[ \t]*:/i
const COMMON_LINES = new RegExp(`(?:^|\\n)${COMMON.source.slice(1)}`, 'gi')

const FIELD_LINES = new RegExp(`(?:^|\\n)${FIELD.source.slice(1)}`, 'g')

const FIELD_HERE = new RegExp(FIELD.source.slice(1), 'y')

/** The line before the header in a mailbox file (RFC 4155). */
const ENVELOPE = /^>?From /

/** How much is searched for a header behind blank lines at the start of a message. */
const LEADING_BLANKS_MAX = 4096

/**
 * Returns where the header of a message begins: blank lines are not part of it if a field that
 * nearly every mail has follows, or any field and another one. The end of a field whose beginning is
 * missing is no part of it either. undefined if more of the message is needed to tell.
 */
export function startOfHeader(data: Buffer, isLast: boolean): number | undefined {
  if (data.length > 0 && !isAsciiSpace(data[0] ?? 0)) return 0
  const head = data.toString('latin1', 0, LEADING_BLANKS_MAX)
  const blank = /^(?:[ \t]*\r?\n)*/.exec(head)?.[0].length ?? 0
  const [first = '', second, third] = head.slice(blank).split('\n', 3)
  const isComplete = isLast || data.length >= LEADING_BLANKS_MAX
  if (second === undefined && !isComplete) return undefined
  if (isCommonField(first)) return blank
  if (/^[ \t]/.test(first)) return behindFolds(head, blank, isComplete)
  if (!FIELD.test(first)) return 0
  if (third === undefined && !isComplete) return undefined
  return FIELD.test(second ?? '') || /^[ \t]+\S/.test(second ?? '') ? blank : 0
}

/** Skips lines that continue a field, which is missing, if a field that nearly every mail has follows. */
function behindFolds(head: string, from: number, isComplete: boolean): number | undefined {
  const start = from + (/^(?:[ \t][^\n]*\n)*/.exec(head.slice(from))?.[0].length ?? 0)
  if (!isComplete && !head.includes('\n', start)) return undefined
  return COMMON.test(head.slice(start)) ? start : 0
}

/** Whether a header can begin with this line. */
export function beginsHeader(line: string): boolean {
  return FIELD.test(line) || ENVELOPE.test(line) || isCommonField(line)
}

/** Whether the line is a field that nearly every mail has, with or without blanks before it. */
function isCommonField(line: string): boolean {
  return COMMON.test(line.slice(indent(line)))
}

/**
 * Splits a header into its fields. If the blank line between header and body is missing, the body
 * begins with the first line that is no field, as in Python's parser. If fields that nearly every
 * mail has follow such a line, or any field in the header of a part, it is a broken field and is left
 * out, as in GMime.
 * @param block one character per byte
 */
export function splitHeader(block: string, fieldsMax: number, isOfPart = false): HeaderBlock {
  const fields: Field[] = []
  /** Where the last common field begins, or the line end before it; looked for when it is first needed. */
  let lastCommon: number | undefined
  let begin = -1
  let end = 0
  function endField(): void {
    if (begin !== -1) fields.push(fieldOf(block, begin, end))
    begin = -1
  }
  for (let at = 0; at < block.length; at = end) {
    const found = block.indexOf('\n', at)
    const next = found === -1 ? block.length : found + 1
    const first = block[at]
    const isFolded = first === ' ' || first === '\t'
    if (isFolded && (begin !== -1 || fields.length > 0)) {
      // A line that continues one that was left out is left out with it.
    } else if (isFolded ? isCommonField(block.slice(at, next)) : beginsField(block, at)) {
      endField()
      if (fields.length === fieldsMax) return { fields, body: -1, hasMore: true }
      // There is no field that a blank before the first one could continue.
      begin = isFolded ? at + indent(block.slice(at, next)) : at
    } else {
      endField()
      lastCommon ??= lastMatch(block, isOfPart ? FIELD_LINES : COMMON_LINES)
      if (at > lastCommon && !(at === 0 && ENVELOPE.test(block))) return { fields, body: at, hasMore: false }
    }
    end = next
  }
  endField()
  return { fields, body: -1, hasMore: false }
}

function beginsField(block: string, at: number): boolean {
  FIELD_HERE.lastIndex = at
  return FIELD_HERE.test(block)
}

function fieldOf(block: string, begin: number, end: number): Field {
  const line = trimAsciiEnd(block.slice(begin, end))
  return { key: trimAsciiEnd(line.slice(0, line.indexOf(':'))).toLowerCase(), line }
}

function indent(line: string): number {
  let at = 0
  while (isAsciiSpace(line.charCodeAt(at))) at++
  return at
}

/** Where the last match begins, or -1. */
function lastMatch(block: string, pattern: RegExp): number {
  let last = -1
  pattern.lastIndex = 0
  for (let found = pattern.exec(block); found !== null; found = pattern.exec(block)) last = found.index
  return last
}

/** A field as its reader sees it. */
export interface Header {
  name: string
  value: string
}

/** Returns every field in order, unfolded, with encoded words decoded (RFC 2047). */
export function headerList(fields: readonly Field[], context: HeaderContext): Header[] {
  return fields.map(({ line }) => ({
    name: storable(trimAscii(line.slice(0, line.indexOf(':')))),
    value: storable(decodeWords(unfolded(line), context)).trim(),
  }))
}

/**
 * Returns the value of the first field with this name (lower case), one character per byte,
 * unfolded.
 */
export function firstField(fields: readonly Field[], key: string): string | undefined {
  const field = fields.find((candidate) => candidate.key === key)
  return field && unfolded(field.line)
}

/** Returns what follows a field's colon; each fold is one space (RFC 5322, section 2.2.3). */
export function unfolded(line: string): string {
  const value = line.slice(line.indexOf(':') + 1)
  return /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]+[ \t]*/g, ' ') : value
}

/** Returns the decoded value of the first field with this name (lower case). */
export function firstValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}
