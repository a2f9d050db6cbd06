import { expect, test } from '@jest/globals'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { perceived } from './states.ts'

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
      expect(await perceived(page, '#example-tabs')).toMatchSnapshot('examples')
      await page.getByRole('tab', { name: 'Python' }).click()
      await page.getByText(`BASE = "${stage().service.http}"`).waitFor()
      const wait = page.locator('#waitForEmail')
      expect(await wait.getAttribute('open')).not.toBeNull()
      await wait.getByText('timeout', { exact: true }).waitFor()
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
    'the skip link of every page moves the focus, and a problem that the path names is highlighted',
    async () => {
      const page = await stage().open('/problems/rate_limited')
      const highlighted = page.locator('.highlight')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('rate_limited')
      expect(await highlighted.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['rate_limited'])
      const { height } = page.viewportSize() ?? { height: 0 }
      const y = (await highlighted.boundingBox())?.y ?? 0
      expect([y > 0, y < height]).toEqual([true, true])
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
