import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MODULES = fileURLToPath(new URL('../../.ci/tools/node_modules/', import.meta.url))

/**
 * Returns the folder of a large package that only tests use, which `npm test` installs beside the
 * dependencies (.ci/tools.mjs).
 */
export function toolFolder(name: string): string {
  const folder = join(MODULES, name)
  if (existsSync(folder)) return folder
  throw new Error(`The package ${name} is missing. Install it with: node .ci/tools.mjs`)
}
