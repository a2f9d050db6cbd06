import { expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { email } from '../web/email.ts'
import { accessibilityFaults, inBrowser, PATIENCE_MS } from './browser.ts'
import { openMail, PHONE, row, rows, WIDE } from './inbox-steps.ts'
import { type Answers, openState } from './states.ts'

inBrowser('all mail', { MAYFLY_CATCH_ALL: 'off' }, (stage) => {
  const send = (to: string, subject: string, text = 'x') =>
    sendMail(stage().service.smtp, { to, subject, text, html: `<p>${text}</p>` })

  test(
    'is the first page: a new address, then the mail of every address as it arrives, opened and deleted',
    async () => {
      const page = await stage().open('/', WIDE)
      await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
      const fresh =
        (await page
          .getByRole('region', { name: 'New address', exact: true })
          .getByRole('link')
          .textContent()) ?? ''
      expect(fresh).toMatch(/^[a-z0-9]+@mayfly\.test$/)
      await page.locator('[data-state="live"]').waitFor()
      await send(fresh, 'To the new address')
      await row(page, 'To the new address').waitFor()
      const other = freshAddress()
      await send(other, 'To another', 'Your code is 482913')
      await row(page, 'To another').getByText(other).waitFor()
      expect(await accessibilityFaults(page)).toEqual([])

      await openMail(page, 'To another')
      await page.locator('.mail-frame').waitFor()
      expect(new URL(page.url()).hash).toMatch(/^#@\/[0-9A-Z]{26}$/)
      await page.reload()
      await page.getByRole('heading', { name: 'To another' }).waitFor()
      await page.keyboard.press('#')
      await row(page, 'To another').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
      await page.getByText('1 email deleted.').waitFor()
      const left = await fetch(`${stage().service.http}/api/public/emails/${other}`)
      expect(((await left.json()) as { emails: unknown[] }).emails).toEqual([])

      // The address of the new inbox leads to it, and from there back.
      await page.getByRole('region', { name: 'New address', exact: true }).getByRole('link').click()
      await page.getByRole('link', { name: 'All mail' }).click()
      await row(page, 'To the new address').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'search by the recipient, and by several words over all addresses',
    async () => {
      const [a, b] = [freshAddress(), freshAddress()]
      await send(a, 'Invoice one')
      await send(b, 'Invoice two')
      const page = await stage().open('/', WIDE)
      await row(page, 'Invoice two').waitFor()
      const search = page.getByRole('searchbox')
      await search.fill(`to:${a.split('@')[0]}`)
      await page.getByText('1 email found').waitFor()
      await row(page, 'Invoice one').waitFor()
      await search.fill('two invoice')
      await page.getByText('1 email found').waitFor()
      await row(page, 'Invoice two').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'emails of two addresses are compared',
    async () => {
      await send(freshAddress(), 'Order one', 'Total: 41')
      await send(freshAddress(), 'Order two', 'Total: 42')
      const page = await stage().open('/', WIDE)
      for (const subject of ['Order one', 'Order two']) {
        await row(page, subject).getByRole('checkbox').check({ force: true })
      }
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      await page.getByRole('dialog').getByRole('tab', { name: 'Text' }).click()
      await page.getByRole('dialog').locator('del', { hasText: 'Total: 41' }).waitFor()
      await page.getByRole('dialog').locator('ins', { hasText: 'Total: 42' }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'mail that was refused stands among the emails, with the reason and what would accept it',
    async () => {
      const page = await stage().open('/', PHONE)
      const address = freshAddress()
      await send(address, 'Accepted')
      await row(page, 'Accepted').waitFor()
      await expect(send('ceo@elsewhere.example', 'Refused')).rejects.toThrow('550')
      const refused = page.locator('.refused').filter({ hasText: 'ceo@elsewhere.example' })
      await refused.getByText('Refused: 550', { exact: false }).waitFor()
      await refused.getByText('MAYFLY_CATCH_ALL=on accepts every domain', { exact: false }).waitFor()
      await send(address, 'Later')
      await row(page, 'Later').waitFor()
      const order = await rows(page).evaluateAll((all) => all.map(({ textContent }) => textContent ?? ''))
      const at = (text: string) => order.findIndex((content) => content.includes(text))
      expect(at('Later') < at('elsewhere') && at('elsewhere') < at('Accepted')).toBe(true)
      await page.getByRole('searchbox').fill('elsewhere')
      await page.getByText('0 emails found').waitFor()
      expect(await page.locator('.refused').count()).toBe(1)
    },
    PATIENCE_MS,
  )

  test(
    'mail that was refused before the oldest email of the list waits until the list is read on',
    async () => {
      const refused = (name: string, at: string) => ({
        ...{ client: '127.0.0.1', mail_from: 'a@b.example', code: 550, reply: '5.1.1 No.' },
        recipient: `${name}@mayfly.test`,
        at,
      })
      const refusals = [
        refused('late', '2026-11-21T09:00:00.000Z'),
        refused('early', '2026-11-21T07:00:00.000Z'),
      ]
      const older: Answers[0] = [/emails\?.*cursor=/, { code: 'unavailable' }, 503]
      const list = (id: string, received_at: string, next_cursor: string | null) => ({
        emails: [email(id, { received_at })],
        next_cursor,
      })
      const { page } = await openState(
        stage(),
        '/',
        [
          older,
          [/GET \/api\/emails\?/, list('2', '2026-11-21T08:00:00.000Z', '2')],
          [/GET \/api\/refusals/, { refusals }],
        ],
        WIDE,
      )
      const named = (name: string) => page.locator('.refused').filter({ hasText: `${name}@mayfly.test` })
      await named('late').waitFor()
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      expect(await named('early').count()).toBe(0)
      older.splice(1, 2, list('1', '2026-11-21T06:00:00.000Z', null))
      await page.getByRole('button', { name: 'Try again' }).click()
      await named('early').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    '“Delete all” deletes the mail of every address after a question',
    async () => {
      const addresses = Array.from({ length: 51 }, freshAddress)
      for (const address of addresses) await send(address, 'One of many')
      const page = await stage().open('/', WIDE)
      await rows(page).nth(50).waitFor()
      await page.getByRole('button', { name: 'Delete all' }).click()
      await page.getByRole('heading', { name: 'Delete every email of every address?' }).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
      await page.getByText(/^\d+ emails deleted\.$/).waitFor()
      await page.locator('.row:not(.refused)').first().waitFor({ state: 'detached' })
    },
    PATIENCE_MS,
  )
})

inBrowser('a service that others can reach', { MAYFLY_HOST: '0.0.0.0' }, (stage) => {
  test(
    'begins with an address of its own, and says why all mail stays closed',
    async () => {
      const page = await stage().open('/', WIDE)
      await page.getByRole('button', { name: 'New address' }).waitFor()
      expect(new URL(page.url()).hash).toMatch(/^#[a-z0-9]+@/)
      await page.goto(`${stage().service.http}/#@`)
      await page.locator('.problem').waitFor()
      expect(await page.locator('.row').count()).toBe(0)
    },
    PATIENCE_MS,
  )
})
