import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { sendMail } from '../../test/support/mail.ts'
import type { RunningService } from '../../test/support/service.ts'
import { Client } from '../support/calls.ts'
import type { Figure, Group } from '../support/figures.ts'
import { inFolder } from '../support/folder.ts'
import { quantile } from '../support/quantiles.ts'
import { startService } from '../support/service.ts'

const CHROMIUM = process.env.MAYFLY_CHROMIUM ?? '/usr/bin/chromium'
const ADDRESS = 'big@mayfly.test'
const MAILS = 1000

/**
 * The inbox page of an address with 1,000 small mails, in headless Chromium at 1280 × 800, which
 * draws on the CPU:
 * - from the navigation to the first drawn row;
 * - from the click on a mail to the drawn mail with all of its content, for 50 mails;
 * - from the SMTP 250 of a new mail to its drawn row, for 50 mails;
 * - the time between two frames while the list is scrolled from its newest mail to its oldest and
 * 10 mails a second arrive.
 * "Drawn" is the frame after the one in which the element is in the document.
 */
export const pages: Group = {
  name: 'pages',
  async measure({ quick, progress }) {
    if (!existsSync(CHROMIUM)) return { figures: [], leftOut: [`there is no Chromium at ${CHROMIUM}`] }
    const count = quick ? 5 : 50
    return inFolder(async (dataDir) => {
      progress('filling a store')
      const filler = new Client('fill.ts')
      await filler.call('fillStore', dataDir, { inboxes: 1, each: 0, big: MAILS })
      await filler.end()
      const service = await startService({}, { dataDir })
      const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--disable-gpu'],
      })
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
        await page.addInitScript(WATCH)
        progress('opening the inbox')
        const opened: number[] = []
        for (let turn = 0; turn < (quick ? 3 : 11); turn++) {
          await page.goto('about:blank')
          await page.goto(`${service.http}/#${ADDRESS}`)
          opened.push(await page.evaluate('firstRow'))
        }
        progress(`opening ${count} mails`)
        // The first click opens a session.
        await openMail(page, 0)
        const read: number[] = []
        for (let i = 1; i <= count; i++) read.push(await openMail(page, i % 8))
        await page.goto(`${service.http}/#${ADDRESS}`)
        progress(`${count} arrivals`)
        const arrived: number[] = []
        for (let i = 0; i < count; i++) arrived.push(await arrival(service, page, `arrival ${i}`))
        progress('scrolling')
        const frames = await scrolling(service, page, quick ? 2000 : 10_000)
        return {
          figures: [
            { name: 'to open the inbox, p50', value: quantile(opened.slice(1), 0.5), unit: 'ms' },
            ...spread('to open a mail', read),
            ...spread('from the 250 to the row', arrived),
            ...spread('a frame while scrolling', frames),
            { name: 'the longest frame while scrolling', value: Math.max(...frames), unit: 'ms' },
          ],
        }
      } finally {
        await browser.close()
        await service.stop()
      }
    })
  },
}

/** Runs in the page before the page's code. */
const WATCH = `
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
const until = async (found) => {
  while (!found()) await new Promise(requestAnimationFrame)
  await drawn()
}
const firstRow = until(() => document.querySelector('.row') !== null).then(() => performance.now())
const openMail = async (position) => {
  const before = document.querySelector('.mail-view')
  const rows = [...document.querySelectorAll('.row')].filter((row) => row.dataset.current !== 'true')
  const began = performance.now()
  rows[position].querySelector('a').click()
  await until(() => {
    const view = document.querySelector('.mail-view')
    return view !== null && view !== before && view.querySelector('[role=tablist]') !== null
  })
  return performance.now() - began
}
const rowOf = (subject) => until(() => [...document.querySelectorAll('.row a')].some((a) => a.textContent.endsWith(subject)))
  .then(() => performance.timeOrigin + performance.now())
const scrolling = async (ms) => {
  const pane = document.querySelector('.rows')
  const frames = []
  const began = performance.now()
  let last = began
  while (last - began < ms) {
    const now = await new Promise(requestAnimationFrame)
    frames.push(now - last)
    last = now
    pane.scrollTop = ((now - began) / ms) * pane.scrollHeight
  }
  return frames.slice(2)
}
Object.assign(globalThis, { firstRow, openMail, rowOf, scrolling })
`

function openMail(page: Page, position: number): Promise<number> {
  return page.evaluate(`openMail(${position})`)
}

async function arrival(service: RunningService, page: Page, subject: string): Promise<number> {
  const row = page.evaluate(`rowOf(${JSON.stringify(subject)})`) as Promise<number>
  await sendMail(service.smtp, { to: ADDRESS, subject, text: 'Your code is 739105.' })
  const answered = performance.timeOrigin + performance.now()
  return (await row) - answered
}

async function scrolling(service: RunningService, page: Page, ms: number): Promise<number[]> {
  const frames = page.evaluate(`scrolling(${ms})`) as Promise<number[]>
  const end = performance.now() + ms
  while (performance.now() < end) {
    await sendMail(service.smtp, { to: ADDRESS, subject: 'while scrolling', text: 'Your code is 739105.' })
    await sleep(100)
  }
  return frames
}

function spread(name: string, values: number[]): Figure[] {
  return [
    { name: `${name}, p50`, value: quantile(values, 0.5), unit: 'ms' },
    { name: `${name}, p95`, value: quantile(values, 0.95), unit: 'ms' },
  ]
}
