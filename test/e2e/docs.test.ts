import { expect, test } from '@jest/globals'
import { inBrowser, openWithKey, PATIENCE_MS } from './browser.ts'

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
    'has a key for whoever has none, and the browser’s own in the field ever after',
    async () => {
      const page = await stage().open('/docs')
      const latest = page.locator('#latestEmail')
      await latest.locator('summary').first().click()
      await latest.getByRole('button', { name: 'Take a free key' }).click()
      await latest.getByText('This browser’s key').waitFor()
      await latest.getByLabel('address', { exact: true }).fill('x@mayfly.test')
      await latest.getByRole('button', { name: 'Send' }).click()
      await latest.locator('.result').getByText('200 OK').waitFor()

      const taken = await latest.getByLabel('X-API-Key').inputValue()
      await page.reload()
      const protocol = page.locator('#mcp')
      await protocol.locator('summary').first().click()
      expect(await protocol.getByLabel('Authorization').inputValue()).toBe(taken)
      await protocol.getByLabel('JSON body').fill('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
      await protocol.getByRole('button', { name: 'Send' }).click()
      await protocol.locator('.result').getByText('create_inbox').waitFor()
      expect(await protocol.getByRole('button', { name: 'Take a free key' }).count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'takes another key for one that the service does not know any more',
    async () => {
      const page = await openWithKey(stage(), '/docs', 'mf_of_a_service_before')
      const current = page.locator('#currentKey')
      await current.locator('summary').first().click()
      await current.getByRole('button', { name: 'Send' }).click()
      await current.getByText('api_key_invalid').waitFor()
      await current.getByRole('button', { name: 'Take a free key' }).click()
      await current.getByText('This browser’s key').waitFor()
      await current.getByRole('button', { name: 'Send' }).click()
      await current.locator('.result').getByText('200 OK').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'has a field for the key of a private domain, wherever one is read',
    async () => {
      const page = await stage().open('/docs')
      for (const [operation, field] of [
        ['inbox', 'X-Domain-Key'],
        ['publicInbox', 'X-Domain-Key'],
        ['verifyDomain', 'X-Domain-Key'],
        ['newWebhook', 'X-Domain-Key'],
        ['addressStream', 'key'],
        ['domainsStream', 'key'],
      ] as const) {
        const shown = page.locator(`#${operation}`)
        await shown.locator('summary').first().click()
        await shown.getByLabel(field, { exact: true }).waitFor()
      }
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
