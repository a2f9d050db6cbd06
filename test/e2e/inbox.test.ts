import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, newKey, openWithKey, PATIENCE_MS } from './browser.ts'

const DOMAIN_KEY = 'open sesame/+&'
const WIDE = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 } }

inBrowser('the inbox', { MAYFLY_DOMAINS: `mayfly.test,private.test=${DOMAIN_KEY}` }, (stage) => {
  let key: string | undefined
  /** A page with a key that these tests share: a client address gets five a day. */
  const openKeyed = async (path: string, options = {}) => {
    key ??= await newKey(stage().service)
    return openWithKey(stage(), path, key, options)
  }
  const rows = (page: Page) => page.locator('.row')
  const subjects = (page: Page) => rows(page).locator('.subject').allTextContents()
  const live = (page: Page) => page.locator('[data-state="live"]').waitFor()
  const send = (to: string, mail: object) => sendMail(stage().service.smtp, { to, ...mail })
  const title = (page: Page, text: string) => page.getByRole('heading', { name: text, exact: true }).waitFor()

  test(
    'the whole story: an address, a mail, its code, gone; the key comes by itself',
    async () => {
      const page = await stage().open('/')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await live(page)
      await page.getByRole('button', { name: 'Copy address' }).click()
      const address = await clipboard(page)
      expect(address).toMatch(/^[a-z]+[0-9]+@mayfly\.test$/)
      expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#${address}`)

      await page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }))
      await page.getByRole('button', { name: 'Send a test mail' }).click()
      await rows(page).waitFor()
      expect(await page.evaluate(() => 'neverReloaded' in globalThis)).toBe(true)
      await page.waitForFunction((text) => document.title === text, `(1) ${address} · Mayfly`)
      expect(await rows(page).getAttribute('data-unread')).toBe('true')

      const copy = page.getByRole('button', { name: /^Copy code \d{6}$/ })
      const code = (await copy.getAttribute('aria-label'))!.slice('Copy code '.length)
      await copy.click()
      expect(await clipboard(page)).toBe(code)

      await page.getByRole('link', { name: /verification code/ }).click()
      await title(page, 'Your verification code')
      await page.waitForFunction(() => document.activeElement?.tagName === 'H2')
      await page.waitForFunction(() => !document.title.startsWith('('))
      await page.getByText('Took a key for you').waitFor()
      expect(
        await page.getByRole('link', { name: 'Confirm your address' }).first().getAttribute('href'),
      ).toBe(`https://mayfly.example/confirm?code=${code}`)

      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor()
      // Whoever leaves at once has deleted it all the same.
      await page.goto(`${stage().service.http}/keys`)
      for (let left = [{}]; left.length > 0; ) left = await emailsOf(address)
    },
    PATIENCE_MS,
  )

  test(
    'the address of before is there again, and those before it are at hand',
    async () => {
      const page = await stage().open('/')
      await live(page)
      const first = decodeURIComponent(new URL(page.url()).hash.slice(1))
      await page.getByRole('link', { name: 'Keys' }).click()
      await page.getByRole('link', { name: 'Inbox' }).click()
      await live(page)
      expect(decodeURIComponent(new URL(page.url()).hash.slice(1))).toBe(first)
      await page.getByRole('button', { name: /^New/ }).click()
      await page.waitForFunction((old) => !location.hash.includes(old), first)
      await page.getByRole('button', { name: 'Recent addresses' }).click()
      await page.getByRole('button', { name: first, exact: true }).click()
      await page.waitForURL(new RegExp(`#${first.replace('.', '\\.')}$`))
    },
    PATIENCE_MS,
  )

  test(
    'a name that was just typed can be copied at once; whole addresses can be pasted',
    async () => {
      const page = await stage().open('/')
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
      await page.getByRole('heading', { name: 'private.test is private' }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'a mail opens at its top and in sight, whichever it is, and the list stays where it was',
    async () => {
      const address = freshAddress()
      for (let i = 0; i < 18; i++) await send(address, { subject: `Mail ${i}`, text: 'line\n'.repeat(200) })
      const page = await openKeyed(`/#${address}`, WIDE)
      await rows(page).nth(12).scrollIntoViewIfNeeded()
      await rows(page).filter({ hasText: 'Mail 5' }).locator('.subject').click()
      await title(page, 'Mail 5')
      const top = (await page.getByRole('heading', { name: 'Mail 5' }).boundingBox())!.y
      expect(top).toBeGreaterThan(0)
      expect(top).toBeLessThan(400)
      await page.locator('.mail-pane').evaluate((pane) => pane.scrollTo(0, 2000))
      expect(await rows(page).filter({ hasText: 'Mail 5' }).isVisible()).toBe(true)
      await page.keyboard.press('j')
      await title(page, 'Mail 4')
      expect(await page.locator('.mail-pane').evaluate((pane) => pane.scrollTop)).toBe(0)

      // On a phone the list and the mail are two views, with a way back.
      const phone = await openKeyed(new URL(page.url()).hash.replace(/^/, '/'), PHONE)
      await title(phone, 'Mail 4')
      expect(await phone.locator('.mail-list').isVisible()).toBe(false)
      await phone.getByRole('button', { name: 'All mails' }).click()
      await rows(phone).first().waitFor()
      expect(await phone.locator('.mail-pane').isVisible()).toBe(false)
    },
    PATIENCE_MS,
  )

  test(
    'search looks through the whole box, and counts are honest',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'The needle', text: 'November', from: 'Billing <billing@acme.example>' })
      for (let i = 0; i < 130; i += 10) {
        await Promise.all(Array.from({ length: 10 }, () => send(address, { subject: 'Hay', text: 'x' })))
      }
      await send(address, { subject: 'Hello', text: 'Your code is 482913' })
      const page = await openKeyed(`/#${address}`, WIDE)
      await page.getByText(/^100\+ mails, \d+\+ unread$/).waitFor()
      // Only those in sight are drawn.
      expect(await rows(page).count()).toBeLessThan(40)
      for (const [words, subject] of [
        ['billing@acme', 'The needle'],
        ['needle', 'The needle'],
        ['november', 'The needle'],
        ['482913', 'Hello'],
      ] as const) {
        await page.getByRole('searchbox').fill(words)
        await page.getByText('1 mail found').waitFor()
        expect((await subjects(page))[0]).toContain(subject)
      }
      await page.getByRole('searchbox').fill('nothing like it')
      await page.getByText('No mail in this inbox has these words.').waitFor()
      await page.getByRole('searchbox').fill('hay')
      await page.getByText('100+ mails found').waitFor()
      await page.getByRole('searchbox').fill('')
      await page.locator('.rows').evaluate((list) => list.scrollTo(0, list.scrollHeight))
      await page.getByText(/^132 mails, \d+ unread$/).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'HTML, inline images, attachments, headers, sources, and what can be taken along',
    async () => {
      const address = freshAddress()
      const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
      await send(address, {
        subject: 'Rich',
        text: 'plain part https://example.org/a?b=1. And on.',
        html: `<html dir="rtl" lang="he"><p style="color:rgb(1,2,3)">html part</p><img src="cid:dot@x" alt="dot">${'<p>long</p>'.repeat(60)}</html>`,
        attachments: [
          { filename: 'dot.gif', content: pixel, cid: 'dot@x' },
          { filename: 'Ünïcode "name".txt', content: 'attached' },
        ],
      })
      const page = await openKeyed(`/#${address}`)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await rows(page).locator('.subject').click()
      const mail = page.frameLocator('iframe.mail-frame').frameLocator('iframe')
      await mail.getByText('html part').waitFor()
      const colour = await mail.getByText('html part').evaluate((element) => getComputedStyle(element).color)
      expect(colour).toBe('rgb(1, 2, 3)')
      await mail.locator('img[src^="data:image/gif"]').waitFor()
      const root = await mail.locator('html').evaluate(({ dir, lang }: HTMLElement) => ({ dir, lang }))
      expect(root).toEqual({ dir: 'rtl', lang: 'he' })
      // The frame is as high as its mail: nothing in it scrolls.
      await page.waitForFunction(() => document.querySelector('.mail-frame')!.clientHeight > 1500)
      expect(await mail.locator('html').evaluate((html) => html.scrollHeight - html.clientHeight)).toBe(0)
      await page.getByRole('button', { name: 'As wide as a phone' }).click()
      await page.waitForFunction(() => document.querySelector('.mail-frame')!.clientWidth <= 375)

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /Download .*Ünïcode/ }).click(),
      ])
      expect(download.suggestedFilename()).toContain('Ünïcode')
      await page.getByRole('tab', { name: 'Text' }).click()
      const link = page.getByRole('tabpanel').getByRole('link')
      expect(await link.getAttribute('href')).toBe('https://example.org/a?b=1')
      await page.getByRole('tab', { name: 'HTML source' }).click()
      await page.getByRole('tabpanel').getByText('<html dir="rtl"').waitFor()
      await page.getByRole('tab', { name: 'Headers' }).click()
      await page.getByRole('rowheader', { name: 'Envelope to' }).waitFor()
      await page.getByRole('tab', { name: 'Source', exact: true }).click()
      await page.getByRole('tabpanel').getByText('Subject: Rich').waitFor()
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('button', { name: 'Copy as assertion' }).click()
      expect(await clipboard(page)).toContain('waitForMail({ subject: "Rich" })')

      // The service knows that it was read.
      const again = await openKeyed(`/#${address}`)
      await rows(again).waitFor()
      expect(await rows(again).getAttribute('data-unread')).toBe('false')

      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Open in a new tab' }).click(),
      ])
      await tab.frameLocator('iframe.mail-frame').frameLocator('iframe').getByText('html part').waitFor()
      expect(await tab.locator('header.site').isVisible()).toBe(false)
    },
    PATIENCE_MS,
  )

  test(
    'deleting one leads to the next, deleting several and all can be undone',
    async () => {
      const address = freshAddress()
      for (const subject of ['One', 'Two', 'Three', 'Four']) await send(address, { subject, text: 'x' })
      const page = await openKeyed(`/#${address}`, WIDE)
      await rows(page).filter({ hasText: 'Three' }).locator('.subject').click()
      await title(page, 'Three')
      await page.keyboard.press('#')
      await title(page, 'Two')
      await page.getByText('1 mail deleted.').waitFor()
      await page.keyboard.press('u')
      await rows(page).filter({ hasText: 'Three' }).waitFor()

      await page.getByLabel('Select One').check({ force: true })
      await page.getByLabel('Select Three').click({ force: true, modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
      await page.getByRole('button', { name: 'Delete selected' }).click()
      await page.getByText('3 mails deleted.').waitFor()
      await title(page, 'Four')
      expect(await subjects(page)).toHaveLength(1)
      await page.getByRole('button', { name: 'Undo' }).click()
      await rows(page).nth(3).waitFor()

      await page.getByRole('button', { name: 'Mark all as read' }).click()
      await page.getByText(/^4 mails$/).waitFor()
      await page.getByRole('button', { name: 'Delete all' }).click()
      await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor()
      expect(await emailsOf(address)).toHaveLength(4)
      for (let left = [{}]; left.length > 0; ) left = await emailsOf(address)
    },
    PATIENCE_MS,
  )

  test(
    'a private domain asks for its key, keeps it out of the URL, and is then live',
    async () => {
      const address = freshAddress('private.test')
      await send(address, { subject: 'Secret', text: 'for few' })
      const page = await stage().open(`/#${address}`)
      await page.getByLabel('Domain key').fill('wrong')
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('This is not the key of the domain').waitFor()
      await page.getByLabel('Domain key').fill(DOMAIN_KEY)
      await page.getByRole('button', { name: 'Open' }).click()
      await rows(page).waitFor()
      await live(page)
      await send(address, { subject: 'Another', text: 'for few' })
      await rows(page).nth(1).waitFor()
      expect(decodeURIComponent(page.url())).not.toContain('sesame')
      await page.reload()
      await rows(page).nth(1).waitFor()

      const stranger = await stage().open(new URL(page.url()).hash.replace(/^/, '/'))
      await stranger.getByLabel('Domain key').waitFor()
      expect(await rows(stranger).count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'a domain that is not registered leads to what it needs, in words for people',
    async () => {
      const page = await stage().open('/#someone@nowhere.example')
      await page.getByText('Mail for this domain does not arrive here').waitFor()
      expect(await page.locator('.problem').textContent()).not.toMatch(/GET|POST|\/api\//)
      expect(await page.getByRole('link', { name: /nowhere\.example needs/ }).getAttribute('href')).toBe(
        '/domains#nowhere.example',
      )
    },
    PATIENCE_MS,
  )

  test(
    'a key that is not valid any more is replaced; where none can be had, the text is there all the same',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'Public', text: `readable all the same ${'x'.repeat(300)} to its end` })
      const page = await openWithKey(stage(), `/#${address}`, `mf_${'0'.repeat(38)}`)
      await rows(page).locator('.subject').click()
      await page.getByRole('tab', { name: 'Headers' }).waitFor()

      const refused = await stage().open('/keys')
      await refused.route('**/api/keys', (route) =>
        route.fulfill({
          status: 429,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'key_quota_exceeded', title: '', detail: '', request_id: 'x' }),
        }),
      )
      await refused.goto(`${stage().service.http}/#${address}`)
      await rows(refused).locator('.subject').click()
      await refused.getByText('to its end').waitFor()
      await refused.getByText('No more keys for your network today').waitFor()
      await refused.getByRole('button', { name: 'Enter a key' }).click()
      await refused.getByLabel('Enter a key').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'who asks to be notified is, while looking elsewhere',
    async () => {
      const page = await stage().open('/')
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
      await page.getByRole('switch', { name: /Notify me/ }).click()
      await page.locator('[role="switch"][aria-checked="true"]').waitFor()
      await send(address, { subject: 'After', text: 'x' })
      await rows(page).nth(1).waitFor()
      expect(await page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)).toEqual([
        'After',
      ])
    },
    PATIENCE_MS,
  )

  async function emailsOf(address: string): Promise<object[]> {
    const answer = await fetch(`${stage().service.http}/api/public/emails/${address}`)
    return ((await answer.json()) as { emails: object[] }).emails
  }
})

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}
