/**
 * Runs a Lambda handler as the runtime does: imports its bundle, then calls it with one event at a
 * time.
 */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { serveParent } from '../support/calls.ts'
import { quantile } from '../support/quantiles.ts'

type Handler = (event: unknown, context: unknown) => Promise<unknown>

export interface ColdStart {
  importMs: number
  /** From the beginning of the import; undefined without an event. */
  firstAnswerMs: number | undefined
  answer: unknown
  /** Peak memory of the process, in bytes. */
  peakMemory: number
}

export interface Warm {
  p50: number
  p99: number
  /** CPU time of the process for one request, in ms. */
  cpu: number
}

const CONTEXT = { getRemainingTimeInMillis: () => 60_000 }
let handler: Handler

async function start(bundle: string, event: unknown): Promise<ColdStart> {
  // The log of the handler is not output of the benchmark.
  console.log = () => {}
  const began = performance.now()
  handler = ((await import(pathToFileURL(bundle).href)) as { handler: Handler }).handler
  const imported = performance.now()
  const answer = event === null ? undefined : await handler(event, CONTEXT)
  return {
    importMs: imported - began,
    firstAnswerMs: event === null ? undefined : performance.now() - began,
    answer,
    peakMemory: peakMemory(),
  }
}

/**
 * As the system counts it for this program; resourceUsage() also counts the process that forked it.
 */
function peakMemory(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))!
  return Number(kilobytes) * 1024
}

/** @param expected the status of each answer */
async function repeat(event: unknown, count: number, expected: number): Promise<Warm> {
  const times: number[] = []
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    const { statusCode } = (await handler(event, CONTEXT)) as { statusCode: number }
    if (statusCode !== expected) throw new Error(`the handler answered ${statusCode}`)
    times.push(performance.now() - began)
  }
  const { user, system } = process.cpuUsage(before)
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpu: (user + system) / 1000 / count }
}

serveParent({ start, repeat })
