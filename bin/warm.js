/**
 * Starts the service once, sends it a mail and stops it, after `npm ci`: then the first start finds the compiled code
 * of all threads (runtime.js), and takes half of the CPU time and 35 MB less. If it does not start here, that is no
 * fault of the installation.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const START_MS = 60_000

// Not the settings of the service, with which it may not start.
const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('MAYFLY_'))
const folder = mkdtempSync(join(tmpdir(), 'mayfly-'))
const child = spawn(process.execPath, [fileURLToPath(new URL('start.js', import.meta.url))], {
  env: {
    ...Object.fromEntries(inherited),
    XDG_CACHE_HOME: folder,
    MAYFLY_DATA_DIR: folder,
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
  },
  stdio: ['ignore', 'pipe', 'ignore'],
})
const giveUp = setTimeout(() => child.kill('SIGKILL'), START_MS)
createInterface({ input: child.stdout }).on('line', async (line) => {
  const [, http] = /^mayfly ready http=(\S+)/.exec(line) ?? []
  if (http === undefined) return
  await send(http).catch(() => {})
  child.kill('SIGTERM')
})
await once(child, 'close')
clearTimeout(giveUp)
rmSync(folder, { recursive: true, force: true })

/** Sends a mail by a send API, because its thread and the code that reads mail are loaded for the first one. */
async function send(http) {
  await fetch(`${http}/resend/emails`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      from: 'a@mayfly.test',
      to: 'b@mayfly.test',
      subject: 'Warm',
      text: 'Your code is 739105',
    }),
  })
}
