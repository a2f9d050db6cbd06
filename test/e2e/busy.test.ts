import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { email, wholeEmail } from '../web/email.ts'
import { inBrowser, PATIENCE_MS, savedKey } from './browser.ts'
import { openMail, WIDE } from './inbox-steps.ts'
import { type Answers, openState } from './states.ts'

const ADDRESS = 'bot@mayfly.test'
const PROBLEM = { code: 'unavailable', title: '', detail: '', request_id: 'r-1' }
const INFO = { smtp: { host: 'mx.test', port: 25 }, mx: 'mx.test', retention_hours: 24, link_check: true }
const LINKED = { links: ['https://shop.example/1'] }
const HOOK = { id: 'one', url: 'https://example.org/one', expires_at: '2026-12-20T10:00:00.000Z' }

interface Control {
  path: string
  answers?: Answers
  prepare?: (page: Page) => Promise<unknown>
  request: RegExp
  idle: string
  busy: string
  /** The problem stays until the next answer. */
  keepsProblem?: boolean
}

const CONTROLS: Record<string, Control> = {
  'a domain is checked': {
    path: '/domains',
    prepare: (page) => page.getByLabel('Domain', { exact: true }).fill('example.org'),
    request: /GET .*verify/,
    idle: 'Check and add',
    busy: 'Checking DNS…',
  },
  'a key is generated': {
    path: '/keys',
    request: /POST .*keys$/,
    idle: 'Generate a key',
    busy: 'Generate a key',
  },
  'a webhook is created': {
    path: '/webhooks',
    prepare: async (page) => {
      await page.getByLabel('URL').fill('https://example.org/new')
      await page.getByLabel('Address or domain').fill(ADDRESS)
    },
    request: /POST .*webhooks$/,
    idle: 'Create webhook',
    busy: 'Create webhook',
    keepsProblem: true,
  },
  'a webhook is pinged': {
    path: '/webhooks',
    request: /POST .*test$/,
    idle: 'Send a ping',
    busy: 'Pinging…',
    keepsProblem: true,
  },
  'a test email is sent': {
    path: `/#${ADDRESS}`,
    request: /POST .*test-mail/,
    idle: 'Send a test email',
    busy: 'Send a test email',
  },
  'all emails are marked as read': {
    path: `/#${ADDRESS}`,
    answers: [[/GET .*public\/emails/, { emails: [email('1', LINKED)], next_cursor: null }]],
    request: /POST .*\/read$/,
    idle: 'Mark all as read',
    busy: 'Mark all as read',
  },
  'the links of an email are checked': {
    path: `/#${ADDRESS}`,
    answers: [
      [/GET .*public\/emails/, { emails: [email('1', LINKED)], next_cursor: null }],
      [/GET .*emails\/bot@mayfly.test\/1$/, { email: wholeEmail('1', LINKED) }],
    ],
    prepare: async (page) => {
      await openMail(page, 'Email 1')
      await page.getByRole('tab', { name: 'Links 1' }).click()
    },
    request: /POST .*link-check$/,
    idle: 'Check links',
    busy: 'Requesting the links…',
  },
}
const ANSWERS: Answers = [
  [/GET .*keys$/, { limit: 5, remaining: 5, resets_at: '2026-11-22T00:00:00.000Z' }],
  [/GET .*deliveries$/, { deliveries: [] }],
  [/GET .*webhooks$/, { webhooks: [HOOK] }],
  [/GET .*info$/, INFO],
  [/GET .*activity/, { requests: [], emails: [] }],
]

inBrowser('while a request is on its way', {}, (stage) => {
  test(
    'its button cannot be pressed again, and what went wrong before is gone',
    async () => {
      for (const [what, control] of Object.entries(CONTROLS)) {
        let release = (_: object) => {}
        const held: Answers[0] = [control.request, () => new Promise((resolve) => (release = resolve)), 503]
        const options = { ...WIDE, ...(control.path === '/webhooks' ? savedKey(stage(), 'mf_x') : {}) }
        const answers: Answers = [held, ...(control.answers ?? []), ...ANSWERS]
        const { page, sent } = await openState(stage(), control.path, answers, options)
        await control.prepare?.(page)
        const button = (name: string, disabled: boolean) => page.getByRole('button', { name, disabled })
        const problem = page.locator('.problem')
        const requests = () => sent.filter((line) => control.request.test(line.replace(/ \{.*/, '')))
        for (let attempt = 1; attempt <= 2; attempt++) {
          await button(control.idle, false).click()
          await button(control.busy, true).waitFor()
          if (!control.keepsProblem) await problem.waitFor({ state: 'detached' })
          // The session of the page may be opened first.
          await eventually(what, requests, ({ length }) => length === attempt)
          release(PROBLEM)
          await button(control.idle, false).waitFor()
          await problem.waitFor()
        }
        await problem.getByRole('button', { name: 'Dismiss' }).click()
        await problem.waitFor({ state: 'detached' })
        await page.context().close()
      }
    },
    2 * PATIENCE_MS,
  )

  test(
    'the result of a domain stays while it is checked again, and that of another one does not',
    async () => {
      const result = (domain: string) => ({
        ...{ domain, verified: true, mx: 'mx.test', status: 'verified', private: false },
        records: [],
      })
      let release = (_: object) => {}
      const held: Answers[0] = [/verify/, () => new Promise((resolve) => (release = resolve))]
      const lists: Answers[0] = [/domains$/, { domains: [{ domain: 'two.example', private: false }] }]
      const { page, sent } = await openState(stage(), '/domains#%6fne.example', [held, lists])
      await page.getByText('Checking DNS…').waitFor()
      // The list comes with the result, which would move it.
      expect(sent).toEqual(['GET /api/domain/verify/one.example'])
      release(result('one.example'))
      const heading = page.getByRole('heading', { name: 'one.example receives mail here' })
      await heading.waitFor()
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByText('Checking DNS…').waitFor()
      expect([
        await heading.count(),
        await page.getByRole('button', { name: 'Check again' }).isDisabled(),
      ]).toEqual([1, true])
      release(result('one.example'))
      await page.getByText('Checking DNS…').waitFor({ state: 'detached' })
      await page.getByLabel('Domain key').fill('sesame')
      await page.getByRole('button', { name: 'two.example', exact: true }).click()
      await heading.waitFor({ state: 'detached' })
      await eventually('the request', () => sent.includes('GET /api/domain/verify/two.example'))
      release(result('two.example'))
      await page.getByRole('heading', { name: 'two.example receives mail here' }).waitFor()
      // The key was meant for the other domain.
      expect(await page.getByLabel('Domain key').inputValue()).toBe('')
      expect(sent.filter((line) => line === 'GET /api/domains')).toHaveLength(3)
    },
    PATIENCE_MS,
  )
})
