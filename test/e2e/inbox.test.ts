import { expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import {
  clipboard,
  emailsOf,
  live,
  mailDocument,
  openMail,
  PHONE,
  row,
  rows,
  title,
  WIDE,
} from './inbox-steps.ts'
import { perceived } from './states.ts'

const DOMAIN_KEY = 'open sesame/+&'

inBrowser('the inbox', { MAYFLY_DOMAINS: `mayfly.test,private.test=${DOMAIN_KEY}` }, (stage) => {
  const send = (to: string, mail: object) => sendMail(stage().service.smtp, { to, ...mail })

  test(
    'without a reload or an API key: an address, an email, its code, and its deletion',
    async () => {
      const page = await stage().open('/#new')
      const keyRequests: string[] = []
      page.on(
        'request',
        (request) =>
          request.url().endsWith('/api/keys') && page.url().includes('#') && keyRequests.push(request.url()),
      )
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await live(page)
      await page.getByRole('button', { name: 'Copy address' }).click()
      const address = await clipboard(page)
      expect(address).toMatch(/^[a-z]+[0-9]+@mayfly\.test$/)
      expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#${address}`)

      await page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }))
      await page.getByRole('button', { name: 'Send a test email' }).click()
      await rows(page).waitFor()
      expect(await page.evaluate(() => 'neverReloaded' in globalThis)).toBe(true)
      await page.waitForFunction((text) => document.title === text, `(1) ${address} · Mayfly`)
      expect(await page.locator('link[rel="icon"]').getAttribute('href')).toContain('%3E1%3C')
      expect(await rows(page).getAttribute('data-unread')).toBe('true')

      const copy = page.getByRole('button', { name: /^Copy code \d{6}$/ })
      const code = (await copy.getAttribute('aria-label'))?.slice('Copy code '.length)
      await copy.click()
      expect(await clipboard(page)).toBe(code)

      await page.getByRole('link', { name: /verification code/ }).click()
      await title(page, 'Your verification code')
      await page.waitForFunction(() => document.activeElement?.matches('section.mail'))
      await page.waitForFunction(() => !document.title.startsWith('('))
      expect(await page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/assets\/icon-\w+\.svg$/)
      await page.getByRole('tab', { name: 'Headers' }).waitFor()
      expect(
        await page.getByRole('link', { name: 'Confirm your address' }).first().getAttribute('href'),
      ).toBe(`https://mayfly.example/confirm?code=${code}`)

      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await title(page, 'Waiting for email')
      expect(keyRequests).toEqual([])
      // The page sends its pending deletions before it is left.
      await page.goto(`${stage().service.http}/keys`)
      for (let left = [{}]; left.length > 0; ) left = await emailsOf(stage().service.http, address)
    },
    PATIENCE_MS,
  )

  test(
    'an empty inbox shows the URLs for SDKs of mail providers',
    async () => {
      const page = await stage().open('/#new')
      await live(page)
      const { http } = stage().service
      await page.getByText(`AWS_ENDPOINT_URL_SESV2=${http}/ses`).waitFor()
      await page.getByText(`RESEND_BASE_URL=${http}/resend`).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'the pages begin with all mail, and earlier addresses are in a menu',
    async () => {
      const page = await stage().open('/#new')
      await live(page)
      const first = decodeURIComponent(new URL(page.url()).hash.slice(1))
      await page.getByRole('link', { name: 'API keys' }).first().click()
      await page.getByRole('link', { name: 'Inbox' }).click()
      await live(page)
      // On the operator's own machine, the pages begin with all mail.
      expect(new URL(page.url()).hash).toBe('#@')
      await page.goto(`${stage().service.http}/#${first}`)
      await page.getByRole('button', { name: 'New address' }).click()
      await page.waitForFunction((old) => !location.hash.includes(old), first)
      await page.getByRole('button', { name: 'Recent addresses' }).click()
      await page.getByRole('button', { name: first, exact: true }).click()
      await page.waitForURL(new RegExp(`#${first.replace('.', '\\.')}$`))
    },
    PATIENCE_MS,
  )

  test(
    'text that was just typed can be copied, and whole addresses can be pasted',
    async () => {
      const page = await stage().open('/#new')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await live(page)
      await page.getByLabel('Username').evaluate((field) => Object.assign(field, { same: true }))
      await page.getByLabel('Username').fill('Someone.Else+tag')
      await page.getByRole('button', { name: 'Copy address' }).click()
      await page.waitForURL(/#someone\.else\+tag@mayfly\.test$/)
      expect(await clipboard(page)).toBe('someone.else+tag@mayfly.test')
      expect(await page.getByLabel('Username').evaluate((field) => 'same' in field)).toBe(true)
      await page.getByLabel('Username').fill('mailto:Pasted@mayfly.test')
      await page.getByLabel('Username').press('Enter')
      await page.waitForURL(/#pasted@mayfly\.test$/)
      await page.getByLabel('Domain').selectOption('private.test')
      await page.waitForURL(/#pasted@private\.test$/)
      await title(page, 'private.test is private')
    },
    PATIENCE_MS,
  )

  test(
    'a typing error is marked in the field, and neither it nor an unknown domain is remembered',
    async () => {
      const page = await stage().open('/#new')
      await live(page)
      const { hash } = new URL(page.url())
      await page.getByLabel('Username').fill('bad name!!')
      await page.getByLabel('Username').press('Enter')
      await page.getByText('An address contains no spaces.').waitFor()
      expect(await page.getByLabel('Username').getAttribute('aria-invalid')).toBe('true')
      expect(new URL(page.url()).hash).toBe(hash)
      await page.getByLabel('Username').fill('x@unknown.example')
      await page.getByLabel('Username').press('Enter')
      await page.getByText('This service does not accept mail for that domain').waitFor()
      expect(await page.getByLabel('Domain').inputValue()).toBe('unknown.example')
      await page.goto(`${stage().service.http}/keys`)
      await page.goto(`${stage().service.http}/${hash}`)
      await live(page)
      const recent = await page.evaluate(() => localStorage.getItem('mayfly.recent'))
      expect(recent).not.toMatch(/unknown|bad/)
    },
    PATIENCE_MS,
  )

  test(
    'the first screen shows no API key, although the browser has one',
    async () => {
      const page = await stage().open('/keys')
      await page.evaluate(() => localStorage.setItem('mayfly.api-key', 'mf_visible'))
      await page.goto(`${stage().service.http}/#${freshAddress()}`)
      await title(page, 'Waiting for email')
      await page.getByText('.key)').waitFor()
      expect(await page.locator('body').textContent()).not.toContain('mf_visible')
    },
    PATIENCE_MS,
  )

  test(
    'on a phone the list and the email are two views, and Back leaves the inbox',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'Only one', text: 'x' })
      const page = await stage().open('/keys', PHONE)
      await page.goto(`${stage().service.http}/#${address}`)
      await openMail(page, 'Only one')
      expect(await page.locator('.mail-list').isVisible()).toBe(false)
      const entries = await page.evaluate(() => history.length)
      await page.getByRole('button', { name: 'All emails' }).click()
      await rows(page).first().waitFor()
      expect(await page.locator('.mail-pane').isVisible()).toBe(false)
      expect(await page.evaluate(() => history.length)).toBe(entries)
      await page.goBack()
      await page.waitForURL(/\/keys$/)

      // After a deletion one continues in the list.
      await send(address, { subject: 'Another', text: 'x' })
      await page.goForward()
      await openMail(page, 'Another')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('1 email deleted.').waitFor()
      await row(page, 'Only one').waitFor()
      expect(await page.locator('.mail-pane').isVisible()).toBe(false)
    },
    PATIENCE_MS,
  )

  test(
    'a private domain asks for its key, keeps it out of the URL, and passes it to a new tab',
    async () => {
      const address = freshAddress('private.test')
      await send(address, { subject: 'Secret', text: 'for few', html: '<p>for few</p>' })
      const page = await stage().open(`/#${address}`, WIDE)
      await page.waitForFunction(() => document.activeElement?.id === 'domain-key')
      await page.getByLabel('Domain key').fill('wrong')
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('Wrong domain key').waitFor()
      expect(await perceived(page, 'form.card')).toMatchSnapshot()
      await page.getByLabel('Domain key').fill(DOMAIN_KEY)
      await page.getByRole('button', { name: 'Open' }).click()
      await rows(page).waitFor()
      await live(page)
      await send(address, { subject: 'Another', text: 'for few' })
      await rows(page).nth(1).waitFor()
      expect(decodeURIComponent(page.url())).not.toContain('sesame')
      await page.reload()
      await openMail(page, 'Secret')
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Open in a new tab' }).click(),
      ])
      await mailDocument(tab).getByText('for few').waitFor()

      const stranger = await stage().open(new URL(tab.url()).hash.replace(/^/, '/'))
      await stranger.getByLabel('Domain key').fill(DOMAIN_KEY)
      await stranger.getByRole('button', { name: 'Open' }).click()
      await mailDocument(stranger).getByText('for few').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'an unknown domain is explained in one line with a link to its setup',
    async () => {
      const page = await stage().open('/#someone@nowhere.example')
      await page.getByText('This service does not accept mail for that domain').waitFor()
      expect(await page.locator('.problem').textContent()).not.toMatch(/GET|POST|\/api\/|Request/)
      expect(await page.getByRole('link', { name: 'Set up nowhere.example' }).getAttribute('href')).toBe(
        '/domains#nowhere.example',
      )
    },
    PATIENCE_MS,
  )

  test(
    'a session that the service does not know is replaced; without one the text is still readable',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'Public', text: `readable ${'x'.repeat(300)} to its end` })
      const page = await stage().open('/keys')
      await page.evaluate(() => localStorage.setItem('mayfly.session-ends', String(Date.now() + 1e7)))
      await page.goto(`${stage().service.http}/#${address}`)
      await openMail(page, 'Public')
      await page.getByRole('tab', { name: 'Headers' }).waitFor()

      const refused = await stage().open('/keys')
      await refused.route('**/api/session', (route) =>
        route.fulfill({
          status: 429,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'rate_limited', title: '', detail: '', request_id: 'x' }),
        }),
      )
      await refused.goto(`${stage().service.http}/#${address}`)
      await row(refused, 'Public').locator('.subject').click()
      await refused.getByText('to its end').waitFor()
      await refused.getByText('Too many requests').waitFor()
      // The explanation is visible above the text.
      const explanation = await refused.locator('.mail .problem').boundingBox()
      const text = await refused.getByText('to its end').boundingBox()
      expect(explanation?.y).toBeLessThan(text?.y ?? 0)
    },
    PATIENCE_MS,
  )

  test(
    'notifications stay on, or off, when the page is loaded again',
    async () => {
      const page = await stage().open('/#new')
      await page.addInitScript(() => {
        const Granted = { permission: 'granted', requestPermission: async () => 'granted' }
        Object.assign(globalThis, { Notification: Granted })
      })
      for (const isOn of [true, false]) {
        await page.reload()
        await page.locator(`[role="switch"][aria-checked="${!isOn}"]`).click()
        await page.locator(`[role="switch"][aria-checked="${isOn}"]`).waitFor()
        await page.reload()
        await page.locator(`[role="switch"][aria-checked="${isOn}"]`).waitFor()
      }
    },
    PATIENCE_MS,
  )

  test(
    'notifications are shown while the page is hidden',
    async () => {
      const page = await stage().open('/#new')
      await page.context().grantPermissions(['notifications'])
      await live(page)
      await page.evaluate(() => {
        const shown: string[] = []
        class Recorded {
          static permission = 'granted'
          static requestPermission = async () => 'granted'
          constructor(text: string) {
            shown.push(text)
          }
        }
        Object.assign(globalThis, { Notification: Recorded, shown })
        Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
      })
      const address = decodeURIComponent(new URL(page.url()).hash.slice(1))
      await send(address, { subject: 'Before', text: 'x' })
      await rows(page).waitFor()
      await page.getByTitle('Turn desktop notifications on').click()
      await page.locator('[role="switch"][aria-checked="true"]').waitFor()
      await send(address, { subject: 'After', text: 'x' })
      await rows(page).nth(1).waitFor()
      // Screen readers hear of each.
      for (const subject of ['Before', 'After']) {
        await page
          .getByRole('log')
          .getByText(`New email from Sender <sender@example.org>: ${subject}`)
          .waitFor({ state: 'attached' })
      }
      await page.getByTitle('Turn desktop notifications off').click()
      await page.locator('[role="switch"][aria-checked="false"]').waitFor()
      await send(address, { subject: 'Later', text: 'x' })
      await rows(page).nth(2).waitFor()
      expect(await page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)).toEqual([
        'After',
      ])
    },
    PATIENCE_MS,
  )
})
