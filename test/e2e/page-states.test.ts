import { expect, test } from '@jest/globals'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { type Answers, openState, perceived } from './states.ts'

const DOMAINS = {
  domains: [
    { domain: 'mayfly.test', private: false },
    { domain: 'private.test', private: true },
  ],
}
const MX = { type: 'MX', value: '10 mx.mayfly.example', purpose: 'Brings the mail.', found: true }
const TXT = { type: 'TXT', value: 'key=<key>', purpose: 'Makes it private.', found: false }
const verification = (domain: string, facts: object, records = [MX, TXT]) => ({
  domain,
  verified: true,
  mx: 'mx.mayfly.example',
  status: 'verified',
  private: false,
  records: records.map((record) => ({
    ...record,
    name: record.type === 'TXT' ? `_mayfly.${domain}` : domain,
  })),
  ...facts,
})
const PROBLEM = { code: 'internal_error', title: '', detail: '', request_id: 'r-1' }
const QUOTA = { limit: 5, remaining: 5, resets_at: '2026-11-22T00:00:00.000Z' }
const KEY = {
  key: 'mf_0123456789',
  purpose: 'Checkout',
  created_at: '2026-11-20T10:00:00.000Z',
  expires_at: '2026-12-20T10:00:00.000Z',
  rate_limit: { limit: 120, window_seconds: 60 },
}

inBrowser('what a person perceives of the pages', {}, (stage) => {
  test(
    'a domain: receiving mail, private, waiting, registered without its record, without any, and a fault',
    async () => {
      const without = [{ ...MX, found: false }]
      const results = [
        verification('receiving.example', {}),
        verification('private.example', { private: true }, [MX, { ...TXT, found: true }]),
        verification('waiting.example', { status: 'pending', verified: false }),
        verification('elsewhere.example', { verified: false, mx: 'mx.other.example' }, without),
        verification('none.example', { status: 'unverified', verified: false }, without),
      ]
      const names = [...results.map(({ domain }) => domain), 'fault.example']
      const answers: Answers = [
        [/domains$/, DOMAINS],
        ...results.map((result): Answers[0] => [new RegExp(`verify/${result.domain}$`), result]),
        [/verify/, PROBLEM, 500],
      ]
      const { page, sent } = await openState(stage(), '/domains', answers)
      await page.getByRole('heading', { name: 'Domains on this service' }).waitFor()
      expect(await perceived(page)).toMatchSnapshot('first')
      for (const name of names) {
        await page.getByLabel('Domain', { exact: true }).fill(`https://me@${name.toUpperCase()}.:80/x?y#z `)
        await page.getByRole('button', { name: 'Check and add' }).click()
        await page
          .locator('#result, .problem')
          .filter({ hasText: name === 'fault.example' ? 'server' : name })
          .waitFor()
        expect(await perceived(page, 'main > .page > .stack >> nth=1')).toMatchSnapshot(name)
      }
      expect(sent.filter((line) => line.includes('verify'))).toEqual(
        names.map((name) => `GET /api/domain/verify/${name}`),
      )
      // The result of another domain is not shown beside the fault of this one.
      expect(await page.locator('#result').count()).toBe(0)
      expect(new URL(page.url()).hash).toBe('#none.example')
      await page.getByRole('button', { name: 'Dismiss' }).click()
      expect(await page.locator('.problem').count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'API keys: free ones, a new one, a known one, one of the operator, and a fault',
    async () => {
      const keys = [KEY.key, 'mf_another']
      const operator = { ...KEY, purpose: '', expires_at: null }
      const known: [RegExp, object, number?] = [/GET .*keys\/current/, operator]
      const revocation: [RegExp, object, number?] = [/DELETE .*keys\/current/, PROBLEM, 500]
      const { page, sent } = await openState(stage(), '/keys', [
        known,
        revocation,
        [/POST .*keys$/, () => ({ ...KEY, key: keys.shift() })],
        [/GET .*keys$/, QUOTA],
      ])
      await page.getByText('5 of 5 left').waitFor()
      expect(await perceived(page)).toMatchSnapshot('first')
      await page.getByLabel('Purpose').fill(' Checkout ')
      await page.getByRole('button', { name: 'Generate a key' }).click()
      await page.getByText('Copy your key now.').waitFor()
      await page.getByRole('button', { name: 'Remember for the Webhooks page' }).click()
      expect(await perceived(page)).toMatchSnapshot('generated and saved')
      expect(sent.filter((line) => line.startsWith('POST'))).toEqual([
        'POST /api/keys {"purpose":"Checkout"}',
      ])
      await page.getByRole('button', { name: 'Forget in this browser' }).click()
      expect(await page.getByText('Saved.').count()).toBe(0)
      // Both of them stay visible, because neither can be shown again.
      await page.getByRole('button', { name: 'Generate another' }).click()
      await page.getByRole('button', { name: 'Copy key' }).nth(1).waitFor()

      await page.getByLabel('Key', { exact: true }).fill(' mf_x ')
      await page.getByRole('button', { name: 'Look up' }).click()
      await page.getByText('Generated', { exact: true }).waitFor()
      expect(await perceived(page, 'section >> nth=1')).toMatchSnapshot('of an operator')
      known[1] = KEY
      await page.getByRole('button', { name: 'Look up' }).click()
      await page.getByText('Valid until', { exact: true }).waitFor()
      expect(await perceived(page, 'section >> nth=1')).toMatchSnapshot('known')
      await page.getByRole('button', { name: 'Revoke' }).click()
      expect(await perceived(page, 'dialog')).toMatchSnapshot('before it is revoked')
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.locator('.problem').waitFor()
      expect(await perceived(page, 'section >> nth=1')).toMatchSnapshot('not revoked')
      // The next look-up shows nothing of the previous key.
      known.splice(1, 2, PROBLEM, 500)
      await page.getByRole('button', { name: 'Look up' }).click()
      await page.getByText('Checkout', { exact: true }).waitFor({ state: 'detached' })

      known.splice(1, 2, KEY)
      revocation.splice(1, 2, {})
      await page.getByRole('button', { name: 'Look up' }).click()
      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('Key revoked').waitFor()
      expect(await perceived(page, 'section >> nth=1')).toMatchSnapshot('revoked')
    },
    PATIENCE_MS,
  )

  test(
    'webhooks: without a key, none, several with their deliveries, and a new one',
    async () => {
      const hook = (id: string, facts: object) => ({
        id,
        url: `https://example.org/${id}`,
        expires_at: '2026-12-20T10:00:00.000Z',
        ...facts,
      })
      const attempt = (minute: string, facts: object) => ({
        time: `2026-11-21T09:0${minute}:00.000Z`,
        type: 'email.received',
        status: 200,
        error: null,
        ms: 12,
        next_attempt_at: null,
        ...facts,
      })
      const deliveries = [
        attempt('1', {}),
        attempt('2', { status: 302 }),
        attempt('3', { status: null, error: 'timeout', next_attempt_at: '2026-11-21T10:05:00.000Z' }),
        attempt('4', { type: 'ping' }),
      ]
      const webhooks = [
        hook('one', { address: 'bot@mayfly.test', status: 'live' }),
        hook('two', {
          domain: 'private.test',
          status: 'failing',
          from: 'acme',
          subject: 'code',
          has: 'action_link',
        }),
      ]
      const { page, sent } = await openState(stage(), '/webhooks', [
        [/GET .*keys$/, QUOTA],
        [/GET .*webhooks\/one\/deliveries$/, { deliveries }],
        [/GET .*deliveries$/, { deliveries: [] }],
        [/POST .*webhooks$/, { id: 'new', secret: 'whsec_1' }],
        [/POST .*test$/, {}],
        [/DELETE/, {}],
        [/GET .*webhooks$/, { webhooks }],
      ])
      await page.getByText('5 of 5 left').waitFor()
      expect(await perceived(page)).toMatchSnapshot('without a key')
      await page.getByLabel('API key', { exact: true }).fill(' mf_0123456789 ')
      await page.getByRole('button', { name: 'Use this key' }).click()
      await page.getByRole('cell', { name: 'ping' }).waitFor()
      await page.getByText('No deliveries yet.').waitFor()
      await page.getByText('Filters and domain key').click()
      expect(await perceived(page)).toMatchSnapshot('several')
      const tones = await page
        .locator('td:nth-child(3), .chip')
        .evaluateAll((all) => all.map(({ className, textContent }) => `${textContent}: ${className}`))
      expect(tones).toEqual([
        'failing: chip warn',
        'live: chip good',
        '200: good',
        '302: bad',
        'timeout: bad',
        '200: good',
      ])
      await page.getByLabel('URL').fill('https://example.org/new')
      await page.getByLabel('Address or domain').fill('private.test')
      await page.getByLabel('From contains').fill('acme')
      await page.getByLabel('Has').selectOption('a code')
      await page.getByLabel('Domain key').fill('sesame')
      await page.getByRole('button', { name: 'Create webhook' }).click()
      await page.getByText('Copy the secret now.').waitFor()
      expect(await perceived(page, '[role="status"]')).toMatchSnapshot('the secret')
      // The target is kept for the next webhook, the rest is not.
      const values = page.locator('form input, form select')
      expect(
        await values.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value)),
      ).toEqual(['', 'private.test', '', '', '', '', '', ''])
      await page.getByRole('region', { name: 'org/one' }).getByRole('button', { name: 'Delete' }).click()
      expect(await perceived(page, 'dialog')).toMatchSnapshot('before it is deleted')
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(sent.filter((line) => !line.startsWith('GET'))).toEqual([
        'POST /api/webhooks {"url":"https://example.org/new","domain":"private.test","from":"acme","has":"code"}',
      ])
      await page.getByRole('button', { name: 'Use another key' }).click()
      await page.getByRole('heading', { name: 'Have a key?' }).waitFor()
    },
    PATIENCE_MS,
  )
})
