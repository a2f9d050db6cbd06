import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals'
import axe from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { type RunningService, startService } from '../support/service.ts'

/** Where distributions put it; MAYFLY_CHROMIUM names another. */
export const CHROMIUM = [process.env.MAYFLY_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
)

export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** What a browser does takes as long as it takes; this only ends what hangs. */
export const PATIENCE_MS = 60_000

export interface Stage {
  browser: Browser
  service: RunningService
  /** A page in a browser profile of its own. What goes wrong in it fails the test (see `faults`). */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  /** Uncaught errors and policy violations of all pages of this test so far. */
  faults: string[]
}

/** Tests in a real browser against a real service; left out, and said so, where there is no browser. */
export function inBrowser(
  name: string,
  env: Record<string, string>,
  tests: (stage: () => Stage) => void,
): void {
  if (CHROMIUM === undefined) {
    process.stderr.write(
      `LEFT OUT: "${name}" needs Chromium, and there is none. Debian: apt install chromium\n`,
    )
  }
  const group = CHROMIUM === undefined ? describe.skip : describe
  group(name, () => {
    const contexts: BrowserContext[] = []
    let stage: Stage
    beforeAll(async () => {
      const service = await startService(env)
      const browser = await chromium.launch({ executablePath: CHROMIUM!, args: CHROMIUM_ARGUMENTS })
      stage = { service, browser, open, faults: [] }
    }, PATIENCE_MS)
    afterEach(async () => {
      for (const context of contexts.splice(0)) await context.close()
      expect(stage.faults.splice(0)).toEqual([])
    })
    afterAll(async () => {
      await stage?.browser.close()
      await stage?.service.stop()
    }, PATIENCE_MS)

    async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await stage.browser.newContext({ reducedMotion: 'reduce', ...options })
      contexts.push(context)
      context.setDefaultTimeout(PATIENCE_MS)
      const page = await context.newPage()
      page.on('pageerror', (error) => stage.faults.push(`error: ${error.message}`))
      page.on('console', (message) => {
        if (/Content Security Policy|Trusted/.test(message.text())) stage.faults.push(message.text())
      })
      await page.goto(stage.service.http + path)
      return page
    }

    tests(() => stage)
  })
}

/** What axe-core finds wrong, a line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    )
  })
}

/** An API key of the service, without a browser. */
export async function newKey(service: RunningService): Promise<string> {
  const answer = await fetch(`${service.http}/api/keys`, { method: 'POST' })
  return ((await answer.json()) as { key: string }).key
}

/** A page whose browser has the API key already. */
export async function openWithKey(
  stage: Stage,
  path: string,
  key: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const origin = stage.service.http
  const storageState = {
    cookies: [],
    origins: [{ origin, localStorage: [{ name: 'mayfly.api-key', value: key }] }],
  }
  return stage.open(path, { ...options, storageState })
}
