import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from '@swc/core'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface Found {
  file: string
  expression: RegExp
}

/** Folders whose code reads a stranger's text. */
export const FOLDERS = '{reading,core,adapters,local-service,service,smtp-service,sse-service,lambdas,web}'

/** Every regular expression that is written in the sources. */
export function literals(): Found[] {
  const found: Found[] = []
  for (const file of globSync(`${FOLDERS}/**/*.{ts,tsx}`, { cwd: root }).toSorted()) {
    const tsx = file.endsWith('.tsx')
    const module = parseSync(readFileSync(root + file, 'utf8'), {
      syntax: 'typescript',
      tsx,
      target: 'es2024',
    })
    for (const [source, flags] of expressionsIn(module))
      found.push({ file, expression: new RegExp(source, flags) })
  }
  return found
}

function* expressionsIn(node: unknown): Generator<[source: string, flags: string]> {
  if (typeof node !== 'object' || node === null) return
  const { type, pattern, flags } = node as { type?: string; pattern?: string; flags?: string }
  if (type === 'RegExpLiteral') yield [pattern ?? '', flags ?? '']
  for (const child of Object.values(node)) yield* expressionsIn(child)
}
