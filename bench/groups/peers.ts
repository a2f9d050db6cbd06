import type { Figure, Group } from '../support/figures.ts'
import { inFolder } from '../support/folder.ts'
import { type Round, roundOf, type Server, startBare, startOurs, stop } from '../support/intake-server.ts'
import { installPeers } from '../support/peers.ts'
import { median } from '../support/quantiles.ts'
import { residentMemory } from '../support/service.ts'

const CONNECTIONS = [1, 10, 50]

/**
 * The service beside Mailpit, MailDev and bench/bare.ts: mails of 2 KB from the same client, one
 * command at a time, in turn; medians of nine rounds of three seconds. Only this service and bare
 * sync a mail before the 250. Mailpit has a database on the disk, MailDev keeps mail in memory.
 * CPU time is that of the whole process; memory is resident memory at the end.
 */
export const peers: Group = {
  name: 'peers',
  measure: ({ quick, progress }) =>
    inFolder(async (folder) => {
      progress('installing Mailpit and MailDev')
      const { mailpit, maildev } = await installPeers(folder)
      const starts = {
        mayfly: startOurs,
        bare: startBare,
        [mailpit.name]: mailpit.start,
        [maildev.name]: maildev.start,
      }
      const servers: [name: string, server: Server][] = []
      try {
        for (const [name, start] of Object.entries(starts)) servers.push([name, await start()])
        const figures: Figure[] = []
        for (const [name, server] of servers) {
          figures.push(memoryOf(`${name}: memory idle`, server))
          await roundOf(server, 10, quick ? 1000 : 8000)
        }
        for (const connections of CONNECTIONS) {
          figures.push(...(await compared(servers, connections, quick ? [2, 1000] : [9, 3000], progress)))
        }
        for (const [name, server] of servers) figures.push(memoryOf(`${name}: memory at the end`, server))
        return { figures }
      } finally {
        for (const [, server] of servers) await stop(server)
      }
    }),
}

async function compared(
  servers: [name: string, server: Server][],
  connections: number,
  [turns, durationMs]: [number, number],
  progress: (text: string) => void,
): Promise<Figure[]> {
  const rounds = servers.map((): Round[] => [])
  for (let turn = 0; turn < turns; turn++) {
    progress(`${connections} connections, round ${turn + 1}`)
    for (const [i, [, server]] of servers.entries()) {
      rounds[i]!.push(await roundOf(server, connections, durationMs))
    }
  }
  const rates = rounds.map((all) => median(all.map(({ perSecond }) => perSecond)))
  const cpu = rounds.map((all) => median(all.map((one) => one.cpuInAll)))
  return servers.flatMap(([name], i): Figure[] => {
    const where = `${connections} connection${connections === 1 ? '' : 's'}, ${name}`
    const own: Figure[] = [
      { name: where, value: rates[i]!, unit: 'mails/s' },
      { name: `${where}: CPU a mail`, value: cpu[i]!, unit: 'µs' },
    ]
    if (i === 0) return own
    return [...own, { name: `mayfly to ${name}`, value: rates[0]! / rates[i]!, unit: 'times' }]
  })
}

function memoryOf(name: string, server: Server): Figure {
  return { name, value: residentMemory(server.process) / 2 ** 20, unit: 'MB' }
}
