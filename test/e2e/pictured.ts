import type { Page } from 'playwright-core'
import { attachment, email, wholeEmail } from '../web/email.ts'
import { mailDocument, openMail } from './inbox-steps.ts'
import { type Answers, NOW } from './states.ts'

/** The pages that test/e2e/pictures.test.ts compares with their pictures: always with the same content. */

const ADDRESS = 'beamingcaribou1762@mayfly.test'
const ago = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1000).toISOString()
const person = (name: string, address: string) => ({ name, address })

const CONFIRMATION = {
  address: ADDRESS,
  from: person('Acme', 'no-reply@acme.example'),
  to: [{ name: null, address: ADDRESS }],
  subject: 'Confirm your email address',
  body_text: 'Your verification code is 482913. Confirm: https://acme.example/confirm?token=5f2c9',
  codes: ['482913'],
  links: ['https://acme.example/confirm?token=5f2c9'],
  action_link: {
    url: 'https://acme.example/confirm?token=5f2c9',
    text: 'Confirm email address',
    kind: 'confirm',
  } as const,
  received_at: ago(40),
  expires_at: ago(40 - 86_400),
  size: 4200,
}
const HTML = `<div style="max-width:560px;margin:0 auto;padding:32px;font-family:Arial,sans-serif;color:#222;background:#fff">
<img src="https://acme.example/logo.png" width="120" height="36" alt="Acme"><h1 style="font-size:24px">Welcome to Acme</h1>
<p>Enter this code to finish your registration:</p><p style="font-size:30px;letter-spacing:6px"><b>482913</b></p>
<p><a style="background:#2b5;color:#fff;padding:12px 20px;border-radius:6px" href="https://acme.example/confirm?token=5f2c9">Confirm email address</a></p></div>`

const ONE_TIME = {
  address: ADDRESS,
  from: person('Bank', 'alerts@bank.example'),
  subject: 'Your one-time password',
  body_text: 'Your one-time password is 903417.',
  codes: ['903417'],
  received_at: ago(90_000),
}

const LIST = [
  email('9', CONFIRMATION),
  email('8', {
    from: person('The Weekly', 'news@weekly.example'),
    subject: 'Nine things we learned about queues this week, and one that we had to unlearn',
    body_text: 'Back pressure is a feature. Retries need a budget.',
    links: ['https://weekly.example/42'],
    received_at: ago(300),
  }),
  email('7', {
    from: person('Accounts', 'billing@acme.example'),
    subject: 'Your invoices of 2026',
    body_text: 'Attached are your invoices.',
    attachment_count: 3,
    attachments: ['invoice-09.pdf', 'invoice-10.pdf', 'terms.txt'].map((filename, i) =>
      attachment(String(i), { filename, content_type: 'application/pdf', size: 24_000 * (i + 1) }),
    ),
    received_at: ago(4000),
    read: true,
  }),
  email('6', ONE_TIME),
  ...['5', '4', '3'].map((id) =>
    email(id, {
      subject: `Run failed: CI, main, ${id}`,
      body_text: 'Run failed.',
      received_at: ago(200_000),
    }),
  ),
].map((one) => ({ ...one, address: ADDRESS }))
const WHOLE = wholeEmail('9', {
  ...CONFIRMATION,
  body_html: HTML,
  headers: [{ name: 'Subject', value: CONFIRMATION.subject }],
})
const OLDER = wholeEmail('6', {
  ...ONE_TIME,
  body_text: 'Hello Ann,\n\nyour one-time password is 903417.\n\nThe bank',
  headers: [{ name: 'Subject', value: ONE_TIME.subject }],
})
const NEWER = { ...WHOLE, body_text: 'Hello Ann,\n\nyour verification code is 482913.\n\nAcme' }

const REFUSAL = {
  at: ago(1000),
  client: '127.0.0.1',
  mail_from: 'shop@acme.example',
  recipient: 'beamingcaribou1762@mayfly.tset',
  code: 550,
  reply: '5.1.2 This service does not accept mail for that domain. It accepts mail for mayfly.test.',
}
const arrived = (id: string, subject: string, seconds: number) => ({
  id,
  from: { name: null, address: 'shop@acme.example' },
  subject,
  received_at: ago(seconds),
})
const REQUESTS = [
  { wait: wait({ has: 'code' }, arrived('9', CONFIRMATION.subject, 983)), ms: 12_000, seconds: 995 },
  {
    wait: wait({ subject: 'Confirm' }, null, [
      {
        ...arrived('8', 'Welcome', 1004),
        reasons: [{ filter: 'subject', text: '“Welcome” does not contain “Confirm”' }],
      },
    ]),
    ms: 10_000,
    seconds: 1010,
  },
  { wait: null, ms: 14, seconds: 1014 },
].map(({ wait, ms, seconds }) => ({
  method: 'GET',
  target: wait === null ? '?limit=20' : '/wait',
  started_at: ago(seconds),
  status: 200,
  ms,
  wait,
}))

function wait(filter: Record<string, string>, found: object | null, missed: object[] = []) {
  return { filter, since: null, timeout: 25, found, missed }
}

const INFO = {
  smtp: { host: '127.0.0.1', port: 2525 },
  mx: 'mayfly.test',
  retention_hours: 24,
  link_check: true,
  all_mail: true,
}
const VERIFIED = {
  domain: 'mail.customer.example',
  verified: true,
  mx: 'mx.mayfly.example',
  status: 'verified',
  private: false,
  records: [
    {
      type: 'MX',
      name: 'mail.customer.example',
      value: '10 mx.mayfly.example',
      purpose: 'Brings the mail.',
      found: true,
    },
    {
      type: 'TXT',
      name: '_mayfly.mail.customer.example',
      value: 'key=<key>',
      purpose: 'Makes it private.',
      found: false,
    },
  ],
}
const QUOTA = { limit: 5, remaining: 3, resets_at: ago(-50_000) }

/** What the service answers on all of these pages. */
const ALWAYS: Answers = [
  [/GET \/api\/info$/, INFO],
  [/GET \/api\/domains$/, { domains: [{ domain: 'mayfly.test', private: false }] }],
  [/GET \/api\/domains\/random$/, { domain: 'mayfly.test' }],
  [/random-username/, { username: 'amberotter418207' }],
  [/GET \/api\/refusals/, { refusals: [REFUSAL] }],
  [/GET \/api\/keys$/, QUOTA],
  [/GET \/api\/domain\/verify/, VERIFIED],
]
const listed = (emails: object[], requests: object[] = []): Answers => [
  [/GET \/api\/activity/, { requests, emails: [arrived('8', 'Welcome', 1004)] }],
  [/GET \/api\/emails\/[^/]+\/9$/, { email: NEWER }],
  [/GET \/api\/emails\/[^/]+\/6$/, { email: OLDER }],
  [/GET \/api\/(?:public\/)?emails/, { emails, next_cursor: null }],
  ...ALWAYS,
]

export interface Pictured {
  path: string
  width: number
  /** By default that of a device of this width. */
  height?: number
  colorScheme: 'light' | 'dark'
  answers: Answers
  /** Reaches the state of the picture. */
  reach: (page: Page) => Promise<unknown>
}

const INBOX = `/#${ADDRESS}`
const live = (page: Page) => page.locator('[data-state="live"]').waitFor()
const openFirst = async (page: Page) => {
  await openMail(page, CONFIRMATION.subject)
  await mailDocument(page).getByText('Welcome to Acme').waitFor()
}

export const PICTURED: Record<string, Pictured> = {
  'all-mail': {
    path: '/',
    width: 1280,
    colorScheme: 'light',
    answers: listed(LIST),
    reach: async (page) => {
      await page.locator('.row.refused').waitFor()
      await page.getByRole('region', { name: 'New address' }).getByRole('link').waitFor()
      await page.getByText('None yet').waitFor()
      await live(page)
    },
  },
  list: {
    path: INBOX,
    width: 1280,
    colorScheme: 'dark',
    answers: listed(LIST),
    reach: async (page) => {
      await page.getByLabel('Select Your invoices').check({ force: true })
      await page.getByRole('list', { name: 'Refused mail' }).waitFor()
      await live(page)
    },
  },
  email: {
    path: INBOX,
    width: 1280,
    colorScheme: 'light',
    answers: listed(LIST),
    reach: async (page) => {
      await openFirst(page)
      await live(page)
    },
  },
  'email-on-a-phone': {
    path: INBOX,
    width: 390,
    colorScheme: 'dark',
    answers: listed(LIST),
    reach: openFirst,
  },
  compare: {
    path: INBOX,
    width: 1280,
    colorScheme: 'light',
    answers: listed(LIST),
    reach: async (page) => {
      for (const subject of [CONFIRMATION.subject, 'Your one-time password']) {
        await page.getByLabel(`Select ${subject}`).check({ force: true })
      }
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      await page.getByRole('dialog').getByRole('tab', { name: 'Text' }).click()
      await page.getByRole('dialog').locator('ins').first().waitFor()
      await live(page)
    },
  },
  'time-line': {
    path: `${INBOX}/activity`,
    width: 820,
    colorScheme: 'light',
    answers: listed(LIST, REQUESTS),
    reach: (page) => page.getByRole('list', { name: 'Refused mail' }).waitFor(),
  },
  'first-screen-on-a-phone': {
    path: '/#newborn1@mayfly.test',
    width: 390,
    colorScheme: 'light',
    answers: listed([]),
    reach: async (page) => {
      await page.getByText('None yet').waitFor()
      await live(page)
    },
  },
  domains: {
    path: '/domains#mail.customer.example',
    width: 820,
    colorScheme: 'dark',
    answers: ALWAYS,
    reach: async (page) => {
      await page.locator('#result').waitFor()
      await page.getByRole('heading', { name: 'Domains on this service' }).waitFor()
    },
  },
  docs: {
    // Without the reference: another text of the API is no change of how the page looks.
    path: '/docs',
    width: 390,
    height: 630,
    colorScheme: 'light',
    answers: ALWAYS,
    reach: (page) => page.getByText('amberotter418207').first().waitFor(),
  },
  webhooks: {
    path: '/webhooks',
    width: 390,
    colorScheme: 'dark',
    answers: ALWAYS,
    reach: (page) => page.getByText('3 of 5 left').waitFor(),
  },
}
