import type { Random } from '../../hostile/search/random.ts'
import { LAYOUTS, type Piece, writeMail } from './layouts.ts'
import { randomCode, randomPassword } from './values.ts'
import type { Words } from './words.ts'

/** A random mail with what the reader must find in it. */
export interface Composed {
  mail: { subject: string; text: string; html: string | null }
  expected: string[]
  language: string
  kind: 'code' | 'password' | 'sentence' | 'other'
  /** The sentence or the label of the mail, and the label beside it. */
  made: string[]
  /** How the first of `made` and its value are laid out. */
  layout: string
  value: string
}

type Draft = Omit<Composed, 'mail' | 'language'> & { subject: string; pieces: Piece[] }

/** Topics of labels that a mail with a code may have beside it. */
const BESIDE = ['order', 'place']

/** Returns a random mail: one label or sentence, its value, and what such a mail says beside it. */
export function composeMail(random: Random, words: Words): Composed {
  const draft = random.pick([ofCode, ofCode, ofCode, ofSentence, ofSentence, ofPassword, ofOther, ofOther])
  const { subject, pieces, ...answer } = draft(random, words)
  return { mail: writeMail(random, words, subject, pieces), ...answer, language: words.language }
}

function ofOther(random: Random, words: Words): Draft {
  const { subject, sentence, labels } = random.pick(words.others)
  const label = random.pick(labels)
  const value = randomCode(random).shown
  const piece = labelled(random, words, label, value)
  const pieces = [sentence, piece]
  return { subject, pieces, expected: [], kind: 'other', made: [label], layout: layoutOf(piece), value }
}

function ofPassword(random: Random, words: Words): Draft {
  const label = random.pick(words.passwords)
  const value = randomPassword(random)
  const piece = labelled(random, words, label, value)
  const pieces = [random.pick(words.accounts), piece]
  const subject = random.pick([label, ...words.subjects])
  return {
    subject,
    pieces,
    expected: [value],
    kind: 'password',
    made: [label],
    layout: layoutOf(piece),
    value,
  }
}

function ofSentence(random: Random, words: Words): Draft {
  const sentence = random.pick(words.sentences)
  const { shown, typed } = randomCode(random)
  const stated = sentence.replace('{code}', shown)
  const ownSubject = stated.includes('\n') ? [] : [stated.replace(/[.。।։]$/, '')]
  const subject = random.pick([...words.subjects, ...ownSubject])
  const pieces = around(random, words, [stated])
  const made = [sentence]
  return { subject, pieces, expected: [typed], kind: 'sentence', made, layout: 'sentence', value: shown }
}

function ofCode(random: Random, words: Words): Draft {
  const isYours = random.below(4) === 0
  const label = random.pick(isYours ? words.yourCodes : words.codes)
  const { shown, typed } = randomCode(random)
  const isStated = isYours && random.below(2) === 0
  const piece = isStated
    ? random.pick(words.states).replace('{label}', label).replace('{code}', shown)
    : labelled(random, words, label, shown)
  const subject = random.pick([label, isStated ? label : `${label}: ${shown}`, ...words.subjects])
  const beside = random.below(8) === 0 ? labelBeside(random, words) : []
  const order = random.below(2) === 0 ? [piece, ...beside] : [...beside, piece]
  const pieces = around(random, words, order)
  const made = [label, ...beside.map((other) => other.name)]
  return { subject, pieces, expected: [typed], kind: 'code', made, layout: layoutOf(piece), value: shown }
}

/** Returns the number of an order, a customer or the like. */
function labelBeside(random: Random, words: Words) {
  const { labels } = random.pick(words.others.filter(({ topic }) => BESIDE.includes(topic)))
  const name = random.pick(labels)
  return [{ ...labelled(random, words, name, String(10_000 + random.below(9_000_000))), name }]
}

/** Puts sentences of a mail with a code around it, or none. */
function around(random: Random, words: Words, pieces: Piece[]): Piece[] {
  const before = random.below(3) > 0 ? [random.pick(words.before)] : []
  return [...before, ...pieces, ...words.after.filter(() => random.below(3) === 0)]
}

function labelled(random: Random, { language }: Words, label: string, value: string) {
  // Georgian has capital letters that no mail uses.
  const isLoud = random.below(12) === 0 && language !== 'ka'
  return { label: isLoud ? label.toLocaleUpperCase(language) : label, value, layout: random.pick(LAYOUTS) }
}

const layoutOf = (piece: Piece) => (typeof piece === 'string' ? 'sentence' : piece.layout)
