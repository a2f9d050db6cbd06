import { expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, newKey, openWithKey, PATIENCE_MS } from './browser.ts'
import { clipboard, openMail, WIDE } from './inbox-steps.ts'

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const picture = (name: string) => ({ filename: `${name}.gif`, content: PIXEL, cid: `${name}@x` })

inBrowser('the views of an email', {}, (stage) => {
  const send = (to: string, mail: object) => sendMail(stage().service.smtp, { to, ...mail })
  const top = async (page: Awaited<ReturnType<ReturnType<typeof stage>['open']>>) =>
    (await page.locator('.frame-box').boundingBox())?.y

  test(
    'images that the HTML shows are closed below it, and take no room from it',
    async () => {
      const address = freshAddress()
      const html = '<p>Hello</p><img src="cid:a@x"><img src="cid:b@x">'
      await send(address, { subject: 'Without', text: 'x', html: '<p>Hello</p>' })
      await send(address, { subject: 'Pictures', text: 'x', html, attachments: [picture('a'), picture('b')] })
      // Nothing shows this image but its own cell.
      await send(address, { subject: 'Photo', text: 'x', html: '<p>Hi</p>', attachments: [picture('c')] })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Without')
      await page.locator('.mail-frame').waitFor()
      const without = await top(page)
      await openMail(page, 'Pictures')
      await page.getByText('2 inline images').waitFor()
      expect([await top(page), await page.locator('.attachment').count()]).toEqual([without, 0])
      expect(without).toBeLessThanOrEqual(250)
      await page.getByText('2 inline images').click()
      await page.getByRole('button', { name: 'View a.gif' }).click()
      await page.getByRole('dialog').locator('img').waitFor()
      await page.keyboard.press('Escape')
      await openMail(page, 'Photo')
      await page.getByRole('region', { name: 'Attachments' }).getByText('c.gif').waitFor()
      expect(await page.getByText('inline image').count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'tabs have one order for every email, and those with nothing to show are disabled',
    async () => {
      const address = freshAddress()
      await send(address, { subject: 'Plain', text: 'no link' })
      await send(address, { subject: 'Rich', text: 'x', html: '<a href="https://shop.example/a">Shop</a>' })
      const page = await stage().open(`/#${address}`, WIDE)
      const tabs = () =>
        page
          .getByRole('tab')
          .evaluateAll((all) =>
            (all as HTMLButtonElement[]).map((tab) => `${tab.textContent}${tab.disabled ? ' -' : ''}`),
          )
      await openMail(page, 'Plain')
      await page.getByText('no link').last().waitFor()
      await page.getByRole('tab', { name: 'Headers', disabled: false }).waitFor()
      expect(await tabs()).toEqual(['HTML -', 'Text', 'Links 0 -', 'HTML check -', 'Headers', 'Source'])
      await page.getByRole('tab', { name: 'Text' }).press('ArrowRight')
      expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Headers')
      await openMail(page, 'Rich')
      await page.locator('.mail-frame').waitFor()
      expect(await tabs()).toEqual(['HTML', 'Text', 'Links 1', 'HTML check', 'Headers', 'Source'])
      await page.getByRole('tab', { name: 'Links 1' }).click()
      const link = page.getByRole('tabpanel').getByRole('link')
      expect((await link.innerText()).split('\n')[0]).toBe('Shop')
      expect(await link.getAttribute('href')).toBe('https://shop.example/a')
      expect(await link.ariaSnapshot()).toContain('Shop https://shop.example/a')
      expect(await accessibilityFaults(page)).toEqual([])
    },
    PATIENCE_MS,
  )

  test(
    'links that are shown before the whole email get their texts when it arrives, and one that is cut is none until then',
    async () => {
      const address = freshAddress()
      const urls = ['https://shop.example/a', `https://shop.example/${'b'.repeat(100)}`]
      await send(address, { subject: 'Long', text: urls.join(` ${'x '.repeat(75)}`) })
      await send(address, { subject: 'Rich', text: 'x', html: '<a href="https://shop.example/a">Shop</a>' })
      const page = await stage().open(`/#${address}`, WIDE)
      let whole = Promise.withResolvers<void>()
      await page.route(/\/emails\/[^/]+\/\w{26}$/, async (route) => {
        await whole.promise
        await route.continue()
      })
      await openMail(page, 'Rich')
      await page.getByRole('tab', { name: 'Links 1' }).click()
      const link = page.getByRole('tabpanel').getByRole('link')
      expect(await link.innerText()).toBe('https://shop.example/a')
      whole.resolve()
      await page.getByRole('tabpanel').getByRole('link', { name: 'Shop https://shop.example/a' }).waitFor()

      whole = Promise.withResolvers()
      await openMail(page, 'Long')
      await page.getByText('Shortened. The rest appears when the whole email can be read.').waitFor()
      expect(await link.allInnerTexts()).toEqual(urls.slice(0, 1))
      whole.resolve()
      await link.nth(1).waitFor()
      expect(await link.allInnerTexts()).toEqual(urls)
      expect(await page.getByText('Shortened.').count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'a calendar invitation has a name and is shown, and the tools of the source are in one row',
    async () => {
      const address = freshAddress()
      await send(address, {
        subject: 'Meeting',
        text: 'Meeting',
        icalEvent: {
          method: 'REQUEST',
          content: 'BEGIN:VCALENDAR\r\nSUMMARY:Review\r\nEND:VCALENDAR',
          filename: false,
        },
        html: '<p>Meeting</p>',
      })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Meeting')
      await page
        .getByRole('button', { name: /^View invit/ })
        .first()
        .click()
      await page.getByRole('dialog').getByText('SUMMARY:Review').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('tab', { name: 'Source' }).click()
      await page.getByRole('button', { name: 'Save as .eml' }).waitFor()
      const rows = await page
        .getByRole('tabpanel')
        .getByRole('button')
        .evaluateAll((all) =>
          all.map((button) => Math.round(button.getBoundingClientRect().top + button.clientHeight / 2)),
        )
      expect(Math.max(...rows) - Math.min(...rows)).toBeLessThan(4)
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as .eml' }).click(),
      ])
      expect(saved.suggestedFilename()).toMatch(/^[0-9A-Z]{26}\.eml$/)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Copy source' }).click()
      await page.locator('[data-result="copied"]').waitFor()
      expect(await clipboard(page)).toContain('\nSubject: Meeting')
    },
    PATIENCE_MS,
  )

  test(
    'the HTML check shows its 15 worst findings, and the others on demand',
    async () => {
      const address = freshAddress()
      const properties =
        'gap display clip-path filter animation transform position object-fit mix-blend-mode columns box-shadow opacity'
      const css = properties.split(' ').map((name) => `${name}:${name === 'display' ? 'grid' : 1}`)
      const html = `<video></video><form><select></select></form><style>a:hover{${css.join(';')}}</style>`
      await send(address, { subject: 'Many', text: 'x', html })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Many')
      await page.getByRole('tab', { name: 'HTML check' }).click()
      const findings = page.locator('.findings tbody tr')
      const more = page.getByRole('button', { name: /^Show all \d+$/ })
      await more.waitFor()
      expect(await findings.count()).toBe(15)
      const all = Number((await more.innerText()).replace('Show all ', ''))
      expect(all).toBeGreaterThan(15)
      await more.click()
      await more.waitFor({ state: 'detached' })
      expect(await findings.count()).toBe(all)
    },
    PATIENCE_MS,
  )

  test(
    'of a long text file the beginning is shown, and the view says so',
    async () => {
      const address = freshAddress()
      const lines = (count: number) => Array.from({ length: count }, (_, n) => `${100_000 + n}\n`).join('')
      const attachments = [
        { filename: 'whole.txt', content: lines(20) },
        { filename: 'long.txt', content: lines(40_000) },
      ]
      await send(address, { subject: 'Files', text: 'x', attachments })
      const page = await stage().open(`/#${address}`, WIDE)
      await openMail(page, 'Files')
      const note = page.getByRole('dialog').getByText('This is the beginning of the file.')
      const loading = page.getByRole('dialog').getByText('Loading the file…')
      let held = Promise.withResolvers<void>()
      await page.route(/\/attachments\//, async (route) => {
        await held.promise
        await route.continue()
      })
      for (const [name, count] of [
        ['whole.txt', 0],
        ['long.txt', 1],
      ] as const) {
        held = Promise.withResolvers()
        await page.getByRole('button', { name: `View ${name}` }).click()
        await loading.waitFor()
        held.resolve()
        await page.getByRole('dialog').getByText('100019').waitFor()
        expect([name, await note.count(), await loading.count()]).toEqual([name, count, 0])
        await page.keyboard.press('Escape')
      }
    },
    PATIENCE_MS,
  )

  test(
    'a name that is too long for an address, and a problem that does not exist, are explained',
    async () => {
      const page = await stage().open(`/#${'x'.repeat(80)}@mayfly.test`)
      await page.getByText('The part before the @ has at most 64 characters.').waitFor()
      await page.goto(`${stage().service.http}/problems/nonsense`)
      await page.getByText('There is no problem with the code “nonsense”.', { exact: false }).waitFor()
      await page.goto(`${stage().service.http}/problems/${'x'.repeat(81)}`)
      await page.getByText(`the code “${'x'.repeat(80)}”.`, { exact: false }).waitFor()
      const all = await page.goto(`${stage().service.http}/problems`)
      expect([all?.status(), await page.getByText('There is no problem').isVisible()]).toEqual([200, false])
    },
    PATIENCE_MS,
  )

  test(
    'a key that is generated on the webhooks page is used there, and shown once',
    async () => {
      const page = await stage().open('/webhooks')
      await page.getByRole('button', { name: 'Generate a key' }).click()
      await page.getByText('Copy your key now.').waitFor()
      await page.getByRole('button', { name: 'Create webhook' }).waitFor()
      await page.getByText('This API key has no webhooks yet.').waitFor()
      await page.reload()
      await page.getByText('This API key has no webhooks yet.').waitFor()
      expect(await page.getByText('Copy your key now.').count()).toBe(0)
      const known = await openWithKey(stage(), '/webhooks', await newKey(stage().service))
      await known.getByRole('button', { name: 'Use another key' }).click()
      await known.getByRole('heading', { name: 'Have a key?' }).waitFor()
    },
    PATIENCE_MS,
  )
})
