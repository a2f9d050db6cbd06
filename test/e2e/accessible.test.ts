import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, newKey, openWithKey, PATIENCE_MS, type Stage } from './browser.ts'

/** Each state of each page, as a visitor comes to it. */
const STATES: Record<string, (visit: Visit) => Promise<void>> = {
  'an empty inbox': async ({ page, go }) => {
    await go('/')
    await page.locator('[data-state="live"]').waitFor()
  },
  'a list of mails': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row').first().waitFor()
  },
  'a mail with all that a key shows': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row .subject').first().click()
    await page.frameLocator('.mail-frame').frameLocator('iframe').getByText('Hello').waitFor()
  },
  'its headers': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row .subject').first().click()
    await page.getByRole('tab', { name: 'Headers' }).click()
  },
  'its source': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row .subject').first().click()
    await page.getByRole('tab', { name: 'Source' }).click()
    await page.getByText('Save as .eml').waitFor()
  },
  'a question before deletion': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.getByRole('button', { name: 'Delete all' }).click()
  },
  'the dialog for a key': async ({ page, go }) => {
    await go('/')
    await page.getByRole('button', { name: /API key in use/ }).click()
    await page.getByRole('button', { name: 'Forget it here' }).click()
    await page.getByText(/keys left today/).waitFor()
  },
  'a private domain': async ({ page, go }) => {
    await go('/#x@private.test')
    await page.getByLabel('Domain key').fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('.wrong').waitFor()
  },
  'a domain that is not here': async ({ page, go }) => {
    await go('/#x@nowhere.example')
    await page.locator('.problem').waitFor()
  },
  'the keys page with a key looked up': async ({ page, go }) => {
    await go('/keys')
    await page.getByRole('button', { name: /Look up the key of this browser/ }).click()
    await page.getByText('Valid until').waitFor()
  },
  'the domains page with a domain': async ({ page, go }) => {
    await page.route('**/api/domain/verify/*', (route) => route.fulfill({ json: PENDING }))
    await go('/domains#mail.customer.example')
    await page.getByLabel('Domain key').fill('a key')
    await page.getByText(/key-sha256=/).waitFor()
  },
  'the problems': async ({ page, go }) => {
    await go('/problems/rate_limited')
    await page.locator('.named').waitFor()
  },
  'the API page': async ({ page, go }) => {
    await go('/docs')
    await page.locator('.opblock').first().waitFor()
  },
  'the API page with an operation tried out': async ({ page, go }) => {
    await go('/docs')
    await page.locator('#operations-Mail-inbox .opblock-summary-control').click()
    await page.getByRole('button', { name: 'Try it out' }).click()
    await page.getByPlaceholder('address').fill('x@mayfly.test')
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.getByText('Server response').waitFor()
  },
  'the API page asking for a key': async ({ page, go }) => {
    await go('/docs')
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.modal-ux').waitFor()
  },
}

/** What a mail provider that wants proof of ownership answers. */
const PENDING = {
  success: true,
  domain: 'mail.customer.example',
  verified: true,
  mx: 'mx.mayfly.example',
  status: 'pending',
  private: true,
  records: [
    {
      type: 'MX',
      name: 'mail.customer.example',
      value: '10 mx.mayfly.example',
      purpose: 'Mail.',
      found: true,
    },
    {
      type: 'CNAME',
      name: `${'k'.repeat(50)}._domainkey.mail.customer.example`,
      value: 'x',
      purpose: 'Proof.',
      found: false,
    },
    { type: 'TXT', name: '_mayfly.mail.customer.example', value: 'key=', purpose: 'Optional.', found: true },
  ],
}

interface Visit {
  page: Page
  address: string
  go(path: string): Promise<unknown>
}

inBrowser('every page in every state', { MAYFLY_DOMAINS: 'mayfly.test,private.test=key' }, (stage) => {
  let key: string
  let address: string

  async function prepare({ service }: Stage): Promise<void> {
    if (key !== undefined) return
    key = await newKey(service)
    address = freshAddress()
    await sendMail(service.smtp, {
      to: address,
      subject: `A subject of many words ${'and-one-that-does-not-break'.repeat(4)}`,
      text: `Your code is 482913. See https://example.org/${'long/'.repeat(40)}`,
      html: '<p>Hello</p><img src="https://example.org/x.png" alt="">',
      attachments: [{ filename: `${'long-name-'.repeat(12)}.pdf`, content: 'x' }],
    })
    await sendMail(service.smtp, { to: address, subject: 'Hello', html: '<p>Hello</p>', text: 'code 739105' })
  }

  for (const [name, visit] of Object.entries(STATES)) {
    test(
      `${name}: axe-core finds nothing, light or dark, and nothing is cut off at 320 pixels`,
      async () => {
        await prepare(stage())
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await openWithKey(stage(), '/problems/', key)
          await page.emulateMedia({ colorScheme })
          await visit({ page, address, go: (path) => page.goto(stage().service.http + path) })
          expect(await accessibilityFaults(page)).toEqual([])
          await page.setViewportSize({ width: 320, height: 640 })
          expect(await accessibilityFaults(page)).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
          await page.context().close()
        }
      },
      PATIENCE_MS,
    )
  }

  test(
    'the inbox is used by keyboard alone',
    async () => {
      await prepare(stage())
      const page = await openWithKey(stage(), `/#${address}`, key)
      await page.locator('.row').first().waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
      expect(new URL(page.url()).hash).toBe(`#${address}`)

      // The page and its main part can have the focus too, and have every text.
      const focused = () =>
        page.evaluate(() => document.activeElement?.closest('a, button')?.textContent ?? '')
      /** The page moves the focus in its own time, which under load is not at once. */
      const focusReaches = async (text: string) => {
        for (let tries = 0; tries < 100 && (await focused()) !== text; tries++) await page.waitForTimeout(50)
        expect(await focused()).toBe(text)
      }
      const tabTo = async (text: string) => {
        for (let presses = 0; presses < 40 && !(await focused()).includes(text); presses++) {
          await page.keyboard.press('Tab')
        }
        expect(await focused()).toContain(text)
      }
      await tabTo('Hello')
      await page.keyboard.press('Enter')
      await page.getByRole('tab', { name: 'HTML' }).waitFor()
      await tabTo('HTML')
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tabpanel').getByText('code 739105').waitFor()
      await focusReaches('Text')
      await page.getByRole('button', { name: 'Delete', exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await focusReaches('Delete')
    },
    PATIENCE_MS,
  )
})
