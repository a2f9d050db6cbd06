import { expect, test } from '@jest/globals'
import { inBrowser, PATIENCE_MS } from './browser.ts'

inBrowser('the API documentation', {}, (stage) => {
  test(
    'examples contain the address of this service, a link opens an operation, and nothing is loaded from elsewhere',
    async () => {
      const page = await stage().open('/keys')
      const hosts = new Set<string>()
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      await page.goto(`${stage().service.http}/docs#waitForEmail`)
      await page.getByRole('tab', { name: 'Python' }).click()
      await page.getByText(`BASE = "${stage().service.http}"`).waitFor()
      const wait = page.locator('#waitForEmail')
      expect(await wait.getAttribute('open')).not.toBeNull()
      await wait.getByText('timeout', { exact: true }).waitFor()
      await wait.getByText('action_link').first().waitFor()
      expect([...hosts]).toEqual([new URL(stage().service.http).host])
    },
    PATIENCE_MS,
  )
})
