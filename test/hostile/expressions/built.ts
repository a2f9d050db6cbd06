import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readLanguages } from '../../../reading/lexicon/build.ts'
import { linkPatterns } from '../../../reading/lexicon/link-patterns.ts'
import { FOLDERS, type Found, root } from './sources.ts'

/** The expressions that the lexicon makes of the words of each language. */
export function ofLexicon(): Found[] {
  const found: Found[] = []
  for (const [code, language] of readLanguages()) {
    for (const { latin, other } of Object.values(linkPatterns([language]))) {
      for (const source of [latin, other]) {
        if (source === '') continue
        found.push({ file: `reading/lexicon/languages/${code}.ini`, expression: new RegExp(source, 'u') })
      }
    }
  }
  return found
}

/** Files that build expressions: `new RegExp(…)`. */
export function builders(): string[] {
  return globSync(`${FOLDERS}/**/*.ts`, { cwd: root })
    .filter((file) => readFileSync(root + file, 'utf8').includes('new RegExp('))
    .toSorted()
}

/**
 * The expressions that these files build while they are loaded and while `work` runs. `RegExp` is replaced for
 * that time by a constructor that records what it makes and for which file.
 */
export async function builtBy(files: string[], work: () => Promise<unknown>): Promise<Found[]> {
  const found: Found[] = []
  const original = globalThis.RegExp
  const record = (expression: RegExp): RegExp => {
    const file = callers().find((caller) => files.includes(caller))
    if (file !== undefined) found.push({ file, expression })
    return expression
  }
  globalThis.RegExp = new Proxy(original, {
    construct: (target, args, of) => record(Reflect.construct(target, args, of)),
  })
  try {
    for (const file of files) await import(root + file)
    await work()
  } finally {
    globalThis.RegExp = original
  }
  return found
}

/** The files of the project that are being run, the innermost first. */
function callers(): string[] {
  const stack = new Error('callers').stack ?? ''
  return Array.from(stack.matchAll(/file:\/\/[^\s:)]+/g), ([url]) => fileURLToPath(url)).flatMap((path) =>
    path.startsWith(root) ? [path.slice(root.length)] : [],
  )
}
