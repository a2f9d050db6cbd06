import { expect, test } from '@jest/globals'
import { inBrowser, newKey, openWithKey, PATIENCE_MS } from './browser.ts'
import { answer, openState } from './states.ts'

const ADDRESS = 'bot@mayfly.test'

/** An answer that is sent when the test says so. */
function held<T>(value: T): { give: () => Promise<T>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { give: () => promise.then(() => value), release: resolve }
}

inBrowser('what somebody types is kept', {}, (stage) => {
  test(
    'a name that is typed as soon as the field is there, while the domains and the list are awaited',
    async () => {
      const domains = held({ domains: [{ domain: 'mayfly.test', private: false }] })
      const list = held({ emails: [], next_cursor: null })
      const { page } = await openState(stage(), '/problems/', [
        [/GET \/api\/domains$/, domains.give],
        [/GET \/api\/public\/emails/, list.give],
      ])
      // Faster than a person: in the same task in which the page draws the field.
      await page.addInitScript(() => {
        const observer = new MutationObserver(() => {
          const field = document.querySelector<HTMLInputElement>('[aria-label="Username"]')
          if (field === null) return
          observer.disconnect()
          field.value = 'bad name'
          field.dispatchEvent(new InputEvent('input', { bubbles: true }))
        })
        observer.observe(document, { childList: true, subtree: true })
      })
      await page.goto(`${stage().service.http}/#${ADDRESS}`)
      const name = page.getByLabel('Username')
      await page.getByText('Opening the inbox…').waitFor()
      domains.release()
      await page.locator('span.domain').waitFor()
      list.release()
      await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
      expect(await name.inputValue()).toBe('bad name')
      await name.press('Enter')
      await page.getByText('An address contains no spaces.').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'the next webhook, while the first one is created',
    async () => {
      const page = await openWithKey(stage(), '/problems/', await newKey(stage().service))
      const created = held({ id: 'w1', secret: 'whsec_x' })
      await answer(page, [
        [/POST \/api\/webhooks$/, created.give],
        [/GET \/api\/webhooks$/, { webhooks: [] }],
      ])
      await page.goto(`${stage().service.http}/webhooks`)
      await page.getByLabel('URL').fill('https://example.org/first')
      await page.getByLabel('Address or domain').fill(ADDRESS)
      await page.getByRole('button', { name: 'Create webhook' }).click()
      await page.getByRole('button', { name: 'Create webhook', disabled: true }).waitFor()
      await page.getByLabel('URL').fill('https://example.org/second')
      created.release()
      await page.getByText('Copy the secret now.').waitFor()
      await page.getByRole('button', { name: 'Create webhook', disabled: false }).waitFor()
      expect(await page.getByLabel('URL').inputValue()).toBe('https://example.org/second')
      expect(await page.getByLabel('Address or domain').inputValue()).toBe(ADDRESS)
    },
    PATIENCE_MS,
  )

  test(
    'a word in the search of the docs, before their script has arrived',
    async () => {
      const page = await stage().open('/problems/', { viewport: { width: 1440, height: 900 } })
      const { promise, resolve } = Promise.withResolvers<void>()
      await page.route('**/assets/docs-*.js', async (route) => {
        await promise
        await route.continue()
      })
      await page.goto(`${stage().service.http}/docs`, { waitUntil: 'commit' })
      await page.getByRole('searchbox', { name: 'Find an operation' }).fill('webhook')
      const links = page.getByRole('navigation', { name: 'Contents' }).locator('ul').getByRole('link')
      expect(await links.filter({ hasText: 'Wait' }).first().isVisible()).toBe(true)
      resolve()
      await links.filter({ hasText: 'Wait' }).first().waitFor({ state: 'hidden' })
      expect(await links.filter({ hasText: /webhook/i, visible: true }).count()).toBeGreaterThan(0)
    },
    PATIENCE_MS,
  )
})
