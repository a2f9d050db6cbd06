import { expect, test } from '@jest/globals'
import type { BrowserContext, Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, newKey, PATIENCE_MS } from './browser.ts'

inBrowser('many tabs', {}, (stage) => {
  const rows = (page: Page) => page.locator('.row')

  async function tab(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage()
    await page.goto(stage().service.http + path)
    return page
  }

  test(
    'ten inboxes in one browser, and every page still loads; each gets its mail',
    async () => {
      const first = await stage().open(`/#${freshAddress()}`)
      const context = first.context()
      const addresses = Array.from({ length: 9 }, () => freshAddress())
      const tabs: Page[] = []
      for (const address of addresses) tabs.push(await tab(context, `/#${address}`))
      for (const page of tabs) await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor()
      const keys = await tab(context, '/keys')
      await keys.getByText(/keys left today/).waitFor()

      // One that lost its stream to the others takes up where it was when it is in front again.
      await sendMail(stage().service.smtp, { to: addresses[0]!, subject: 'For the first', text: 'x' })
      await tabs[0]!.bringToFront()
      await tabs[0]!.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await rows(tabs[0]!).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'what one tab or another client reads and deletes, all others learn',
    async () => {
      const address = freshAddress()
      for (const subject of ['Read', 'Deleted', 'Stays']) {
        await sendMail(stage().service.smtp, { to: address, subject, text: 'x' })
      }
      const one = await stage().open(`/#${address}`)
      const two = await tab(one.context(), `/#${address}`)
      const elsewhere = await stage().open(`/#${address}`)
      for (const page of [one, two, elsewhere]) {
        await rows(page).nth(2).waitFor()
        await page.locator('[data-state="live"]').waitFor()
      }
      await one.getByRole('link', { name: /Read$/ }).click()
      for (const page of [two, elsewhere]) {
        await page.locator('.row[data-unread="false"]').filter({ hasText: 'Read' }).waitFor()
      }
      const headers = { 'X-API-Key': await newKey(stage().service) }
      const api = `${stage().service.http}/api/emails/${address}`
      const { emails } = (await (await fetch(api, { headers })).json()) as {
        emails: { id: string; subject: string }[]
      }
      const deleted = emails.find(({ subject }) => subject === 'Deleted')!
      await fetch(`${api}/${deleted.id}`, { method: 'DELETE', headers })
      for (const page of [one, two, elsewhere]) {
        await rows(page).filter({ hasText: 'Deleted' }).waitFor({ state: 'detached' })
        expect(await rows(page).count()).toBe(2)
      }
      // The mail that is open is gone too, and says so.
      await fetch(api, { method: 'DELETE', headers })
      await one.getByText('This mail is gone').waitFor()
      for (const page of [two, elsewhere])
        await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'one browser takes one key, however many tabs want one at once',
    async () => {
      const address = freshAddress()
      await sendMail(stage().service.smtp, { to: address, subject: 'Wanted', text: 'x' })
      const first = await stage().open('/keys')
      const issued: string[] = []
      first.context().on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/api/keys')) issued.push(request.url())
      })
      const page = await tab(first.context(), `/#${address}`)
      await rows(page).waitFor()
      const path = (await page.locator('.row .subject').getAttribute('href'))!
      const tabs = await Promise.all(Array.from({ length: 4 }, () => tab(first.context(), `/${path}`)))
      for (const each of tabs) await each.getByRole('tab', { name: 'Headers' }).waitFor()
      expect(issued).toHaveLength(1)
    },
    PATIENCE_MS,
  )
})
