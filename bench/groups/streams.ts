import type { RunningService } from '../../test/support/service.ts'
import type { Traffic, Waits } from '../clients/streams.ts'
import { Client } from '../support/calls.ts'
import type { Figure, Group } from '../support/figures.ts'
import { inFolder } from '../support/folder.ts'
import { prepareKeys } from '../support/keys.ts'
import { median } from '../support/quantiles.ts'
import { cpuTime, httpOf, settledMemory, startMeasuredService } from '../support/service.ts'

const WAITS = 1000
const TIMES_REACHED = 9

/**
 * Thousands of streams, each on its own connection, held by one client process; a new service for
 * each part.
 *
 * Memory: resident memory of the service with the streams open, less that before, after garbage
 * collection; the kernel's memory for sockets is not included. CPU of opening one: of all threads
 * of the service, with 100 streams connecting at a time. Reached: the time from the last byte of
 * one mail of 2 KB until the last stream on its address has the event, the median of nine mails. It
 * includes the time of the client, which reads all streams on one core.
 *
 * Traffic: 1,000 mails of 2 KB a second at random moments to random addresses with a stream, for 15
 * s; the time from the 250 to the event (an event before the 250 counts as 0) and from the last
 * byte.
 *
 * Waits: many at once, each for its own address, then one mail to each by ten connections.
 */
export const streams: Group = {
  name: 'streams',
  async measure({ quick, progress }) {
    const count = quick ? 1000 : 10_000
    const figures: Figure[] = []

    progress(`${count} streams on one address`)
    const one = `${count} streams on one address`
    figures.push(
      ...(await withStreams(count, 'same address', one, async (service, client) => {
        const reached: number[] = []
        for (let i = 0; i < TIMES_REACHED; i++) {
          reached.push(await client.call<number>('reachAll', service.smtp))
        }
        const target = quick ? undefined : { most: 200 }
        return [{ name: `${one}: all reached`, value: median(reached), unit: 'ms', target }]
      })),
    )

    progress(`${count} streams on as many addresses`)
    const many = `${count} streams on ${count} addresses`
    figures.push(
      ...(await withStreams(count, 'own address', many, async (service, client) => {
        const perSecond = quick ? 200 : 1000
        const load = { perSecond, seconds: quick ? 2 : 15, addresses: count, connections: 50 }
        const result = await client.call<Traffic>('traffic', service.smtp, load)
        const name = `${many}, ${perSecond} mails/s`
        return [
          { name: `${name}: sent`, value: result.perSecond, unit: 'mails/s' },
          { name: `${name}: lost`, value: result.lost, unit: 'mails', target: { most: 0 } },
          { name: `${name}: 250 to event, p50`, value: result.fromAnswer.p50, unit: 'ms' },
          { name: `${name}: 250 to event, p99`, value: result.fromAnswer.p99, unit: 'ms' },
          { name: `${name}: last byte to event, p50`, value: result.fromLastByte.p50, unit: 'ms' },
          { name: `${name}: last byte to event, p99`, value: result.fromLastByte.p99, unit: 'ms' },
        ]
      })),
    )

    progress(`${WAITS} waits`)
    figures.push(...(await measureWaits()))
    return { figures }
  },
}

async function withStreams(
  count: number,
  each: 'same address' | 'own address',
  name: string,
  measure: (service: RunningService, client: Client) => Promise<Figure[]>,
): Promise<Figure[]> {
  const service = await startMeasuredService()
  const http = httpOf(service)
  const client = new Client('streams.ts')
  try {
    // The first streams load compiled code, which is not memory of a stream.
    const first = new Client('streams.ts')
    await first.call('open', http, 500, 'own address')
    const load = { perSecond: 100, seconds: 2, addresses: 500, connections: 10 }
    await first.call('traffic', service.smtp, load)
    await first.end()
    const before = await settledMemory(service)
    const cpuBefore = cpuTime(service.process)
    await client.call('open', http, count, each)
    const cpu = ((cpuTime(service.process) - cpuBefore) / count) * 1000
    const memory = ((await settledMemory(service)) - before) / count
    return [
      { name: `${name}: CPU of opening one`, value: cpu, unit: 'µs' },
      { name: `${name}: memory of one`, value: memory / 1024, unit: 'KB', target: { most: 20 } },
      ...(await measure(service, client)),
    ]
  } finally {
    await client.end()
    await service.stop()
  }
}

function measureWaits(): Promise<Figure[]> {
  return inFolder(async (dataDir) => {
    const keys = await prepareKeys(dataDir, Math.ceil(WAITS / 100))
    const service = await startMeasuredService({}, { dataDir })
    const client = new Client('streams.ts')
    try {
      const waits = await client.call<Waits>('waits', httpOf(service), service.smtp, WAITS, keys)
      return [
        { name: `${WAITS} waits: all answered`, value: waits.ms, unit: 'ms' },
        { name: `${WAITS} waits: 250 to answer, p50`, value: waits.fromAnswer.p50, unit: 'ms' },
        { name: `${WAITS} waits: 250 to answer, p99`, value: waits.fromAnswer.p99, unit: 'ms' },
      ]
    } finally {
      await client.end()
      await service.stop()
    }
  })
}
