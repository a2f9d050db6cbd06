import { expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { clipboard, mailDocument, openMail, rows, WIDE } from './inbox-steps.ts'
import { ATTACHMENTS, CONFIRMATION, NEWSLETTER } from './sample-mails.ts'

inBrowser('an email', {}, (stage) => {
  const send = (to: string, mail: object) => sendMail(stage().service.smtp, { to, ...mail })

  test(
    'HTML, inline images, widths, text, links, headers and sources',
    async () => {
      const address = freshAddress()
      const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
      await send(address, {
        subject: 'Rich',
        text: 'plain part https://example.org/a?b=1. And on.',
        html: `<html dir="rtl" lang="he"><p style="color:rgb(1,2,3)">html part</p><img src="cid:dot@x" alt="dot">${'<p>long</p>'.repeat(60)}</html>`,
        attachments: [
          { filename: 'dot.gif', content: pixel, cid: 'dot@x' },
          { filename: 'Ünïcode "name".txt', content: 'attached' },
        ],
      })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Rich')
      const mail = mailDocument(page)
      const colour = await mail.getByText('html part').evaluate((element) => getComputedStyle(element).color)
      expect(colour).toBe('rgb(1, 2, 3)')
      await mail.locator('img[src^="data:image/gif"]').waitFor()
      const root = await mail.locator('html').evaluate(({ dir, lang }: HTMLElement) => ({ dir, lang }))
      expect(root).toEqual({ dir: 'rtl', lang: 'he' })
      // The frame is as high as the email, so nothing scrolls inside it.
      await page.waitForFunction(() => (document.querySelector('.mail-frame')?.clientHeight ?? 0) > 1500)
      expect(await mail.locator('html').evaluate((html) => html.scrollHeight - html.clientHeight)).toBe(0)
      const end = await mail.locator('body').evaluate((body) => body.getBoundingClientRect().bottom + 16)
      const height = await page.locator('.mail-frame').evaluate((frame) => frame.clientHeight)
      expect(Math.abs(height - end)).toBeLessThan(4)
      await page.getByLabel('Show the email as').selectOption('At 375 px')
      await page.waitForFunction(() => (document.querySelector('.mail-frame')?.clientWidth ?? 999) <= 375)

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /Download .*Ünïcode/ }).click(),
      ])
      expect(download.suggestedFilename()).toContain('Ünïcode')
      await page.getByRole('tab', { name: 'Text' }).click()
      const link = page.getByRole('tabpanel').getByRole('link')
      expect(await link.getAttribute('href')).toBe('https://example.org/a?b=1')
      await page.getByRole('tab', { name: 'Links 1' }).click()
      const entry = page.getByRole('tabpanel').getByRole('link', { name: 'https://example.org/a?b=1' })
      expect(await entry.getAttribute('title')).toBe('https://example.org/a?b=1')
      await page.getByRole('tab', { name: 'Source' }).click()
      await page.getByRole('tabpanel').getByText('Subject: Rich').waitFor()
      await page.getByRole('button', { name: 'HTML', exact: true }).click()
      await page.getByRole('tabpanel').getByText('<html dir="rtl"').waitFor()
      await page.getByRole('tab', { name: 'Headers' }).click()
      const name = await page.getByRole('rowheader', { name: 'Envelope to' }).boundingBox()
      expect(name?.width).toBeLessThan(170)
    },
    PATIENCE_MS,
  )

  test(
    'remote images are blocked with placeholders of their size until the reader asks for them',
    async () => {
      const address = freshAddress()
      await send(address, NEWSLETTER)
      const page = await stage().open(`/#${address}`, WIDE)
      const asked: string[] = []
      await page.context().route('https://weekly.example/**', (route) => {
        asked.push(route.request().url())
        return route.fulfill({
          contentType: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
        })
      })
      await openMail(page, NEWSLETTER.subject ?? '')
      const hero = mailDocument(page).locator('img').first()
      await hero.waitFor()
      expect(await hero.boundingBox()).toMatchObject({ width: 640, height: 240 })
      const placeholder = decodeURIComponent((await hero.getAttribute('src')) ?? '')
      expect(placeholder).toContain('viewBox="0 0 640 240"')
      expect(placeholder).toContain('>A queue of people in the rain</text>')
      expect(asked).toEqual([])
      await page.getByRole('button', { name: 'Load', exact: true }).click()
      await mailDocument(page).locator('img[src^="https:"]').first().waitFor()
      expect(asked.length).toBeGreaterThan(0)
      await page.reload()
      await page.getByRole('button', { name: 'Always' }).click()
      await page.getByRole('button', { name: 'Block images' }).click()
      await page.getByText('Images blocked').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'attachments in cells of equal width, all in one download',
    async () => {
      const address = freshAddress()
      await send(address, ATTACHMENTS)
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, ATTACHMENTS.subject ?? '')
      const cells = page.locator('.attachment')
      await cells.first().waitFor()
      expect(await cells.count()).toBe(6)
      await page.getByRole('button', { name: 'Show all 10' }).click()
      expect(await cells.count()).toBe(10)
      const widths = await cells.evaluateAll((all) =>
        all.map((cell) => Math.round(cell.getBoundingClientRect().width)),
      )
      expect(new Set(widths).size).toBe(1)
      // Chromium adds the ending of a known type by itself, and other browsers do not.
      const named = page.evaluate(
        () =>
          new Promise<string>((resolve) => {
            HTMLAnchorElement.prototype.click = function () {
              resolve(this.download)
            }
          }),
      )
      await page.getByRole('button', { name: 'Download all' }).click()
      expect(await named).toMatch(/^[0-9A-Z]{26}\.zip$/)
    },
    PATIENCE_MS,
  )

  test(
    'an email can be copied, saved, turned into test code, and opened in its own tab, which links back',
    async () => {
      const address = freshAddress()
      await send(address, { ...CONFIRMATION, subject: 'First' })
      await send(address, { subject: 'Second', html: '<p>second</p>' })
      const page = await stage().open(`/#${address}`, WIDE)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await openMail(page, 'First')
      const menu = async (item: string) => {
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('button', { name: item }).click()
      }
      await menu('Copy as curl')
      await page.getByText('Copied the curl command').waitFor({ state: 'attached' })
      expect(await clipboard(page)).toMatch(/^curl .*MAYFLY_API_KEY.*\/api\/emails\//)
      const [saved] = await Promise.all([page.waitForEvent('download'), menu('Save as .eml')])
      expect(saved.suggestedFilename()).toMatch(/\.eml$/)
      await page.getByRole('button', { name: 'Use in a test' }).click()
      await page.getByRole('dialog').getByText("subject: 'First', has: 'code'", { exact: false }).waitFor()
      await page.getByRole('dialog').getByRole('tab', { name: 'Python' }).click()
      await page.getByRole('dialog').getByText('wait_for_mail', { exact: false }).waitFor()
      await page.keyboard.press('Escape')

      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Open in a new tab' }).click(),
      ])
      await mailDocument(tab).getByText('Welcome to Acme').waitFor()
      // The sender and the code are there, and the page around the email is the ordinary one.
      await tab.locator('summary').getByText('no-reply@acme.example').waitFor()
      await tab.getByRole('button', { name: 'Copy code 482913' }).waitFor()
      expect(await tab.locator('header.site').isVisible()).toBe(true)
      const second = await rows(page).filter({ hasText: 'Second' }).locator('.subject').getAttribute('href')
      await tab.evaluate((hash) => (location.hash = `${hash}/alone`), second ?? '')
      await mailDocument(tab).getByText('second', { exact: true }).waitFor()
      await tab.getByRole('link', { name: `All emails to ${address}` }).click()
      await rows(tab).nth(1).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'the HTML check names clients that do not support what the email uses',
    async () => {
      const address = freshAddress()
      await send(address, NEWSLETTER)
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, NEWSLETTER.subject ?? '')
      await page.getByRole('tab', { name: 'HTML check' }).click()
      await page.getByRole('row', { name: /display:flex 3× .*Outlook for Windows/ }).waitFor()
      expect(await page.locator('.score').textContent()).toMatch(/^\d\d%$/)
      const several = (await page.locator('.findings td').allInnerTexts()).filter((text) =>
        text.includes(', '),
      )
      expect(several.length).toBeGreaterThan(0)
    },
    PATIENCE_MS,
  )

  test(
    'a height or a message from another window changes nothing',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'Calm', html: '<p>short</p>' })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Calm')
      await mailDocument(page).getByText('short').waitFor()
      await page.waitForFunction(() => (document.querySelector('.mail-frame')?.clientHeight ?? 999) < 200)
      const height = () => page.locator('.mail-frame').evaluate((frame) => frame.clientHeight)
      const before = await height()
      await page.evaluate(() => {
        const other = document.createElement('iframe')
        other.src = '/frame.html'
        document.body.append(other)
        postMessage({ height: 5000 }, '*')
      })
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
      expect(await height()).toBe(before)
    },
    PATIENCE_MS,
  )
})
