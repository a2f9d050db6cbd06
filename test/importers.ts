import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const IMPORT = /(?:\bfrom |\bimport |\bimport\()'(\.[^']+)'/g

/** A file that more files import declares types or constants; its area alone tests it. */
const IMPORTERS_MAX = 10

/** They take minutes. */
const SLOW = /^test\/(?:e2e|faults|hostile)\//

/**
 * Returns the quick suites that import `path`, or a file that imports it: they may put together by hand
 * what `path` declares, such as a service for an endpoint.
 * @param files every file of the repository
 */
export function suitesAround(path: string, files: string[]): string[] {
  if (path.startsWith('test/')) return []
  const importing = (target: string) => files.filter((file) => importsOf(file).has(target))
  const importers = importing(path)
  const code = importers.filter((file) => !file.startsWith('test/'))
  if (code.length > IMPORTERS_MAX) return []
  return [...importers, ...code.flatMap(importing)]
    .filter((file) => file.endsWith('.test.ts') && !SLOW.test(file))
    .sort()
}

const imports = new Map<string, Set<string>>()

function importsOf(file: string): Set<string> {
  const known = imports.get(file)
  if (known) return known
  const found = /\.tsx?$/.test(file) ? readFileSync(file, 'utf8').matchAll(IMPORT) : []
  const paths = new Set(Array.from(found, ([, path]) => join(file, '..', path!)))
  imports.set(file, paths)
  return paths
}
