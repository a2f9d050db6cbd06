import { expect, test } from '@jest/globals'
import { attachment, email, wholeEmail } from '../web/email.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { clipboard, mailDocument, openMail, PHONE, WIDE } from './inbox-steps.ts'
import { type Answers, openState, perceived } from './states.ts'

const ADDRESS = 'bot@mayfly.test'
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const INFO = { smtp: { host: 'mx.test', port: 25 }, mx: 'mx.test', retention_hours: 168, link_check: true }
const DOMAINS = { domains: [{ domain: 'mayfly.test', private: false }] }
const PROBLEM = { code: 'internal_error', title: '', detail: '', request_id: 'r-1' }
const ACTION = { url: 'https://shop.example/go?t=1', text: '', kind: 'sign_in' } as const

const RICH = {
  from: { name: 'Ann', address: 'ann@example.org' },
  to: [
    { name: null, address: 'first@mayfly.test' },
    { name: 'Bot', address: ADDRESS },
  ],
  cc: [{ name: 'Carl', address: 'carl@example.org' }],
  subject: 'Your code',
  body_text: 'It is 482913',
  codes: ['482913', 'AB-12'],
  links: [
    ACTION.url,
    ...Array.from({ length: 47 }, (_, i) => `https://shop.example/${i + 1}`),
    ...[48, 49].map((characters) => 'https://shop.example/'.padEnd(characters, 'long')),
  ],
  action_link: ACTION,
  attachment_count: 8,
  size: 45_678,
  received_at: '2026-11-21T07:48:00.000Z',
}
const FILES = [
  attachment('0', { content_type: 'image/gif', filename: 'dot.gif', content_id: 'dot@x', inline: true }),
  attachment('1', { content_type: 'application/pdf', filename: 'same.pdf' }),
  attachment('2', { content_type: 'image/png', filename: 'large.png', size: 4_000_001 }),
  attachment('3', { content_type: 'image/svg+xml', filename: 'drawing.svg' }),
  attachment('4', { filename: null }),
  ...['5', '6', '7'].map((id) => attachment(id)),
]
const HTML = '<img src="cid:dot@x"><img src="https://x.example/a.png"><p style="display:flex">shown'
const WHOLE = wholeEmail('4', {
  ...RICH,
  body_html: HTML,
  headers: [{ name: 'Subject', value: 'Your code' }],
  attachments: FILES,
  verdicts: { spf: 'pass', dkim: 'fail', dmarc: 'gray', spam: 'processing_failed', virus: null },
  parse_error: 'a part has no end',
})
const LIST = [
  email('4', RICH),
  email('3', { subject: '', from: { name: null, address: null }, read: true }),
  email('2', { body_text: 'The first line', received_at: '2026-11-19T10:00:00.000Z' }),
]
const answersFor = (emails: object[]): Answers => [
  [/GET \/api\/domains$/, DOMAINS],
  [/GET \/api\/info$/, INFO],
  [/GET \/api\/activity/, { requests: [], emails: [] }],
  [/GET \/api\/public\/emails\/bot@/, { emails, next_cursor: null }],
]

inBrowser('what a person perceives of the inbox', {}, (stage) => {
  test(
    'an empty inbox on a desktop and a phone, the requests of tests, and no description of the service',
    async () => {
      const request = (second: number, facts: object) => ({
        method: 'GET',
        target: `/${second}`,
        started_at: `2026-11-21T09:59:0${second}.000Z`,
        status: 200,
        ms: 999,
        wait: null,
        ...facts,
      })
      const requests = [
        request(1, { status: null, ms: null }),
        request(2, { target: '' }),
        request(3, { status: 404, ms: 1600 }),
        ...[4, 5, 6, 7, 8, 9].map((second) => request(second, {})),
      ]
      const { page } = await openState(
        stage(),
        `/#${ADDRESS}`,
        [[/activity/, { requests, emails: [] }], ...answersFor([])],
        WIDE,
      )
      await page.getByText('1 waiting').waitFor()
      await page.locator('[data-state="live"]').waitFor()
      expect(await perceived(page)).toMatchSnapshot('empty')
      await page.getByLabel('Username').fill('two words')
      await page.getByLabel('Username').press('Enter')
      await page.getByText('An address contains no spaces.').waitFor()
      expect(await perceived(page, '.address')).toMatchSnapshot('a typing error')
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
      expect(await perceived(page, 'dialog')).toMatchSnapshot('shortcuts')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      // The focus returns to the button that opened the dialog.
      await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Keyboard shortcuts')

      const two = { domains: [...DOMAINS.domains, { domain: 'private.test', private: true }] }
      const unknown: Answers = [
        [/domains$/, two],
        [/info$/, PROBLEM, 500],
      ]
      const phone = await openState(stage(), `/#${ADDRESS}`, [...unknown, ...answersFor([])], PHONE)
      await phone.page.getByRole('option', { name: 'private.test (private)' }).waitFor({ state: 'attached' })
      await phone.page.getByText('generate an API key').waitFor()
      await phone.page.locator('[data-state="live"]').waitFor()
      expect(await perceived(phone.page)).toMatchSnapshot('on a phone, without a description')
    },
    PATIENCE_MS,
  )

  test(
    'a list, and an email in each of its views',
    async () => {
      const checked = [
        {
          url: ACTION.url,
          status: 301,
          redirects: ['https://a.example/1', 'https://a.example/2'],
          error: null,
        },
        { url: 'https://shop.example/1', status: 404, redirects: [], error: null },
        { url: 'https://shop.example/2', status: null, redirects: [], error: 'No address.' },
      ]
      const { page, sent } = await openState(
        stage(),
        `/#${ADDRESS}`,
        [
          [/GET \/api\/emails\/bot@mayfly.test\/4$/, { email: WHOLE }],
          [/GET .*attachments\/[02]$/, PIXEL],
          [/GET .*attachments/, PROBLEM, 500],
          [/GET .*\/raw$/, Buffer.from(`Subject: raw\n\n${'x'.repeat(300_000)}`)],
          [/POST .*link-check$/, { links: checked }],
          ...answersFor(LIST),
        ],
        WIDE,
      )
      await page.locator('[data-state="live"]').waitFor()
      await page.getByText('None yet.').waitFor()
      expect(await perceived(page)).toMatchSnapshot('list')
      await openMail(page, 'Your code')
      await page.waitForFunction(() => document.activeElement?.matches('section.mail'))
      expect(await page.locator('.row [aria-current="true"]').getAttribute('href')).toBe(`#${ADDRESS}/4`)
      await mailDocument(page).getByText('shown').waitFor()
      await mailDocument(page).locator('img[src^="data:image/gif"]').waitFor()
      await page.getByText('1 inline image').click()
      await page.locator('img.thumbnail').waitFor()
      await page.getByText('Details', { exact: true }).click()
      await page.getByText('46 kB').waitFor()
      const mail = 'section.mail'
      expect(await perceived(page, mail)).toMatchSnapshot('email')
      expect(await page.locator('.mail .chip.good, .mail .chip.bad').allInnerTexts()).toEqual([
        'DKIM failed',
        'SPF passed',
        'DKIM failed',
      ])

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      for (const code of RICH.codes) {
        await page
          .locator(mail)
          .getByRole('button', { name: `Copy code ${code}` })
          .click()
        await page.getByText(`Copied code ${code}`).waitFor({ state: 'attached' })
        expect(await clipboard(page)).toBe(code)
      }

      await page.getByRole('button', { name: 'Show all 7' }).click()
      await page.getByRole('button', { name: 'Show fewer' }).waitFor()
      await page.getByRole('button', { name: 'View large.png' }).click()
      await page.getByRole('img', { name: 'large.png' }).waitFor()
      expect(await perceived(page, 'dialog')).toMatchSnapshot('preview')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'View same.pdf' }).click()
      await page.getByRole('dialog').getByText('Something went wrong').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Download same.pdf' }).click()
      await page.locator('.attachments .problem').getByRole('button', { name: 'Dismiss' }).click()
      expect(await page.locator('.attachments .problem').count()).toBe(0)

      const view = async (name: string, ready: string) => {
        await page.getByRole('tab', { name, exact: true }).click()
        await page.getByRole('tabpanel').getByText(ready).first().waitFor()
        const seen = await perceived(page, '.mail > :has(> [role="tabpanel"])')
        // The data of the HTML check is renewed from time to time.
        expect(seen.replace(/ of 20[\d-]+/, ' of today')).toMatchSnapshot(name)
      }
      await view('Text', 'It is 482913')
      await view('HTML check', 'supported across')
      await view('Headers', 'Envelope to')
      await page.getByRole('tab', { name: 'Links 50+' }).click()
      await page.getByRole('button', { name: 'Check links' }).click()
      await page.getByText('2 of 3 do not work.').waitFor()
      expect(await perceived(page, '[role="tabpanel"] > .stack')).toMatchSnapshot('link check')
      const links = await page.getByRole('list', { name: 'Links' }).locator('li').all()
      expect(await Promise.all(links.slice(0, 4).map((link) => link.ariaSnapshot()))).toMatchSnapshot('links')
      const opened = await page
        .locator('.link-list a')
        .evaluateAll((all) => (all as HTMLAnchorElement[]).map(({ target, rel }) => `${target} ${rel}`))
      expect([...new Set(opened)]).toEqual(['_blank noopener noreferrer'])
      const pieces = (nth: number) => links.at(nth)!.locator('.middle > span').allTextContents()
      const long = RICH.links.at(-1)!
      expect(await pieces(-2)).toEqual([RICH.links.at(-2), ''])
      expect(await pieces(-1)).toEqual([long.slice(0, 25), long.slice(-24)])
      await page.getByRole('tab', { name: 'Source' }).click()
      await page.getByText('The first 200 kB of 300 kB. The saved file is complete.').waitFor()
      expect((await page.locator('pre.source').innerText()).length).toBe(200_000)
      const source = page.getByRole('tabpanel').locator('fieldset')
      await source.getByRole('button', { name: 'HTML', exact: true }).click()
      await page.getByRole('tabpanel').getByText(HTML).waitFor()
      expect(await source.ariaSnapshot()).toMatchSnapshot('which source')
      await source.getByRole('button', { name: 'Whole message' }).click()
      await page.getByText('Subject: raw').waitFor()
      expect(sent.filter((line) => line.startsWith('POST'))).toEqual([
        'POST /api/emails/bot@mayfly.test/4/link-check',
      ])
    },
    PATIENCE_MS,
  )

  test(
    'an email in its own tab, without a title, and one that does not exist',
    async () => {
      const plain = wholeEmail('3', {
        subject: '',
        body_text: 'text '.repeat(30_000),
        mail_from: 'x@y.example',
      })
      const { page } = await openState(
        stage(),
        `/#${ADDRESS}/3/alone`,
        [
          [/GET \/api\/emails\/bot@mayfly.test\/3$/, { email: plain }],
          [/GET \/api\/emails/, { ...PROBLEM, code: 'email_not_found' }, 404],
          ...answersFor([]),
        ],
        WIDE,
      )
      await page.getByRole('tab', { name: 'Headers' }).waitFor()
      await page.waitForFunction(() => document.title === 'No subject · Mayfly')
      await page.getByText('50 kB more.').waitFor()
      await page.getByRole('button', { name: 'Show more' }).click()
      await page.getByText('50 kB more.').waitFor({ state: 'detached' })
      expect((await page.locator('pre.piece').allInnerTexts()).join('')).toBe(plain.body_text)
      await page.getByRole('tab', { name: 'Headers' }).click()
      expect(await perceived(page)).toMatchSnapshot('alone')
      await page.evaluate(() => (location.hash = '#bot@mayfly.test/9/alone'))
      await page.getByText('This email no longer exists').waitFor()
      expect(await perceived(page)).toMatchSnapshot('gone, alone')
      await page.evaluate(() => (location.hash = '#bot@mayfly.test/9'))
      await page.getByText('This email is gone').waitFor()
      expect(await perceived(page, 'section.mail')).toMatchSnapshot('gone')
    },
    PATIENCE_MS,
  )
})
