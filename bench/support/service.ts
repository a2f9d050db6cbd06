import { readFileSync } from 'node:fs'
import { type RunningService, startService } from '../../test/support/service.ts'

/** Where the HTTP listener is, as sockets want it. */
export function httpOf(service: RunningService): { host: string; port: number } {
  const { hostname, port } = new URL(service.http)
  return { host: hostname, port: Number(port) }
}

/** As startService, with a service that collects its garbage when it is asked to by `settledMemory`. */
export function startMeasuredService(
  env: Record<string, string> = {},
  options: { dataDir?: string } = {},
): Promise<RunningService> {
  const hook = new URL('collect-garbage.ts', import.meta.url).href
  return startService({ NODE_OPTIONS: `--expose-gc --import=${hook}`, ...env }, options)
}

/** Resident memory of the service in bytes, after its garbage was collected. */
export async function settledMemory(service: RunningService): Promise<number> {
  for (let i = 0; i < 3; i++) {
    service.process.kill('SIGUSR2')
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
  return residentMemory(service)
}

function residentMemory({ process: { pid } }: RunningService): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) * 1024
}
