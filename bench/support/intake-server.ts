import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SmtpLoad, SmtpLoadResult } from '../clients/smtp.ts'
import { Client } from './calls.ts'
import { cpuTime, startService } from './service.ts'

/** A running server that accepts mail. */
export interface Server {
  process: ChildProcess
  host: string
  port: number
}

export interface Round {
  perSecond: number
  /** Of the server, µs per mail, warm-up included. */
  cpu: number
  /** The same, with what the server does after its last 250: looking for codes and links. */
  cpuInAll: number
}

/** Sends mails of 2 KB, one command at a time on each connection. */
export async function load(server: Server, connections: number, durationMs: number): Promise<SmtpLoadResult> {
  const client = new Client('smtp.ts')
  const job: SmtpLoad = {
    host: server.host,
    port: server.port,
    connections,
    mail: '2 KB',
    pipelining: false,
    addresses: 1000,
    warmUpMs: 0,
    durationMs,
  }
  const result = await client.call<SmtpLoadResult>('load', job)
  await client.end()
  return result
}

export async function roundOf(server: Server, connections: number, durationMs: number): Promise<Round> {
  const before = cpuTime(server.process)
  const { mails, perSecond } = await load(server, connections, durationMs)
  const after = cpuTime(server.process)
  const perMail = (ms: number) => ((ms - before) / mails) * 1000
  return { perSecond, cpu: perMail(after), cpuInAll: perMail(await settledCpuTime(server)) }
}

/** The CPU time of the server when it has nothing more to do, so that it does not slow the next measurement. */
async function settledCpuTime({ process: server }: Server): Promise<number> {
  for (let last = cpuTime(server); ; ) {
    await sleep(1500)
    const now = cpuTime(server)
    if (now - last < 20) return now
    last = now
  }
}

export async function startOurs(): Promise<Server> {
  const service = await startService()
  return { process: service.process, ...service.smtp }
}

export async function startBare(): Promise<Server> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('../bare.ts', import.meta.url)), '0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, host: '127.0.0.1', port: Number(/^ready (\d+)/.exec(String(line))![1]) }
}

export async function stop({ process: child }: Server): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
