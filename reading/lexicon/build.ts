import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { compile } from './compile.ts'
import type { Language } from './language.ts'
import { pack } from './packed.ts'
import { parseLanguage } from './parse-language.ts'

const FOLDER = new URL('languages/', import.meta.url)

/**
 * Reads every file of `languages/`, by its name without the ending; the international words come
 * first.
 */
export function readLanguages(): Map<string, Language> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.ini'))
  const codes = names.map((name) => name.slice(0, -4)).sort()
  codes.sort((a, b) => Number(b === 'international') - Number(a === 'international'))
  return new Map(codes.map((code) => [code, readLanguage(code)]))
}

function readLanguage(code: string): Language {
  try {
    return parseLanguage(readFileSync(new URL(`${code}.ini`, FOLDER), 'utf8'))
  } catch (error) {
    throw new Error(`languages/${code}.ini: ${error instanceof Error ? error.message : error}`)
  }
}

if (import.meta.main) {
  const packed = pack(compile([...readLanguages().values()]))
  writeFileSync(new URL('compiled.json', import.meta.url), `${JSON.stringify(packed, null, 2)}\n`)
}
