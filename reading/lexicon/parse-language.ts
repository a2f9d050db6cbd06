import {
  type Language,
  LINK_FIELDS,
  type LinkField,
  OTHER_CODES,
  type OtherCode,
  WORD_KINDS,
  type WordKind,
} from './language.ts'

const ENTRY = /^(\w+) = (.+)$/
const SECTION = /^\[(\w+)\]$/

/**
 * Reads a file of `languages/`: an INI file with the sections `words`, `otherCodes` and `links`. A
 * line that starts with a space continues the line above.
 *
 * @throws Error with the number of the line for an unknown section or field, a duplicate field or
 * word.
 */
export function parseLanguage(source: string): Language {
  const language: Language = { words: {}, otherCodes: {}, links: {} }
  let section = ''
  for (const { line, number } of logicalLines(source)) {
    try {
      const heading = SECTION.exec(line)?.[1]
      if (heading !== undefined) section = heading
      else addEntry(language, section, line)
    } catch (error) {
      throw new Error(`line ${number}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return language
}

function addEntry({ words, otherCodes, links }: Language, section: string, line: string): void {
  const entry = ENTRY.exec(line)
  if (entry === null) throw new Error(`expected "field = words" instead of ${JSON.stringify(line)}`)
  const [, field = '', value = ''] = entry
  if (section === 'words' && isOneOf<WordKind>(WORD_KINDS, field)) add(words, field, listOf(value))
  else if (section === 'otherCodes' && isOneOf<OtherCode>(OTHER_CODES, field))
    add(otherCodes, field, listOf(value))
  else if (section === 'links' && isOneOf<LinkField>(LINK_FIELDS, field)) add(links, field, value)
  else throw new Error(`unknown field ${field} in section ${section || '(none)'}`)
}

function add<Field extends string, Value>(
  fields: Partial<Record<Field, Value>>,
  field: Field,
  value: Value,
): void {
  if (fields[field] !== undefined) throw new Error(`duplicate field ${field}`)
  fields[field] = value
}

function listOf(value: string): string[] {
  const list = value.split(',').map((word) => word.trim())
  const duplicate = list.find((word, index) => word === '' || list.indexOf(word) < index)
  if (duplicate !== undefined) throw new Error(`empty or duplicate word ${JSON.stringify(duplicate)}`)
  const joined = list.find((word) => word.includes('|'))
  if (joined !== undefined) throw new Error(`a comma separates words, not a bar: ${JSON.stringify(joined)}`)
  return list
}

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return (names as readonly string[]).includes(name)
}

/** Lines with their continuations, without comments and blank lines. */
function logicalLines(source: string): Array<{ line: string; number: number }> {
  const lines: Array<{ line: string; number: number }> = []
  for (const [index, line] of source.split('\n').entries()) {
    const last = lines.at(-1)
    if (line.startsWith(' ') && last !== undefined) last.line += ` ${line.trim()}`
    else if (line !== '' && !line.startsWith('#')) lines.push({ line, number: index + 1 })
  }
  return lines
}
