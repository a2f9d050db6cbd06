import { expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { holdUndo, mailDocument } from './inbox-steps.ts'

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
      await holdUndo(page)
      await page.keyboard.press('#')
      await page.getByText('1 email deleted.').waitFor()
      await page.keyboard.press('u')
      await page.locator('.row').nth(1).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await page.getByText('1 selected').waitFor()
      // The list is read again by a key, also if the stream has missed an email.
      const [read] = await Promise.all([
        page.waitForRequest((request) => request.url().includes('/api/public/emails/')),
        page.keyboard.press('Shift+R'),
      ])
      expect(read.method()).toBe('GET')
      await page.getByText('Refreshed').waitFor({ state: 'attached' })
      await page.keyboard.press('x')
      await page.getByText('1 selected').waitFor({ state: 'detached' })
      await page.keyboard.press('/')
      await page.keyboard.type('ujk#')
      expect(await page.getByRole('searchbox').inputValue()).toBe('ujk#')
      // Escape leaves the field, so that letters are shortcuts again.
      await page.keyboard.press('Escape')
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    },
    PATIENCE_MS,
  )

  test.each([
    ['Escape', 'No email selected', 'A', 'Older'],
    // The email is read, and its view drawn again, after the keys.
    ['/', '2 emails', 'INPUT', ''],
  ])(
    '%s moves the focus, however soon after an email was opened it is pressed',
    async (key, shown, tag, text) => {
      const address = freshAddress()
      const { smtp } = stage().service
      for (const subject of ['Older', 'Newer']) await sendMail(smtp, { to: address, subject, text: subject })
      const page = await stage().open(`/#${address}`, { viewport: { width: 1440, height: 900 } })
      await page.locator('.row').nth(1).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Newer' }).waitFor()
      // Both keys are pressed before the browser draws the email that the first one opens.
      await page.evaluate(async (second) => {
        const press = (key: string) =>
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
        press('j')
        while (document.querySelector('.mail h2')?.textContent !== 'Older') await null
        press(second)
      }, key)
      await page.getByText(shown, { exact: true }).waitFor()
      const focused = () => [document.activeElement?.tagName, document.activeElement?.textContent]
      // The email may not be marked as read yet.
      const [tagName, words] = await page.evaluate(focused)
      expect([tagName, words?.replace('Unread: ', '')]).toEqual([tag, text])
    },
    PATIENCE_MS,
  )

  test(
    'marks as read, reaches the tools of an email by Tab, and goes on from inside of an email',
    async () => {
      const address = freshAddress()
      const { smtp } = stage().service
      for (const subject of ['First', 'Second', 'Third']) {
        await sendMail(smtp, { to: address, subject, text: subject, html: `<p>${subject}</p>` })
      }
      const page = await stage().open(`/#${address}`, { viewport: { width: 1440, height: 900 } })
      await page.getByText('3 emails, 3 unread').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('r')
      await page.getByText('3 emails, 2 unread').waitFor()
      for (const key of ['j', 'x', 'j', 'x', 'r']) await page.keyboard.press(key)
      await page.getByText('3 emails', { exact: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'First' }).waitFor()
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Use in a test')
      await mailDocument(page).getByText('First').click()
      await page.keyboard.press('k')
      await page.getByRole('heading', { name: 'Second' }).waitFor()
      await mailDocument(page).getByText('Second').click()
      // A key that deletes does nothing from inside of an email.
      await page.keyboard.press('#')
      await page.keyboard.press('Escape')
      await page.getByText('No email selected').waitFor()
      expect(await page.locator('.row').count()).toBe(3)
      expect(await page.locator('.toasts').textContent()).toBe('')
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
      await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
      const { hash } = new URL(page.url())
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
      expect(new URL(page.url()).hash).toBe(hash)
    },
    PATIENCE_MS,
  )
})
