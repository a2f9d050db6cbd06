import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { freshAddress, sendMail } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, PATIENCE_MS } from './browser.ts'
import { PHONE, row, WIDE } from './inbox-steps.ts'

const mail = (code: string, colour: string) => ({
  subject: `Code ${code}`,
  text: `Hello Ann,\n\nyour code is ${code}.\n${Array.from({ length: 20 }, (_, i) => `  Line ${i}`).join('\n')}`,
  html: `<p style="color:${colour}">Your code is ${code}</p>`,
})

inBrowser('the comparison of two emails', {}, (stage) => {
  const sendTwo = async () => {
    const address = freshAddress()
    for (const each of [mail('482913', '#0a0'), mail('739105', '#00a')]) {
      await sendMail(stage().service.smtp, { to: address, ...each })
    }
    return address
  }
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Compare two emails' })
  const picture = (page: Page, which: string) =>
    dialog(page)
      .getByRole('region', { name: `${which} email` })
      .frameLocator('iframe')
      .frameLocator('iframe')

  test(
    'by keyboard: pictures side by side, text, source and headers as differences',
    async () => {
      const page = await stage().open(`/#${await sendTwo()}`, WIDE)
      await row(page, 'Code 482913').waitFor()
      const compare = page.getByRole('button', { name: 'Compare', exact: true })
      expect(await compare.count()).toBe(0)
      for (const key of ['j', 'x']) await page.keyboard.press(key)
      await page.getByText('1 selected').waitFor()
      expect(await compare.isDisabled()).toBe(true)
      await page.keyboard.press('=')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await row(page, 'Code 482913').getByRole('checkbox').focus()
      await page.keyboard.press('Space')
      await page.getByText('2 selected').waitFor()
      await page.keyboard.press('=')

      await picture(page, 'Older').getByText('Your code is 482913').waitFor()
      await picture(page, 'Newer').getByText('Your code is 739105').waitFor()
      const boxes = await dialog(page)
        .locator('iframe')
        .evaluateAll((all) => all.map((frame) => frame.getBoundingClientRect()).map(({ x, y }) => ({ x, y })))
      const titles = await dialog(page)
        .locator('iframe')
        .evaluateAll((all) => (all as HTMLIFrameElement[]).map(({ title }) => title))
      expect(titles).toEqual(['HTML of the older email', 'HTML of the newer email'])
      expect(boxes[0]?.y).toBe(boxes[1]?.y)
      expect(boxes[0]?.x).toBeLessThan(boxes[1]?.x ?? 0)
      expect(await accessibilityFaults(page)).toEqual([])

      const changed = (tag: string) => dialog(page).locator(tag).allInnerTexts()
      await dialog(page).getByRole('tab', { name: 'Rendered' }).focus()
      await page.keyboard.press('ArrowRight')
      await dialog(page)
        .getByRole('status')
        .getByText('1 line only in the older email, 1 line only in the newer one.')
        .waitFor()
      expect([await changed('del'), await changed('ins')]).toEqual([
        ['your code is 482913.'],
        ['your code is 739105.'],
      ])
      expect([await changed('del strong'), await changed('ins strong')]).toEqual([['482913'], ['739105']])
      expect(await dialog(page).getByText('Line 2', { exact: true }).isVisible()).toBe(true)
      expect(await dialog(page).getByText('Line 2', { exact: true }).innerText()).toBe('  Line 2')
      expect(await dialog(page).getByText('Line 3', { exact: true }).isVisible()).toBe(false)
      await dialog(page).getByText('17 equal lines').click()
      await dialog(page).getByText('Line 19').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])

      await dialog(page).getByRole('tab', { name: 'Source' }).click()
      expect(await changed('del strong')).toEqual(['0a0', '482913'])
      await dialog(page).getByRole('tab', { name: 'Headers' }).click()
      expect(await changed('ins')).toContain('Subject: Code 739105')
      // Escape works in the frame of an email, too.
      await dialog(page).getByRole('tab', { name: 'Rendered' }).click()
      await picture(page, 'Newer').getByText('Your code is 739105').click()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
    },
    PATIENCE_MS,
  )

  test(
    'on a phone: pictures below each other, and nothing is wider than the screen',
    async () => {
      const page = await stage().open(`/#${await sendTwo()}`, PHONE)
      for (const code of ['482913', '739105']) await row(page, code).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      await picture(page, 'Newer').getByText('Your code is 739105').waitFor()
      const tops = await dialog(page)
        .locator('iframe')
        .evaluateAll((all) => all.map((frame) => frame.getBoundingClientRect().top))
      expect(tops[0]).toBeLessThan(tops[1] ?? 0)
      for (const tab of ['Rendered', 'Text', 'Source', 'Headers']) {
        await dialog(page).getByRole('tab', { name: tab }).click()
        expect(
          await dialog(page).evaluate((element) => [
            element.scrollWidth - element.clientWidth,
            document.documentElement.scrollWidth,
          ]),
        ).toEqual([0, 390])
      }
      await dialog(page).getByRole('button', { name: 'Close' }).click()
      await dialog(page).waitFor({ state: 'detached' })
    },
    PATIENCE_MS,
  )

  test(
    'of an email that only has more lines, and of a bounce',
    async () => {
      const address = freshAddress()
      const { smtp } = stage().service
      await sendMail(smtp, { to: address, subject: 'Shorter', text: 'one\n' })
      await sendMail(smtp, {
        to: address,
        subject: 'Longer',
        text: 'one\ntwo\n',
        envelope: { from: '', to: address },
      })
      const page = await stage().open(`/#${address}`, WIDE)
      for (const subject of ['Shorter', 'Longer']) await row(page, subject).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      await dialog(page).getByRole('tab', { name: 'Text' }).click()
      await dialog(page).getByText('0 lines only in the older email, 1 line only in the newer one.').waitFor()
      await dialog(page).getByRole('tab', { name: 'Headers' }).click()
      await dialog(page).getByText('Envelope from: empty (a bounce)').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'says that the emails are being opened, and why one cannot be',
    async () => {
      const page = await stage().open(`/#${await sendTwo()}`, WIDE)
      const { promise: isSeen, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/api/emails/**', async (route) => {
        await isSeen
        await route.abort()
      })
      for (const code of ['482913', '739105']) await row(page, code).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      const opening = dialog(page).getByText('Opening the emails…')
      await opening.waitFor()
      expect(await dialog(page).getByRole('alert').count()).toBe(0)
      release()
      await dialog(page).getByRole('alert').waitFor()
      expect(await opening.count()).toBe(0)
    },
    PATIENCE_MS,
  )
})
