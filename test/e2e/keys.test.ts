import { expect, test } from '@jest/globals'
import { inBrowser, newKey, openWithKey, PATIENCE_MS } from './browser.ts'

inBrowser('the keys page', {}, (stage) => {
  async function statusOf(key: string): Promise<number> {
    return (await fetch(`${stage().service.http}/api/keys/current`, { headers: { 'X-API-Key': key } })).status
  }

  test(
    'a key: generated, copied, used, looked up, revoked',
    async () => {
      const page = await stage().open('/keys')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByText('5 of 5 left').waitFor()
      expect(await page.getByLabel('Purpose').inputValue()).toBe('')
      await page.getByLabel('Purpose').fill('Checkout tests')
      await page.getByRole('button', { name: 'Generate a key' }).click()
      await page.getByText('Copy your key now.').waitFor()
      await page.getByText(/4 of 5 left\. Resets /).waitFor()
      await page.getByText(/Valid until .* 120 requests a minute/).waitFor()
      await page.getByRole('button', { name: 'Copy key' }).click()
      const key = await page.evaluate(() => navigator.clipboard.readText())
      expect(await statusOf(key)).toBe(200)

      await page.getByRole('button', { name: 'Remember for the Webhooks page' }).click()
      await page.getByRole('link', { name: 'Manage its webhooks' }).click()
      await page.getByText('This API key has no webhooks yet.').waitFor()

      await page.goto(`${stage().service.http}/keys`)
      // The key is shown once.
      expect(await page.getByText(key).count()).toBe(0)
      // Another key is revoked: the one of this browser stays, and the next look-up says nothing of it.
      const saved = page.getByRole('button', { name: /Look up the key saved in this browser/ })
      await page.getByLabel('Key', { exact: true }).fill(` ${await newKey(stage().service)} `)
      await page.getByRole('button', { name: 'Look up', exact: true }).click()
      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('Key revoked').waitFor()
      await saved.click()
      await page.getByText('Checkout tests').waitFor()
      expect(await page.getByText('Key revoked').count()).toBe(0)
      await page.getByText(/\b(?!120 )\d+ of 120 requests left/).waitFor()
      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('Key revoked').waitFor()
      expect(await page.getByText('Checkout tests').count()).toBe(0)
      expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('')
      expect(await statusOf(key)).toBe(401)
      expect(await saved.count()).toBe(0)
      await page.route('**/api/keys', (route) => route.abort())
      await page.reload()
      await page.getByText('The service cannot be reached').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'an unknown key',
    async () => {
      const page = await stage().open('/keys')
      await page.getByLabel('Key', { exact: true }).fill('mf_of_nobody')
      await page.getByRole('button', { name: 'Look up' }).click()
      await page.getByText('This API key is not valid').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'a key that has used its requests of the minute',
    async () => {
      const page = await openWithKey(stage(), '/keys', await newKey(stage().service))
      // 120 requests can fall into two minutes, so the answer of the service is simulated.
      const problem = {
        code: 'rate_limited',
        title: 'Too many requests with this API key',
        detail: 'Wait.',
        request_id: 'r-1',
      }
      await page.route('**/api/keys/current', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'Retry-After': '17' },
          contentType: 'application/problem+json',
          body: JSON.stringify(problem),
        }),
      )
      await page.getByRole('button', { name: /Look up the key saved in this browser/ }).click()
      await page.getByText('Try again in 17 seconds.').waitFor()
      // A request id is shown only for faults of the service, because it helps only with them.
      expect(await page.getByText('r-1').count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'no keys left today',
    async () => {
      const page = await stage().open('/keys')
      await page.getByText(/of 5 left/).waitFor()
      // Other clients of the network use the quota while the page is open.
      for (let i = 0; i < 5; i++) await fetch(`${stage().service.http}/api/keys`, { method: 'POST' })
      await page.getByRole('button', { name: 'Generate a key' }).click()
      await page.getByText('You have used today’s 5 API keys for this network').waitFor()
      await page.getByText(/0 of 5 left\. Resets /).waitFor()
      expect(await page.getByRole('button', { name: 'Generate a key' }).isDisabled()).toBe(true)
    },
    PATIENCE_MS,
  )
})
