/** The kinds of selectors of caniemail.com, by what shows them. A rule's text is bounded before it is read. */
const SELECTOR_CHARACTERS = 500
const KINDS: [sign: string, pattern: RegExp][] = [
  ['selector:adjacent-sibling', /\+/],
  ['selector:attribute', /\[/],
  ['selector:chaining', /[\w-][.#][\w-]/],
  ['selector:child', />/],
  ['selector:class', /\.[a-z_-]/i],
  ['selector:descendant', /[\w\])*][^\S\n]*\s[^\S\n]*[.#*[\w]/],
  ['selector:general-sibling', /~/],
  ['selector:grouping', /,/],
  ['selector:id', /#[a-z_-]/i],
  ['selector:universal', /(?:^|[\s>+~,])\*/],
]

/** The signs of the selectors before the brace of a rule. At-rules such as `@media` have none. */
export function selectorSigns(text: string): string[] {
  const selector = text.slice(-SELECTOR_CHARACTERS).trim()
  if (selector.startsWith('@')) return []
  // A value in brackets or parentheses is no selector.
  const bare = selector.replace(/\[[^\]]{0,200}\]/g, '[]').replace(/\([^)]{0,200}\)/g, '()')
  return KINDS.filter(([, pattern]) => pattern.test(bare)).map(([sign]) => sign)
}
