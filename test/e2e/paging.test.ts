import { expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { email, wholeEmail } from '../web/email.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { holdUndo, openMail, row, rows, title, WIDE } from './inbox-steps.ts'
import { type Answers, openState } from './states.ts'

const ADDRESS = 'bot@mayfly.test'
const PROBLEM = { code: 'unavailable', title: '', detail: '', request_id: 'r-1' }
const REST: Answers = [
  [/GET \/api\/domains$/, { domains: [{ domain: 'mayfly.test', private: false }] }],
  [/GET \/api\/info$/, { smtp: null, mx: 'mx.test', retention_hours: 24, link_check: false }],
  [/GET \/api\/activity/, { requests: [], emails: [] }],
]
const page = (ids: string[], next_cursor: string | null = null, facts = {}) => ({
  emails: ids.map((id) => email(id, facts)),
  next_cursor,
})

inBrowser('a list that is longer than a page', {}, (stage) => {
  test(
    'is continued at its end, and by hand after a failure or a long search without a match',
    async () => {
      const older: Answers[0] = [/emails.*cursor=2/, PROBLEM, 503]
      const found: Answers[0] = [/emails.*q=needle/, page([], 'x')]
      const { page: tab, sent } = await openState(
        stage(),
        `/#${ADDRESS}`,
        [older, found, [/GET .*public\/emails/, page(['3', '2'], '2')], ...REST],
        WIDE,
      )
      const problem = tab.locator('.problem')
      await problem.getByText('The service is not ready').waitFor()
      expect(await rows(tab).count()).toBe(2)
      older.splice(1, 2, page(['1']))
      await problem.getByRole('button', { name: 'Try again' }).click()
      await row(tab, 'Email 1').waitFor()
      expect(await problem.count()).toBe(0)

      await tab.getByRole('searchbox').fill('needle')
      await tab.getByText('0 matches so far.').waitFor()
      const searches = () => sent.filter((line) => line.includes('q=needle')).length
      // The search continues once by itself, because the end of its list is in sight.
      await eventually('the searches', searches, (count) => count === 20)
      await tab.getByText('No email matches “needle”.').waitFor()
      found.splice(1, 1, page(['0']))
      await tab.getByRole('button', { name: 'Search older emails' }).click()
      await tab.getByText('1 email found').waitFor()
      expect([searches(), await tab.getByRole('button', { name: 'Search older emails' }).count()]).toEqual([
        21, 0,
      ])
      await tab.getByRole('button', { name: 'Delete the 1 email found' }).waitFor()
      await tab.getByRole('button', { name: 'Attachment', exact: true }).click()
      await tab.getByRole('button', { name: 'Attachment', exact: true, pressed: true }).waitFor()
      expect(await tab.getByRole('searchbox').inputValue()).toBe('needle has:attachment')
      // The code beside the list waits for what was searched for.
      await tab.getByRole('searchbox').fill('from:ann has:code')
      await tab.getByText("waitForMail({ from: 'ann', has: 'code' })").waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'of more than fifty emails is deleted after a question, and a shorter one at once; is read on before its end is seen',
    async () => {
      const ids = Array.from({ length: 51 }, (_, i) => String(60 - i))
      const list: Answers[0] = [/GET .*public\/emails/, page(ids)]
      const older: Answers[0] = [/emails.*cursor=45/, page(['1'])]
      const { page: tab } = await openState(stage(), `/#${ADDRESS}`, [older, list, ...REST], WIDE)
      await tab.getByRole('button', { name: 'Delete all' }).click()
      await tab.getByText('This deletes all 51 emails. You cannot undo it.').waitFor()
      await tab.getByRole('button', { name: 'Cancel' }).click()
      list.splice(1, 1, page(ids.slice(1)))
      await tab.reload()
      await tab.getByText('50 emails, 50 unread').waitFor()
      await holdUndo(tab)
      await tab.getByRole('button', { name: 'Delete all' }).click()
      await tab.getByText('50 emails deleted.').waitFor()
      await tab.getByRole('button', { name: 'Undo' }).click()
      await rows(tab).nth(49).waitFor({ state: 'attached' })
      // What comes after the last row is read before that row is in sight.
      list.splice(1, 1, page(ids.slice(0, 16), '45'))
      await tab.reload()
      await row(tab, 'Email 1').waitFor({ state: 'attached' })
      expect((await row(tab, 'Email 45').boundingBox())?.y).toBeGreaterThan(900)
    },
    PATIENCE_MS,
  )

  test(
    'is used from its newest email to its oldest by keyboard, and an email is read again when it was not answered',
    async () => {
      const whole = { email: wholeEmail('2', { body_html: '<p>Hello</p>' }) }
      const raw: Answers[0] = [/GET .*\/raw$/, PROBLEM, 503]
      const { page: tab, sent } = await openState(
        stage(),
        `/#${ADDRESS}`,
        [
          [/GET .*emails\/bot@mayfly.test\/2$/, whole],
          [/GET .*emails\/bot@mayfly.test\/1$/, { email: wholeEmail('1', { subject: '' }) }],
          [/GET .*emails\/bot@mayfly.test\/3$/, PROBLEM, 503],
          raw,
          [/GET .*public\/emails/, page(['3', '2', '1'])],
          ...REST,
        ],
        WIDE,
      )
      await tab.locator('[data-state="live"]').waitFor()
      const focused = () => tab.evaluate(() => (document.activeElement as HTMLElement).dataset.mail)
      const visited: unknown[] = []
      await row(tab, 'Email 3').waitFor()
      for (const key of ['#', 'k', 'k', 'j', 'j', 'j', 'k']) {
        await tab.keyboard.press(key)
        visited.push(await focused())
      }
      expect(visited).toEqual([undefined, '3', '3', '2', '1', '1', '2'])
      await tab.keyboard.press('c')
      await tab.getByRole('log').getByText('There is no code to copy').waitFor({ state: 'attached' })

      await tab.getByRole('button', { name: 'Open the latest' }).click()
      await tab.getByText('The service is not ready').waitFor()
      await tab.getByRole('tab', { name: 'Text' }).waitFor()
      await eventually(
        'the email is read once more, because the stream says that the service is there',
        () => sent.filter((line) => line.endsWith('bot@mayfly.test/3')),
        ({ length }) => length === 2,
      )
      const entries = await tab.evaluate(() => history.length)
      await tab.keyboard.press('j')
      await title(tab, 'Email 2')
      expect(await tab.evaluate(() => history.length)).toBe(entries)
      // Leaving the field of the username closes nothing.
      await tab.getByLabel('Username').focus()
      await tab.getByLabel('Username').blur()
      expect(await tab.getByRole('heading', { name: 'Email 2' }).count()).toBe(1)
      await tab.getByRole('button', { name: 'Keyboard shortcuts' }).click()
      await tab.keyboard.press('j')
      await tab.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      expect(await tab.getByRole('heading', { name: 'Email 2' }).count()).toBe(1)

      const menu = async (item: string) => {
        await tab.getByRole('button', { name: 'More' }).click()
        await tab.getByRole('button', { name: item }).click()
      }
      await tab.evaluate(() => Object.assign(globalThis, { print: () => document.body.append('printed') }))
      await menu('Print')
      await tab.getByText('printed').waitFor()
      await menu('Save as .eml')
      await tab.locator('.mail-bar .problem').waitFor()
      // The next attempt takes back what went wrong.
      raw.splice(1, 2, Buffer.from('Subject: Email 2'))
      await menu('Save as .eml')
      await tab.locator('.mail-bar .problem').waitFor({ state: 'detached' })
      raw.splice(1, 1, PROBLEM, 503)
      await menu('Save as .eml')
      await tab.locator('.mail-bar .problem').getByRole('button', { name: 'Dismiss' }).click()
      expect(await tab.locator('.problem').count()).toBe(0)
      await tab.getByRole('tab', { name: 'Source' }).click()
      await tab.getByRole('tabpanel').getByText('The service is not ready').waitFor()
      await tab.getByRole('tab', { name: 'HTML check' }).click()
      await tab.getByText('All clients support everything this email uses.').waitFor()

      // The whole row leads to the email.
      await row(tab, 'Email 1').waitFor()
      const box = await row(tab, 'Email 1').boundingBox()
      await tab.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) - 6)
      await title(tab, 'No subject')
      expect(await tab.locator('.action-bar').count()).toBe(0)
      await openMail(tab, 'Email 2')
    },
    PATIENCE_MS,
  )
})
