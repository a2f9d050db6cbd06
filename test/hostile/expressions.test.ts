import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

/**
 * Every expression in code that reads a stranger's text takes at most 5 times as long for 4 times the text: those that
 * are written there, those that `new RegExp` makes, and those of the lexicon for each language. The texts are made
 * from the expressions themselves, so a new one is covered as it is.
 */

const MEASURE = fileURLToPath(new URL('expressions/measure.ts', import.meta.url))

/** Expressions that take longer, and why no stranger can make them. */
const BOUNDED: [file: string, expression: RegExp, reason: string][] = [
  ['local-service/reader-thread.ts', /\d+$/, 'a path of the system'],
  ['local-service/start-failure.ts', /EADDRINUSE.*:(\d+)$/, 'an error of the system'],
  [
    'reading/codes/candidates.ts',
    /^[a-z]?[A-Z]?[a-z]{2,}[A-Z]?[a-z]*\d+$/,
    'a value of at most 12 characters',
  ],
  [
    'reading/codes/other-numbers.ts',
    /([#№§©]|[*•·x…]{2,}[ -]?|(?<=[^\s] )\*) ?$/,
    'the characters beside a number, which are few',
  ],
  ['reading/codes/phrase-scores.ts', /(?:^|[\n\t.:!?\]】>])[\s"'«“„*#([【]*$/, 'six characters'],
  ['reading/codes/word-value.ts', /[ \t"'“„«]+$/, 'twelve characters'],
  ['reading/mime/charset.ts', /^[\s"'<]+|[\s"'>;,]+$/g, 'at most 200 characters of a name'],
  [
    'web/html-check/selectors.ts',
    /[\w\])*][^\S\n]*\s[^\S\n]*[.#*[\w]/,
    'at most 500 characters of a selector',
  ],
  ['web/html-check/update.ts', /^\s*(?:#|\/\/).*$/gm, 'a program that builds the data'],
  ['web/html-check/update.ts', /("|\})(\s*\n\s*")/g, 'a program that builds the data'],
]

/** Files whose expressions are built only in a running service or page, and why they are linear. */
const NOT_BUILT: Record<string, string> = {
  'adapters/http/stream-requests.ts': 'anchored at the start, each part once',
  'adapters/ses/recovered.ts': 'a word behind a name',
  'lambdas/canary-stream.ts': 'a block of an event of this service',
  'lambdas/upgrade-guard.ts': 'the configuration of the stack',
  'local-service/reading.ts': 'one bounded run for each line',
  'web/frame/caged.ts': 'four digits at most behind a literal',
}

interface Measured {
  count: number
  slow: { file: string; expression: string; text: string; ratio: number }[]
  /** Files that build expressions, of which none was seen. */
  unknown: string[]
}

test('expressions are linear', async () => {
  const args = ['--disable-warning=ExperimentalWarning', MEASURE]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { count, slow, unknown } = JSON.parse(stdout) as Measured
  expect(count).toBeGreaterThan(2000)
  const bounded = new Set(BOUNDED.map(([file, expression]) => `${file} ${expression}`))
  const found = new Set(slow.map(({ file, expression }) => `${file} ${expression}`))
  expect(slow.filter(({ file, expression }) => !bounded.has(`${file} ${expression}`))).toEqual([])
  expect([...bounded].filter((name) => !found.has(name))).toEqual([])
  expect(unknown.filter((file) => !(file in NOT_BUILT))).toEqual([])
}, 900_000)
