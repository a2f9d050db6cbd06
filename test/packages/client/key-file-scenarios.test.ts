import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { KeyFile } from '../../../packages/client/src/key-file.ts'
import table from '../key-file.json' with { type: 'json' }

/** The table that the clients of all languages run. */
interface Scenario {
  name: string
  entries?: Record<string, unknown>
  text?: string
  lockSeconds?: number
  rejected?: string
  key: string
  urls: string[]
  isStillLocked?: boolean
}

const DAY_MS = 24 * 3_600_000

test.each(table.scenarios as Scenario[])('the key file: $name', async (scenario) => {
  const cache = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
  const path = join(cache, 'mayfly', 'keys.json')
  if (scenario.text !== undefined || scenario.entries !== undefined || scenario.lockSeconds !== undefined) {
    await mkdir(dirname(path))
    await writeFile(path, scenario.text ?? JSON.stringify(aged(scenario.entries ?? {})))
  }
  if (scenario.lockSeconds !== undefined) {
    await writeFile(`${path}.lock`, '')
    const at = Date.now() / 1000 - scenario.lockSeconds
    await utimes(`${path}.lock`, at, at)
  }
  expect(await new KeyFile(path).get('http://a', async () => 'new', scenario.rejected)).toBe(scenario.key)
  expect(Object.keys(JSON.parse(await readFile(path, 'utf8')))).toEqual(scenario.urls)
  expect(await readdir(dirname(path))).toEqual([
    'keys.json',
    ...(scenario.isStillLocked ? ['keys.json.lock'] : []),
  ])
  if (scenario.key === 'new') expect((await stat(path)).mode & 0o777).toBe(0o600)
  await rm(cache, { recursive: true })
})

function aged(entries: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entries).map(([url, entry]) => {
      const { key, days } = (entry ?? {}) as { key?: string; days?: number }
      return [url, days === undefined ? entry : { key, taken_at: Math.round(Date.now() - days * DAY_MS) }]
    }),
  )
}
