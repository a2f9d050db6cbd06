import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { type BrowserContext, chromium } from 'playwright-core'
import { CONTAINER_ENV } from '../support/container.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { startService } from '../support/service.ts'
import { CHROMIUM, CHROMIUM_ARGUMENTS, PATIENCE_MS } from './browser.ts'

/*
 * The service as a container publishes it: it listens on every address, and its port is on the
 * developer's loopback. Names of these tests resolve to 127.0.0.1, as an attacker's name can.
 */
const NAMES = '--host-resolver-rules=MAP *.example 127.0.0.1, MAP catcher 127.0.0.1, MAP *.internal 127.0.0.1'
const KEY = 'operator-key-0123456789'

interface World {
  /** Where the port of the service is published, by this name. */
  at(name: string): string
  address: string
  context: BrowserContext
  /** The origin of a page that any web site may be, by this name. */
  site(name: string): string
}

async function inTheWorld(env: Record<string, string>, run: (world: World) => Promise<void>): Promise<void> {
  const service = await startService({
    ...CONTAINER_ENV,
    MAYFLY_CATCH_ALL: 'on',
    MAYFLY_API_KEYS: KEY,
    ...env,
  })
  const site = createServer((_request, response) => response.end('<!doctype html><title>a site</title>'))
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const sitePort = (site.address() as AddressInfo).port
  const browser = await chromium.launch({
    executablePath: CHROMIUM!,
    args: [...CHROMIUM_ARGUMENTS, NAMES],
  })
  try {
    const address = freshAddress()
    await sendMail({ ...service.smtp, host: '127.0.0.1' }, { to: address })
    await run({
      at: (name) => `http://${name}:${new URL(service.http).port}`,
      address,
      context: await browser.newContext(),
      site: (name) => `http://${name}:${sitePort}`,
    })
  } finally {
    await browser.close()
    site.close()
    await service.stop()
  }
}

/** What a script of a page at `from` gets: a status for each request, or "refused" by the browser. */
async function whatAPageGets(context: BrowserContext, from: string, base: string, address: string) {
  const page = await context.newPage()
  await page.goto(from)
  const got = await page.evaluate(
    async ([url, inbox]) => {
      const ask = (path: string, method = 'GET') =>
        fetch(url + path, { method, credentials: 'include' }).then(
          async (answer) => ({ status: answer.status, hasMail: (await answer.text()).includes(inbox!) }),
          () => ({ status: 'refused', hasMail: false }),
        )
      return {
        list: await ask(`/api/public/emails/${inbox}`),
        session: await ask('/api/session', 'POST'),
        latest: await ask(`/api/emails/${inbox}/latest`),
        clear: await ask(`/api/emails/${inbox}`, 'DELETE'),
      }
    },
    [base, address],
  )
  await page.close()
  return got
}

async function countAt(base: string, address: string): Promise<number> {
  const answer = await fetch(`${base}/api/public/emails/${address}`)
  return ((await answer.json()) as { emails: unknown[] }).emails.length
}

const NOTHING = { status: 'refused', hasMail: false }
const MISDIRECTED = { status: 421, hasMail: false }

test.each([
  ['a site of another host', 'evil.example'],
  ['an application on another port', 'localhost'],
])(
  '%s neither reads nor deletes',
  async (_who, host) => {
    await inTheWorld({}, async ({ at, site, context, address }) => {
      const got = await whatAPageGets(context, site(host), at('localhost'), address)
      expect(got).toEqual({ list: NOTHING, session: NOTHING, latest: NOTHING, clear: NOTHING })
      expect(await countAt(at('127.0.0.1'), address)).toBe(1)
    })
  },
  PATIENCE_MS,
)

test(
  'a name that was rebound to the service is refused for every path',
  async () => {
    await inTheWorld({}, async ({ at, context, address }) => {
      const rebound = at('rebound.example')
      const got = await whatAPageGets(context, rebound, rebound, address)
      expect(got).toEqual({
        list: MISDIRECTED,
        session: MISDIRECTED,
        latest: MISDIRECTED,
        clear: MISDIRECTED,
      })
      expect(await countAt(at('127.0.0.1'), address)).toBe(1)
    })
  },
  PATIENCE_MS,
)

test.each(['localhost', 'catcher', 'mail.internal', 'mail.example'])(
  'the pages at %s read and delete',
  async (name) => {
    const isKnown = name === 'mail.example'
    await inTheWorld(isKnown ? { MAYFLY_MX_HOST: name } : {}, async ({ at, context, address }) => {
      const got = await whatAPageGets(context, at(name), at(name), address)
      expect(got).toMatchObject({
        list: { status: 200, hasMail: true },
        session: { status: 201 },
        latest: { status: 200, hasMail: true },
        clear: { status: 200 },
      })
      expect(await countAt(at('127.0.0.1'), address)).toBe(0)
    })
  },
  PATIENCE_MS,
)

test(
  'a site that MAYFLY_CORS_ORIGINS names reads the list; with * every site does',
  async () => {
    await inTheWorld({ MAYFLY_CORS_ORIGINS: '*' }, async ({ at, site, context, address }) => {
      const page = await context.newPage()
      await page.goto(site('evil.example'))
      const read = (url: string) => page.evaluate((path) => fetch(path).then((answer) => answer.text()), url)
      expect(await read(`${at('localhost')}/api/public/emails/${address}`)).toContain(address)
    })
  },
  PATIENCE_MS,
)
