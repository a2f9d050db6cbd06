import { expect, test } from '@jest/globals'
import { email } from '../web/email.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { row, WIDE } from './inbox-steps.ts'
import { type Answers, answer, NOW } from './states.ts'

const ADDRESS = 'bot@mayfly.test'

inBrowser('as time goes by', {}, (stage) => {
  test(
    'rows get older and disappear, announcements and results are taken back, and requests are read every second',
    async () => {
      const emails = [
        email('2', { received_at: NOW, codes: ['482913'] }),
        email('1', { received_at: NOW, expires_at: new Date(Date.parse(NOW) + 100_000).toISOString() }),
      ]
      const activity: Answers[0] = [/GET \/api\/activity/, { requests: [], emails: [] }]
      const page = await stage().open('/problems/', WIDE)
      const sent = await answer(page, [activity, [/GET .*public\/emails/, { emails, next_cursor: null }]])
      await page.clock.install({ time: NOW })
      await page.goto(`${stage().service.http}/#other@mayfly.test`)
      await page.locator('[data-state="live"]').waitFor()
      await page.evaluate((address) => (location.hash = address), ADDRESS)
      await row(page, 'Email 1').waitFor()
      await page.locator('[data-state="live"]').waitFor()
      await page.getByText('None yet.').waitFor()
      // From now on, the time of the page passes only as the test says.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
      const reads = () => sent.splice(0).filter((line) => line.includes('activity')).length
      const pass = async (seconds: number) => {
        for (let i = 0; i < seconds; i++) {
          await page.clock.runFor(1000)
          // The answer of a request that was sent in this second.
          await page.evaluate(() => fetch('/api/health'))
        }
      }
      reads()
      await pass(3)
      expect(reads()).toBeGreaterThanOrEqual(2)
      await page.evaluate(() =>
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', writable: true }),
      )
      await pass(2)
      reads()
      await pass(3)
      expect(reads()).toBe(0)
      await page.evaluate(() => Object.assign(document, { visibilityState: 'visible' }))
      activity.splice(1, 2, { code: 'unavailable', title: '', detail: '' }, 503)
      await pass(3)
      expect(reads()).toBeGreaterThanOrEqual(2)
      // A service that does not record them is not asked again.
      activity.splice(1, 2, { code: 'not_found', title: '', detail: '' }, 404)
      await pass(3)
      reads()
      await pass(3)
      expect(reads()).toBe(0)

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      expect(await row(page, 'Email 1').count()).toBe(1)
      await page.getByRole('button', { name: 'Copy code 482913' }).click()
      const copied = page.locator('[data-result="copied"]')
      const announced = page.getByRole('log').getByText('Copied code 482913')
      await copied.waitFor()
      await announced.waitFor({ state: 'attached' })
      // Only screen readers get it.
      expect(await page.getByRole('log').boundingBox()).toMatchObject({ width: 1, height: 1 })
      await page.clock.runFor(2000)
      await copied.waitFor({ state: 'detached' })
      expect(await announced.count()).toBe(1)
      await page.clock.runFor(10_000)
      await announced.waitFor({ state: 'detached' })
      await page.clock.runFor(120_000)
      await row(page, 'Email 2')
        .getByText(/^[2-9]m$/)
        .waitFor()
      await row(page, 'Email 1').waitFor({ state: 'detached' })
      expect(await row(page, 'Email 2').count()).toBe(1)
    },
    PATIENCE_MS,
  )
})
