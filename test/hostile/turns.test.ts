import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const MEASURE = fileURLToPath(new URL('measure-turns.ts', import.meta.url))
/** CPU time, which other processes hardly change. */
const TURN_MAX_MS = 50

test('no request without an API key holds the main thread for long', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MEASURE])
  const figures = JSON.parse(stdout) as { name: string; value: number }[]
  const longest = figures.filter(({ name }) => name.includes('CPU of the longest turn'))
  const shown = longest.map(({ name, value }) => `${name} ${value.toFixed(1)} ms`)
  process.stderr.write(`${shown.join('\n')}\n`)
  expect(longest.length).toBe(4)
  for (const { value } of longest) expect(value).toBeLessThan(TURN_MAX_MS)
}, 300_000)
