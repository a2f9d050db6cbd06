import { MailpitClient } from 'mailpit-api'
import { Mayfly } from '../../packages/client/src/node.ts'
import { sendMail } from '../../test/support/mail.ts'
import type { RunningService } from '../../test/support/service.ts'
import { Client } from '../support/calls.ts'
import type { Figure, Group } from '../support/figures.ts'
import { inFolder } from '../support/folder.ts'
import { median } from '../support/quantiles.ts'
import { startService } from '../support/service.ts'

const KEY = 'the-key-of-the-operator'
const REQUESTS = 20
const SIGN_UPS = 200
const AT_ONCE = 10
const TIMEOUT_MS = 30_000

/** Requests over all mail, one after the other: the median of REQUESTS. */
const ASKED: Record<string, string> = {
  'GET /api/emails': '/api/emails?limit=50',
  'Mailpit’s list': '/api/v1/messages?limit=50',
  'Mailpit’s search to:': '/api/v1/search?query=to%3Auser7%40mayfly.test',
  'MailHog’s search to': '/api/v2/search?kind=to&query=user7%40mayfly.test',
}

/**
 * The operator's view of all mail in a store of 100,000: lists and searches by the API and by those
 * of Mailpit and MailHog, and the deletion of everything; before that 200 sign-ups, 10 at a time,
 * each of which sends a mail and reads its code: by Mailpit's client, which polls every half second,
 * and by the SDK.
 */
export const allMail: Group = {
  name: 'all-mail',
  async measure({ quick, progress }) {
    const inboxes = quick ? 1000 : 10_000
    const figures: Figure[] = []
    await inFolder(async (dataDir) => {
      progress('filling the store')
      const filler = new Client('fill.ts')
      await filler.call('fillStore', dataDir, { inboxes, each: 10, big: 0 })
      await filler.end()
      const service = await startService({ MAYFLY_API_KEYS: KEY, MAYFLY_CATCHER_APIS: 'on' }, { dataDir })
      try {
        progress('signing up')
        figures.push(...(await signUps(service, quick ? SIGN_UPS / 10 : SIGN_UPS)))
        progress('listing, searching and deleting')
        figures.push(...(await requests(service, `${inboxes * 10} mails`)))
      } finally {
        await service.stop()
      }
    })
    return { figures }
  },
}

async function requests(service: RunningService, store: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(ASKED)) {
    const times: number[] = []
    for (let n = 0; n < REQUESTS; n++) times.push(await timeOf(() => ask(service, path)))
    figures.push({ name: `${store}, ${name}`, value: median(times), unit: 'ms' })
  }
  const deletion = await timeOf(() => ask(service, '/api/emails', 'DELETE'))
  figures.push({ name: `${store}, DELETE /api/emails`, value: deletion / 1000, unit: 's' })
  return figures
}

async function ask(service: RunningService, path: string, method = 'GET'): Promise<void> {
  const response = await fetch(service.http + path, { method, headers: { 'X-API-Key': KEY } })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

async function signUps(service: RunningService, count: number): Promise<Figure[]> {
  const mailpit = new MailpitClient(service.http)
  const mayfly = new Mayfly({ url: service.http, apiKey: KEY, timeout: TIMEOUT_MS })
  const send = (to: string) =>
    sendMail(service.smtp, { to, subject: 'Welcome', text: 'Your verification code is 739105.' })
  const ways: Record<string, (n: number) => Promise<unknown>> = {
    'by mailpit-api': async (n) => {
      await send(`pit${n}@mayfly.test`)
      await mailpit.waitForMessage({ query: `to:"pit${n}@mayfly.test"` }, { timeout: TIMEOUT_MS })
    },
    'by the SDK': async () => {
      const inbox = await mayfly.inbox({ domain: 'mayfly.test' })
      await send(inbox.address)
      await inbox.waitForCode()
    },
  }
  const figures: Figure[] = []
  for (const [name, signUp] of Object.entries(ways)) {
    const ms = await timeOf(() => tenAtATime(count, signUp))
    figures.push({ name: `${count} sign-ups, ${AT_ONCE} at a time, ${name}`, value: ms / 1000, unit: 's' })
  }
  return figures
}

async function tenAtATime(count: number, one: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await one(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}
