import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail, sendMany } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { emailsOf, holdUndo, live, openMail, row, rows, title, WIDE } from './inbox-steps.ts'

inBrowser('the list of emails', {}, (stage) => {
  const send = (to: string, mail: object) => sendMail(stage().service.smtp, { to, ...mail })
  const sendTo = (to: string, count: number) =>
    sendMany(stage().service.smtp, count, (i) => ({ to, subject: `Email ${i}`, text: 'line\n'.repeat(50) }))
  const top = (page: Page, id: string) =>
    page.locator(`[data-mail="${id}"]`).evaluate((link) => Math.round(link.getBoundingClientRect().top))

  test(
    'an email opens at its top and its row stays in view',
    async () => {
      const address = freshAddress()
      for (let i = 0; i < 18; i++) await send(address, { subject: `Mail ${i}`, text: 'line\n'.repeat(200) })
      const page = await stage().open(`/#${address}`, WIDE)
      await rows(page).nth(12).scrollIntoViewIfNeeded()
      await openMail(page, 'Mail 5')
      expect((await page.getByRole('heading', { name: 'Mail 5' }).boundingBox())?.y).toBeLessThan(400)
      await page.locator('.mail-pane').evaluate((pane) => pane.scrollTo(0, 2000))
      expect(await row(page, 'Mail 5').isVisible()).toBe(true)
      await page.keyboard.press('j')
      await title(page, 'Mail 4')
      expect(await page.locator('.mail-pane').evaluate((pane) => pane.scrollTop)).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'rows stay where they are when emails arrive above them, and a button leads to the new ones',
    async () => {
      const address = freshAddress()
      await sendTo(address, 40)
      const page = await stage().open(`/#${address}`, WIDE)
      await live(page)
      await rows(page).nth(39).waitFor({ state: 'attached' })
      // The list is at its very top, with the pointer on a row.
      const [first] = await emailsOf(stage().service.http, address)
      await rows(page).nth(2).hover()
      const before = await top(page, first?.id ?? '')
      await send(address, { subject: 'Arrival', text: 'x' })
      await page.getByRole('button', { name: '1 new ↑' }).waitFor()
      expect(await top(page, first?.id ?? '')).toBe(before)
      await page.getByRole('button', { name: '1 new ↑' }).click()
      await page.getByRole('button', { name: /new ↑/ }).waitFor({ state: 'detached' })

      // The list is scrolled, without a pointer.
      await page.mouse.move(1200, 5)
      const middle = (await emailsOf(stage().service.http, address))[20]?.id ?? ''
      await page.locator(`[data-mail="${middle}"]`).scrollIntoViewIfNeeded()
      await page.evaluate(() => new Promise(requestAnimationFrame))
      const still = await top(page, middle)
      await sendTo(address, 5)
      await page.getByRole('button', { name: '5 new ↑' }).waitFor()
      expect(await top(page, middle)).toBe(still)
    },
    PATIENCE_MS,
  )

  test(
    'search: filters, words in any order, chips, the exact count, and a search without a match',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'The needle', text: 'November', from: 'Billing <billing@acme.example>' })
      await sendTo(address, 130)
      await send(address, { subject: 'Your Acme verification code', text: 'Your code is 482913' })
      const page = await stage().open(`/#${address}`, WIDE)
      await page.getByText('100+ emails, 100+ unread').waitFor()
      const search = page.getByRole('searchbox')
      for (const [words, subject] of [
        ['billing@acme', 'The needle'],
        ['from:billing subject:needle', 'The needle'],
        ['november', 'The needle'],
        ['code acme', 'Your Acme verification code'],
        ['482913', 'Your Acme verification code'],
      ] as const) {
        await search.fill(words)
        await page.getByText('1 email found').waitFor()
        expect(await rows(page).first().textContent()).toContain(subject)
      }
      await search.fill('')
      await search.focus()
      await page.getByRole('button', { name: 'Code', exact: true }).click()
      await page.getByRole('button', { name: 'Code', exact: true, pressed: true }).waitFor()
      expect(await search.inputValue()).toBe('has:code')
      await page.getByText('1 email found').waitFor()
      await search.fill('nothing like it')
      await page.getByText('No email matches “nothing like it”.').waitFor()
      await search.fill('line')
      await page.getByText('100+ emails found').waitFor()
      await search.fill('')
      await page.locator('.rows').evaluate((list) => list.scrollTo(0, list.scrollHeight))
      await page.getByText('132 emails, 132 unread').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'in an inbox of 101 emails, “Mark all as read” and “Delete all” apply to all of them, and show the number',
    async () => {
      const address = freshAddress()
      await sendTo(address, 101)
      const page = await stage().open(`/#${address}`, WIDE)
      await page.getByText('100+ emails, 100+ unread').waitFor()
      await page.locator('link[rel="icon"][href*="%3E99%2B%3C"]').waitFor({ state: 'attached' })
      const requests: string[] = []
      page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
      await page.getByRole('button', { name: 'Mark all as read' }).click()
      await page.getByText('100+ emails', { exact: true }).waitFor()
      await page.getByRole('log').getByText('101 emails marked as read').waitFor({ state: 'attached' })
      // There may be others beyond the list.
      await page.getByRole('button', { name: 'Mark all as read', disabled: false }).waitFor()
      const path = `/api/emails/${encodeURIComponent(address)}`
      expect(requests.filter((request) => request.includes(path))).toEqual([`POST ${path}/read`])
      expect((await emailsOf(stage().service.http, address)).every(({ read }) => read)).toBe(true)

      await page.getByRole('button', { name: 'Delete all' }).click()
      await page
        .getByText(
          'This deletes all emails in this inbox, including older ones not shown. You cannot undo it.',
        )
        .waitFor()
      expect(await emailsOf(stage().service.http, address)).toHaveLength(100)
      await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
      await page.getByText('101 emails deleted.').waitFor()
      await title(page, 'Waiting for email')
      expect(await emailsOf(stage().service.http, address)).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'deleting one email leads to the next, and a few can be undone',
    async () => {
      const address = freshAddress()
      for (const subject of ['One', 'Two', 'Three', 'Four']) await send(address, { subject, text: 'x' })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Three')
      const endUndo = await holdUndo(page)
      await page.keyboard.press('#')
      await title(page, 'Two')
      await page.getByText('1 email deleted.').waitFor()
      await page.keyboard.press('u')
      await row(page, 'Three').waitFor()
      // No email is after the oldest one, so the one before it is opened.
      await openMail(page, 'One')
      await page.keyboard.press('#')
      await title(page, 'Two')
      await page.keyboard.press('u')
      await row(page, 'One').waitFor()

      await page.getByLabel('Select One').check({ force: true })
      await page.getByLabel('Select Three').click({ force: true, modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
      await page.getByRole('button', { name: 'Delete selected' }).click()
      await page.getByText('3 emails deleted.').waitFor()
      await title(page, 'Four')
      expect(await rows(page).count()).toBe(1)
      await page.getByRole('button', { name: 'Undo' }).click()
      await rows(page).nth(3).waitFor()
      expect(await page.getByText(/selected$/).count()).toBe(0)

      await endUndo()
      await page.getByRole('button', { name: 'Delete all' }).click()
      await title(page, 'Waiting for email')
      expect(await emailsOf(stage().service.http, address)).toHaveLength(4)
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
      await page.getByText('4 emails deleted.').waitFor()
      expect(await emailsOf(stage().service.http, address)).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a deletion that fails puts the email back, with a message that can be dismissed',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'Stays', text: 'x' })
      const page = await stage().open(`/#${address}`, WIDE)
      await page.route('**/api/emails/**', (route) => route.abort())
      await page.getByLabel('Select Stays').check({ force: true })
      await page.getByRole('button', { name: 'Delete selected' }).click()
      await page.locator('.toasts').getByText('The service cannot be reached').waitFor()
      await row(page, 'Stays').waitFor()
      await page.locator('.toasts').getByRole('button', { name: 'Dismiss' }).click()
      expect(await page.locator('.toasts').textContent()).toBe('')
    },
    PATIENCE_MS,
  )

  test(
    'what is written from right to left has that direction everywhere; compact rows stay compact',
    async () => {
      const address = freshAddress()
      const person = { name: 'נמל (Harbour)', address: 'a@harbour.example' }
      await send(address, { from: person, subject: 'ראשון', text: 'שלום' })
      await send(address, {
        from: person,
        cc: person,
        subject: 'קוד האימות שלך: 5521',
        text: 'להתראות',
        html: '<a href="https://harbour.example/">נמל</a>',
        attachments: [{ filename: 'נמל.txt', content: 'x' }],
      })
      const page = await stage().open(`/#${address}`, WIDE)
      /** The Hebrew texts that are set from left to right. */
      const wrong = () =>
        page.evaluate(() => {
          const found: string[] = []
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            const element = node.parentElement
            const isHebrew = /^\P{L}*\p{Script=Hebrew}/u.test(node.textContent ?? '')
            if (isHebrew && element?.checkVisibility() && getComputedStyle(element).direction === 'ltr')
              found.push(element.outerHTML)
          }
          return found
        })
      await rows(page).nth(1).waitFor()
      expect(await wrong()).toEqual([])
      await openMail(page, 'קוד האימות שלך: 5521')
      await page.getByText('Details', { exact: true }).click()
      await page.getByRole('region', { name: 'Attachments' }).waitFor()
      expect(await wrong()).toEqual([])
      await page.getByRole('tab', { name: 'Text' }).click()
      expect(await wrong()).toEqual([])
      await page.getByRole('tab', { name: 'Links' }).click()
      expect(await wrong()).toEqual([])
      for (const box of await rows(page).getByRole('checkbox').all()) await box.check({ force: true })
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      await page.getByRole('dialog').getByText('ראשון').waitFor()
      expect(await wrong()).toEqual([])
      await page.getByRole('dialog').getByRole('tab', { name: 'Text' }).click()
      expect(await wrong()).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Show compact rows' }).click()
      await page.reload()
      await rows(page).first().waitFor()
      expect((await rows(page).first().boundingBox())?.height).toBeLessThan(40)
      await page.getByRole('button', { name: 'Show comfortable rows' }).click()
      await page.getByRole('button', { name: 'Show compact rows' }).waitFor()
      expect((await rows(page).first().boundingBox())?.height).toBeGreaterThan(40)
    },
    PATIENCE_MS,
  )
})
