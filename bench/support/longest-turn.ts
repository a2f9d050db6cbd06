import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Turns {
  cpuMs: number
  delayMs: number
}

/** The longest turn of this thread's event loop while `work` runs. */
export async function longestTurn(work: () => Promise<unknown>): Promise<Turns> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let isMeasuring = true
  let cpuMs = 0
  let last = process.threadCpuUsage()
  const turn = () => {
    const now = process.threadCpuUsage()
    cpuMs = Math.max(cpuMs, (now.user + now.system - last.user - last.system) / 1000)
    last = now
    if (isMeasuring) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  // The delay of the last turn is recorded in a later one.
  await sleep(5)
  isMeasuring = false
  delay.disable()
  return { cpuMs, delayMs: delay.max / 1e6 }
}
