import { expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, PATIENCE_MS } from './browser.ts'
import { live, mailDocument, openMail, row, rows, WIDE } from './inbox-steps.ts'

const KEY = 'open sesame of all'
const DOMAINS = `mayfly.test,private.test=${KEY},other.test=another key`

inBrowser('the mail of a whole domain', { MAYFLY_DOMAINS: DOMAINS }, (stage) => {
  const send = (to: string, subject: string, fields = {}) =>
    sendMail(stage().service.smtp, { to, subject, text: `About ${subject}`, ...fields })

  test(
    'is listed and followed with the domain key, which stays in the tab',
    async () => {
      await send('ann@private.test', 'For Ann', { text: 'Your code is 482913' })
      await send('bob@private.test', 'For Bob', { html: '<p>Hello <b>Bob</b></p>' })
      await send('eve@other.test', 'For Eve')
      const page = await stage().open('/#@private.test', WIDE)
      await page.getByLabel('Domain key').fill('wrong')
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('Wrong domain key').waitFor()
      await page.getByLabel('Domain key').fill(KEY)
      await page.getByRole('button', { name: 'Open' }).click()
      await row(page, 'For Ann').waitFor()
      await live(page)
      expect(await row(page, 'For Bob').locator('.recipient').innerText()).toContain('bob')
      await send('carl@private.test', 'For Carl')
      await row(page, 'For Carl').waitFor()
      expect(await rows(page).count()).toBe(3)
      // The page draws the row before it changes its title.
      await page.waitForFunction(() => document.title === '(3) @private.test · Mayfly')
      expect(await accessibilityFaults(page)).toEqual([])

      await openMail(page, 'For Bob')
      await mailDocument(page).getByText('Hello Bob').waitFor()
      await page.waitForFunction(() => document.title === '(2) @private.test · Mayfly')
      // Code for a private domain takes its key from the environment.
      await page.getByRole('button', { name: 'Use in a test' }).click()
      await page.getByRole('dialog').getByText('domainKey: process.env.MAYFLY_DOMAIN_KEY').waitFor()
      await page.keyboard.press('Escape')
      await page.reload()
      await mailDocument(page).getByText('Hello Bob').waitFor()

      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }))
      expect(stored).not.toContain('sesame')
      expect(stored).not.toContain('@private.test')
      expect(decodeURIComponent(page.url())).not.toContain('sesame')
    },
    PATIENCE_MS,
  )

  test(
    'an email is deleted, the list is searched, and the inbox of an address leads to the whole domain',
    async () => {
      const address = freshAddress('private.test')
      await send(address, 'To be deleted')
      await send(freshAddress('private.test'), 'With a code', { text: 'Your code is 739105' })
      const page = await stage().open(`/#${address}`, WIDE)
      await page.getByLabel('Domain key').fill(KEY)
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByRole('link', { name: 'All addresses' }).click()
      await row(page, 'With a code').waitFor()
      await row(page, 'To be deleted').waitFor()
      // What the API does not do for a domain is not offered.
      expect(await page.getByRole('button', { name: /Delete all|Mark all/ }).count()).toBe(0)
      await page.getByLabel('Search this inbox').fill('739105 with')
      await page.getByText('1 email found').waitFor()
      expect(await row(page, 'With a code').count()).toBe(1)
      await page.getByLabel('Search this inbox').fill('')
      await openMail(page, 'To be deleted')
      await page.keyboard.press('#')
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
      await page.getByText('1 email deleted.').waitFor()
      const answer = await fetch(`${stage().service.http}/api/public/emails/${address}`, {
        headers: { 'X-Domain-Key': KEY },
      })
      expect(((await answer.json()) as { emails: [] }).emails).toEqual([])
      await row(page, 'To be deleted').waitFor({ state: 'detached' })
    },
    PATIENCE_MS,
  )

  test(
    'is not shown for a public or an unknown domain, and one sentence says why',
    async () => {
      const page = await stage().open('/#@mayfly.test', WIDE)
      await page.getByText('Mail of this domain is public').waitFor()
      await page.goto(`${stage().service.http}/#@nowhere.example`)
      await page.getByText('This service does not accept mail for that domain').waitFor()
      await page.goto(`${stage().service.http}/#${freshAddress()}`)
      const field = page.getByLabel('Username')
      await field.fill('@private.test')
      await field.press('Enter')
      await page.getByRole('heading', { name: 'private.test is private' }).waitFor()
    },
    PATIENCE_MS,
  )
})
