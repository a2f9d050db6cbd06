import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import manifest from '../../package.json' with { type: 'json' }
import { startDns, type TestDns } from '../support/dns-server.ts'
import { eventually } from '../support/eventually.ts'
import { type Account, openAccount } from './account.ts'
import { deploy, ownApp } from './deploy.ts'
import { INCOMPATIBLE_TEMPLATE, OlderStacks } from './older-stacks.ts'
import { RECORDED_CONFIG, RECORDED_VERSIONS, recordedTemplate } from './recorded.ts'
import { openRest, type RestStack } from './rest.ts'
import { Ses } from './ses.ts'
import { readDeployed } from './template.ts'

const DOMAIN = 'old.example'

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

  describe('with other logical ids', () => {
    test('is refused by its first step, says how to keep the data, and changes nothing', async () => {
      await stacks.create('Old', INCOMPATIBLE_TEMPLATE)
      const before = await stacks.resources('Old')
      const table = before.get('MayflyStorageMail2F16B83F')!
      const items = [{ pk: { S: `address#bot@${DOMAIN}` }, sk: { S: '01' } }]
      await stacks.put(table, items)
      const created = await stacks.touched('Old')

      const config = { stackName: 'Old', domains: [{ name: DOMAIN }], takeOver: true }
      const refused = deploy(account, await ownApp(account, config, dns.address))
      await expect(refused).rejects.toThrow(
        /would delete MayflyOriginSecret5DDC59F1, MayflyStorageKeys12664C02, MayflyStorageMail2F16B83F, MayflyStorageMessagesEB8091F1 .*Nothing was changed.*"stackName": "Old-2".*npx cdk destroy Old/s,
      )
      expect(await stacks.resources('Old')).toEqual(before)
      expect(await stacks.items(table)).toEqual(items)
      expect(await ses.active()).toBeUndefined()
      const touched = [...(await stacks.touched('Old'))].filter((id) => !created.has(id))
      expect(touched.filter((id) => !id.startsWith('MayflyUpgradeGuard'))).toEqual([])
    }, 300_000)
  })

  describe.each(RECORDED_VERSIONS)('of the recorded %s', (version) => {
    const address = `bot@${DOMAIN}`

    test('keeps tables, bucket, queues and mail, and stores mail that arrives meanwhile, once', async () => {
      // The refused deployment has uploaded the programs, which are the same for every stack.
      const present = JSON.parse(await readFile(join(account.folder, 'Old.out/Old.template.json'), 'utf8'))
      const file = join(account.folder, 'recorded.template.json')
      await writeFile(file, recordedTemplate(version, present, dns.address))
      await stacks.create('Mayfly', await readFile(file, 'utf8'))
      const template = await readDeployed(file, account.cloud, 'Mayfly')
      const recorded = await openRest(account, dns, { template, outputs: {}, destroy: async () => {} })
      await recorded.verify(DOMAIN)
      await ses.receive('Subject: before\r\n\r\nx\r\n', [address])
      await recorded.arrival(address, 'before')
      await recorded.close()
      const before = await stacks.resources('Mayfly')

      const sent = ['before']
      let isDeployed = false
      const flow = (async () => {
        while (!isDeployed) {
          const subject = `during ${sent.length}`
          await ses.receive(`Subject: ${subject}\r\n\r\nx\r\n`, [address])
          sent.push(subject)
          await sleep(500)
        }
      })()
      const deployed = await deploy(account, await ownApp(account, RECORDED_CONFIG, dns.address)).finally(
        () => {
          isDeployed = true
        },
      )
      await flow
      const upgraded = await openRest(account, dns, deployed)
      const subjects = () => allSubjects(upgraded, address)
      await eventually('every mail', subjects, (found) => new Set(found).size === sent.length)
      expect((await subjects()).sort()).toEqual(sent.sort())
      await upgraded.close()

      const after = await stacks.resources('Mayfly')
      const kept = [...before.keys()].filter((id) => /Storage|Secret|Queue\w{8}$|Letters|RuleSet/.test(id))
      expect(kept.length).toBeGreaterThan(6)
      for (const id of kept) expect([id, after.get(id)]).toEqual([id, before.get(id)])
    }, 600_000)
  })

  test('the present minor version is recorded once it is released', () => {
    const [major, minor] = manifest.version.split('.')
    const isBefore04 = major === '0' && Number(minor) < 4
    expect(isBefore04 || RECORDED_VERSIONS.includes(`${major}.${minor}.0`)).toBe(true)
  })
})

async function allSubjects(stack: RestStack, address: string): Promise<string[]> {
  const subjects: string[] = []
  let cursor = ''
  do {
    const { body } = await stack.get(
      `/api/public/emails/${address}?limit=100${cursor && `&cursor=${cursor}`}`,
    )
    subjects.push(...body.emails.map(({ subject }: { subject: string }) => subject))
    cursor = body.next_cursor ?? ''
  } while (cursor !== '')
  return subjects
}
