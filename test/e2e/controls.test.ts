import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { attachment, email, wholeEmail } from '../web/email.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { openMail, row, WIDE } from './inbox-steps.ts'
import { type Answers, openState } from './states.ts'

const ADDRESS = 'bot@mayfly.test'
const INFO = { smtp: { host: 'mx.test', port: 25 }, mx: 'mx.test', retention_hours: 24, link_check: false }
const PROBLEM = { code: 'unavailable', title: '', detail: '', request_id: 'r-1' }
const answersFor = (emails: object[]): Answers => [
  [/GET \/api\/domains$/, { domains: [{ domain: 'mayfly.test', private: false }] }],
  [/GET \/api\/info$/, INFO],
  [/GET \/api\/activity/, { requests: [], emails: [] }],
  [/GET \/api\/public\/emails/, { emails, next_cursor: null }],
]
const announced = (page: Page, text: string) =>
  page.getByRole('log', { name: 'Notifications' }).getByText(text).waitFor({ state: 'attached' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

inBrowser('the controls of the inbox', {}, (stage) => {
  test(
    'what went wrong before is gone after the next attempt, and at the next address',
    async () => {
      const sending: Answers[0] = [/POST .*test-mail/, PROBLEM, 503]
      const username: Answers[0] = [/random-username/, PROBLEM, 503]
      const { page, sent } = await openState(
        stage(),
        `/#${ADDRESS}`,
        [sending, username, ...answersFor([])],
        WIDE,
      )
      const problems = page.locator('.problem')
      await page.getByRole('button', { name: 'Send a test email' }).click()
      await problems.getByRole('button', { name: 'Dismiss' }).click()
      expect(await problems.count()).toBe(0)
      await page.getByRole('button', { name: 'Send a test email' }).click()
      await problems.waitFor()
      sending.splice(1, 2, {})
      await page.getByRole('button', { name: 'Send a test email' }).click()
      await problems.waitFor({ state: 'detached' })
      expect(sent.filter((line) => line.startsWith('POST'))).toEqual(
        Array(3).fill(`POST /api/test-mail {"address":"${ADDRESS}"}`),
      )
      await page.getByRole('button', { name: 'New address' }).click()
      await problems.waitFor()
      username.splice(1, 2, { username: 'other' })
      await page.getByRole('button', { name: 'New address' }).click()
      await page.waitForURL(/#other@mayfly.test$/)
      expect(await problems.count()).toBe(0)

      const name = page.getByLabel('Username')
      await name.fill('two words')
      await name.press('Enter')
      await page.getByText('An address contains no spaces.').waitFor()
      await page.evaluate((address) => (location.hash = address), ADDRESS)
      await page.getByText('An address contains no spaces.').waitFor({ state: 'detached' })
      expect([await name.inputValue(), await name.getAttribute('aria-invalid')]).toEqual(['bot', 'false'])
      // An empty name is the one of the address.
      await name.fill(' ')
      await name.press('Enter')
      expect(await name.inputValue()).toBe('bot')

      await page.evaluate(() => (location.hash = 'third@mayfly.test'))
      await page.waitForFunction(() => document.title.startsWith('third@'))
      await page.evaluate((address) => (location.hash = address), ADDRESS)
      await page.getByRole('button', { name: 'Recent addresses' }).click()
      for (const recent of ['third', 'other']) {
        await page.getByRole('button', { name: `Remove ${recent}@mayfly.test from recent addresses` }).click()
        await page
          .getByRole('button', { name: `${recent}@mayfly.test`, exact: true })
          .waitFor({ state: 'detached' })
      }
      await page.getByRole('button', { name: 'Recent addresses' }).waitFor({ state: 'detached' })
    },
    PATIENCE_MS,
  )

  test(
    'a menu and tabs are used by keyboard, and a menu closes when something else is used',
    async () => {
      const { page } = await openState(
        stage(),
        `/#${ADDRESS}`,
        [
          [/GET \/api\/emails\/bot@mayfly.test\/2$/, { email: wholeEmail('2', { body_html: '<p>x' }) }],
          ...answersFor([email('2'), email('1')]),
        ],
        WIDE,
      )
      await openMail(page, 'Email 2')
      await page.getByRole('tab', { name: 'HTML', exact: true }).waitFor()
      const more = page.getByRole('button', { name: 'More', expanded: true })
      await page.getByRole('button', { name: 'More' }).click()
      expect(await page.locator('.menu-panel:visible button').allInnerTexts()).toEqual([
        'Copy as curl',
        'Copy as test assertion',
        'Print',
        'Save as .eml',
        'Save as JSON',
      ])
      // From the first item of the menu.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      await more.waitFor({ state: 'detached' })
      // Escape closed the menu only, and the focus is on its button.
      expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('More')
      expect(await page.getByRole('heading', { name: 'Email 2' }).count()).toBe(1)
      for (const leave of [
        () => page.getByRole('heading', { name: 'Email 2' }).click(),
        () => page.getByRole('tab', { name: 'HTML', exact: true }).focus(),
        // The head of the page takes no focus.
        () => page.mouse.click(1200, 5),
      ]) {
        await page.getByRole('button', { name: 'More' }).click()
        await more.waitFor()
        await leave()
        await more.waitFor({ state: 'detached' })
      }
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        (async () => {
          await page.getByRole('button', { name: 'More' }).click()
          await page.getByRole('button', { name: 'Save as JSON' }).click()
        })(),
      ])
      expect(saved.suggestedFilename()).toBe('2.json')

      await page.getByRole('tab', { name: 'HTML', exact: true }).focus()
      const visited: (string | null | undefined)[] = []
      for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home', 'ArrowDown']) {
        await page.keyboard.press(key)
        expect(await page.getByRole('tab', { selected: true }).innerText()).toBe(await focused(page))
        visited.push(await focused(page))
      }
      expect(visited).toEqual(['Text', 'Source', 'HTML', 'Source', 'HTML', 'HTML'])
      await page.keyboard.press('Tab')
    },
    PATIENCE_MS,
  )

  test(
    'nothing is offered that would do nothing, and what the browser refuses is said',
    async () => {
      const { page } = await openState(
        stage(),
        `/#${ADDRESS}`,
        answersFor([email('2', { read: true }), email('1', { read: true, codes: ['482913'] })]),
        WIDE,
      )
      await row(page, 'Email 2').waitFor()
      const isDisabled = (name: string) => page.getByRole('button', { name }).isDisabled()
      expect([await isDisabled('Mark all as read'), await isDisabled('Delete all')]).toEqual([true, false])
      await page.getByText('2 emails', { exact: true }).waitFor()
      await page.getByLabel('Select all listed emails').click()
      await page.getByText('2 selected').waitFor()
      expect(await isDisabled('Mark selected as read')).toBe(true)
      await page.getByLabel('Select all listed emails').click()
      await page.getByText('2 emails', { exact: true }).waitFor()

      await page.evaluate(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
        document.execCommand = () => false
        const Refused = { permission: 'denied', requestPermission: async () => 'denied' }
        Object.assign(globalThis, { Notification: Refused })
      })
      await page.getByRole('button', { name: 'Copy code 482913' }).click()
      await page.getByText('Copy it by hand').waitFor()
      await announced(page, 'The browser did not allow copying code 482913')
      await page.getByText('Copy it by hand').waitFor({ state: 'detached' })
      await page.getByRole('switch', { name: 'Desktop notifications' }).click()
      await announced(page, 'The browser blocks notifications from this site')
      expect(await page.getByRole('switch').getAttribute('aria-checked')).toBe('false')
      await page.keyboard.press('Escape')
      await row(page, 'Email 2').locator('.subject').focus()
      await page.keyboard.press('o')
      await announced(page, 'This email has no action link')
    },
    PATIENCE_MS,
  )

  test(
    'emails are chosen and marked as read, one after the other',
    async () => {
      const { page, sent } = await openState(
        stage(),
        `/#${ADDRESS}`,
        [
          [/GET \/api\/emails\/bot@mayfly.test\/2$/, { email: wholeEmail('2') }],
          [/GET \/api\/emails\/bot@mayfly.test\/1$/, { email: wholeEmail('1') }],
          ...answersFor([email('2'), email('1')]),
        ],
        WIDE,
      )
      const isOn = (subject: string) => page.getByLabel(`Select ${subject}`)
      const opacity = () =>
        row(page, 'Email 1')
          .locator('.choose')
          .evaluate((label) => getComputedStyle(label).opacity)
      await row(page, 'Email 2').waitFor()
      expect(await opacity()).toBe('0')
      for (const subject of ['Email 2', 'Email 1']) {
        await isOn(subject).click({ force: true })
        expect(await isOn(subject).isChecked()).toBe(true)
        // The boxes of the other rows appear, too.
        await page.mouse.move(1200, 5)
        expect(await opacity()).toBe('1')
        await page.getByRole('button', { name: 'Mark selected as read' }).click()
        await page.locator('.row[data-unread="false"]').filter({ hasText: subject }).waitFor()
        await page.getByText('1 selected').waitFor({ state: 'detached' })
      }
      const read = sent.filter((line) => /\/api\/emails\/bot/.test(line))
      expect(read).toEqual(['2', '1'].map((id) => `GET /api/emails/${ADDRESS}/${id}`))
      await page.getByText('2 emails', { exact: true }).waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'all attachments in one file have different names, and a document is shown in a frame',
    async () => {
      const pdf = attachment('9', { filename: 'a.pdf', content_type: 'application/pdf' })
      const files = ['a.txt', 'a.txt', null, 'a.txt'].map((filename, i) =>
        attachment(String(i), { filename }),
      )
      const attachments = [...files, pdf]
      const { page } = await openState(
        stage(),
        `/#${ADDRESS}`,
        [
          [/GET \/api\/emails\/bot@mayfly.test\/2$/, { email: wholeEmail('2', { attachments }) }],
          [/attachments/, Buffer.from('content')],
          ...answersFor([email('2')]),
        ],
        WIDE,
      )
      await openMail(page, 'Email 2')
      const [zip] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download all' }).click(),
      ])
      expect(zip.suggestedFilename()).toBe('2.zip')
      // Entries of the directory at the end of a ZIP file: the length of the name, then the name.
      const entries = (await readFile(await zip.path(), 'latin1')).split('PK\x01\x02').slice(1)
      const names = entries.map((entry) => entry.slice(42, 42 + entry.charCodeAt(24)))
      expect(names).toEqual(['a.txt', '2-a.txt', 'text-2.txt', '3-a.txt', 'a.pdf'])
      // The size is below the name, not beside it.
      const cell = page.getByRole('listitem').filter({ hasText: 'a.pdf' })
      const [name, size] = await Promise.all(
        [cell.getByTitle('a.pdf', { exact: true }), cell.getByText('application/pdf')].map((part) =>
          part.boundingBox(),
        ),
      )
      expect(size!.y).toBeGreaterThanOrEqual(name!.y + name!.height)
      const document = page.getByRole('dialog').locator('iframe[title="a.pdf"]')
      // A dialog that was closed can be opened again.
      for (let n = 0; n < 2; n++) {
        await page.getByRole('button', { name: 'View a.pdf' }).click()
        await document.waitFor()
        await page.keyboard.press('Escape')
        await document.waitFor({ state: 'detached' })
      }
    },
    PATIENCE_MS,
  )
})
