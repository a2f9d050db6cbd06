import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Browser, chromium } from 'playwright-core'
import { CHROMIUM, CHROMIUM_ARGUMENTS } from '../e2e/chromium.ts'
import { eventually } from '../support/eventually.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { type Cable, startCable } from './cable.ts'
import { CACHE, goProgram, goVersion, npmVersion, PYTHON, pythonVersion } from './installed.ts'
import { type Nginx, startNginx } from './nginx.ts'
import { recordRow } from './row.ts'

interface Client {
  /** The subjects of the emails, and `connected` for each event of that name. */
  seen: string[]
  close(): Promise<void> | void
}

const program = (name: string) => fileURLToPath(new URL(`event-source/${name}`, import.meta.url))
/** Given as text, because Node looks for the packages of such a program in the working directory. */
const node = (script: string, name: string) => (url: string) =>
  run(process.execPath, ['--input-type=module', '-e', readFileSync(program(script), 'utf8'), name, url])

/** Starts a client that prints each event. */
async function run(command: string, args: string[]): Promise<Client> {
  const child: ChildProcess = spawn(command, args, { cwd: CACHE, stdio: ['ignore', 'pipe', 'inherit'] })
  const seen: string[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { event, data } = JSON.parse(line) as { event: string; data: string }
    if (event === 'connected') seen.push(event)
    // `retry:` at the end of a stream is an event without data for httpx-sse and r3labs/sse (docs/contract.md, Streams).
    else if (data !== '') seen.push(JSON.parse(data).email.subject)
  })
  return { seen, close: () => void child.kill('SIGKILL') }
}

let browser: Promise<Browser> | undefined

async function inChromium(url: string): Promise<Client> {
  browser ??= chromium.launch({ executablePath: CHROMIUM!, args: CHROMIUM_ARGUMENTS })
  const page = await (await browser).newPage()
  const seen: string[] = []
  await page.exposeFunction('saw', (text: string) => seen.push(text))
  await page.goto(new URL('/api/health', url).href)
  await page.evaluate((stream) => {
    const { saw } = globalThis as unknown as { saw(text: string): void }
    const source = new EventSource(stream)
    source.addEventListener('connected', () => saw('connected'))
    source.onmessage = ({ data }) => saw(JSON.parse(data).email.subject)
  }, url)
  return { seen, close: () => page.close() }
}

const CLIENTS: Record<string, (url: string) => Promise<Client>> = {
  'npm eventsource 3': node('eventsource.mjs', 'eventsource3'),
  'npm eventsource 4': node('eventsource.mjs', 'eventsource4'),
  'npm eventsource 5': node('eventsource.mjs', 'eventsource5'),
  'npm eventsource-client': node('eventsource-client.mjs', 'eventsource-client'),
  'Python httpx-sse': (url) => run(PYTHON, [program('httpx_sse_client.py'), url]),
  'Go r3labs/sse': (url) => run(goProgram('event-source'), [url]),
  Chromium: inChromium,
}
const ROUTES = ['directly', 'behind nginx']
const MAILS = ['0', '1', '2', '3', '4']
const LAST = 'after the restart'

describe('EventSource clients whose connection breaks', () => {
  let service: RunningService
  let nginx: Nginx
  const reads = new Map<string, Promise<string[][]>>()
  const open: { close(): Promise<void> | void }[] = []
  const direct = new Map<string, { to: string; client: Client }>()
  let dataDir: string
  let complete = 0

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mayfly-event-source-'))
    service = await startService({}, { dataDir })
    nginx = await startNginx(service.http)
    // All at once, because they wait most of the time.
    for (const [name, start] of Object.entries(CLIENTS)) {
      const read = Promise.all(ROUTES.map((route) => emailsOf(name, route, start)))
      read.catch(() => {})
      reads.set(name, read)
    }
  })
  afterAll(async () => {
    for (const each of open) await each.close()
    await (await browser)?.close()
    await nginx?.close()
    await service?.stop()
    await rm(dataDir, { recursive: true })
  })

  /** Five mails, two of them while the connection is cut, and a third cut without a mail. */
  async function emailsOf(
    name: string,
    route: string,
    start: (url: string) => Promise<Client>,
  ): Promise<string[]> {
    const cable: Cable = await startCable(route === 'directly' ? service.http : nginx.url)
    open.push(cable)
    const to = freshAddress()
    const client = await start(`${cable.url}/api/sse/${to}`)
    open.push(client)
    if (route === 'directly') direct.set(name, { to, client })
    const send = (subject: string) => sendMail(service.smtp, { to, subject })
    const until = (what: string, count = 1) =>
      eventually(
        `${count} of "${what}"`,
        () => client.seen,
        (seen) => seen.filter((one) => one === what).length === count,
      )
    await until('connected')
    cable.cut()
    await send('0')
    cable.join()
    await send('1')
    await send('2')
    await until('2')
    cable.cut()
    await send('3')
    cable.join()
    await until('3')
    cable.cut()
    cable.join()
    await until('connected', 4)
    await send('4')
    await until('4')
    return client.seen.filter((one) => one !== 'connected')
  }

  test.each(Object.keys(CLIENTS))('%s gets every mail once', async (name) => {
    expect(await reads.get(name)).toEqual(ROUTES.map(() => MAILS))
    complete++
  })

  // Not behind nginx, whose 502 ends an EventSource by the standard.
  test('each client continues when the service has been restarted', async () => {
    const { http, smtp } = service
    await service.stop()
    const env = { MAYFLY_HTTP_PORT: new URL(http).port, MAYFLY_SMTP_PORT: String(smtp.port) }
    service = await startService(env, { dataDir })
    for (const { to } of direct.values()) await sendMail(service.smtp, { to, subject: LAST })
    for (const [name, { client }] of direct) {
      const seen = await eventually(
        `the mail after the restart in ${name}`,
        () => client.seen,
        (subjects) => subjects.includes(LAST),
      )
      expect([name, seen.filter((one) => one !== 'connected')]).toEqual([name, [...MAILS, LAST]])
    }
    complete += direct.size
  })

  test('the table has these versions', () => {
    const clients = Object.keys(CLIENTS).length
    expect(complete).toBe(2 * clients)
    const versions = ['eventsource3', 'eventsource4', 'eventsource5'].map(npmVersion)
    recordRow({
      suite: 'EventSource clients with a connection that breaks',
      version: [
        `npm eventsource ${versions.join(', ')}`,
        `eventsource-client ${npmVersion('eventsource-client')}`,
        `httpx-sse ${pythonVersion('httpx-sse')}`,
        `r3labs/sse ${goVersion('github.com/r3labs/sse/v2')}`,
        'Chromium',
      ].join('; '),
      examined: `${clients} clients directly and behind nginx, cut before the first mail and after it, and a service that restarts: ${
        clients * (ROUTES.length * MAILS.length + 1)
      } mails, 0 lost, none twice`,
      accepted: 0,
      failedIn030:
        'npm eventsource 3 and 4 and eventsource-client lost each mail that came while their first connection was broken',
    })
  })
})
