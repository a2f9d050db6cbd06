import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { shapes } from './shapes.ts'

/**
 * Every message is read at a CPU cost near that of plain text of the same size, so that no sender delays others by
 * more than it would with honest mail of that size.
 */

const MEASURE = fileURLToPath(new URL('measure-reading.ts', import.meta.url))
/** The bytes of a message, and how often it may cost what plain text costs. */
const SIZES: [bytes: number, ratioMax: number][] = [
  // Where the bounds on parts, words and links are reached, so that each byte costs most: 7 ms.
  [60_000, 12],
  [250_000, 10],
]

describe.each(SIZES)('reading %i bytes costs less than %i times what plain text costs', (bytes, ratioMax) => {
  let ratios: Record<string, number> = {}

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [MEASURE, String(bytes), String(ratioMax)])
    ratios = JSON.parse(stdout) as Record<string, number>
    const worst = Object.entries(ratios).sort(([, a], [, b]) => b - a)
    const shown = worst.slice(0, 3).map(([name, ratio]) => `${name} ${ratio.toFixed(1)}`)
    process.stderr.write(`reading ${bytes} bytes beside plain text: ${shown.join(', ')}\n`)
  }, 600_000)

  test.each(shapes(bytes).map(([name]) => name))('%s', (name) => {
    expect(ratios[name]).toBeLessThan(ratioMax)
  })
})
