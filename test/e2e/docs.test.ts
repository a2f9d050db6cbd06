import { expect, test } from '@jest/globals'
import { sendMail } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, PATIENCE_MS } from './browser.ts'

inBrowser('the API documentation', {}, (stage) => {
  test(
    'examples contain the address of this service, a link opens an operation, and nothing is loaded from elsewhere',
    async () => {
      const page = await stage().open('/keys')
      const hosts = new Set<string>()
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      await page.goto(`${stage().service.http}/docs#waitForEmail`)
      await page.locator('#waitForEmail[open]').waitFor()
      await page.waitForFunction(() => {
        const named = document.getElementById('waitForEmail')
        return Math.abs(named?.getBoundingClientRect().top ?? 9) < 1
      })
      await page.getByRole('tab', { name: 'Python' }).click()
      await page.getByText(`Mayfly("${stage().service.http}")`).waitFor()
      expect(await page.getByText('Loading…').count()).toBe(0)
      const notes = new Set<string | null>()
      const tabs = await page.getByRole('tab').all()
      for (const tab of tabs) {
        await tab.click()
        notes.add(await page.getByRole('tabpanel').locator('p').textContent())
      }
      // Each example has a sentence of its own about what it needs.
      expect([...notes].filter((note) => note?.endsWith('.'))).toHaveLength(tabs.length)
      const wait = page.locator('#waitForEmail')
      expect(await wait.getAttribute('open')).not.toBeNull()
      await wait.getByText('timeout', { exact: true }).first().waitFor()
      await wait.getByText('action_link').first().waitFor()
      expect([...hosts]).toEqual([new URL(stage().service.http).host])
      // A link on the page itself, and one to something that cannot be opened.
      for (const id of ['#newKey', '#examples']) await page.evaluate((hash) => (location.hash = hash), id)
      await page.locator('#newKey[open]').waitFor()
      expect(await page.locator('details[open]').count()).toBe(2)
    },
    PATIENCE_MS,
  )

  test(
    'on a phone the contents are hidden until they are searched',
    async () => {
      const page = await stage().open('/docs', { viewport: { width: 390, height: 844 } })
      const contents = page.getByRole('navigation', { name: 'Contents' })
      expect(await contents.getByRole('link').count()).toBe(0)
      await page.getByLabel('Find an operation').fill('latest')
      await contents.getByRole('link', { name: 'GET emails/{address}/latest' }).click()
      await page.locator('#latestEmail[open]').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'contents are searched, and an operation is run with the session and the reader’s own address',
    async () => {
      const page = await stage().open('/docs', { viewport: { width: 1440, height: 900 } })
      const contents = page.getByRole('navigation', { name: 'Contents' })
      await page.getByLabel('Find an operation').fill('wait')
      expect(await contents.getByRole('link', { name: 'domains/random' }).count()).toBe(0)
      await contents.getByRole('link', { name: 'GET emails/{address}/wait' }).click()
      const operation = page.locator('#waitForEmail')
      const address = (await page.locator('#example-tabs a').first().textContent()) ?? ''
      expect(await operation.locator('[data-runner] code').textContent()).toBe(
        `GET /api/emails/${address}/wait?timeout=10`,
      )
      await operation.getByRole('button', { name: 'Run', exact: true }).click()
      await sendMail(stage().service.smtp, { to: address, subject: 'Run here', text: 'Your code is 482913' })
      await operation.getByRole('status').getByText('"subject": "Run here"', { exact: false }).waitFor()
      // Each answer has an example that is JSON.
      const examples = await page.locator('.operation pre:not(.answer)').allTextContents()
      // Messages, files and streams are not JSON.
      const ofJson = examples.filter((example) => example.startsWith('{'))
      expect(ofJson.length).toBeGreaterThan(20)
      for (const example of ofJson) expect(() => JSON.parse(example)).not.toThrow()
      expect(await accessibilityFaults(page)).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'the skip link of every page moves the focus, and a problem that the path names is highlighted',
    async () => {
      const page = await stage().open('/problems/rate_limited')
      const highlighted = page.locator('.highlight')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('rate_limited')
      expect(await highlighted.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['rate_limited'])
      const { height } = page.viewportSize() ?? { height: 0 }
      const box = await highlighted.boundingBox()
      // In the middle of the window, where the navigation and its neighbours are seen as well.
      const middle = (box?.y ?? 0) + (box?.height ?? 0) / 2
      expect(Math.abs(middle - height / 2)).toBeLessThan(height / 8)
      for (const path of ['/problems/main', '/docs', '/nope', '/keys']) {
        await page.goto(stage().service.http + path)
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        const place = () => [
          document.activeElement?.id,
          location.hash,
          document.querySelectorAll('.highlight').length,
        ]
        expect([path, await page.evaluate(place)]).toEqual([path, ['main', '', 0]])
      }
    },
    PATIENCE_MS,
  )
})
