import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startService } from '../../test/support/service.ts'
import type { SmtpLoad, SmtpLoadResult } from '../clients/smtp.ts'
import { Client } from '../support/calls.ts'
import type { Figure, Group } from '../support/figures.ts'
import { median } from '../support/quantiles.ts'
import { cpuTime, residentMemory } from '../support/service.ts'

const CONNECTIONS = [1, 10, 50]
const MB = 1024 * 1024

interface Server {
  process: ChildProcess
  host: string
  port: number
}

interface Round {
  perSecond: number
  /** Of the server, µs per mail, warm-up included. */
  cpu: number
}

/**
 * The service beside bench/bare.ts: mails of 2 KB from the same client, one command at a time,
 * three seconds each in turn, five rounds; the medians. CPU time is that of the whole process in
 * these seconds. Memory is resident memory, garbage included: before the first mail, and after
 * 100,000 mails from 50 connections, sent to a separate process.
 */
export const bare: Group = {
  name: 'bare',
  async measure({ quick, progress }) {
    const figures: Figure[] = []
    const [ours, theirs] = [await startOurs(), await startBare()]
    try {
      for (const server of [ours, theirs]) await roundOf(server, 10, quick ? 3000 : 8000)
      for (const connections of CONNECTIONS) {
        const rounds: [Round[], Round[]] = [[], []]
        for (let round = 0; round < (quick ? 2 : 5); round++) {
          progress(`${connections} connections, round ${round + 1}`)
          rounds[0].push(await roundOf(ours, connections, 3000))
          rounds[1].push(await roundOf(theirs, connections, 3000))
        }
        const rates = rounds.map((all) => median(all.map(({ perSecond }) => perSecond)))
        const cpu = rounds.map((all) => median(all.map((one) => one.cpu)))
        const name = `${connections} connection${connections === 1 ? '' : 's'}`
        figures.push(
          { name: `${name}`, value: rates[0]!, unit: 'mails/s' },
          { name: `${name}: bare`, value: rates[1]!, unit: 'mails/s' },
          { name: `${name}: of bare's`, value: rates[0]! / rates[1]!, unit: '', target: { least: 0.75 } },
          { name: `${name}: CPU a mail`, value: cpu[0]!, unit: 'µs' },
          { name: `${name}: CPU a mail, bare`, value: cpu[1]!, unit: 'µs' },
          { name: `${name}: CPU, of bare's`, value: cpu[0]! / cpu[1]!, unit: '', target: { most: 1.35 } },
        )
      }
    } finally {
      await stop(ours)
      await stop(theirs)
    }
    figures.push(...(await memory(quick ? 10_000 : 100_000, progress)))
    return { figures }
  },
}

async function memory(mails: number, progress: (text: string) => void): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, start, targets] of [
    ['memory', startOurs, [130, 220]],
    ['memory, bare', startBare, []],
  ] as const) {
    progress(name)
    const server = await start()
    try {
      await new Promise((resolve) => setTimeout(resolve, 2000))
      const add = (when: string, most?: number) =>
        figures.push({
          name: `${name} ${when}`,
          value: residentMemory(server.process) / MB,
          unit: 'MB',
          ...(most !== undefined && { target: { most } }),
        })
      add('idle', targets[0])
      for (let sent = 0; sent < mails; ) {
        const result = await load(server, 50, 3000)
        sent += result.mails
      }
      add(`after ${mails.toLocaleString('en-US')} mails`, targets[1])
    } finally {
      await stop(server)
    }
  }
  return figures
}

async function load(server: Server, connections: number, durationMs: number): Promise<SmtpLoadResult> {
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

async function roundOf(server: Server, connections: number, durationMs: number): Promise<Round> {
  const before = cpuTime(server.process)
  const { mails, perSecond } = await load(server, connections, durationMs)
  return { perSecond, cpu: ((cpuTime(server.process) - before) / mails) * 1000 }
}

async function startOurs(): Promise<Server> {
  const service = await startService()
  return { process: service.process, ...service.smtp }
}

async function startBare(): Promise<Server> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('../bare.ts', import.meta.url)), '0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, host: '127.0.0.1', port: Number(/^ready (\d+)/.exec(String(line))![1]) }
}

async function stop({ process: child }: Server): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
