import { COUNTER, WORD, words } from './alphabet.ts'
import type { Random } from './random.ts'

const PIECES_MAX = 40
const OPERATIONS_MAX = 4
/** Prime, so that every word has its turn. */
const WORD_STEP = 7919

/** How a text is made: pieces that repeat until it has its size. */
export interface Genome {
  /** Which frame of the target surrounds the text. */
  frame: number
  start: string[]
  repeated: string[]
  end: string[]
}

function pieceOf(random: Random, alphabet: string[][]): string {
  return random.pick(random.pick(alphabet))
}

type Part = 'start' | 'repeated' | 'end'

/** @param alphabet groups of pieces, each as likely as the others */
export function randomGenome(random: Random, alphabet: string[][], frames: number): Genome {
  const pieces = (max: number) => Array.from({ length: random.below(max) }, () => pieceOf(random, alphabet))
  return {
    frame: random.below(frames),
    start: pieces(3),
    repeated: [pieceOf(random, alphabet), ...pieces(8)],
    end: pieces(3),
  }
}

/** A changed copy; `other` lends pieces. */
export function mutated(
  genome: Genome,
  other: Genome,
  { random, alphabet, frames }: { random: Random; alphabet: string[][]; frames: number },
): Genome {
  const copy: Genome = {
    frame: random.next() < 0.1 ? random.below(frames) : genome.frame,
    start: [...genome.start],
    repeated: [...genome.repeated],
    end: [...genome.end],
  }
  for (let n = 1 + random.below(OPERATIONS_MAX); n > 0; n--) {
    const part: Part = random.next() < 0.7 ? 'repeated' : random.pick(['start', 'end'])
    change(copy[part], other[part], random, alphabet)
    copy[part].length = Math.min(copy[part].length, PIECES_MAX)
  }
  if (copy.repeated.length === 0) copy.repeated.push(pieceOf(random, alphabet))
  return copy
}

function change(pieces: string[], others: string[], random: Random, alphabet: string[][]): void {
  const at = random.below(pieces.length + 1)
  const count = 1 + random.below(3)
  const operation = random.below(7)
  if (operation <= 1) pieces.splice(at, 0, pieceOf(random, alphabet))
  else if (operation === 2) pieces.splice(at, count)
  else if (operation === 3) pieces.splice(at, 1, pieceOf(random, alphabet))
  else if (operation === 4) pieces.splice(at, 0, ...pieces.slice(at - count < 0 ? 0 : at - count, at))
  else if (operation === 5) {
    const from = random.below(others.length + 1)
    pieces.splice(at, random.below(2) * count, ...others.slice(from, from + 1 + random.below(8)))
  } else if (pieces.length > 1) {
    const [moved] = pieces.splice(random.below(pieces.length), 1)
    if (moved !== undefined) pieces.splice(random.below(pieces.length + 1), 0, moved)
  }
}

/** The text of a genome, about as many bytes of UTF-8 as asked. */
export function textOf({ start, repeated, end }: Genome, bytes: number): string {
  const first = filled(start.join(''), 0)
  const last = filled(end.join(''), 0)
  const unit = repeated.join('')
  const room = Math.max(1, bytes - Buffer.byteLength(first) - Buffer.byteLength(last))
  const text = `${first}${isVaried(unit) ? varied(unit, room) : repetition(unit, room)}${last}`
  return text.length > bytes ? text.slice(0, bytes) : text
}

function repetition(unit: string, bytes: number): string {
  return unit.repeat(Math.max(1, Math.floor(bytes / Math.max(1, Buffer.byteLength(unit)))))
}

function isVaried(unit: string): boolean {
  return unit.includes(COUNTER) || unit.includes(WORD)
}

/** Repeats a unit of which each repetition differs. */
function varied(unit: string, bytes: number): string {
  const made: string[] = []
  for (let length = 0; length < bytes; ) {
    const next = filled(unit, made.length)
    made.push(next)
    length += Buffer.byteLength(next)
  }
  return made.join('')
}

let known: string[] | undefined

function filled(unit: string, n: number): string {
  if (!isVaried(unit)) return unit
  known ??= words()
  let place = n * WORD_STEP
  const nextWord = () => {
    place += WORD_STEP
    return known![place % known!.length]!
  }
  return unit.replaceAll(COUNTER, String(n)).replaceAll(WORD, nextWord)
}
