/**
 * Runs the suites of what changed since `main`, or since the commit that is given: `npm run
 * test:changed [COMMIT] [-- Jest's options]`. test/mutation/areas.ts says which tests run which code;
 * code in no area is tested by the folder of test/ with its name. The suites that import
 * code next to it run as well.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { suitesAround } from './importers.ts'
import { AREAS } from './mutation/areas.ts'

/** They read every file. */
const ALWAYS = ['test/structure.test.ts', 'test/docs.test.ts', 'test/texts.test.ts']

/** Suites outside of `npm test`, by the code that they alone run in full. */
const FURTHER: [code: RegExp, command: string][] = [
  [/^web\//, 'test:pages'],
  [/^packages\/python\//, 'test:python'],
  [/^packages\/|^action/, 'test:packages'],
  [/^lib\/|^lambdas\//, 'test:aws'],
]

/** Returns the commands whose suites run this code, too. */
export function furtherCommands(changed: string[]): string[] {
  return FURTHER.filter(([code]) => changed.some((path) => code.test(path))).map(([, command]) => command)
}

/** Returns the folders and files of tests for these paths. */
export function testsOf(changed: string[]): string[] {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter((path) =>
    existsSync(path),
  )
  const around = changed.flatMap((path) => suitesAround(path, files))
  const matched = changed.flatMap(testsOfFile)
  const isMatched = (path: string) => matched.some((glob) => matchesGlob(path, glob))
  return [...new Set([...ALWAYS, ...matched, ...around.filter((path) => !isMatched(path))])]
}

function testsOfFile(path: string): string[] {
  if (path.startsWith('test/') && path.endsWith('.test.ts')) return existsSync(path) ? [path] : []
  const areas = Object.values(AREAS).filter(
    ({ mutate }) =>
      mutate.some((glob) => !glob.startsWith('!') && matchesGlob(path, glob)) &&
      !mutate.some((glob) => glob.startsWith('!') && matchesGlob(path, glob.slice(1))),
  )
  if (areas.length > 0) return areas.flatMap(({ tests }) => tests.map((glob) => `test/${glob}`))
  // Helpers of tests, and code without an area: the nearest folder of tests.
  const folders = path
    .replace(/^test\//, '')
    .split('/')
    .slice(0, -1)
  for (; folders.length > 0; folders.pop()) {
    const folder = `test/${folders.join('/')}`
    if (existsSync(folder)) return [`${folder}/**/*.test.ts`]
  }
  return []
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
}

if (import.meta.main) {
  const [commit = 'main', ...options] = process.argv.slice(2)
  const [base = commit] = git('merge-base', 'HEAD', commit)
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
  const tests = testsOf(changed)
  console.log(`${changed.length} files changed; tests: ${tests.join(' ')}`)
  for (const command of furtherCommands(changed)) console.log(`not a part of this run: npm run ${command}`)
  const match = tests.flatMap((test) => ['--testMatch', `**/${test}`])
  const { status } = spawnSync('npm', ['test', '--', ...match, ...options], { stdio: 'inherit' })
  process.exit(status ?? 1)
}
