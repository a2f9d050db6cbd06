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
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts'

export { CHROMIUM, CHROMIUM_ARGUMENTS }

/**
 * The time after which a hanging test ends; nothing in these tests depends on the speed of a
 * browser, which may share two cores with ten programs.
 */
export const PATIENCE_MS = 180_000
/** The time after which a single step of a test fails and says what it waited for, before the test itself ends. */
const STEP_MS = 90_000

export interface Stage {
  browser: Browser
  service: RunningService
  /** Opens a page in a new browser profile. Its uncaught errors fail the test (see `faults`). */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  /** Uncaught errors and policy violations of all pages in this test so far. */
  faults: string[]
}

/** A browser to test in. */
export interface TestedBrowser {
  /** Undefined if it is not installed. */
  path: string | undefined
  /** How to install it. */
  install: string
  args: string[]
  env?: Record<string, string>
}

const INSTALLED: TestedBrowser = {
  path: CHROMIUM,
  install: 'Debian: apt install chromium',
  args: CHROMIUM_ARGUMENTS,
}

/**
 * Tests in a real browser against a real service. Without a browser they are skipped, with a message.
 * @param more further arguments of the browser
 */
export function inBrowser(
  name: string,
  env: Record<string, string>,
  tests: (stage: () => Stage) => void,
  more: string[] = [],
  tested = INSTALLED,
): void {
  const { path, install } = tested
  if (path === undefined) {
    process.stderr.write(`SKIPPED: "${name}" needs Chromium, which is not installed. ${install}\n`)
  }
  const group = path === undefined ? describe.skip : describe
  group(name, () => {
    const contexts: BrowserContext[] = []
    let stage: Stage
    beforeAll(async () => {
      const service = await startService(env)
      const browser = await chromium.launch({
        executablePath: path!,
        args: [...tested.args, ...more],
        ...(tested.env && { env: tested.env }),
      })
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
      context.setDefaultTimeout(STEP_MS)
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

/** The violations that axe-core finds, one line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    )
  })
}

/** Generates an API key without a browser. */
export async function newKey(service: RunningService): Promise<string> {
  const answer = await fetch(`${service.http}/api/keys`, { method: 'POST' })
  return ((await answer.json()) as { key: string }).key
}

/** Opens a page in a browser in which an API key is saved. */
export async function openWithKey(
  stage: Stage,
  path: string,
  key: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  return stage.open(path, { ...options, ...savedKey(stage, key) })
}

/** A browser profile in which an API key is saved. */
export function savedKey({ service }: Stage, key: string): BrowserContextOptions {
  const localStorage = [{ name: 'mayfly.api-key', value: key }]
  return { storageState: { cookies: [], origins: [{ origin: service.http, localStorage }] } }
}
