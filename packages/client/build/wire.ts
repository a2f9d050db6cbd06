/**
 * Writes the types of the service's JSON and its filters for both clients, src/wire.ts and
 * packages/python/src/mayfly/_wire.py, and the lists of filters in the documentation. All of it is
 * generated from the schemas of adapters/http/wire and from core/inbox/filter.ts. Run it by
 * `npm run build:wire`.
 */
import { writeFile } from 'node:fs/promises'
import { pagesWithFilters } from './wire-docs.ts'
import { pythonTypes } from './wire-python.ts'
import { typeScriptTypes } from './wire-typescript.ts'

const root = new URL('../../../', import.meta.url)

/** Returns each generated file: its path in the project, and its text. */
export function wireFiles(): Record<string, string> {
  return {
    'packages/client/src/wire.ts': typeScriptTypes(),
    'packages/python/src/mayfly/_wire.py': pythonTypes(),
    ...pagesWithFilters(root),
  }
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(wireFiles())) await writeFile(new URL(path, root), text)
}
