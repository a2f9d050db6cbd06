/** Whether the bundle in built/ is what the sources would do. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The state of every file of the bundle and of every source of it, by its path from the root of the project. */
export const STATES = join(ROOT, 'built/states.json')

/** Returns a text that changes with the content of the file. @throws Error if the file does not exist */
export function stateOf(path) {
  const { mtimeMs, size } = statSync(ROOT + path)
  return `${mtimeMs} ${size}`
}

/**
 * Returns whether the bundle is complete, and no source has changed since it was built. It never throws. A new source
 * changes the source that imports it, and libraries change with the file of npm that lists them.
 */
export function isBundleCurrent() {
  try {
    const states = JSON.parse(readFileSync(STATES, 'utf8'))
    return Object.keys(states).every((path) => stateOf(path) === states[path])
  } catch {
    return false
  }
}
