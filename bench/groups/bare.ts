import type { Figure, Group } from '../support/figures.ts'
import { load, type Round, roundOf, startBare, startOurs, stop } from '../support/intake-server.ts'
import { median } from '../support/quantiles.ts'
import { residentMemory } from '../support/service.ts'

const CONNECTIONS = [1, 10, 50]
const MB = 1024 * 1024
/** The service collects the garbage of its start, and V8 returns the memory some seconds later. */
const IDLE_AFTER_MS = 12_000

/**
 * The service beside bench/bare.ts: mails of 2 KB from the same client, one command at a time,
 * three seconds each in turn, five rounds; the medians. CPU time is that of the whole process in
 * these seconds, and once more until it has nothing to do: codes and links are looked for after the
 * last 250, which bare does not do at all. Memory is resident memory, garbage included: idle for 12 seconds, and after
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
        const inAll = median(rounds[0].map((one) => one.cpuInAll))
        const name = `${connections} connection${connections === 1 ? '' : 's'}`
        figures.push(
          { name: `${name}`, value: rates[0]!, unit: 'mails/s' },
          { name: `${name}: bare`, value: rates[1]!, unit: 'mails/s' },
          {
            name: `${name}: of bare's`,
            value: rates[0]! / rates[1]!,
            unit: '',
            target: { least: connections === 1 ? 0.97 : 0.92 },
          },
          { name: `${name}: CPU a mail`, value: cpu[0]!, unit: 'µs' },
          { name: `${name}: CPU a mail, bare`, value: cpu[1]!, unit: 'µs' },
          { name: `${name}: CPU, of bare's`, value: cpu[0]! / cpu[1]!, unit: '', target: { most: 1.12 } },
          { name: `${name}: CPU a mail, with its search afterwards`, value: inAll, unit: 'µs' },
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
    ['memory', startOurs, [115, 175]],
    ['memory, bare', startBare, []],
  ] as const) {
    progress(name)
    const server = await start()
    try {
      await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS))
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
