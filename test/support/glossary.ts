import { readFileSync } from 'node:fs'

const GLOSSARY = new URL('../../docs/glossary.md', import.meta.url)

/** Returns the names that the section "Stored names" of the glossary has for a store, sorted. */
export function storedNames(store: 'SQLite' | 'DynamoDB'): string[] {
  const section = readFileSync(GLOSSARY, 'utf8').split('## Stored names')[1] ?? ''
  const rows = section.matchAll(/^\| (`[^|]+) \| ([^|]+) \|/gm)
  return [...rows]
    .filter(([, , stores = '']) => stores === 'both' || stores === store)
    .flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
    .sort()
}
