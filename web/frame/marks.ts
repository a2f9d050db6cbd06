import { readDeclarations, rulesOf, withoutComments } from '../html-check/css.ts'
import { selectorSigns } from '../html-check/selectors.ts'

/** A feature by what shows its use (web/html-check/usage.ts), and what is said about it. */
export interface Mark {
  sign: string
  text: string
}

/**
 * A stylesheet of a stranger may have many rules, and selectors that take a browser long. Rules beyond these are not
 * marked, neither are selectors that are longer or look forward.
 */
const RULES_MAX = 200
const SELECTOR_CHARACTERS = 100

/** Outlines the elements that use a feature by themselves, or by a rule of a stylesheet. */
export function markLost(mail: Document, marks: Mark[]): void {
  const texts = Map.groupBy(marks, ({ sign }) => sign)
  const lost = (signs: Iterable<string>) =>
    [...signs].flatMap((sign) => texts.get(sign)?.map(({ text }) => text) ?? [])
  const found = new Map<Element, Set<string>>()
  const add = (element: Element, features: string[]) => {
    if (features.length === 0) return
    found.set(element, new Set([...(found.get(element) ?? []), ...features]))
  }
  for (const element of mail.body?.querySelectorAll('*') ?? []) add(element, lost(signsOf(element)))
  let left = RULES_MAX
  for (const { textContent } of mail.querySelectorAll('style')) {
    for (const { selector, declarations } of rulesOf(withoutComments(textContent))) {
      const signs = new Set(selectorSigns(selector))
      readDeclarations(declarations, signs)
      const features = lost(signs)
      if (features.length === 0 || left-- <= 0) continue
      for (const element of matching(mail, selector)) add(element, features)
    }
  }
  for (const [element, features] of found) {
    const text = [...features].join('; ')
    element.setAttribute('data-lost', text)
    element.setAttribute('title', text)
  }
}

function signsOf(element: Element): Set<string> {
  const signs = new Set([`element:${element.localName}`])
  for (const { name } of element.attributes) signs.add(`attribute:${name}`)
  readDeclarations(element.getAttribute('style') ?? '', signs)
  return signs
}

/** The elements of the body that a rule is for; none if its selector is not valid. */
function matching(mail: Document, rule: string): Iterable<Element> {
  // A statement such as `@import` may be before the selector.
  const selector = rule.slice(rule.lastIndexOf(';') + 1).trim()
  if (selector.length > SELECTOR_CHARACTERS || /:has\(/i.test(selector)) return []
  try {
    return mail.body?.querySelectorAll(selector) ?? []
  } catch {
    return []
  }
}
