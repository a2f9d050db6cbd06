import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@jest/globals'

const PAGE = fileURLToPath(new URL('../../docs/conformance.md', import.meta.url))
const RECORD = 'npm run record:conformance'
const isRecording = process.env.MAYFLY_RECORD_CONFORMANCE === '1'

export interface Row {
  /** The name that its authors give it. */
  suite: string
  /** The versions that are pinned. */
  version: string
  /** How much was examined. A number that differs from run to run does not belong here. */
  examined: string
  /** How many differences are accepted (`acceptedOnly` returns it). */
  accepted: number
  /** What the suite found in version 0.3.0. */
  failedIn030: string
}

/**
 * Compares the row of a suite with docs/conformance.md, or writes it there when `npm run record:conformance` runs the
 * suite. Call it last, when everything else of the suite has passed.
 * @throws Error if the page has another row
 */
export function recordRow(row: Row): void {
  const file = basename(expect.getState().testPath!)
  const line = `| ${[
    `[${row.suite}](../test/conformance/${file})`,
    row.version,
    row.examined,
    row.accepted === 0 ? 'none' : `[${row.accepted}](../test/conformance/${acceptedName(file)})`,
    row.failedIn030,
  ].join(' | ')} |`
  const page = readFileSync(PAGE, 'utf8')
  if (page.split('\n').includes(line)) return
  if (!isRecording) throw new Error(`docs/conformance.md lacks this row (${RECORD} writes it):\n${line}`)
  writeFileSync(PAGE, withRow(page, line, `| [${row.suite}](`))
}

/** Replaces the row that begins with `start`, or adds it at the end of the table. */
function withRow(page: string, line: string, start: string): string {
  const lines = page.split('\n')
  const at = lines.findIndex((old) => old.startsWith(start))
  if (at !== -1) return lines.with(at, line).join('\n')
  const end = lines.findLastIndex((old) => old.startsWith('|')) + 1
  return lines.toSpliced(end, 0, line).join('\n')
}

interface Accepted {
  what: string
  reason: string
}

/**
 * Compares what a suite found with the differences that are accepted, in `<name>.accepted.json` beside the suite.
 * @returns the number of accepted differences
 * @throws if something was found that is not accepted, or if an accepted difference no longer occurs
 */
export function acceptedOnly(found: Iterable<string>): number {
  const path = expect.getState().testPath!
  const file = join(dirname(path), acceptedName(basename(path)))
  const accepted: Accepted[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  expect(accepted.filter(({ what, reason }) => !what || !reason)).toEqual([])
  expect([...new Set(found)].sort()).toEqual(accepted.map(({ what }) => what).sort())
  return accepted.length
}

function acceptedName(file: string): string {
  return file.replace('.conformance.ts', '.accepted.json')
}
