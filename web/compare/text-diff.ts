import { diffArrays } from 'diff'

/** Larger texts are compared as far as this, so that a page is never busy for long. */
const CHARACTERS_MAX = 100_000
const LINES_MAX = 3_000
/** Texts with more differences than this are shown as removed and added as a whole. */
const LINE_EDITS_MAX = 1_000
/** A line with more differences than this is marked as a whole. */
const WORD_EDITS_MAX = 100
const WORD_LINE_MAX = 2_000
/** Words of any script, white space, and single signs. */
const TOKEN = /[\p{L}\p{N}\p{M}]+|\s+|./gsu

export interface DiffPart {
  text: string
  /** Whether the other email has something else in its place. */
  isChanged: boolean
}

export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  parts: DiffPart[]
}

export interface TextDiff {
  lines: DiffLine[]
  /** Whether a text is longer than what is compared. */
  isCut: boolean
}

/** The lines of two texts: those that both have, that only the first, and that only the second has. */
export function textDiff(before: string, after: string): TextDiff {
  const [a, b] = [linesOf(before), linesOf(after)]
  return { lines: lineDiff(a.lines, b.lines), isCut: a.isCut || b.isCut }
}

function linesOf(text: string): { lines: string[]; isCut: boolean } {
  const lines = text.slice(0, CHARACTERS_MAX).trimEnd().split(/\r?\n/)
  const isCut = text.length > CHARACTERS_MAX || lines.length > LINES_MAX
  return { lines: lines[0] === '' && lines.length === 1 ? [] : lines.slice(0, LINES_MAX), isCut }
}

function lineDiff(a: string[], b: string[]): DiffLine[] {
  const changes = diffArrays(a, b, { maxEditLength: LINE_EDITS_MAX })
  if (changes === undefined) return replaced(a, b, false)
  const lines: DiffLine[] = []
  for (let i = 0; i < changes.length; i++) {
    const { value, added, removed } = changes[i] as (typeof changes)[number]
    const next = changes[i + 1]
    if (removed && next?.added) {
      lines.push(...replaced(value, next.value, true))
      i++
    } else lines.push(...value.map((text) => whole(text, added ? 'added' : removed ? 'removed' : 'same')))
  }
  return lines
}

/** Lines that others have replaced: the first with the first, and so on. */
function replaced(a: string[], b: string[], byWords: boolean): DiffLine[] {
  const pairs = a.map((text, i) => (byWords ? wordDiff(text, b[i]) : undefined))
  return [
    ...a.map((text, i) => pairs[i]?.[0] ?? whole(text, 'removed')),
    ...b.map((text, i) => pairs[i]?.[1] ?? whole(text, 'added')),
  ]
}

function whole(text: string, kind: DiffLine['kind']): DiffLine {
  return { kind, parts: [{ text, isChanged: false }] }
}

/** Two lines with the words that differ; undefined if they have no word in common. */
function wordDiff(a: string, b: string | undefined): [DiffLine, DiffLine] | undefined {
  if (b === undefined || Math.max(a.length, b.length) > WORD_LINE_MAX) return undefined
  const changes = diffArrays(tokensOf(a), tokensOf(b), { maxEditLength: WORD_EDITS_MAX })
  if (
    !changes?.some(
      ({ added, removed, value }) => !added && !removed && value.some((token) => /[\p{L}\p{N}]/u.test(token)),
    )
  ) {
    return undefined
  }
  const side = (kind: 'removed' | 'added'): DiffLine => ({
    kind,
    parts: changes
      .filter(({ added, removed }) => (kind === 'removed' ? !added : !removed))
      .map(({ value, added, removed }) => ({ text: value.join(''), isChanged: added || removed })),
  })
  return [side('removed'), side('added')]
}

function tokensOf(line: string): string[] {
  return line.match(TOKEN) ?? []
}
