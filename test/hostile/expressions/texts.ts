import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

const SAMPLES_MAX = 12
const TEXTS_MAX = 120
const BEGINNINGS_MAX = 4
const ENDS_MAX = 3
/** Characters of which at least one is in most classes. */
const CANDIDATES = [...'a0 .-_=<>"\'/:;,@#&%?!()[]{}|\\+*~^$`\t\r\nAzß中١\u00a0\u0301']

/** After each of them "^" matches in an expression of several lines, so it may begin there again and again. */
const LINE_ENDS = ['\r', '\u2028']

/**
 * Texts that make an expression work: repetitions of each character, class, literal and quantified
 * part of it, and of pairs of them, with a beginning that it expects and an end that it does not.
 */
export function textsFor(expression: RegExp, bytes: number): string[] {
  const ast = parsed(expression)
  const samples = samplesOf(ast, expression.flags)
  return [...repeated(samples, bytes), ...begun(ast, samples, expression.flags, bytes)]
}

function repeated(samples: string[], bytes: number): string[] {
  const units = [...samples]
  for (const a of samples) for (const b of samples) if (a !== b) units.push(a + b)
  const texts: string[] = []
  for (const unit of units.slice(0, TEXTS_MAX)) {
    const many = filled(unit, bytes)
    texts.push(many, `${many}\u0001`, `${samples[0]}${many}\u0001`)
  }
  return texts
}

/** Repetitions behind all that precedes a quantifier, before characters that its expression excludes. */
function begun(ast: AST.Pattern, samples: string[], flags: string, bytes: number): string[] {
  const beginnings = new Set<string>()
  for (const alternative of ast.alternatives) addBeginnings(alternative, '', flags, beginnings)
  beginnings.delete('')
  const ends = excluded(ast, flags)
  return [...beginnings].slice(-BEGINNINGS_MAX).flatMap((beginning) =>
    samples.flatMap((unit) => {
      const many = filled(unit, bytes)
      return ends.map((end) => `${beginning}${many}${end}`)
    }),
  )
}

const filled = (unit: string, bytes: number): string =>
  unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes)

function addBeginnings({ elements }: AST.Alternative, outer: string, flags: string, to: Set<string>): void {
  let before = outer
  for (const element of elements) {
    if (element.type === 'Quantifier') to.add(before)
    const group = element.type === 'Quantifier' ? element.element : element
    if (group.type === 'Group' || group.type === 'CapturingGroup')
      for (const alternative of group.alternatives) addBeginnings(alternative, before, flags, to)
    before += leastOf(element, flags)
  }
}

/** A short text that an element matches. */
function leastOf(element: AST.Element, flags: string): string {
  if (element.type === 'Character') return String.fromCodePoint(element.value)
  if (element.type === 'Quantifier') return leastOf(element.element, flags).repeat(Math.min(element.min, 20))
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return element.alternatives[0]!.elements.map((one) => leastOf(one, flags)).join('')
  if (element.type === 'Assertion' || element.type === 'Backreference') return ''
  return sampleOf(element.raw, flags) ?? ''
}

/** Characters that a class of the expression does not match, so that a match has to end before them. */
function excluded(ast: AST.Pattern, flags: string): string[] {
  const ends = new Set(['\u0001'])
  visitRegExpAST(ast, {
    onCharacterClassEnter({ raw, negate }) {
      const whole = new RegExp(`^${raw}$`, flags.replace(/[^iuvs]/g, ''))
      const end = negate ? CANDIDATES.find((text) => !whole.test(text)) : undefined
      if (end !== undefined) ends.add(end)
    },
  })
  return [...ends].slice(0, ENDS_MAX)
}

function parsed({ source, flags }: RegExp): AST.Pattern {
  return new RegExpParser().parsePattern(source, undefined, undefined, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
}

function samplesOf(ast: AST.Pattern, flags: string): string[] {
  const samples = new Set<string>()
  const add = (source: string) => {
    const sample = sampleOf(source, flags)
    if (sample !== undefined) samples.add(sample)
  }
  visitRegExpAST(ast, {
    onCharacterEnter: ({ value }) => void samples.add(String.fromCodePoint(value)),
    onCharacterClassEnter: ({ raw }) => add(raw),
    onCharacterSetEnter: ({ raw }) => add(raw),
    onQuantifierEnter: ({ element }) => {
      if (element.type === 'Group' || element.type === 'CapturingGroup') add(element.raw)
    },
    onAlternativeEnter: ({ elements }) => {
      let literal = ''
      for (const element of elements) {
        if (element.type === 'Character') literal += String.fromCodePoint(element.value)
        else if (literal.length > 1) break
      }
      if (literal.length > 1) samples.add(literal)
    },
  })
  const list = [...samples]
  // Long literals first: most expressions need them to begin.
  const longest = list.toSorted((a, b) => b.length - a.length).slice(0, SAMPLES_MAX)
  return flags.includes('m') ? [...LINE_ENDS, ...longest] : longest
}

/** A short text that a part of an expression matches, if one is easily found. */
function sampleOf(source: string, flags: string): string | undefined {
  const unicode = flags.replace(/[^iuvs]/g, '')
  const whole = new RegExp(`^(?:${source.replaceAll(/\(\?<[A-Za-z]\w*>/g, '(')})$`, unicode)
  return (
    CANDIDATES.find((text) => whole.test(text)) ??
    CANDIDATES.map((c) => c + c).find((text) => whole.test(text))
  )
}
