/**
 * The candidate with the smallest edit distance to the name: what a mistyped name probably meant.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate)
    if (best === undefined || distance < best.distance) best = { candidate, distance }
  }
  return best?.candidate
}

/** A name that differs by this many characters is taken for a slip of the keyboard. */
const SLIP_MAX = 2

/** The candidate that was meant and mistyped; undefined if none is near. */
export function mistyped(name: string, candidates: readonly string[]): string | undefined {
  const best = nearest(name, candidates)
  return best !== undefined && editDistance(name, best) <= SLIP_MAX ? best : undefined
}

/**
 * The variable that a name probably meant: of `MAYFLY_PORT`, `port` and `httpPort` it is MAYFLY_HTTP_PORT,
 * although MAYFLY_HOST has fewer other letters.
 * @param others variables that are looked for only by their distance
 */
export function nearestVariable(
  name: string,
  variables: readonly string[],
  others: readonly string[] = [],
): string | undefined {
  const words = name
    .replace(/^MAYFLY_?/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase()
  return (
    variables.find((variable) => `${variable}_`.includes(`_${words}_`)) ??
    nearest(`MAYFLY_${words}`, [...variables, ...others])
  )
}

/**
 * Levenshtein distance: insertions, deletions and substitutions. Names are cut at 100 characters.
 */
export function editDistance(from: string, to: string): number {
  const a = from.slice(0, 100)
  const b = to.slice(0, 100)
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/**
 * A sentence without its end, for a name that is not known: it names the known one that was meant,
 * or all of them if none is near. A name that is silently ignored would select the wrong emails.
 */
export function unknownName(name: string, known: readonly string[]): string {
  const shown = shownName(name)
  if (known.length === 0) return `${shown} is not known here, where nothing can be given`
  const meant = mistyped(name, known)
  return meant === undefined
    ? `${shown} is not known here; known are ${known.join(', ')}`
    : `${shown} is not known here; the nearest known name is "${meant}"`
}

/** A name that a caller chose, in quotes and cut, to be a part of a sentence. */
export function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}
