/**
 * Fails with the names of the test files that no suite of the gate runs. It reads from .ci/run which npm scripts the
 * gate runs, and asks Jest for the files of each: a path or a pattern that matches nothing would otherwise make the gate
 * green by omission.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const gate = readFileSync('.ci/run', 'utf8')
const names = Array.from(
  gate.matchAll(/^ *tests \w+ \d+ (?:env \S+ )?npm (?:run )?(\S+)$/gm),
  ([, name]) => name,
)

const listed = new Set()
for (const name of names) {
  // A script of Jest is `npm test`, or it ends with `npm test -- <arguments>`.
  const [isJest, given] = name === 'test' ? [true, ''] : (/npm test -- (.*)$/.exec(scripts[name]) ?? [])
  if (!isJest) continue
  const output = execFileSync('sh', ['-c', `npm test --silent -- --listTests ${given}`], { encoding: 'utf8' })
  const files = output.split('\n').filter((line) => line.startsWith('/'))
  console.log(`${name}: ${files.length} files`)
  for (const file of files) listed.add(relative('.', file))
}

const isTest = (file) => /\.(?:test|installed|deployed|linted|siege|conformance)\.ts$/.test(file)
/** The suite that a file runs under another name, because it imports it: its tests run if either is listed. */
const importedBy = (file) => {
  const [, path] = /^import '(.+\.test\.ts)'$/m.exec(readFileSync(file, 'utf8')) ?? []
  return path && join(dirname(file), path)
}
const missing = readdirSync('test', { recursive: true })
  .map((file) => `test/${file}`)
  .filter((file) => isTest(file) && !listed.has(file) && !listed.has(importedBy(file)))
for (const file of missing) console.log(`no suite of the gate runs ${file}`)
if (missing.length > 0) process.exit(1)
