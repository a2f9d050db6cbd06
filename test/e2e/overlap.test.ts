import { expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { openMail, rows } from './inbox-steps.ts'
import { ATTACHMENTS, CONFIRMATION, NEWSLETTER, OTHERS, RIGHT_TO_LEFT } from './sample-mails.ts'
import { overlappingTexts } from './text-overlap.ts'

const WIDTHS = [320, 390, 820, 831, 833, 1024, 1280, 1920]
const PAGES = [
  '/problems/rate_limited',
  '/problems/nonsense',
  '/docs',
  '/keys',
  '/webhooks',
  '/domains#mayfly.test',
  '/nope',
]

inBrowser('text is never drawn over text', {}, (stage) => {
  test(
    'on any page, at any width, wherever it is scrolled to',
    async () => {
      const page = await stage().open('/keys')
      for (const path of PAGES) {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 })
          await page.goto(stage().service.http + path)
          await page.locator('h1').waitFor()
          await page
            .locator('details')
            .evaluateAll((all) => all.slice(0, 4).map((each) => each.toggleAttribute('open', true)))
          for (const y of [0, 200, 600, 1500]) {
            await page.evaluate((top) => scrollTo(0, top), y)
            expect([path, width, y, await overlappingTexts(page)]).toEqual([path, width, y, []])
          }
        }
      }
    },
    3 * PATIENCE_MS,
  )

  test(
    'in the inbox: its first screen, its list, and each view of an email',
    async () => {
      const address = freshAddress()
      const { smtp } = stage().service
      for (const mail of [...OTHERS, RIGHT_TO_LEFT, NEWSLETTER, ATTACHMENTS, CONFIRMATION]) {
        await sendMail(smtp, { to: address, ...mail })
      }
      const page = await stage().open('/keys')
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        const check = async (place: string) =>
          expect([width, place, await overlappingTexts(page)]).toEqual([width, place, []])
        await page.goto(`${stage().service.http}/#${freshAddress()}`)
        await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
        await check('first screen')
        await page.goto(`${stage().service.http}/#${address}`)
        await rows(page).nth(5).waitFor()
        await check('list')
        for (const subject of [NEWSLETTER.subject, ATTACHMENTS.subject]) {
          await page.goto(`${stage().service.http}/#${address}`)
          await openMail(page, String(subject))
          await page.getByText('Details').click()
          for (const tab of await page.getByRole('tab', { disabled: false }).all()) {
            await tab.click()
            await check(`${subject}: ${await tab.textContent()}`)
            await page.locator('.mail-pane').evaluate((pane) => pane.scrollTo(0, 300))
            await check(`${subject}: ${await tab.textContent()}, scrolled`)
          }
        }
      }
    },
    3 * PATIENCE_MS,
  )
})
