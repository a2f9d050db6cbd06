/** Markup beyond this is not searched, and places beyond these are not counted. */
const CHARACTERS_MAX = 300_000
const PLACES_MAX = 999
const LINES_SHOWN = 3

export interface Places {
  /** How often the feature is used; `PLACES_MAX` if it is used more often. */
  count: number
  /** The first lines of the HTML that use it, from 1. */
  lines: number[]
}

/** Where the HTML uses the features with these signs (usage.ts), as far as a search for their names finds them. */
export function placesOf(html: string, signs: string[]): Places {
  const text = html.slice(0, CHARACTERS_MAX)
  const at: number[] = []
  for (const sign of signs) {
    for (const { index } of text.matchAll(patternOf(sign))) {
      if (at.length >= PLACES_MAX) break
      at.push(index)
    }
  }
  at.sort((a, b) => a - b)
  return { count: at.length, lines: linesAt(text, at) }
}

function linesAt(text: string, at: number[]): number[] {
  const lines: number[] = []
  let line = 1
  let end = text.indexOf('\n')
  for (const index of at) {
    for (; end !== -1 && end < index; end = text.indexOf('\n', end + 1)) line++
    if (lines.at(-1) !== line) lines.push(line)
    if (lines.length === LINES_SHOWN) break
  }
  return lines
}

/** What a feature looks like in markup. Each pattern reads a character a fixed number of times. */
function patternOf(sign: string): RegExp {
  const [kind = '', name = '', value = ''] = sign.split(':', 3)
  const word = escaped(name)
  const patterns: Record<string, string> = {
    element: `<${word}(?![\\w-])`,
    attribute: `\\s${word}\\s{0,9}=`,
    property: `(?<![\\w-])${word}\\s{0,9}:`,
    value: `(?<![\\w-])${word}\\s{0,9}:\\s{0,9}${escaped(value)}`,
    function: `(?<![\\w-])${word}\\(`,
    unit: `\\d${word}\\b`,
    rule: `@${word}\\b`,
    media: `\\([^():]{0,20}${word}`,
    pseudo: `:${word}(?![\\w-])`,
    image: name === 'data' ? 'src\\s{0,9}=\\s{0,9}["\']?data:' : `\\.${word}\\b|data:image/${word}`,
    selector: SELECTORS[name] ?? '(?!)',
  }
  return new RegExp(patterns[kind] ?? '(?!)', 'gi')
}

/** A rule whose selector has the character that shows its kind. */
const SELECTORS: Record<string, string> = {
  'adjacent-sibling': '[\\w\\])] ?\\+ ?[\\w.#*[][^{};<>]{0,80}\\{',
  attribute: '\\[[\\w-][^\\]{}<>]{0,119}\\][^{};<>]{0,80}\\{',
  chaining: '[\\w-][.#][\\w-][^{};<>"\'=/]{0,119}\\{',
  child: '[\\w\\])] ?> ?[\\w.#*[][^{};<>]{0,80}\\{',
  class: '\\.[a-z_][^{};<>"\'=/]{0,140}\\{',
  descendant: '[\\w\\])] [.#*\\w][\\w-]{0,40} ?\\{',
  'general-sibling': '[\\w\\])] ?~ ?[\\w.#*[][^{};<>]{0,80}\\{',
  grouping: ',[^{};<>"\'=/]{1,80}\\{',
  id: '#[a-z_][^{};<>"\'=/]{0,140}\\{',
  universal: '(?<=[}\\s,>+~])\\*[^{};<>/]{0,40}\\{',
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
