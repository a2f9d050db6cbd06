import type { Page } from 'playwright-core'
import { sendMail } from '../support/mail.ts'
import type { RunningService } from '../support/service.ts'
import {
  ATTACHMENTS,
  CONFIRMATION,
  INVITATION,
  LONG,
  NEWSLETTER,
  NOTE,
  OTHERS,
  PICTURES,
  RIGHT_TO_LEFT,
} from './sample-mails.ts'

/** The states of the pages of which test/e2e/screenshots.ts takes pictures. */

const ADDRESS = 'beamingcaribou1762@mayfly.test'
/** A second inbox, with requests of a test. */
const TESTED = 'checkout-test@mayfly.test'

export interface Shot {
  path: string
  /** The steps to the state. */
  prepare?: (page: Page) => Promise<unknown>
  /** Whether an API key is saved in the browser. */
  hasKey?: boolean
}

const inbox = (prepare: Shot['prepare']): Shot => ({ path: `/#${ADDRESS}`, prepare })
const opened = (subject: string, then?: (page: Page) => Promise<unknown>): Shot =>
  inbox(async (page) => {
    await open(page, subject)
    await then?.(page)
  })
const tab = (name: RegExp | string) => (page: Page) => page.getByRole('tab', { name }).click()
const shownAs = (label: string): Shot =>
  opened('Nine things', async (page) => {
    await page.getByLabel('Show the email as').selectOption(label)
  })
const compared = (name: string): Shot =>
  inbox(async (page) => {
    for (const subject of ['Confirm your', 'Nine things']) {
      await page.locator('.row').filter({ hasText: subject }).getByRole('checkbox').check({ force: true })
    }
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('dialog').getByRole('tab', { name }).click()
  })

/** Each state of a page: its path, and the steps to reach the state. */
export const SHOTS: Record<string, Shot> = {
  'all-mail': { path: '/', prepare: (page) => page.locator('.row').nth(8).waitFor() },
  'all-mail-open': {
    path: '/',
    prepare: (page) => open(page, 'Confirm your'),
  },
  'all-mail-search': {
    path: '/',
    prepare: async (page) => {
      await page.getByRole('searchbox').fill('to:beaming has:code')
      await page.getByText(/emails? found/).waitFor()
    },
  },
  'first-screen': {
    path: '/#newborn1@mayfly.test',
    prepare: (page) => page.getByRole('heading', { name: 'Waiting for email' }).waitFor(),
  },
  list: inbox((page) => page.locator('.row').first().waitFor()),
  selection: inbox(async (page) => {
    for (const i of [0, 2, 3]) await page.locator('.row').nth(i).getByRole('checkbox').check({ force: true })
  }),
  undo: inbox(async (page) => {
    // Closing the page deletes it: other pictures need the newer ones.
    await page.locator('.row').last().getByRole('checkbox').check({ force: true })
    await page.getByRole('button', { name: 'Delete selected' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  }),
  'no-match': inbox(async (page) => {
    await page.getByRole('searchbox').fill('subjekt:hello has:code')
    await page.getByText(/^No email matches/).waitFor()
  }),
  compact: inbox(async (page) => {
    await page.getByRole('button', { name: 'Show compact rows' }).click()
    await page.getByRole('searchbox').fill('has:code')
  }),
  confirmation: opened('Confirm your'),
  details: opened('Confirm your', async (page) => {
    await page.locator('.mail-head summary').click()
    await page.getByRole('button', { name: 'More' }).click()
  }),
  newsletter: opened('Nine things'),
  'long-text': opened('An unusually long'),
  pictures: opened('Pictures in place'),
  invitation: opened('Invitation'),
  attachments: opened('invoices'),
  note: opened('Notes'),
  'right-to-left': opened('5521'),
  'as-inverted': shownAs('In the dark, inverted'),
  'as-375': shownAs('At 375 px'),
  'as-no-images': shownAs('Without remote images'),
  'html-check': opened('Nine things', async (page) => {
    await tab('HTML check')(page)
    await page.locator('.score').waitFor()
  }),
  headers: opened('Confirm your', tab('Headers')),
  source: opened('Confirm your', async (page) => {
    await tab('Source')(page)
    await page.getByText('Save as .eml').waitFor()
  }),
  text: opened('Confirm your', tab('Text')),
  links: opened('Nine things', tab(/^Links/)),
  'use-in-a-test': opened('Confirm your', async (page) => {
    await page.getByRole('button', { name: 'Use in a test' }).click()
  }),
  'compare-rendered': compared('Rendered'),
  'compare-text': compared('Text'),
  'compare-headers': compared('Headers'),
  'time-line': {
    path: `/#${TESTED}/activity`,
    prepare: (page) => page.getByText('does not contain').first().waitFor(),
  },
  'first-screen-tested': {
    path: `/#quiet-test@mayfly.test`,
    prepare: (page) => page.getByText('no email in').first().waitFor(),
  },
  alone: {
    path: `/#${ADDRESS}`,
    prepare: async (page) => {
      const path = await page
        .locator('.row')
        .filter({ hasText: 'Confirm your' })
        .locator('.subject')
        .getAttribute('href')
      await page.goto(`${new URL(page.url()).origin}/${path}/alone`)
      await page.getByRole('tab', { name: 'Headers' }).waitFor()
    },
  },
  shortcuts: inbox(async (page) => {
    await page.locator('.row').first().waitFor()
    await page.keyboard.press('?')
  }),
  share: inbox(async (page) => {
    await page.getByRole('button', { name: 'Share this inbox' }).click()
    await page.locator('.qr').waitFor()
  }),
  recent: inbox(async (page) => {
    await page.locator('.row').first().waitFor()
    await page.evaluate(() => (location.hash = '#newborn1@mayfly.test'))
    await page.getByRole('heading', { name: 'Waiting for email' }).waitFor()
    await page.getByRole('button', { name: 'Recent addresses' }).click()
  }),
  'no-connection': inbox(async (page) => {
    await page.locator('.row').first().waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await page.locator('.row').filter({ hasText: 'Receipt' }).locator('.subject').first().click()
    await page.locator('.problem').first().waitFor()
  }),
  'typing-error': {
    path: '/#new',
    prepare: async (page) => {
      await page.getByLabel('Username').fill('bad name')
      await page.getByLabel('Username').press('Enter')
    },
  },
  'unknown-domain': {
    path: '/#someone@nowhere.example',
    prepare: (page) => page.locator('.problem').waitFor(),
  },
  private: { path: '/#someone@private.test', prepare: (page) => page.getByLabel('Domain key').waitFor() },
  'whole-domain': {
    path: '/#@private.test',
    prepare: async (page) => {
      await page.getByLabel('Domain key').fill('key')
      await page.getByRole('button', { name: 'Open' }).click()
      await page.locator('.row').first().waitFor()
    },
  },
  keys: { path: '/keys', prepare: (page) => page.getByRole('button', { name: /Generate/ }).waitFor() },
  'keys-known': {
    path: '/keys',
    hasKey: true,
    prepare: async (page) => {
      await page.getByRole('button', { name: /saved in this browser/ }).click()
      await page.getByText('Valid until').waitFor()
    },
  },
  domains: { path: '/domains#mayfly.test', prepare: (page) => page.locator('#result').waitFor() },
  'domains-other': {
    path: '/domains#mail.customer.example',
    prepare: async (page) => {
      await page.locator('#result, .problem').first().waitFor()
    },
  },
  'domains-empty': { path: '/domains' },
  webhooks: { path: '/webhooks', prepare: (page) => page.getByLabel('API key').waitFor() },
  'webhooks-known': {
    path: '/webhooks',
    hasKey: true,
    prepare: (page) => page.getByRole('cell', { name: 'ping' }).first().waitFor(),
  },
  docs: { path: '/docs', prepare: (page) => page.getByRole('tab', { name: 'curl' }).waitFor() },
  'docs-operation': {
    path: '/docs#waitForEmail',
    prepare: (page) => page.getByRole('button', { name: 'Run' }).waitFor(),
  },
  problems: { path: '/problems/rate_limited' },
  'problems-list': { path: '/problems/' },
  'not-found': { path: '/nope' },
}

/** Opens the email with this subject from the list. */
async function open(page: Page, subject: string): Promise<void> {
  await page.locator('.row').filter({ hasText: subject }).locator('.subject').first().click()
  await page.locator('.mail-pane [role="tab"]').first().waitFor()
}

/** Fills a service with mail, refused mail and requests of tests. Returns an API key that has a webhook. */
export async function fill({ smtp, http }: RunningService): Promise<string> {
  const mails = [
    LONG,
    ...OTHERS,
    PICTURES,
    INVITATION,
    RIGHT_TO_LEFT,
    ATTACHMENTS,
    NOTE,
    NEWSLETTER,
    CONFIRMATION,
  ]
  for (const mail of [...OTHERS, ...OTHERS, ...mails]) await sendMail(smtp, { to: ADDRESS, ...mail })
  for (const [i, mail] of mails.entries()) {
    await sendMail(smtp, { to: `${['sales', 'support', 'a.long.name+tag'][i % 3]}@private.test`, ...mail })
  }
  await sendMail(smtp, { to: 'ceo@elsewhere.example', subject: 'Refused', text: 'x' }).catch(() => {})
  const { key } = (await (await fetch(`${http}/api/keys`, { method: 'POST' })).json()) as { key: string }
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
  const wait = (address: string, query: string) =>
    fetch(`${http}/api/emails/${address}/wait?${query}&since=${new Date().toISOString()}`, { headers })
  const waits = [
    wait(TESTED, 'subject=Confirm&timeout=3'),
    wait(TESTED, 'has=code&timeout=25'),
    wait(TESTED, 'from=billing&has=attachment&timeout=2'),
    wait('quiet-test@mayfly.test', 'has=code&subject=Reset%20your%20password&timeout=1'),
  ]
  await sendMail(smtp, { to: TESTED, ...OTHERS[2] })
  await sendMail(smtp, { to: TESTED, ...OTHERS[0] })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await sendMail(smtp, { to: TESTED, ...OTHERS[3] })
  for (const answer of await Promise.all(waits)) await answer.json()
  const body = JSON.stringify({ url: `${http}/nowhere`, address: ADDRESS, subject: 'Confirm' })
  const created = await fetch(`${http}/api/webhooks`, { method: 'POST', headers, body })
  const { id } = (await created.json()) as { id: string }
  await fetch(`${http}/api/webhooks/${id}/test`, { method: 'POST', headers })
  return key
}
