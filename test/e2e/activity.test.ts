import { createServer } from 'node:http'
import { expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { listening } from '../support/http-server.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, newKey, openWithKey, PATIENCE_MS } from './browser.ts'
import { title, WIDE } from './inbox-steps.ts'

inBrowser('the work of API clients', {}, (stage) => {
  test(
    'the inbox shows which request of a test waits, and its answer',
    async () => {
      const { http, smtp } = stage().service
      const address = freshAddress()
      const page = await stage().open(`/#${address}`, WIDE)
      await page.getByText('None yet. Requests of your tests appear here', { exact: false }).waitFor()
      const headers = { 'X-API-Key': await newKey(stage().service) }
      const wait = (query: string) => fetch(`${http}/api/emails/${address}/wait?${query}`, { headers })
      const waiting = wait('has=code&timeout=25')
      await page.getByText('wait has: code').waitFor()
      await page.getByText('1 waiting').waitFor()
      const open = page.locator('.bar[data-open="true"]')
      await open.waitFor()
      await sendMail(smtp, { to: address, subject: 'Code', text: 'Your code is 482913' })
      expect((await waiting).status).toBe(200)
      await page.getByText(/^answered with “Code” after/).waitFor()
      expect(await page.getByText('1 waiting').count()).toBe(0)
      expect(await open.count()).toBe(0)
      const dots = page.getByRole('list', { name: 'Emails that arrived or were refused' })
      await dots.getByRole('link', { name: /^Code from/ }).click()
      await title(page, 'Code')
      await page.goBack()

      // A wait that nothing matches says so, and which filter refused what arrived: also after it was deleted.
      const nothing = wait(`subject=Confirm&timeout=2&since=${new Date().toISOString()}`)
      await page.getByText('1 waiting').waitFor()
      await sendMail(smtp, { to: address, subject: 'Welcome', text: 'Hello' })
      await page.getByText('“Welcome” does not contain “Confirm”').waitFor()
      expect(await (await nothing).json()).toMatchObject({ email: null })
      await page.getByText(/^no email in 2/).waitFor()
      await fetch(`${http}/api/emails/${address}`, { method: 'DELETE', headers })
      await page.goto(`${http}/#${address}/activity`)
      await page.getByRole('heading', { name: 'Why did my test not get its email?' }).waitFor()
      await page.getByText('“Welcome” does not contain “Confirm”').waitFor()

      // Mail for a misspelt form of the address was refused: that explains a wait, too.
      const misspelt = address.replace('mayfly.test', 'mayfly.tset')
      await expect(sendMail(smtp, { to: misspelt, subject: 'Code', text: 'x' })).rejects.toThrow('550')
      await page.getByRole('list', { name: 'Refused mail' }).getByText(misspelt).waitFor()
      await dots.getByText(`Refused for ${misspelt}`).waitFor({ state: 'attached' })
      await page.getByText('MAYFLY_CATCH_ALL=on accepts every domain').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Back to the list' }).click()
      await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'a webhook is created, pinged, delivered and deleted on its page',
    async () => {
      const received: string[] = []
      const target = await listening(
        createServer((request, response) => {
          request.on('data', (chunk: Buffer) => received.push(String(chunk)))
          request.on('end', () => response.writeHead(204).end())
        }),
      )
      try {
        const address = freshAddress()
        const page = await openWithKey(stage(), '/webhooks', await newKey(stage().service), WIDE)
        await page.getByText('This API key has no webhooks yet.').waitFor()
        await page.getByLabel('URL').fill('ftp://nowhere.example')
        await page.getByLabel('Address or domain').fill(address)
        await page.getByRole('button', { name: 'Create webhook' }).click()
        await page.getByText('This URL cannot receive webhooks').waitFor()
        await page.getByRole('button', { name: 'Dismiss' }).click()
        await page.getByLabel('URL').fill(`${target.url}/mail`)
        await page.getByRole('button', { name: 'Create webhook' }).click()
        await page.getByText(/^whsec_/).waitFor()
        // The button says that it is busy until the service has answered.
        await page.route(/\/test$/, async (route) => {
          await page.getByRole('button', { name: 'Pinging…', disabled: true }).waitFor()
          await route.continue()
        })
        await page.getByRole('button', { name: 'Send a ping' }).click()
        await page.getByRole('cell', { name: 'ping' }).first().waitFor()
        await page.getByRole('cell', { name: '204' }).first().waitFor()
        await sendMail(stage().service.smtp, { to: address, subject: 'Delivered', text: 'x' })
        await eventually(
          'the webhook',
          () => received,
          (bodies) => bodies.some((body) => body.includes('Delivered')),
        )
        // The service records the delivery when the target has answered.
        await eventually(
          'the delivery on the page',
          async () => {
            await page.getByRole('button', { name: 'Refresh' }).click()
            return page.getByRole('cell', { name: 'email.received' }).count()
          },
          (count) => count === 1,
        )
        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await page.getByText('This API key has no webhooks yet.').waitFor()
      } finally {
        await target.close()
      }
    },
    PATIENCE_MS,
  )
})
