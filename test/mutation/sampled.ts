import { globSync, readFileSync } from 'node:fs'

/** As large as a short function: Stryker leaves out a mutant that is not whole inside of a piece. */
const LINES = 16

/**
 * One of `every` pieces of some files, in Stryker's form: `core/events/topics.ts:17-32`.
 *
 * @param patterns globs, those with `!` excluded
 * @param every 8 for an eighth of the code
 * @param offset less than `every`; each offset selects other pieces
 */
export function sampled(patterns: string[], every: number, offset: number): string[] {
  const exclude = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  const included = patterns.filter((pattern) => !pattern.startsWith('!'))
  const pieces = globSync(included, { exclude })
    .sort()
    .flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n').length
      const starts = Array.from({ length: Math.ceil(lines / LINES) }, (_, index) => index * LINES + 1)
      return starts.map((start) => `${file}:${start}-${start + LINES - 1}`)
    })
  return pieces.filter((_, index) => index % every === offset)
}
