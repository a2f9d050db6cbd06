import { expect, test } from '@jest/globals'
import { inBrowser, PATIENCE_MS } from './browser.ts'

inBrowser('the API page', {}, (stage) => {
  test(
    'shows every operation of the service, from this service alone',
    async () => {
      const page = await stage().open('/keys')
      const hosts = new Set<string>()
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      await page.goto(`${stage().service.http}/docs`)
      await page.locator('.operation').first().waitFor()
      const document = (await (await fetch(`${stage().service.http}/api/openapi.json`)).json()) as {
        paths: Record<string, object>
      }
      const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
      expect(await page.locator('.operation').count()).toBe(operations.length)
      const domains = page.locator('#listDomains')
      await domains.locator('summary').first().click()
      await domains.getByRole('button', { name: 'Send' }).click()
      await domains.locator('.result').getByText('mayfly.test').waitFor()
      // A stream shows how it begins.
      const stream = page.locator('#addressStream')
      await stream.locator('summary').first().click()
      await stream.getByLabel('address', { exact: true }).fill('x@mayfly.test')
      await stream.getByRole('button', { name: 'Send' }).click()
      await stream.locator('.result').getByText('retry: 2000').waitFor()
      // An empty host is that of a data: URL.
      hosts.delete('')
      expect([...hosts]).toEqual([new URL(stage().service.http).host])
    },
    PATIENCE_MS,
  )

  test(
    'has an example for each reader, with this service’s address in it',
    async () => {
      const page = await stage().open('/docs')
      for (const [tab, text] of [
        ['curl', 'curl -s'],
        ['JavaScript', 'await fetch'],
        ['Python', 'urlopen'],
        ['CI pipeline', 'runs-on'],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click()
        const code = await page.locator('.example pre').textContent()
        expect(code).toContain(text)
        expect(code).toContain(stage().service.http)
      }
    },
    PATIENCE_MS,
  )
})
