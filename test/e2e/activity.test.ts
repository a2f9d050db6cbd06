import { createServer } from 'node:http'
import { expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { listening } from '../support/http-server.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, newKey, openWithKey, PATIENCE_MS } from './browser.ts'
import { WIDE } from './inbox-steps.ts'

inBrowser('the work of API clients', {}, (stage) => {
  test(
    'the inbox shows which request of a test waits, and its answer',
    async () => {
      const { http, smtp } = stage().service
      const address = freshAddress()
      const page = await stage().open(`/#${address}`, WIDE)
      await page.getByText('None yet. Requests of your tests appear here, with how long they wait.').waitFor()
      const headers = { 'X-API-Key': await newKey(stage().service) }
      const waiting = fetch(`${http}/api/emails/${address}/wait?has=code&timeout=25`, { headers })
      await page.getByText('GET /wait?has=code&timeout=25').waitFor()
      await page.getByText('1 waiting').waitFor()
      await sendMail(smtp, { to: address, subject: 'Code', text: 'Your code is 482913' })
      expect((await waiting).status).toBe(200)
      await page.getByText(/^200 after/).waitFor()
      expect(await page.getByText('1 waiting').count()).toBe(0)
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
        await page.getByRole('button', { name: 'Send a ping' }).click()
        await page.getByRole('cell', { name: 'ping' }).first().waitFor()
        await page.getByRole('cell', { name: '204' }).first().waitFor()
        await sendMail(stage().service.smtp, { to: address, subject: 'Delivered', text: 'x' })
        await eventually(
          'the webhook',
          () => received,
          (bodies) => bodies.some((body) => body.includes('Delivered')),
        )
        await page.getByRole('button', { name: 'Refresh' }).click()
        await page.getByRole('cell', { name: 'email.received' }).waitFor()
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
