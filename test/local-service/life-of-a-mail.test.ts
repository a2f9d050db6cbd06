import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { startService } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** How many messages were searched for codes and links, which happens after their 250. */
function searchedIn(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, 'mayfly.db'), { readOnly: true })
  try {
    return Number(db.prepare('SELECT count(*) AS count FROM findings').get()?.count)
  } finally {
    db.close()
  }
}

/** How often each function of the project ran, as `file function`, while a service took this many mails. */
async function calls(mails: number): Promise<Map<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-walk-'))
  const service = await startService({ NODE_V8_COVERAGE: folder, MAYFLY_LOG_LEVEL: 'silent' })
  for (let n = 0; n < mails; n++) {
    await sendMail(service.smtp, { to: freshAddress(), subject: 'Hello', text: 'Your code is 739105.' })
  }
  await eventually('every mail to be searched', () => searchedIn(service.dataDir) === mails)
  await service.stop()
  const counts = new Map<string, number>()
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Coverage
    for (const { url, functions } of result) {
      if (!url.startsWith(`file://${ROOT}`) || url.includes('node_modules')) continue
      // Timers of HTTP run meanwhile, on a slow machine as often as mails come.
      if (url.startsWith(`file://${ROOT}adapters/http/`)) continue
      for (const { functionName, ranges } of functions) {
        const key = `${url.slice(`file://${ROOT}`.length)} ${functionName}`
        counts.set(key, (counts.get(key) ?? 0) + (ranges[0]?.count ?? 0))
      }
    }
  }
  await rm(folder, { recursive: true })
  return counts
}

interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[]
}

/** Files of the project that a small mail by SMTP passes, until it was searched. Their number must only fall. */
const FILES_MAX = 75

test('a mail passes the functions that docs/life-of-a-mail.md names, in few files', async () => {
  // The first mail loads the code that reads.
  const [one, many] = [await calls(1), await calls(21)]
  // What runs at least once for each further mail.
  const walk = [...many].filter(([name, count]) => count - (one.get(name) ?? 0) >= 20)
  const names = new Set(walk.map(([name]) => name))
  const files = new Set(walk.map(([name]) => name.split(' ')[0]))
  const page = await readFile(join(ROOT, 'docs/life-of-a-mail.md'), 'utf8')
  const steps = [...page.matchAll(/^\| \d+ \| `([^`]+)` \| `([^`]+)` \|/gm)].map(
    ([, file, name]) => `${file} ${name}`,
  )
  expect(steps.length).toBeGreaterThan(10)
  expect(steps.filter((step) => !names.has(step))).toEqual([])
  expect(files.size).toBeLessThanOrEqual(FILES_MAX)
})
