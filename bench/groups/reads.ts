import type { HttpLoadResult } from '../clients/http.ts'
import { Client } from '../support/calls.ts'
import type { Figure, Group } from '../support/figures.ts'
import type { Filling } from '../support/fill.ts'
import { inFolder } from '../support/folder.ts'
import { prepareKeys } from '../support/keys.ts'
import { median } from '../support/quantiles.ts'
import { httpOf, startService } from '../support/service.ts'

const CONNECTIONS = 16
/** Inboxes, used in turn. */
const ASKED = 100
const ROUNDS = 3

/**
 * Requests for mail with an API key, per second and p99, by 16 kept-alive connections with one
 * request at a time each: the latest mail, a list of up to 50, and a single mail with its content
 * that was read before (the first read marks it, a write that waits for the disk). Each for inboxes
 * of 10 mails, a hundred of them in random order, and for one with 10,000; first in a store with
 * little else, then in one of 1,000,000 mails. Mails have 200 bytes. Each figure is the median of
 * three rounds of a second.
 *
 * `of the small store` compares the two stores. Their rounds cannot alternate, so some of the
 * difference is noise.
 */
export const reads: Group = {
  name: 'reads',
  async measure({ quick, progress }) {
    const keys = quick ? 500 : 2000
    const small: Filling = { inboxes: ASKED, each: 10, big: quick ? 1000 : 10_000 }
    const large: Filling = { ...small, inboxes: (quick ? 20_000 : 1_000_000 - small.big) / small.each }
    const figures: Figure[] = []
    const before = new Map<string, number>()
    for (const filling of [small, large]) {
      const mails = filling.inboxes * filling.each + filling.big
      const store = `store of ${mails.toLocaleString('en-US')}`
      progress(`filling a ${store}`)
      await inFolder(async (dataDir) => {
        const filler = new Client('fill.ts')
        await filler.call('fillStore', dataDir, filling)
        await filler.end()
        const apiKeys = await prepareKeys(dataDir, keys)
        progress(`reading a ${store}`)
        for (const [name, { perSecond, p99 }] of await measureStore(dataDir, filling, apiKeys, quick)) {
          const full = `${store}, ${name}`
          figures.push({ name: full, value: perSecond, unit: 'requests/s' })
          figures.push({ name: `${full}: p99`, value: p99, unit: 'ms' })
          const share = (perSecond / (before.get(name) ?? perSecond)) * 100
          if (before.has(name)) figures.push({ name: `${full}: of the small store`, value: share, unit: '%' })
          before.set(name, perSecond)
        }
      })
    }
    return { figures }
  },
}

async function measureStore(
  dataDir: string,
  filling: Filling,
  keys: string[],
  quick: boolean,
): Promise<Map<string, HttpLoadResult>> {
  const results = new Map<string, HttpLoadResult>()
  const service = await startService({}, { dataDir })
  const client = new Client('http.ts')
  const target = httpOf(service)
  const step = Math.floor(filling.inboxes / ASKED)
  const inboxes = {
    'inbox of 10': Array.from({ length: ASKED }, (_, n) => `user${n * step}@mayfly.test`),
    [`inbox of ${filling.big}`]: ['big@mayfly.test'],
  }
  try {
    for (const [inbox, addresses] of Object.entries(inboxes)) {
      const base = addresses.map((address) => `/api/emails/${address}`)
      const ids = await client.call<string[][]>('ids', target, base, keys)
      const singles = base.flatMap((path, n) => ids[n]!.map((id) => `${path}/${id}`))
      await client.call('ids', target, singles, keys)
      const requests = { latest: base.map((path) => `${path}/latest`), 'list of 50': base, single: singles }
      for (const [request, paths] of Object.entries(requests)) {
        const rounds: HttpLoadResult[] = []
        for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
          const load = { ...target, connections: CONNECTIONS, paths, expected: '739105', keys }
          const times = { warmUpMs: round > 0 ? 100 : quick ? 200 : 700, durationMs: quick ? 300 : 1000 }
          rounds.push(await client.call<HttpLoadResult>('load', { ...load, ...times }))
        }
        results.set(`${inbox}, ${request}`, {
          perSecond: median(rounds.map((round) => round.perSecond)),
          p50: median(rounds.map((round) => round.p50)),
          p99: median(rounds.map((round) => round.p99)),
        })
      }
    }
  } finally {
    await client.end()
    await service.stop()
  }
  return results
}
