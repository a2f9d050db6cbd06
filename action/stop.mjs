/** Runs after the job: stops the service, prints its log, and removes its folder. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The service ends within 10 s of SIGTERM. */
const STOP_MAX_MS = 12_000
const POLL_MS = 50

const { STATE_pid: pid, STATE_folder: folder } = process.env
if (pid) await stop(Number(pid))
const log = folder && join(folder, 'mayfly.log')
console.log('::group::Log of Mayfly')
console.log((log && existsSync(log) && readFileSync(log, 'utf8')) || 'The service was not started.')
console.log('::endgroup::')
if (folder) rmSync(folder, { recursive: true, force: true })

async function stop(id) {
  try {
    process.kill(id, 'SIGTERM')
    for (let waitedMs = 0; waitedMs < STOP_MAX_MS; waitedMs += POLL_MS) {
      process.kill(id, 0)
      await sleep(POLL_MS)
    }
    process.kill(id, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}
