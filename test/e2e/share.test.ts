import { expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, PATIENCE_MS } from './browser.ts'
import { WIDE } from './inbox-steps.ts'

inBrowser('sharing an inbox', {}, (stage) => {
  test(
    'shows its link and a QR code, and says when only this computer can open it',
    async () => {
      const address = freshAddress()
      const page = await stage().open(`/#${address}`, WIDE)
      await page.getByRole('button', { name: 'Share this inbox' }).click()
      const dialog = page.getByRole('dialog', { name: 'Share this inbox' })
      await dialog.getByRole('img', { name: 'QR code of the link' }).waitFor()
      expect(await dialog.locator('pre').innerText()).toBe(`${stage().service.http}/#${address}`)
      await dialog.getByText('Only this computer can open the link').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
    },
    PATIENCE_MS,
  )
})
