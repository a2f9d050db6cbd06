import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { mailDocument, openMail, WIDE } from './inbox-steps.ts'

/** Longest time that opening an email keeps the page from answering (docs/contract.md, section 11). */
const BLOCKED_MS = 500

const MB = 1_000_000
const repeated = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length))
const counted = (piece: (n: number) => string, bytes: number) =>
  Array.from({ length: Math.ceil(bytes / piece(1).length) }, (_, n) => piece(n))
    .join('')
    .slice(0, bytes)

const HTML: Record<string, string> = {
  'open tags': repeated('<td ', 300_000),
  comments: `<style>${repeated('/*a', 300_000)}`,
  punctuation: repeated('<p>!?;:,.(', 300_000),
  elements: repeated('<b>x</b>', 10 * MB),
  text: repeated('Thank you for shopping with us. ', 10 * MB),
  'one word': repeated('x', 10 * MB),
  attributes: `<p ${counted((n) => `a${n}=1 `, 10 * MB)}>`,
  formats: counted((n) => `<b id=${n}><p>`, 10 * MB),
  tables: repeated('<table><tr><td>', 10 * MB),
}
const TEXT: Record<string, string> = {
  'long text': repeated('Thank you for shopping with us.\r\n', 10 * MB),
  addresses: repeated('https://a.example/b?c=d ', 10 * MB),
  marks: repeated('((((((((((,.,.,.,.!', 10 * MB),
}
const mails: Array<{ name: string; html?: string; text?: string }> = [
  ...Object.entries(HTML).map(([name, content]) => ({ name, html: content })),
  ...Object.entries(TEXT).map(([name, content]) => ({ name, text: content })),
]

/** Other browsers draw an email in the process of the page. */
const ONE_PROCESS = ['--disable-features=IsolateSandboxedIframes']
/** What else the machine does only adds to a measurement, so the least of some counts. */
const MEASUREMENTS = 3

inBrowser(
  'very large emails',
  {},
  (stage) => {
    test.each(mails)(
      'keep the page answering: $name',
      async ({ name, ...content }) => {
        const address = freshAddress()
        await sendMail(stage().service.smtp, { to: address, subject: name, ...content })
        let least: number[] = [Infinity]
        for (let n = 0; n < MEASUREMENTS && Math.max(...least) > BLOCKED_MS; n++) {
          const page = await stage().open(`/#${address}`, WIDE)
          const spent = await spentIn(page, name, content.html !== undefined)
          least = spent.map((ms, i) => Math.min(ms, least[i] ?? Infinity))
        }
        expect(least.filter((ms) => ms > BLOCKED_MS)).toEqual([])
      },
      PATIENCE_MS,
    )

    test(
      'say that only the beginning is shown',
      async () => {
        const address = freshAddress()
        const { smtp } = stage().service
        await sendMail(smtp, { to: address, subject: 'Short', html: '<p>Hello</p>' })
        await sendMail(smtp, { to: address, subject: 'Long', html: `<p>Hello</p>${HTML.elements}` })
        const page = await stage().open(`/#${address}`, WIDE)
        const notice = page.getByText('Only the beginning of this email is shown')
        await openMail(page, 'Long')
        await notice.waitFor()
        await mailDocument(page).getByText('Hello').waitFor()
        await openMail(page, 'Short')
        await mailDocument(page).getByText('Hello').waitFor()
        expect(await notice.count()).toBe(0)
      },
      PATIENCE_MS,
    )
  },
  ONE_PROCESS,
)

/** The longest task of opening an email and of each of its tabs, in milliseconds. */
async function spentIn(page: Page, subject: string, isHtml: boolean): Promise<number[]> {
  await page.locator('.row').waitFor()
  const opening = await longestTask(page, async () => {
    await openMail(page, subject)
    await page.locator('.frame-box, pre.piece').first().waitFor()
    if (isHtml) await mailDocument(page).locator('body').waitFor({ state: 'attached' })
  })
  const spent = [opening]
  for (const name of ['Headers', 'Source', 'Text']) {
    const tab = page.getByRole('tab', { name })
    if (await tab.isEnabled()) spent.push(await longestTask(page, () => tab.click()))
  }
  return spent
}

/** An event of Chromium's trace: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */
interface TraceEvent {
  name: string
  /** The phase: "M" for metadata. */
  ph: string
  pid: number
  tid: number
  /** CPU time of the thread in microseconds. */
  tdur?: number
  args: { name?: string }
}

/**
 * The CPU time in milliseconds of the longest task that the main thread of a page runs during the action, until what it
 * shows is drawn. Between two tasks a page answers; other processes do not change the CPU time.
 */
async function longestTask(page: Page, action: () => Promise<void>): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession()
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const complete = new Promise<void>((resolve) => session.on('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  })
  await action()
  await settled(page)
  await session.send('Tracing.end')
  await complete
  await session.detach()
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const pages = new Set(events.filter(({ args }) => args.name === 'CrRendererMain').map(thread))
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && pages.has(thread(event)))
  expect(tasks).not.toEqual([])
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

/** Waits until the page has drawn what it was asked for. */
async function settled(page: Page): Promise<void> {
  for (let n = 0; n < 3; n++) await page.evaluate(() => new Promise(requestAnimationFrame))
}
