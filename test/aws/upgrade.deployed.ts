import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { type Account, openAccount } from './account.ts'
import { deploy, ownApp } from './deploy.ts'
import { dataOf020, OlderStacks, TEMPLATE_OF_010, templateOf020 } from './older-stacks.ts'
import { openRest, type RestStack } from './rest.ts'
import { Ses } from './ses.ts'

const DOMAIN = 'old.example'
const KEY = { 'X-API-Key': 'mf_BIPWdkry5CJQXelsz6DKRYfmt07ELSZg2yH5dt' }
const DOMAIN_KEY = { 'X-Domain-Key': 'the key of the private domain' }
/** Logical ids, which CloudFormation keeps (test/lib/template.test.ts). */
const [MAIL, KEYS, BUCKET] = [
  'MayflyStorageInboxesD45947BB',
  'MayflyStorageKeys1A4C22EE',
  'MayflyStorageMessages895AAEDB',
]

/** An account with stacks of older versions, over which this version is deployed. */
describe('a deployment over an older version', () => {
  let account: Account
  let dns: TestDns
  let ses: Ses
  let stacks: OlderStacks

  beforeAll(async () => {
    dns = await startDns()
    account = await openAccount()
    ses = new Ses(account.cloud)
    stacks = new OlderStacks(account.cloud)
  }, 300_000)

  afterAll(async () => {
    stacks?.close()
    ses?.close()
    await account?.close()
    await dns?.close()
  }, 60_000)

  describe('of 0.1.0', () => {
    test('is refused by its first step, says how to keep the data, and changes nothing', async () => {
      await stacks.create('Old', TEMPLATE_OF_010)
      const before = await stacks.resources('Old')
      const table = before.get('StorageMail2F16B83F')!
      const items = [{ pk: { S: `address#bot@${DOMAIN}` }, sk: { S: '01' } }]
      await stacks.put(table, items)
      const created = await stacks.touched('Old')

      const config = { stackName: 'Old', domains: [{ name: DOMAIN }], takeOver: true }
      const refused = deploy(account, await ownApp(account, config, dns.address))
      await expect(refused).rejects.toThrow(
        /would delete StorageKeys12664C02, StorageMail2F16B83F, StorageMessagesEB8091F1 .*Nothing was changed.*"stackName": "Old-2".*npx cdk destroy Old/s,
      )
      expect(await stacks.resources('Old')).toEqual(before)
      expect(await stacks.items(table)).toEqual(items)
      expect(await ses.active()).toBeUndefined()
      const touched = [...(await stacks.touched('Old'))].filter((id) => !created.has(id))
      expect(touched.filter((id) => !id.startsWith('MayflyUpgradeGuard'))).toEqual([])
    }, 300_000)
  })

  describe('of 0.2.0', () => {
    let before: Map<string, string>
    let upgraded: RestStack

    beforeAll(async () => {
      await stacks.create('Mayfly', await templateOf020())
      before = await stacks.resources('Mayfly')
      const { mail, keys, objects } = await dataOf020()
      await stacks.put(before.get(MAIL)!, mail)
      await stacks.put(before.get(KEYS)!, keys)
      await stacks.putObjects(before.get(BUCKET)!, objects)
      const RuleSetName = before.get('MayflyInboundRulesRuleSet269F4565')!
      await account.cloud.query('ses', { Action: 'SetActiveReceiptRuleSet', RuleSetName })
      const config = { domains: [{ name: DOMAIN }] }
      const deployed = await deploy(account, await ownApp(account, config, dns.address))
      upgraded = await openRest(account, dns, deployed)
    }, 300_000)

    afterAll(() => upgraded?.close())

    test('keeps the tables, the bucket, the secret, the queues and the active rule set', async () => {
      const after = await stacks.resources('Mayfly')
      const kept = [...before.keys()].filter((id) => /Storage|Secret|Queue\w{8}$|Letters|RuleSet/.test(id))
      expect(kept).toEqual(expect.arrayContaining([MAIL, KEYS, BUCKET]))
      for (const id of kept) expect([id, after.get(id)]).toEqual([id, before.get(id)])
      expect(await ses.active()).toBe(before.get('MayflyInboundRulesRuleSet269F4565'))
    })

    test('keeps every email, with codes, links, bodies and the read flag', async () => {
      const { emails } = (await upgraded.get(`/api/public/emails/bot@${DOMAIN}`)).body
      expect(emails).toMatchObject([
        { subject: 'Second', read: true },
        {
          id: '01KE6SPFE0FCC3HKWM6C4BCZ9E',
          subject: 'First',
          read: false,
          from: { name: 'Ann', address: 'ann@example.org' },
          codes: ['739105'],
          action_link: { url: 'https://example.org/confirm?t=1' },
          attachment_count: 1,
          received_at: '2026-01-05T10:02:00.000Z',
        },
      ])
      const [other] = (await upgraded.get(`/api/public/emails/other@${DOMAIN}`)).body.emails
      const { body } = await upgraded.get(`/api/emails/other@${DOMAIN}/${other.id}`, KEY)
      expect(body.email).toMatchObject({
        subject: 'First',
        mail_from: 'ann@example.org',
        message_id: '<1@example.org>',
        body_html: expect.stringContaining('Grüße! Your code is <b>739105</b>.'),
        attachments: [{ filename: 'notes.txt', size: 8 }],
        verdicts: { spam: 'pass', virus: 'pass', spf: 'pass', dkim: 'pass', dmarc: 'pass' },
      })
    })

    test('keeps raw messages and attachments', async () => {
      const path = `/api/emails/bot@${DOMAIN}/01KE6SPFE0FCC3HKWM6C4BCZ9E`
      expect((await upgraded.get(`${path}/attachments/0`, KEY)).body).toBe('attached')
      expect((await upgraded.get(`${path}/raw`, KEY)).body).toContain('Message-ID: <1@example.org>')
    })

    test('keeps a private domain private', async () => {
      const path = '/api/emails/bot@private.example'
      expect(await upgraded.get('/api/public/emails/bot@private.example')).toMatchObject({
        status: 401,
        body: { code: 'domain_key_missing' },
      })
      const { status, body } = await upgraded.get(path, { ...KEY, ...DOMAIN_KEY })
      expect(status).toBe(200)
      expect(body.emails).toMatchObject([{ subject: 'Private', codes: ['482913'] }])
    })

    test('new mail follows the old, and a cursor of 0.2.0 returns exactly the new mail', async () => {
      const address = `bot@${DOMAIN}`
      await ses.receive('Subject: Third\r\n\r\nx\r\n', [address])
      await upgraded.arrival(address, 'Third')
      const list = async (query = '') =>
        (await upgraded.get(`/api/public/emails/${address}${query}`)).body.emails.map(
          ({ subject }: { subject: string }) => subject,
        )
      expect(await list()).toEqual(['Third', 'Second', 'First'])
      expect(await list('?since=01KE6SRA100KH1XDMBBBRPS3SV')).toEqual(['Third'])
    })
  })
})
