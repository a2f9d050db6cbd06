import { readFileSync } from 'node:fs'
import { AS_NPM_START, type RunningService, startService as start } from '../../test/support/service.ts'

/** The address of the HTTP listener in the form that sockets take. */
export function httpOf(service: RunningService): { host: string; port: number } {
  const { hostname, port } = new URL(service.http)
  return { host: hostname, port: Number(port) }
}

/** Starts the service as `npm start` does. */
export function startService(
  env: Record<string, string> = {},
  options: { dataDir?: string } = {},
): Promise<RunningService> {
  return start(env, { ...options, program: AS_NPM_START })
}

/** Like startService, with a service that collects its garbage on request of `settledMemory`. */
export function startMeasuredService(
  env: Record<string, string> = {},
  options: { dataDir?: string } = {},
): Promise<RunningService> {
  const hook = new URL('collect-garbage.ts', import.meta.url).href
  return startService({ NODE_OPTIONS: `--expose-gc --import=${hook}`, ...env }, options)
}

/** Resident memory of the service in bytes, after garbage collection. */
export async function settledMemory(service: RunningService): Promise<number> {
  for (let i = 0; i < 3; i++) {
    service.process.kill('SIGUSR2')
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
  return residentMemory(service.process)
}

/** Resident memory of a process in bytes. */
export function residentMemory({ pid }: { pid?: number | undefined }): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) * 1024
}

/** The CPU time that a process has used so far, with its threads and system calls, in ms. */
export function cpuTime({ pid }: { pid?: number | undefined }): number {
  // proc(5): utime and stime are fields 14 and 15; field 2 may contain blanks. 100 ticks a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
