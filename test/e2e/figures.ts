/**
 * Prints how fast the inbox is with 3,100 emails: `node test/e2e/figures.ts`. An idle machine opens an email in less
 * than 110 ms and shows a new email with less than 50 ms of the main thread. Times of the main thread are CPU time, as
 * Chromium counts it for that thread: they change little when the machine is busy. The other times do.
 */
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { sendMail, sendMany } from '../support/mail.ts'
import { startService } from '../support/service.ts'
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts'

const ADDRESS = 'figures@mayfly.test'
const EMAILS = 3100
const ROUNDS = 9
const FRAMES = 120

/** CPU time of the main thread in milliseconds: all of it, and its largest parts. */
const METRICS = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const
type Work = Record<(typeof METRICS)[number], number>

const service = await startService()
const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: CHROMIUM_ARGUMENTS })
try {
  await sendMany(service.smtp, EMAILS, (i) => ({
    to: ADDRESS,
    subject: `Email ${i}`,
    html: `<p>Number ${i}</p>`,
  }))
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(`${service.http}/#${ADDRESS}`)
  await page.locator('[data-state="live"]').waitFor()
  await loadAll(page)
  const drawn: number[] = []
  printWork('open an email', await rounds(session, async () => void drawn.push(await open(page))))
  printTimes('open an email, until its title is drawn', drawn)
  printWork('arrival', await rounds(session, (i) => arrival(page, i)))
  const frames: number[] = []
  const [scrolling] = await rounds(session, async () => void frames.push(...(await scroll(page))), 1)
  printTimes('frames while scrolling', frames)
  print(`a frame while scrolling, main thread: ${((scrolling?.TaskDuration ?? 0) / FRAMES).toFixed(1)} ms`)
} finally {
  await browser.close()
  await service.stop()
}

/** The work of the main thread in each round, in order of its duration. */
async function rounds(
  session: CDPSession,
  once: (i: number) => Promise<void>,
  count = ROUNDS,
): Promise<Work[]> {
  const all: Work[] = []
  for (let i = 0; i < count; i++) {
    const before = await work(session)
    await once(i)
    const after = await work(session)
    all.push(Object.fromEntries(METRICS.map((name) => [name, after[name] - before[name]])) as Work)
  }
  return all.sort((a, b) => a.TaskDuration - b.TaskDuration)
}

async function work(session: CDPSession): Promise<Work> {
  const { metrics } = await session.send('Performance.getMetrics')
  const ms = (wanted: string) => (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1000
  return Object.fromEntries(METRICS.map((name) => [name, ms(name)])) as Work
}

function printWork(what: string, all: Work[]): void {
  const median = all[Math.floor(all.length / 2)]
  const parts = METRICS.map((name) => `${name} ${median?.[name].toFixed(1)} ms`)
  print(`${what}, main thread: median ${parts.join(', ')}; worst ${all.at(-1)?.TaskDuration.toFixed(1)} ms`)
}

function printTimes(what: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(0)
  print(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function loadAll(page: Page): Promise<void> {
  while ((await page.locator('.row').count()) < EMAILS) {
    await page.locator('.rows').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.waitForTimeout(100)
  }
  await page.locator('.rows').evaluate((list) => list.scrollTo(0, 0))
}

/** From the click until the frame after the title has changed. */
async function open(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const links = [...document.querySelectorAll<HTMLElement>('.row .subject')]
    const link = links[Math.floor(Math.random() * 20)]
    const heading = () => document.querySelector('.mail h2')?.textContent
    const before = heading()
    const started = performance.now()
    link?.click()
    while (heading() === before) await new Promise(requestAnimationFrame)
    const took = performance.now() - started
    await new Promise(requestAnimationFrame)
    return took
  })
}

/** Until the frame with the new row. An observer waits for it: a locator would go through all rows at each frame. */
async function arrival(page: Page, i: number): Promise<void> {
  const shown = page.evaluate(async (subject) => {
    const list = document.querySelector('.rows ul')
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (list?.firstElementChild?.textContent?.includes(subject)) resolve(observer.disconnect())
      })
      if (list) observer.observe(list, { childList: true })
    })
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
  }, `Arrival ${i}`)
  await sendMail(service.smtp, { to: ADDRESS, subject: `Arrival ${i}`, text: 'x' })
  await shown
}

async function scroll(page: Page): Promise<number[]> {
  return page.locator('.rows').evaluate(async (list, count) => {
    const times: number[] = []
    let last = performance.now()
    for (let i = 0; i < count; i++) {
      list.scrollBy(0, 300)
      const now = await new Promise<number>(requestAnimationFrame)
      times.push(now - last)
      last = now
    }
    return times
  }, FRAMES)
}
