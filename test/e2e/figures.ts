/**
 * Prints how fast the inbox is with 1,000 emails: `node test/e2e/figures.ts`. The figures depend on
 * the machine; an idle one opens an email in less than 60 ms and shows a new email with less than
 * 50 ms of the main thread.
 */
import { chromium, type Page } from 'playwright-core'
import { sendMail, sendMany } from '../support/mail.ts'
import { startService } from '../support/service.ts'
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts'

const ADDRESS = 'figures@mayfly.test'
const EMAILS = 1000
const ROUNDS = 9

const service = await startService()
const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: CHROMIUM_ARGUMENTS })
try {
  await sendMany(service.smtp, EMAILS, (i) => ({
    to: ADDRESS,
    subject: `Email ${i}`,
    html: `<p>Number ${i}</p>`,
  }))
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${service.http}/#${ADDRESS}`)
  await page.locator('[data-state="live"]').waitFor()
  await loadAll(page)
  print('open an email, until its title is drawn', await rounds(() => open(page)))
  print('arrival, time on the main thread', await rounds((i) => arrival(page, i)))
  const frames = (await scroll(page)).sort((a, b) => a - b)
  process.stdout.write(
    `frames while scrolling: p95 ${frames[Math.floor(frames.length * 0.95)]?.toFixed(0)} ms\n`,
  )
} finally {
  await browser.close()
  await service.stop()
}

async function rounds(once: (i: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) times.push(await once(i))
  return times.sort((a, b) => a - b)
}

function print(what: string, times: number[]): void {
  const median = times[Math.floor(times.length / 2)]
  process.stdout.write(`${what}: median ${median?.toFixed(0)} ms, worst ${times.at(-1)?.toFixed(0)} ms\n`)
}

async function loadAll(page: Page): Promise<void> {
  while ((await page.locator('.row').count()) < EMAILS) {
    await page.locator('.rows').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.waitForTimeout(100)
  }
  await page.locator('.rows').evaluate((list) => list.scrollTo(0, 0))
}

/** From the click until the frame after the title has changed; the content of the email was read before. */
async function open(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const links = [...document.querySelectorAll<HTMLElement>('.row .subject')]
    const link = links[Math.floor(Math.random() * 20)]
    const heading = () => document.querySelector('.mail h2')?.textContent
    const before = heading()
    const started = performance.now()
    link?.click()
    while (heading() === before) await new Promise(requestAnimationFrame)
    return performance.now() - started
  })
}

/** The time that the main thread is busy while an email arrives, by the tracing of Chromium. */
async function arrival(page: Page, i: number): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await busy()
  await sendMail(service.smtp, { to: ADDRESS, subject: `Arrival ${i}`, text: 'x' })
  await page
    .locator('.row')
    .filter({ hasText: `Arrival ${i}` })
    .waitFor({ state: 'attached' })
  const after = await busy()
  await session.detach()
  return after - before
}

async function scroll(page: Page): Promise<number[]> {
  return page.locator('.rows').evaluate(async (list) => {
    const times: number[] = []
    let last = performance.now()
    for (let i = 0; i < 120; i++) {
      list.scrollBy(0, 300)
      const now = await new Promise<number>(requestAnimationFrame)
      times.push(now - last)
      last = now
    }
    return times
  })
}
