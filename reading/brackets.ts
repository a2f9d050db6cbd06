/**
 * Returns where the bracket is that closes the one right before a place, past the pairs between them; -1 if there is
 * none. Linear in the text.
 * @example closingBracket('a(b)c) d', 0, '(', ')') // 5
 */
export function closingBracket(text: string, from: number, opening: string, closing: string): number {
  let open = text.indexOf(opening, from)
  let close = text.indexOf(closing, from)
  for (let depth = 1; close !== -1; ) {
    if (open !== -1 && open < close) {
      depth++
      open = text.indexOf(opening, open + 1)
    } else {
      if (--depth === 0) return close
      close = text.indexOf(closing, close + 1)
    }
  }
  return -1
}
