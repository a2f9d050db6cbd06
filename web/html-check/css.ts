/** How much of a value is read. */
const VALUE_CHARACTERS = 500
const NAME_CHARACTERS = 40

export interface Rule {
  selector: string
  declarations: string
}

/** The rules of a stylesheet without comments, also those inside of `@media`. Selectors end at a brace. */
export function rulesOf(css: string): Rule[] {
  return css.split('}').flatMap((part) => {
    const brace = part.lastIndexOf('{')
    if (brace === -1) return []
    const selector = part.slice(part.lastIndexOf('{', brace - 1) + 1, brace)
    return [{ selector, declarations: part.slice(brace + 1) }]
  })
}

/** A comment without an end goes on to the end, as in browsers. */
export function withoutComments(css: string): string {
  const kept: string[] = []
  let at = 0
  for (let start = css.indexOf('/*'); start !== -1; start = css.indexOf('/*', at)) {
    kept.push(css.slice(at, start))
    const end = css.indexOf('*/', start + 2)
    at = end === -1 ? css.length : end + 2
  }
  return [...kept, css.slice(at)].join(' ')
}

/**
 * Adds the signs (usage.ts) of declarations, which are in a rule or in a `style` attribute.
 * @param isNew whether a declaration is to be read
 */
export function readDeclarations(css: string, signs: Set<string>, isNew = (_: string) => true): void {
  for (const declaration of css.split(';')) {
    if (!isNew(declaration)) continue
    const colon = declaration.indexOf(':')
    if (colon === -1) continue
    const property = declaration.slice(0, colon).trim().toLowerCase()
    if (!/^[a-z-]{1,40}$/.test(property)) continue
    const value = declaration.slice(colon + 1, colon + VALUE_CHARACTERS).toLowerCase()
    signs.add(`property:${property}`)
    signs.add(`value:${property}:${value.replace('!important', '').trim()}`)
    for (const name of functionsIn(value)) signs.add(`function:${name}`)
    for (const [, unit = ''] of value.matchAll(/\d(ch|cm|em|ex|in|mm|pc|pt|px|rem|vh|vmax|vmin|vw)\b/g)) {
      signs.add(`unit:${unit}`)
    }
  }
}

/** The names before the opening parentheses. */
function* functionsIn(value: string): Generator<string> {
  for (let at = value.indexOf('('); at !== -1; at = value.indexOf('(', at + 1)) {
    let start = at
    while (start > 0 && at - start < NAME_CHARACTERS && /[a-z-]/.test(value.charAt(start - 1))) start--
    if (start < at) yield value.slice(start, at)
  }
}
