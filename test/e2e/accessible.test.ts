import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, newKey, openWithKey, PATIENCE_MS, type Stage } from './browser.ts'
import { holdUndo } from './inbox-steps.ts'

/** Each state of each page, and the way to it. */
const STATES: Record<string, (visit: Visit) => Promise<void>> = {
  'all mail': async ({ page, go }) => {
    await go('/')
    await page.locator('.row').first().waitFor()
    await page.locator('[data-state="live"]').waitFor()
  },
  'an empty inbox': async ({ page, go }) => {
    await go('/#new')
    await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
    await page.locator('[data-state="live"]').waitFor()
  },
  'a list of emails': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row').first().waitFor()
  },
  'an email': async ({ page, go, address }) => {
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
    await page.getByRole('tab', { name: 'Source', exact: true }).click()
    await page.getByText('Save as .eml').waitFor()
  },
  'some emails selected': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.getByLabel('Select Hello').check({ force: true })
    await page.getByText('1 selected').waitFor()
  },
  'a deletion that can be undone': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row').first().waitFor()
    await holdUndo(page)
    await page.getByRole('button', { name: 'Delete all' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.row').first().waitFor()
  },
  'the tools of an email': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row .subject').first().click()
    await page.locator('.mail-head summary').click()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
  },
  'the keyboard shortcuts': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
  },
  'the HTML check': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row .subject').first().click()
    await page.getByRole('tab', { name: 'HTML check' }).click()
    await page.locator('.score').waitFor()
  },
  'its links': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row .subject').last().click()
    await page.getByRole('tab', { name: /Links/ }).click()
  },
  'the code for a test': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.locator('.row .subject').first().click()
    await page.getByRole('button', { name: 'Use in a test' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'the shared link': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.getByRole('button', { name: 'Share this inbox' }).click()
    await page.locator('.qr').waitFor()
  },
  'an email in its own tab': async ({ page, go, address }) => {
    await go(`/#${address}`)
    const path = await page.locator('.row .subject').first().getAttribute('href')
    await go(`/${path}/alone`)
    await page.getByRole('tab', { name: 'Headers' }).waitFor()
  },
  'a search without a match': async ({ page, go, address }) => {
    await go(`/#${address}`)
    await page.getByRole('searchbox').fill('has:attachment nothing')
    await page.getByText(/^No email matches/).waitFor()
  },
  'a typing error in the address': async ({ page, go }) => {
    await go('/#new')
    await page.getByLabel('Username').fill('bad name')
    await page.getByLabel('Username').press('Enter')
    await page.locator('.fine.bad').waitFor()
  },
  'a private domain': async ({ page, go }) => {
    await go('/#x@private.test')
    await page.getByLabel('Domain key').fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('.fine.bad').waitFor()
  },
  'a domain that is not here': async ({ page, go }) => {
    await go('/#x@nowhere.example')
    await page.locator('.problem').waitFor()
  },
  'the keys page with a key looked up': async ({ page, go }) => {
    await go('/keys')
    await page.getByRole('button', { name: /Look up the key saved in this browser/ }).click()
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
    await page.locator('.highlight').waitFor()
  },
  'the API documentation with an open operation': async ({ page, go }) => {
    await go('/docs#waitForEmail')
    await page.getByRole('tab', { name: 'curl' }).waitFor()
  },
  'the webhooks of a key': async ({ page, go }) => {
    await go('/webhooks')
    await page.getByText('This API key has no webhooks yet.').waitFor()
  },
  'a page that does not exist': async ({ go }) => {
    await go('/nope')
  },
}

/** The answer if the mail provider requires a proof of ownership. */
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

/**
 * The parts that break a rule which axe-core does not check: a tab or a menu names the panel that it opens, Tab reaches
 * the selected tab only, and what scrolls or is a panel is reached by keyboard.
 */
function patternFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const opened = (control: Element) => document.getElementById(control.getAttribute('aria-controls') ?? '')
    const RULES: [selector: string, isRight: (element: HTMLElement) => boolean][] = [
      ['[role="tab"]', (tab) => opened(tab)?.role === 'tabpanel'],
      ['[role="tab"]', (tab) => tab.tabIndex === (tab.ariaSelected === 'true' ? 0 : -1)],
      ['button[aria-expanded]', (button) => opened(button) !== null],
      ['[role="tabpanel"], .operation pre', (panel) => panel.tabIndex === 0],
    ]
    return RULES.flatMap(([selector, isRight]) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((element) => !isRight(element))
        .map((element) => element.outerHTML.slice(0, 120)),
    )
  })
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
      `${name}: axe-core finds nothing in light and wide or dark and narrow, and 320 pixels are wide enough`,
      async () => {
        await prepare(stage())
        const page = await openWithKey(stage(), '/problems/', key)
        await visit({ page, address, go: (path) => page.goto(stage().service.http + path) })
        expect(await accessibilityFaults(page)).toEqual([])
        expect(await patternFaults(page)).toEqual([])
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.setViewportSize({ width: 320, height: 640 })
        expect(await accessibilityFaults(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      },
      PATIENCE_MS,
    )
  }
})
