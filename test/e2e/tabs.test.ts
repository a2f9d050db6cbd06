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
    'ten inboxes in one browser are live on one connection, and every page still loads',
    async () => {
      const first = await stage().open(`/#${freshAddress()}`)
      const context = first.context()
      const addresses = Array.from({ length: 9 }, () => freshAddress())
      const tabs: Page[] = []
      for (const address of addresses) tabs.push(await tab(context, `/#${address}`))
      for (const page of tabs) await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
      const keys = await tab(context, '/keys')
      await keys.getByText(/of 5 left/).waitFor()

      for (const page of tabs) await page.locator('[data-state="live"]').waitFor()
      const sent = Date.now()
      await Promise.all(
        addresses.map((to) => sendMail(stage().service.smtp, { to, subject: 'For each', text: 'x' })),
      )
      await Promise.all(tabs.map((page) => rows(page).waitFor()))
      process.stderr.write(
        `nine windows showed their mail ${Date.now() - sent} ms after the first was sent\n`,
      )
    },
    PATIENCE_MS,
  )

  test(
    'every tab shows what another tab or client reads and deletes',
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
      await one.getByRole('heading', { name: 'Read' }).waitFor()
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
      // The open email disappears too, and its tab says so.
      await fetch(api, { method: 'DELETE', headers })
      await one.getByText('This email is gone').waitFor()
      for (const page of [two, elsewhere])
        await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'a browser opens one session and no API key, although several tabs need access',
    async () => {
      const address = freshAddress()
      await sendMail(stage().service.smtp, { to: address, subject: 'Wanted', text: 'x' })
      const first = await stage().open('/keys')
      const issued: string[] = []
      first.context().on('request', (request) => {
        if (request.method() === 'POST' && /\/api\/(?:keys|session)$/.test(request.url()))
          issued.push(request.url())
      })
      const page = await tab(first.context(), `/#${address}`)
      await rows(page).waitFor()
      const path = (await page.locator('.row .subject').getAttribute('href'))!
      const opened = await tab(first.context(), `/${path}`)
      await opened.getByRole('tab', { name: 'Headers' }).waitFor()
      const tabs = await Promise.all(Array.from({ length: 4 }, () => tab(first.context(), `/${path}`)))
      for (const each of tabs) await each.getByRole('tab', { name: 'Headers' }).waitFor()
      expect(issued.map((url) => new URL(url).pathname)).toEqual(['/api/session'])
    },
    PATIENCE_MS,
  )
})
