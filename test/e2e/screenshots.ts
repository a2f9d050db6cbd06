/**
 * Takes screenshots of every page in four widths, light and dark, into a folder, and those of the README and the docs
 * into docs/images:
 *
 *     node test/e2e/screenshots.ts /tmp/screenshots [name]
 *
 * With a name, only the pages whose name contains it; `published` renews only the pictures in docs/images.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import { type RunningService, startService } from '../support/service.ts'
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts'
import { fill, SHOTS, type Shot } from './shots.ts'

const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]
const IMAGES = fileURLToPath(new URL('../../docs/images', import.meta.url))

/** The pictures of the README and the docs. */
const PUBLISHED = { 'inbox.png': 'confirmation', 'html-check.png': 'html-check', 'domains.png': 'domains' }

const [folder = '/tmp/mayfly-screenshots', only = ''] = process.argv.slice(2)
if (CHROMIUM === undefined) throw new Error('There is no Chromium. Debian: apt install chromium')
await mkdir(folder, { recursive: true })
const service = await startService({ MAYFLY_DOMAINS: 'mayfly.test,private.test=key' })
const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS })
try {
  const key = await fill(service)
  for (const [name, shot] of Object.entries(SHOTS)) {
    if (!name.includes(only)) continue
    for (const viewport of SIZES) {
      const file = (scheme: string) => join(folder, `${name}-${viewport.width}-${scheme}.png`)
      await take(browser, service, shot, { viewport, hasTouch: viewport.width < 1000 }, key, {
        light: file('light'),
        dark: file('dark'),
      })
    }
  }
  if (only === '' || only === 'published') {
    const options = { viewport: { width: 1200, height: 720 }, deviceScaleFactor: 2 }
    for (const [file, name] of Object.entries(PUBLISHED)) {
      const shot = SHOTS[name]
      if (shot) await take(browser, service, shot, options, key, { light: join(IMAGES, file) })
    }
  }
} finally {
  await browser.close()
  await service.stop()
}

async function take(
  browser: Browser,
  { http }: RunningService,
  { path, prepare, hasKey = false }: Shot,
  options: BrowserContextOptions,
  key: string,
  files: { light: string; dark?: string },
): Promise<void> {
  const localStorage = hasKey ? [{ name: 'mayfly.api-key', value: key }] : []
  const storageState = { cookies: [], origins: [{ origin: http, localStorage }] }
  const context = await browser.newContext({ reducedMotion: 'reduce', storageState, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(http + path)
  try {
    await prepare?.(page)
  } catch (error) {
    process.stderr.write(`${files.light}: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`)
  }
  // The page measures the email and loads thumbnails after the first drawing.
  await page.waitForTimeout(400)
  await page.screenshot({ path: files.light })
  if (files.dark !== undefined) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForTimeout(200)
    await page.screenshot({ path: files.dark })
  }
  await context.close()
}
