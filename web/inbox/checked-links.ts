import type { CheckedLink } from '../lib/api.ts'

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
