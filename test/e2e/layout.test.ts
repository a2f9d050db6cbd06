import { expect, test } from '@jest/globals'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, newKey, openWithKey, PATIENCE_MS } from './browser.ts'
import { LAPTOP, mailDocument, openMail, PHONE, rows, WIDE } from './inbox-steps.ts'
import { CONFIRMATION, NEWSLETTER, NOTE } from './sample-mails.ts'

/** Where the HTML of an email with an action may begin, in px from the top of the window. */
const BEGINS: [name: string, options: BrowserContextOptions, px: number][] = [
  ['desktop', WIDE, 260],
  ['laptop', LAPTOP, 300],
  ['phone', PHONE, 320],
]
const TARGET_PX = 44

inBrowser('the layout', {}, (stage) => {
  async function openOne(mail: object, options: BrowserContextOptions): Promise<Page> {
    const address = freshAddress()
    await sendMail(stage().service.smtp, { to: address, ...mail })
    const page = await stage().open(`/#${address}`, options)
    await openMail(page, (mail as { subject: string }).subject)
    await mailDocument(page).locator('body').waitFor()
    return page
  }

  for (const [name, options, px] of BEGINS) {
    test(
      `on a ${name} the HTML of an email with an action begins at ${px} px or less`,
      async () => {
        const page = await openOne(CONFIRMATION, options)
        const top = Math.round((await page.locator('.mail-frame').boundingBox())?.y ?? 0)
        process.stderr.write(`${name}: the email begins at ${top} px\n`)
        expect(top).toBeLessThanOrEqual(px)
      },
      PATIENCE_MS,
    )
  }

  test(
    'on a phone a newsletter is scaled to the width of the frame',
    async () => {
      const page = await openOne(NEWSLETTER, PHONE)
      const html = mailDocument(page).locator('html')
      await page.waitForFunction(() => (document.querySelector('.mail-frame')?.clientHeight ?? 0) > 300)
      expect(await html.evaluate((root) => root.scrollWidth - root.clientWidth)).toBeLessThanOrEqual(1)
      expect(Number(await html.evaluate((root) => root.style.zoom))).toBeLessThan(0.7)
    },
    PATIENCE_MS,
  )

  test(
    'on a touch screen every control is at least 44 px high',
    async () => {
      const page = await openOne(CONFIRMATION, PHONE)
      const small = async () =>
        page
          .locator(
            'button, a.button, input:not([type="checkbox"]), select, nav a, label.choose, [role="tab"]',
          )
          .evaluateAll(
            (all, px) =>
              all
                .filter((element) => (element as HTMLElement).checkVisibility())
                // A code in a row is a shortcut; the open email has the same button.
                .filter(
                  (element) =>
                    !element.matches('.row .code') && element.getBoundingClientRect().height < px - 0.5,
                )
                .map(
                  (element) => `${element.outerHTML.slice(0, 80)} ${element.getBoundingClientRect().height}`,
                ),
            TARGET_PX,
          )
      expect(await small()).toEqual([])
      await page.getByRole('button', { name: 'All emails' }).click()
      await rows(page).first().waitFor()
      expect(await small()).toEqual([])
      await page.goto(`${stage().service.http}/domains`)
      await page.getByRole('heading', { name: 'Domains on this service' }).waitFor()
      expect(await small()).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'every page has the same left edges for the header, the first column and the second one',
    async () => {
      const page = await stage().open('/keys', WIDE)
      const edges = async (second: string) =>
        page.evaluate((selector) => {
          const left = (query: string) =>
            Math.round(document.querySelector(query)?.getBoundingClientRect().left ?? -1)
          return [left('.brand'), left('nav a'), left('.intro, .panes, .empty'), left(selector)]
        }, second)
      const expected = await edges('.card')
      for (const path of ['/domains', '/webhooks', '/docs', '/problems/', '/nope']) {
        await page.goto(stage().service.http + path)
        await page.locator('.card').first().waitFor()
        expect([path, await edges('.card')]).toEqual([path, expected])
      }
      await page.goto(`${stage().service.http}/#${freshAddress()}`)
      await page.getByText('Waiting for email').waitFor()
      expect((await edges('.brand')).slice(0, 3)).toEqual(expected.slice(0, 3))
    },
    PATIENCE_MS,
  )

  test(
    'the fields of the form for a webhook are apart',
    async () => {
      const page = await openWithKey(stage(), '/webhooks', await newKey(stage().service), WIDE)
      const form = page.locator('form', { has: page.getByLabel('Address or domain') })
      await form.waitFor()
      const gaps = await form.evaluate((element) => {
        const parts = [...element.children].map((child) => child.getBoundingClientRect())
        return parts.slice(1).map(({ top }, n) => Math.round(top - parts[n]!.bottom))
      })
      expect(gaps.length).toBeGreaterThan(1)
      for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(8)
    },
    PATIENCE_MS,
  )

  test(
    'on a dark page a white email is dimmed, and an email without colours is dark',
    async () => {
      const dark = { ...WIDE, colorScheme: 'dark' } as const
      const white = await openOne(CONFIRMATION, dark)
      const filter = () => white.locator('.mail-frame').evaluate((frame) => getComputedStyle(frame).filter)
      expect(await filter()).toContain('brightness(0.78)')
      await white.getByLabel('Show the email as').selectOption('At full brightness')
      expect(await filter()).toBe('none')

      const plain = await openOne(NOTE, dark)
      const ground = await mailDocument(plain)
        .locator('html')
        .evaluate((root) => getComputedStyle(root).backgroundColor)
      expect(ground).toBe('rgb(22, 25, 26)')
      // The page follows the browser.
      await plain.emulateMedia({ colorScheme: 'light' })
      await eventually('a light email', () =>
        mailDocument(plain)
          .locator('html')
          .evaluate((root) => getComputedStyle(root).colorScheme === 'light'),
      )
    },
    PATIENCE_MS,
  )

  test(
    'no page scrolls sideways in a window of 320 px, however long its words are',
    async () => {
      const page = await stage().open('/keys', { viewport: { width: 320, height: 640 } })
      const long = 'long'.repeat(40)
      const address = `${long.slice(0, 60)}@mayfly.test`
      await sendMail(stage().service.smtp, { to: address, subject: long, text: long, html: `<p>${long}</p>` })
      const wide = () => (document.scrollingElement?.scrollWidth ?? 0) - innerWidth
      for (const path of [
        '/keys',
        '/domains#mayfly.test',
        '/webhooks',
        '/docs',
        '/problems/',
        '/nope',
        '/#a@b',
        '/',
      ]) {
        await page.goto(stage().service.http + path)
        await page.locator('h1, .problem').first().waitFor({ state: 'attached' })
        await page
          .locator('details')
          .evaluateAll((all) => all.map((each) => each.toggleAttribute('open', true)))
        expect([path, await page.evaluate(wide)]).toEqual([path, 0])
      }
      await page.goto(`${stage().service.http}/#${address}`)
      await rows(page).first().waitFor()
      expect(await page.evaluate(wide)).toBe(0)
      await openMail(page, long)
      for (const name of ['Text', 'Headers', 'Source']) {
        await page.getByRole('tab', { name }).click()
        expect([
          name,
          await page.locator('.mail').evaluate((mail) => mail.scrollWidth - mail.clientWidth),
        ]).toEqual([name, 0])
      }
    },
    PATIENCE_MS,
  )

  test(
    'the menu of recent addresses stays in the window',
    async () => {
      const { http } = stage().service
      const page = await stage().open('/#first@mayfly.test')
      await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
      await page.goto(`${http}/#${'second'.repeat(8)}@mayfly.test`)
      const menu = page.getByRole('button', { name: 'Recent addresses' })
      await menu.click()
      for (const width of [320, 390, 820, 831, 833, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const box = await page.locator('.menu-panel').filter({ hasText: 'first@' }).boundingBox()
        const right = (box?.x ?? 0) + (box?.width ?? 0)
        expect([width, (box?.x ?? -1) >= 0 && right <= width]).toEqual([width, true])
      }
    },
    PATIENCE_MS,
  )

  test(
    'an email is printed without the page around it',
    async () => {
      const page = await openOne(NOTE, WIDE)
      await page.emulateMedia({ media: 'print' })
      const seen = await page
        .locator(
          'header.site, .inbox-bar, .mail-list, .mail-bar, .tab-bar, .toasts, .mail-head h2, .mail-frame',
        )
        .evaluateAll((all) =>
          all.filter((element) => (element as HTMLElement).checkVisibility()).map(({ tagName }) => tagName),
        )
      expect(seen).toEqual(['H2', 'IFRAME'])
      const overflow = () => getComputedStyle(document.querySelector('.mail-pane') ?? document.body).overflowY
      expect(await page.evaluate(overflow)).toBe('visible')
    },
    PATIENCE_MS,
  )
})
