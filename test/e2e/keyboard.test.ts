import { expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'

inBrowser('the inbox by keyboard', {}, (stage) => {
  test(
    'from the page to a copied code, an opened link and a deleted email',
    async () => {
      const address = freshAddress()
      const { smtp } = stage().service
      await sendMail(smtp, { to: address, subject: 'Older', text: 'nothing in it' })
      await sendMail(smtp, {
        to: address,
        subject: 'Sign up',
        text: 'Your code is 482913',
        html: '<p>Your code is 482913</p><a href="https://shop.example/confirm?t=1">Confirm your address</a>',
      })
      const page = await stage().open(`/#${address}`, { viewport: { width: 1440, height: 900 } })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.context().route('https://shop.example/**', (route) => route.fulfill({ body: 'confirmed' }))
      await page.locator('.row').nth(1).waitFor()
      const pressed: string[] = []
      const press = async (key: string) => {
        pressed.push(key)
        await page.keyboard.press(key)
      }
      await press('j')
      await press('Enter')
      await page.getByRole('heading', { name: 'Sign up' }).waitFor()
      await press('c')
      await page.getByText('Copied code 482913').waitFor({ state: 'attached' })
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('482913')
      expect(pressed.length).toBeLessThanOrEqual(12)

      const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('o')])
      expect(tab.url()).toBe('https://shop.example/confirm?t=1')
      // The page of the link must not have access to the inbox.
      expect(await tab.evaluate(() => globalThis.opener)).toBeNull()
      await tab.close()

      await page.keyboard.press('?')
      await page.getByRole('dialog').getByText('Open the action link').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await page.keyboard.press('j')
      await page.getByRole('heading', { name: 'Older' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('No email selected').waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === 'Older')
      await page.keyboard.press('#')
      await page.getByText('Deleting 1 email…').waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('ujk#')
      expect(await page.getByRole('searchbox').inputValue()).toBe('ujk#')
      // Escape leaves the field, so that letters are shortcuts again.
      await page.keyboard.press('Escape')
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    },
    PATIENCE_MS,
  )

  test(
    'combinations with Ctrl, Alt or the command key are left to the browser',
    async () => {
      const address = freshAddress()
      await sendMail(stage().service.smtp, { to: address, subject: 'Code', text: 'Your code is 482913' })
      const page = await stage().open(`/#${address}`)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.locator('.row').waitFor()
      await page.evaluate(() => navigator.clipboard.writeText('mine'))
      await page.keyboard.press('j')
      for (const combination of ['Control+c', 'Meta+c', 'Alt+c', 'Control+#'])
        await page.keyboard.press(combination)
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      expect(await page.locator('.row').count()).toBe(1)
      expect(await page.getByRole('log').count()).toBe(0)
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('mine')
    },
    PATIENCE_MS,
  )

  test(
    'announcements of the same moment are separate lines',
    async () => {
      const address = freshAddress()
      await sendMail(stage().service.smtp, { to: address, subject: 'Code', text: 'Your code is 482913' })
      const page = await stage().open(`/#${address}`)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.locator('.row').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('c')
      await page.getByText('Copied code 482913').waitFor({ state: 'attached' })
      await page.keyboard.press('o')
      await page.getByText('This email has no action link').waitFor({ state: 'attached' })
      expect(await page.getByRole('log').locator('p').allTextContents()).toEqual([
        'Copied code 482913',
        'This email has no action link',
      ])
    },
    PATIENCE_MS,
  )

  test(
    'the skip link moves past the navigation and keeps the place',
    async () => {
      const page = await stage().open(`/#${freshAddress()}`)
      await page.getByRole('heading', { name: 'Waiting for mail' }).waitFor()
      const { hash } = new URL(page.url())
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
      expect(new URL(page.url()).hash).toBe(hash)
    },
    PATIENCE_MS,
  )
})
