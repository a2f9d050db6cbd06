/**
 * Starts the service once and stops it, after `npm ci`: then the first start finds the compiled code (local.js), and
 * takes half of the CPU time and 35 MB less. If it does not start here, that is no fault of the installation.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const START_MS = 60_000

const folder = mkdtempSync(join(tmpdir(), 'mayfly-'))
const child = spawn(process.execPath, [fileURLToPath(new URL('local.js', import.meta.url))], {
  env: {
    ...process.env,
    XDG_CACHE_HOME: folder,
    MAYFLY_DATA_DIR: folder,
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
  },
  stdio: ['ignore', 'pipe', 'ignore'],
})
const giveUp = setTimeout(() => child.kill('SIGKILL'), START_MS)
createInterface({ input: child.stdout }).on('line', (line) => {
  if (line.startsWith('mayfly ready')) child.kill('SIGTERM')
})
await once(child, 'close')
clearTimeout(giveUp)
rmSync(folder, { recursive: true, force: true })
