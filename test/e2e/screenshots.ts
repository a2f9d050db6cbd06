/**
 * Takes screenshots of every page in three widths, light and dark, into a folder, and those of the README and the docs
 * into docs/images:
 *
 *     node test/e2e/screenshots.ts /tmp/screenshots [name]
 *
 * With a name, only the pages whose name contains it; `published` renews only the pictures in docs/images.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts'
import { ATTACHMENTS, CONFIRMATION, NEWSLETTER, NOTE, OTHERS, RIGHT_TO_LEFT } from './sample-mails.ts'

const WIDTHS = {
  phone: { width: 390, height: 844 },
  tablet: { width: 1024, height: 768 },
  desktop: { width: 1440, height: 900 },
} as const
const ADDRESS = 'beamingcaribou1762@mayfly.test'
const IMAGES = fileURLToPath(new URL('../../docs/images', import.meta.url))

/** Each state of a page: its path, and the steps to reach the state. */
const SHOTS: Record<string, { path: string; prepare?: (page: Page) => Promise<unknown> }> = {
  'first-screen': {
    path: '/#newborn1@mayfly.test',
    prepare: (page) => page.getByText('Waiting for mail').waitFor(),
  },
  list: { path: `/#${ADDRESS}`, prepare: (page) => page.locator('.row').first().waitFor() },
  confirmation: { path: `/#${ADDRESS}`, prepare: (page) => open(page, 'Confirm your') },
  newsletter: { path: `/#${ADDRESS}`, prepare: (page) => open(page, 'Nine things') },
  attachments: { path: `/#${ADDRESS}`, prepare: (page) => open(page, 'invoices') },
  note: { path: `/#${ADDRESS}`, prepare: (page) => open(page, 'Notes') },
  'html-check': {
    path: `/#${ADDRESS}`,
    prepare: async (page) => {
      await open(page, 'Nine things')
      await page.getByRole('tab', { name: 'HTML check' }).click()
      await page.locator('.score').waitFor()
    },
  },
  headers: {
    path: `/#${ADDRESS}`,
    prepare: async (page) => {
      await open(page, 'Confirm your')
      await page.getByRole('tab', { name: 'Headers' }).click()
    },
  },
  links: {
    path: `/#${ADDRESS}`,
    prepare: async (page) => {
      await open(page, 'Nine things')
      await page.getByRole('tab', { name: /^Links/ }).click()
      await page.getByRole('button', { name: 'Check links' }).waitFor()
    },
  },
  'whole-domain': {
    path: '/#@private.test',
    prepare: async (page) => {
      await page.getByLabel('Domain key').fill('key')
      await page.getByRole('button', { name: 'Open' }).click()
      await page.locator('.row').first().waitFor()
    },
  },
  compact: {
    path: `/#${ADDRESS}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Show compact rows' }).click()
      await page.getByRole('searchbox').fill('has:code')
    },
  },
  share: {
    path: `/#${ADDRESS}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Share this inbox' }).click()
      await page.locator('.qr').waitFor()
    },
  },
  'unknown-domain': {
    path: '/#someone@nowhere.example',
    prepare: (page) => page.locator('.problem').waitFor(),
  },
  private: { path: '/#someone@private.test', prepare: (page) => page.getByLabel('Domain key').waitFor() },
  keys: { path: '/keys', prepare: (page) => page.getByText(/keys left today/).waitFor() },
  domains: { path: '/domains#mayfly.test', prepare: (page) => page.locator('.record').first().waitFor() },
  webhooks: { path: '/webhooks', prepare: (page) => page.getByText(/Use an API key/).waitFor() },
  docs: {
    path: '/docs#waitForEmail',
    prepare: (page) => page.getByText('Choose an address').first().waitFor(),
  },
  problems: { path: '/problems/rate_limited' },
  'not-found': { path: '/nope' },
}

/** The pictures of the README and the docs. */
const PUBLISHED = { 'inbox.png': 'confirmation', 'html-check.png': 'html-check', 'domains.png': 'domains' }

const [folder = '/tmp/mayfly-screenshots', only = ''] = process.argv.slice(2)
if (CHROMIUM === undefined) throw new Error('There is no Chromium. Debian: apt install chromium')
await mkdir(folder, { recursive: true })
const service = await startService({ MAYFLY_DOMAINS: 'mayfly.test,private.test=key' })
const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS })
try {
  await fill(service)
  for (const [name, shot] of Object.entries(SHOTS)) {
    if (!name.includes(only)) continue
    for (const [device, viewport] of Object.entries(WIDTHS)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const file = join(folder, `${name}-${device}-${colorScheme}.png`)
        await take(browser, service, shot, { viewport, colorScheme, hasTouch: device === 'phone' }, file)
      }
    }
  }
  if (only === '' || only === 'published') {
    const options = { viewport: { width: 1200, height: 720 }, deviceScaleFactor: 2 }
    for (const [file, name] of Object.entries(PUBLISHED)) {
      const shot = SHOTS[name]
      if (shot) await take(browser, service, shot, options, join(IMAGES, file))
    }
  }
} finally {
  await browser.close()
  await service.stop()
}

async function fill({ smtp }: RunningService): Promise<void> {
  const mails = [...OTHERS, RIGHT_TO_LEFT, ATTACHMENTS, NOTE, NEWSLETTER, CONFIRMATION]
  for (const mail of [...OTHERS, ...OTHERS, ...mails]) await sendMail(smtp, { to: ADDRESS, ...mail })
  for (const [i, mail] of mails.entries()) {
    await sendMail(smtp, { to: `${['sales', 'support', 'a.long.name+tag'][i % 3]}@private.test`, ...mail })
  }
}

async function take(
  { newContext }: Browser,
  { http }: RunningService,
  { path, prepare }: (typeof SHOTS)[string],
  options: Parameters<Browser['newContext']>[0],
  file: string,
): Promise<void> {
  const context = await newContext.call(browser, { reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(http + path)
  try {
    await prepare?.(page)
  } catch (error) {
    process.stderr.write(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`)
  }
  // The page measures the email and loads thumbnails after the first drawing.
  await page.waitForTimeout(400)
  await page.screenshot({ path: file })
  await context.close()
}

async function open(page: Page, subject: string): Promise<void> {
  await page.locator('.row').filter({ hasText: subject }).locator('.subject').click()
  await page.locator('.mail-frame').waitFor()
}
