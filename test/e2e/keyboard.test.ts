import { expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'

inBrowser('the inbox by keyboard', {}, (stage) => {
  test(
    'from the page to a copied code, an opened link and a deleted mail',
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
      const page = await stage().open(`/#${address}`)
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
      expect(pressed.length).toBeLessThan(15)

      const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('o')])
      expect(tab.url()).toBe('https://shop.example/confirm?t=1')
      await tab.close()

      await page.keyboard.press('?')
      await page.getByRole('dialog').getByText('Open the action link').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await page.keyboard.press('j')
      await page.getByRole('heading', { name: 'Older' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Choose a mail to read it.').waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === 'Older')
      await page.keyboard.press('#')
      await page.getByText('1 mail deleted.').waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('ujk#')
      expect(await page.getByRole('searchbox').inputValue()).toBe('ujk#')
    },
    PATIENCE_MS,
  )

  test(
    'what is announced at the same moment takes no other announcement’s place',
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
      await page.getByText('This mail has no action link').waitFor({ state: 'attached' })
      expect(await page.getByRole('log').locator('p').allTextContents()).toEqual([
        'Copied code 482913',
        'This mail has no action link',
      ])
    },
    PATIENCE_MS,
  )

  test(
    'the skip link leads past the navigation and changes no place',
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
