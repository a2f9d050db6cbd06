import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { quantile } from './quantiles.ts'

export interface Machine {
  cpu: string
  cores: number
  memory_gb: number
  system: string
  node: string
  /** Processes that were running or waiting for a core in the last minute. */
  load_before: number
  /** One write of 16 KB with its sync, in the folder of the benchmark's stores: in ms. */
  disk_sync_p50_ms: number
  disk_sync_p99_ms: number
}

export function describeMachine(): Machine {
  const syncs = diskSyncs(200)
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch} ${release()}`,
    node: process.version,
    load_before: loadavg()[0]!,
    disk_sync_p50_ms: quantile(syncs, 0.5),
    disk_sync_p99_ms: quantile(syncs, 0.99),
  }
}

function diskSyncs(count: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
  const file = openSync(join(folder, 'sync'), 'w')
  const block = Buffer.alloc(16 * 1024)
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    writeSync(file, block)
    fdatasyncSync(file)
    times.push(performance.now() - began)
  }
  closeSync(file)
  rmSync(folder, { recursive: true })
  return times
}
