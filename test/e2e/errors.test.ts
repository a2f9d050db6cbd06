import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { openMail, row, rows, WIDE } from './inbox-steps.ts'

/** Lets the service answer these requests as if its store did not. Returns the function that ends it. */
async function takeAway(page: Page, path: RegExp): Promise<() => Promise<void>> {
  const body = JSON.stringify({ code: 'unavailable', title: '', detail: '', success: false, request_id: 'x' })
  await page.route(path, (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body }),
  )
  return () => page.unroute(path)
}

inBrowser('errors of the inbox', {}, (stage) => {
  async function inboxWith(subjects: string[]): Promise<Page> {
    const address = freshAddress()
    for (const subject of subjects) {
      await sendMail(stage().service.smtp, { to: address, subject, text: 'text' })
    }
    const page = await stage().open(`/#${address}`, WIDE)
    await rows(page)
      .nth(subjects.length - 1)
      .waitFor()
    return page
  }
  const problem = (page: Page) => page.locator('.problem').filter({ hasText: 'The service is not ready' })

  test(
    'a search that fails does not say that nothing matches, and can be tried again',
    async () => {
      const page = await inboxWith(['Acme', 'Globex'])
      const bringBack = await takeAway(page, /\/api\/public\/emails\/.*q=/)
      await page.getByRole('searchbox').fill('acme')
      await problem(page).waitFor()
      await page.getByText('The search failed').waitFor()
      expect(await page.getByText(/No email matches|found/).count()).toBe(0)
      await bringBack()
      await problem(page).getByRole('button', { name: 'Try again' }).click()
      await page.getByText('1 email found').waitFor()
      expect(await problem(page).count()).toBe(0)

      await takeAway(page, /\/api\/public\/emails\/.*q=/)
      await page.getByRole('searchbox').fill('globex')
      await problem(page).getByRole('button', { name: 'Dismiss' }).click()
      await row(page, 'Globex').waitFor()
      expect([await problem(page).count(), await page.getByRole('searchbox').inputValue()]).toEqual([0, ''])
    },
    PATIENCE_MS,
  )

  test(
    'an email that cannot be read says so in a sentence that can be dismissed',
    async () => {
      const page = await inboxWith(['Acme'])
      await takeAway(page, /\/api\/emails\//)
      await openMail(page, 'Acme')
      await problem(page).getByRole('button', { name: 'Dismiss' }).click()
      await problem(page).waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'Acme', exact: true }).waitFor()
      expect(await page.getByText('1 email, 1 unread').count()).toBe(1)
      // A deletion that fails restores the email.
      await page.keyboard.press('#')
      await page.getByText('Emails that were not deleted are in the list again.').waitFor()
      await row(page, 'Acme').waitFor()
    },
    PATIENCE_MS,
  )
})
