import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect } from '@jest/globals'
import { MB, memoryOf, openFiles } from '../faults/raw-http.ts'
import { eventually } from '../support/eventually.ts'
import type { RunningService } from '../support/service.ts'
import type { Others, Served } from './others.ts'

/** MAYFLY_ATTACK_SECONDS: how long each attack lasts. */
export const ATTACK_SECONDS = Number(process.env.MAYFLY_ATTACK_SECONDS ?? 60)
/** Memory bound of the whole process under every attack. */
const MEMORY_BOUND = 600 * MB
/** The number of connections that are being closed, and of files that are open for a moment. */
const FILES_ASIDE = 20
const SAMPLE_MS = 100
/**
 * A service with a higher mean response time is unusable, even on a slow machine that attacks
 * itself.
 */
const SLOWEST_SECONDS = 5

export interface Siege {
  /** True while the attack is running. */
  goesOn(): boolean
}

/**
 * Runs an attack for its time, and asserts that other clients were served throughout, that the
 * memory of the process stayed under its bound, and that nothing of the attack remains afterwards.
 * Timings are printed, not asserted.
 *
 * @param attack runs while its argument says so, and then cleans up
 */
export async function besiege(
  service: RunningService,
  owned: Others['owned'],
  attack: (siege: Siege) => Promise<void>,
): Promise<void> {
  const files = openFiles(service)
  const { http, smtp } = service
  const thread = new Worker(new URL('./others.ts', import.meta.url), { workerData: { http, smtp, owned } })
  let most = 0
  const sampling = setInterval(() => {
    most = Math.max(most, memoryOf(service))
  }, SAMPLE_MS)
  try {
    const end = Date.now() + ATTACK_SECONDS * 1000
    await attack({ goesOn: () => Date.now() < end })
    thread.postMessage('over')
    const [served] = (await once(thread, 'message')) as [Served]
    const figures = Object.entries(served).map(([name, { ms }]) => `${ms.length} ${name}, ${spread(ms)}`)
    process.stderr.write(
      `${expect.getState().currentTestName}: ${figures.join('; ')}; at most ${Math.round(most / MB)} MB\n`,
    )
    for (const [name, { ms, failures }] of Object.entries(served)) {
      expect([name, failures]).toEqual([name, []])
      expect([name, ms.length >= ATTACK_SECONDS / SLOWEST_SECONDS]).toEqual([name, true])
    }
    expect(most).toBeLessThan(MEMORY_BOUND)
  } finally {
    clearInterval(sampling)
    await thread.terminate()
  }
  await untilGone(service, files)
}

/**
 * Connections and files of the attack: all of them must go, the last of them by a time-out of the
 * service.
 */
async function untilGone(service: RunningService, before: number): Promise<void> {
  await eventually(
    `at most ${before + FILES_ASIDE} open files, as before the attack`,
    () => openFiles(service),
    (count) => count <= before + FILES_ASIDE,
  )
}

function spread(ms: number[]): string {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
