/** What reading has to know of a tag. */
export interface Tag {
  /** In lower case, without the slash of an end tag. */
  readonly name: string
  readonly isEnd: boolean
  /** The break at the tag, or an empty text. */
  readonly mark: string
  /** Whether the element has no end tag. */
  readonly isVoid: boolean
  /** Whether the tag says how its text is to be searched. */
  readonly isSearched: boolean
  /** Whether the tag ends no block of text. */
  readonly isInline: boolean
  /** The groups of elements of which it is one, and those that end where it begins; as bits. */
  readonly group: number
  readonly ends: number
  /** The end of an element whose content is never shown. */
  readonly unseenEnd: RegExp | null
}

/** Marks for breaks. A run of white space and marks becomes the strongest break in it. */
export const BLANK_LINE = '\f'
export const BREAK = '\v'
export const NEW_LINE = '\n'
export const NEXT_CELL = '\t'

const MARKS: [mark: string, names: string][] = [
  [BREAK, 'br'],
  [BLANK_LINE, 'p h1 h2 h3 h4 h5 h6 table ul ol dl blockquote pre hr center form'],
  [NEW_LINE, 'div tr li section article header footer dt dd option address main nav figure fieldset caption'],
  [NEXT_CELL, 'td th'],
]

const VOID = 'area base br col embed hr img input link meta param source track wbr'

const SEARCHED = 'blockquote div pre s del strike img'

const INLINE =
  'a abbr acronym area b bdi bdo big cite code em font i img ins kbd label mark o:p q s small span strike strong sub sup tt u wbr'

/** Elements that end where the next one of theirs begins. */
const ENDED_BY: [names: string, by: string][] = [
  ['p', 'p div table ul ol h1 h2 h3 h4 h5 h6 hr blockquote pre'],
  ['li', 'li'],
  ['td th', 'td th tr'],
  ['tr', 'tr'],
]

const UNSEEN: [name: string, end: RegExp][] = [
  ['style', /<\/style/gi],
  ['script', /<\/script/gi],
  ['title', /<\/title/gi],
  ['template', /<\/template/gi],
]

const has = (names: string, name: string): boolean => names.split(' ').includes(name)

/** The bits of the lists of names that have a name. */
const bitsOf = (lists: string[], name: string): number =>
  lists.reduce((bits, names, n) => (has(names, name) ? bits | (1 << n) : bits), 0)

function known(name: string, isEnd: boolean): Tag {
  const mark = MARKS.find(([, names]) => has(names, name))?.[0] ?? ''
  const unseenEnd = isEnd ? undefined : UNSEEN.find(([its]) => its === name)?.[1]
  return {
    name,
    isEnd,
    // A "</br>" is no break.
    mark: isEnd && mark === BREAK ? '' : mark,
    isVoid: has(VOID, name),
    isSearched: has(SEARCHED, name),
    isInline: has(INLINE, name),
    group: bitsOf(
      ENDED_BY.map(([names]) => names),
      name,
    ),
    ends: bitsOf(
      ENDED_BY.map(([, by]) => by),
      name,
    ),
    unseenEnd: unseenEnd ?? null,
  }
}

/** The tags of HTML by their written names, so that a walk looks a name up once. */
const TAGS = new Map<string, Tag>()
const NAMES = [...MARKS.map(([, names]) => names), VOID, SEARCHED, INLINE, ...UNSEEN.map(([name]) => name)]
  .join(' ')
  .split(' ')
/** Characters of the longest end tag. */
const NAME_MAX = Math.max(...NAMES.map((name) => name.length)) + 1
for (const name of NAMES) {
  TAGS.set(name, known(name, false))
  TAGS.set(`/${name}`, known(name, true))
}

const SLASH = 47
/** Characters of a name that has a key. */
const KEYED_MAX = 5
/** The tags of short names by their keys: most tags are of these, and a number costs less than a text. */
const KEYED = new Map<number, Tag>()
for (const [written, tag] of TAGS)
  if (tag.name.length <= KEYED_MAX) KEYED.set(keyOf(written, 0, written.length), tag)

/**
 * Six bits for each letter in any case, digit or colon of a name, and a 1 for the slash of an end tag, which is no
 * letter: the lowest character has 16.
 */
function keyOf(html: string, from: number, to: number): number {
  let key = 0
  let at = from
  if (html.charCodeAt(from) === SLASH) {
    key = 1
    at++
  }
  for (; at < to; at++) {
    const code = html.charCodeAt(at)
    key = (key << 6) | (code & 31) | ((code & 64) >> 1)
  }
  return key
}

/** The elements of Office. */
const OFFICE = /^[vw]:/

/** Returns the tag whose name is at a place, with the slash of an end tag. */
export function tagAt(html: string, from: number, to: number): Tag {
  if (to - from <= KEYED_MAX || (to - from === KEYED_MAX + 1 && html.charCodeAt(from) === SLASH)) {
    const tag = KEYED.get(keyOf(html, from, to))
    if (tag !== undefined) return tag
  }
  return tagOf(html.slice(from, to))
}

function tagOf(written: string): Tag {
  if (written.length > NAME_MAX) return unknown(written.toLowerCase())
  return TAGS.get(written) ?? TAGS.get(written.toLowerCase()) ?? unknown(written.toLowerCase())
}

function unknown(written: string): Tag {
  const isEnd = written.startsWith('/')
  const name = isEnd ? written.slice(1) : written
  return {
    name,
    isEnd,
    mark: '',
    isVoid: false,
    isSearched: false,
    isInline: name.includes(':') && OFFICE.test(name),
    group: 0,
    ends: 0,
    unseenEnd: null,
  }
}
