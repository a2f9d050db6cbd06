import type { CheckedLink } from '../lib/api.ts'
import { plural } from '../lib/format.ts'

/** Whether a link answered as a link that works does. */
export function isGood({ status, error }: CheckedLink): boolean {
  return error === null && status !== null && status < 400
}

/** How many of these links work, as one sentence. */
export function summaryOf(results: CheckedLink[]): string {
  const bad = results.filter((result) => !isGood(result)).length
  if (bad === 0) return results.length === 1 ? 'The link works.' : `All ${results.length} links work.`
  return `${bad} of ${results.length} ${bad === 1 ? 'does' : 'do'} not work.`
}

/** Each fault once, with the number of links that have it; the most frequent first. */
export function faultsOf(results: CheckedLink[]): string[] {
  const faults = Map.groupBy(
    results.filter(({ error }) => error !== null),
    ({ error }) => error,
  )
  return [...faults]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([error, links]) => (links.length === 1 ? `${error}` : `${error} ${plural(links.length, 'link')}.`))
}
