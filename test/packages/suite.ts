import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { NODEMAILER } from './fixtures.ts'
import type { InstalledService } from './installed-service.ts'

const run = promisify(execFile)

/** A suite of sign-ups, `concurrency` at a time: an inbox, a mail, a wait for its code, a clean-up. */
const SUITE = `import { createTransport } from ${NODEMAILER}
const [count, concurrency, inProcess] = process.argv.slice(2).map(Number)
const { Mayfly, startMayfly } = await import(inProcess ? 'mayfly' : '@mayfly/client')
const service = inProcess ? await startMayfly() : undefined
const mayfly = service ?? new Mayfly({ timeout: 60_000 })
const smtp = service?.smtp ?? { host: process.env.SMTP_HOST, port: Number(process.env.SMTP_PORT) }
const transport = createTransport({ ...smtp, ignoreTLS: true, pool: true, maxConnections: concurrency })
const startedAt = performance.now()
const failures = {}
let passed = 0
let next = 0
async function worker() {
  while (next < count) {
    const n = next++
    try {
      await using inbox = await mayfly.inbox()
      await transport.sendMail({ from: 'a@shop.example', to: inbox.address, text: 'Your code is ' + (100_000 + n) + '.' })
      if ((await inbox.waitForCode({ timeout: 60_000 })) !== String(100_000 + n)) throw new Error('another code')
      passed++
    } catch (error) {
      failures[error.code ?? error.message] = (failures[error.code ?? error.message] ?? 0) + 1
    }
  }
}
await Promise.all(Array.from({ length: concurrency }, worker))
transport.close()
console.log(JSON.stringify({ passed, failures, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }))
await service?.stop()
`

/** A suite never meets a limit on its own service. The number of tests is far above a self-issued key's 120 a minute. */
export function suiteTests(started: () => InstalledService): void {
  describe('a suite on its own service', () => {
    test.each([
      ['in process', 200, ['node', 'suite.mjs', '200', '10', '1']],
      ['by mayfly run', 200, ['mayfly', 'run', '--', 'node', 'suite.mjs', '200', '10', '0']],
      [
        'by mayfly run, with 20 workers',
        2000,
        ['mayfly', 'run', '--', 'node', 'suite.mjs', '2000', '20', '0'],
      ],
    ])(
      '%s: %d sign-ups pass',
      async (name, count, command) => {
        const { folder } = started()
        await writeFile(join(folder, 'suite.mjs'), SUITE)
        const { MAYFLY_URL: _, MAYFLY_API_KEY: __, ...env } = process.env
        const path = `${join(folder, 'node_modules/.bin')}:${join(process.execPath, '..')}:${process.env.PATH}`
        const options = {
          cwd: folder,
          env: { ...env, PATH: path, XDG_CACHE_HOME: join(folder, 'suite-cache') },
        }
        const [program = '', ...args] = command
        const { stdout } = await run(program, args, options)
        const { seconds, ...counts } = JSON.parse(stdout)
        process.stderr.write(`${count} sign-ups ${name}: ${seconds} s\n`)
        expect(counts).toEqual({ passed: count, failures: {} })
      },
      300_000,
    )

    test('a self-issued key keeps its 120 requests a minute', async () => {
      const { url, newKey } = started()
      const headers = { 'X-API-Key': await newKey() }
      const statuses: number[] = []
      // A clock minute may begin between two requests, so more than two minutes' worth are sent.
      for (let n = 0; n < 260; n++) {
        statuses.push((await fetch(`${url}/api/emails/a@mayfly.test?limit=1`, { headers })).status)
      }
      expect(new Set(statuses)).toEqual(new Set([200, 429]))
    })
  })
}
