import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { freePort } from '../support/ports.ts'
import { startService } from '../support/service.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'

inBrowser('the connection', {}, (stage) => {
  const subjects = '.row .subject'
  const shown = (page: Page, subject: string) =>
    page
      .locator(subjects)
      .filter({ hasText: new RegExp(`${subject}$`) })
      .waitFor()

  /**
   * A browser without shared workers, because a test can cut the network of a page, but not of a
   * worker.
   */
  async function openWithoutWorker(path: string): Promise<Page> {
    const page = await stage().open('/problems/')
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
    await page.goto(stage().service.http + path)
    return page
  }

  test(
    'after a restart of the service the inbox reconnects and misses nothing',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-restart-'))
      const env = { MAYFLY_HTTP_PORT: `${await freePort()}`, MAYFLY_SMTP_PORT: `${await freePort()}` }
      let service = await startService(env, { dataDir })
      try {
        const address = freshAddress()
        const page = await stage().open('/keys')
        await page.goto(`${service.http}/#${address}`)
        const state = page.locator('.link-state')
        await state.getByText('Live').waitFor()
        await sendMail(service.smtp, { to: address, subject: 'Before', text: 'x' })
        await shown(page, 'Before')

        for (const end of ['stop', 'kill'] as const) {
          await service[end]()
          await state.getByText('Reconnecting…').waitFor()
          // The list stays readable meanwhile.
          expect(await page.locator(subjects).last().textContent()).toContain('Before')
          service = await startService(env, { dataDir })
          await sendMail(service.smtp, { to: address, subject: `Meanwhile, after a ${end}`, text: 'x' })
          await shown(page, `Meanwhile, after a ${end}`)
          await state.getByText('Live').waitFor()
          await sendMail(service.smtp, { to: address, subject: `Live again, after a ${end}`, text: 'x' })
          await shown(page, `Live again, after a ${end}`)
        }
        expect(await page.locator(subjects).count()).toBe(5)
      } finally {
        await service.stop()
        await rm(dataDir, { recursive: true, force: true })
      }
    },
    2 * PATIENCE_MS,
  )

  test(
    'an offline browser shows that it is offline; when the network is back, it reads the open email and lists the missed one',
    async () => {
      const address = freshAddress()
      await sendMail(stage().service.smtp, { to: address, subject: 'Before', text: 'x' })
      const page = await openWithoutWorker(`/#${address}`)
      await page.locator('[data-state="live"]').waitFor()
      await page.context().setOffline(true)
      await page.locator('.warn[data-state="offline"]').getByText('Offline').waitFor()
      await page.locator(subjects).click()
      await page.locator('section.mail').getByText('The service cannot be reached').waitFor()
      expect(await page.getByRole('tab', { name: 'Headers' }).isDisabled()).toBe(true)
      await sendMail(stage().service.smtp, { to: address, subject: 'While offline', text: 'x' })
      await page.context().setOffline(false)
      await page.getByRole('tab', { name: 'Headers', disabled: false }).waitFor()
      await shown(page, 'While offline')
      await page.locator('[data-state="live"]').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'a service that does not answer is reported, and can be tried again',
    async () => {
      const page = await stage().open('/keys')
      await page.route('**/api/**', (route) => route.abort())
      await page.goto(`${stage().service.http}/`)
      await page.getByText('The service cannot be reached').waitFor()
      await page.unroute('**/api/**')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.locator('[data-state="live"]').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'an error of a proxy is transient',
    async () => {
      const page = await openWithoutWorker('/keys')
      await page.route('**/api/{sse,public}/**', (route) =>
        route.fulfill({ status: 502, body: 'Bad Gateway' }),
      )
      await page.goto(`${stage().service.http}/#${freshAddress()}`)
      await page.getByText('The server answered with status 502.').waitFor()
      await page.unroute('**/api/{sse,public}/**')
      await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
      await page.locator('[data-state="live"]').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'an email that was deleted elsewhere disappears when the stream is back',
    async () => {
      const address = freshAddress()
      await sendMail(stage().service.smtp, { to: address, subject: 'Short-lived', text: 'x' })
      const page = await openWithoutWorker(`/#${address}`)
      await shown(page, 'Short-lived')
      await page.context().setOffline(true)
      await page.locator('[data-state="offline"]').waitFor()
      const { key } = (await (
        await fetch(`${stage().service.http}/api/keys`, { method: 'POST' })
      ).json()) as {
        key: string
      }
      await fetch(`${stage().service.http}/api/emails/${address}`, {
        method: 'DELETE',
        headers: { 'X-API-Key': key },
      })
      await page.context().setOffline(false)
      await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
    },
    PATIENCE_MS,
  )
})
