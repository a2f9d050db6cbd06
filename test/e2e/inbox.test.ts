import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, newKey, openWithKey, PATIENCE_MS } from './browser.ts'

const DOMAIN_KEY = 'open sesame/+&'

inBrowser('the inbox', { MAYFLY_DOMAINS: `mayfly.test,private.test=${DOMAIN_KEY}` }, (stage) => {
  const rows = (page: Page) => page.locator('.row')
  const live = (page: Page) => page.locator('[data-state="live"]').waitFor()
  const send = (to: string, mail: object) => sendMail(stage().service.smtp, { to, ...mail })

  test(
    'the whole story: an address, a mail, its code, gone',
    async () => {
      const page = await stage().open('/')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await live(page)
      await page.getByRole('button', { name: 'Copy address' }).click()
      const address = await clipboard(page)
      expect(address).toMatch(/^[a-z]+[0-9]+@mayfly\.test$/)
      expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#${address}`)
      expect(await page.getByRole('heading', { name: 'Waiting for mail' }).isVisible()).toBe(true)

      await page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }))
      await send(address, { subject: 'Confirm', text: 'Your verification code is 739105.' })
      await rows(page).waitFor()
      expect(await page.evaluate(() => 'neverReloaded' in globalThis)).toBe(true)
      await page.waitForFunction((title) => document.title === title, `(1) ${address} · Mayfly`)
      expect(await rows(page).getAttribute('data-unread')).toBe('true')

      await page.getByRole('button', { name: 'Copy code 739105' }).click()
      expect(await clipboard(page)).toBe('739105')

      await page.getByRole('link', { name: /Confirm/ }).click()
      await page.getByText('Your verification code is 739105.').last().waitFor()
      await page.waitForFunction(() => !document.title.startsWith('('))

      // Without a key there is nothing to delete with: the page offers one.
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Generate a key' }).click()
      await page.getByText('Copy your key now.').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('tab', { name: 'Source' }).waitFor()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor()
      const left = await fetch(`${stage().service.http}/api/public/emails/${address}`)
      expect(((await left.json()) as { emails: unknown[] }).emails).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'a link to an inbox, and to a mail in it, opens just that',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'First', text: 'one' })
      await send(address, { subject: 'Second', text: 'two' })
      const page = await stage().open(`/#${address}`)
      await rows(page).nth(1).waitFor()
      expect(await rows(page).locator('.subject').allTextContents()).toEqual([
        'Unread: Second',
        'Unread: First',
      ])
      await rows(page).nth(1).locator('.subject').click()
      await page.getByRole('heading', { name: 'First' }).waitFor()

      const other = await stage().open(new URL(page.url()).hash.replace(/^/, '/'))
      await other.getByRole('heading', { name: 'First' }).waitFor()
      await page.goBack()
      await page.getByText('Choose a mail to read it.').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'username and domain can be changed, by hand or at random',
    async () => {
      const page = await stage().open('/')
      await live(page)
      await page.getByLabel('Username').fill('Someone.Else+tag')
      await page.getByLabel('Username').press('Enter')
      await page.waitForURL(/#someone\.else\+tag@mayfly\.test$/)
      await page.getByLabel('Username').fill('pasted@mayfly.test')
      await page.getByLabel('Username').press('Enter')
      await page.waitForURL(/#pasted@mayfly\.test$/)
      await page.getByRole('button', { name: 'New address' }).click()
      await page.waitForURL(/#[a-z]+[0-9]+@mayfly\.test$/)
      await page.getByLabel('Domain').selectOption('private.test')
      await page.waitForURL(/#[a-z]+[0-9]+@private\.test$/)
      await page.getByRole('heading', { name: 'private.test is private' }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'search finds by sender, subject, text and code',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'Invoice', text: 'November', from: 'Billing <billing@acme.example>' })
      await send(address, { subject: 'Hello', text: 'Your code is 482913' })
      const page = await stage().open(`/#${address}`)
      await rows(page).nth(1).waitFor()
      for (const [words, subject] of [
        ['acme', 'Invoice'],
        ['hell', 'Hello'],
        ['november invoice', 'Invoice'],
        ['482913', 'Hello'],
      ] as const) {
        await page.getByRole('searchbox').fill(words)
        await page.getByText('1 of 2 mails').waitFor()
        expect(await rows(page).locator('.subject').textContent()).toContain(subject)
      }
      await page.getByRole('searchbox').fill('nothing like it')
      await page.getByText('No mail has these words.').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'with a key: HTML, inline images, attachments, headers, source, and all deleted',
    async () => {
      const address = freshAddress()
      const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
      await send(address, {
        subject: 'Rich',
        text: 'plain part',
        html: '<p style="color:rgb(1,2,3)">html part</p><img src="cid:dot@x" alt="dot">',
        attachments: [
          { filename: 'dot.gif', content: pixel, cid: 'dot@x' },
          { filename: 'Ünïcode "name".txt', content: 'attached' },
        ],
      })
      const page = await openWithKey(stage(), `/#${address}`, await newKey(stage().service))
      await rows(page).locator('.subject').click()
      const mail = page.frameLocator('iframe.mail-frame').frameLocator('iframe')
      await mail.getByText('html part').waitFor()
      const colour = await mail.getByText('html part').evaluate((element) => getComputedStyle(element).color)
      expect(colour).toBe('rgb(1, 2, 3)')
      await mail.locator('img[src^="data:image/gif"]').waitFor()

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /Download .*Ünïcode/ }).click(),
      ])
      expect(download.suggestedFilename()).toContain('Ünïcode')
      await page.getByRole('tab', { name: 'Text' }).click()
      await page.getByRole('tabpanel').getByText('plain part').waitFor()
      await page.getByRole('tab', { name: 'Headers' }).click()
      await page.getByRole('rowheader', { name: 'Envelope to' }).waitFor()
      await page.getByRole('tab', { name: 'Source' }).click()
      await page.getByRole('tabpanel').getByText('Subject: Rich').waitFor()

      // The service knows that it was read.
      const again = await stage().open(`/#${address}`)
      await rows(again).waitFor()
      expect(await rows(again).getAttribute('data-unread')).toBe('false')

      await page.getByRole('button', { name: 'Delete all' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
      await page.getByText('No mail here any more.').waitFor()
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
      await page.getByText('This is not the key of this private domain.').waitFor()
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
    'a domain that is not registered leads to what it needs',
    async () => {
      const page = await stage().open('/#someone@nowhere.example')
      await page.getByText('The domain is not registered here').waitFor()
      expect(await page.getByText(/^Request /).isVisible()).toBe(true)
      expect(await page.getByRole('link', { name: /nowhere\.example needs/ }).getAttribute('href')).toBe(
        '/domains#nowhere.example',
      )
    },
    PATIENCE_MS,
  )

  test(
    'a key that is not valid is said so, beside the mail that needs none',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'Public', text: 'readable all the same' })
      const page = await openWithKey(stage(), `/#${address}`, 'mf_of_nobody')
      await rows(page).locator('.subject').click()
      await page.getByText('The API key is not known').waitFor()
      expect(await page.locator('.text-body').textContent()).toContain('readable all the same')
      await page.getByRole('button', { name: 'Change the key' }).click()
      await page.getByRole('button', { name: 'Forget it here' }).click()
      await page.getByLabel('Enter a key').waitFor()
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
          constructor(title: string) {
            shown.push(title)
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
})

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}
