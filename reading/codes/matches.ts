/**
 * Returns the matches of a global expression that never matches nothing, at most `most`. `matchAll` copies its
 * expression at each call, which takes longer than most searches.
 */
export function matchesOf(text: string, pattern: RegExp, most = Number.POSITIVE_INFINITY): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    matches.push(found)
    if (matches.length >= most) break
  }
  return matches
}
