import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { installConstruct } from '../packages/consumer.ts'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { eventually } from '../support/eventually.ts'
import { type Account, openAccount } from './account.ts'
import { elements } from './cloud.ts'
import { type Deployed, deploy, deployAgain, ownApp } from './deploy.ts'
import { openRest, type RestStack } from './rest.ts'
import { Ses } from './ses.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests read JSON of any shape
type Json = any

/** The receipt rule set that is in the account and active before the first deployment. */
const THEIRS = 'their-mail'
const OURS = 'ours.example'
const CONSUMERS = 'consumer.example'

/**
 * An account that contains more than one stack of this project: a foreign receipt rule set, and a
 * second stack with the construct from its tarball. Each test continues where the previous one
 * ended.
 *
 * The suite cannot show that SES lets a rule write (the test itself acts as SES, as root), nor the
 * names that must be unique in the whole account, of which the emulator checks only some
 * (test/lib/stack.test.ts checks all), nor a fault of AWS itself, because the emulator fails only
 * on request.
 */
describe('an account with other users', () => {
  let account: Account
  let dns: TestDns
  let ses: Ses
  let folder: string
  let ours: RestStack
  let consumers: RestStack
  const closing: (() => Promise<unknown>)[] = []

  const config = { stackName: 'Ours', domains: [{ name: OURS }] }
  const query = (service: string, action: string, parameters: Record<string, string> = {}) =>
    account.cloud.query(service, { Action: action, ...parameters })
  const ruleSets = async () => elements(await query('ses', 'ListReceiptRuleSets'), 'Name').sort()
  /** The events of CloudFormation for a stack of this name, as `type status`. */
  const events = async (StackName: string) => {
    const told: string[] = []
    for (let NextToken: string | undefined = ''; NextToken !== undefined; ) {
      const page = await query('cloudformation', 'DescribeStackEvents', { StackName, NextToken })
      for (const event of page.split('<member>').slice(1))
        told.push(['ResourceType', 'ResourceStatus'].map((name) => elements(event, name)[0]).join(' '))
      NextToken = elements(page, 'NextToken')[0]
    }
    return told
  }

  /** The foreign rule set, as SES describes it. */
  const theirs = async () => {
    const answer = await query('ses', 'DescribeReceiptRuleSet', { RuleSetName: THEIRS })
    return /<DescribeReceiptRuleSetResult>.*<\/DescribeReceiptRuleSetResult>/s.exec(answer)![0]
  }
  const identities = async () => elements(await query('ses', 'ListIdentities'), 'member').sort()
  let asTheyWere: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-consumer-'))
    dns = await startDns()
    account = await openAccount({ MAYFLY_FAILS: join(folder, 'fails') })
    ses = new Ses(account.cloud)
    await ses.createBucket('their-bucket')
    await query('ses', 'CreateReceiptRuleSet', { RuleSetName: THEIRS })
    await query('ses', 'CreateReceiptRule', {
      RuleSetName: THEIRS,
      'Rule.Name': 'keep',
      'Rule.Enabled': 'true',
      'Rule.Recipients.member.1': 'theirs.example',
      'Rule.Actions.member.1.S3Action.BucketName': 'their-bucket',
    })
    await query('ses', 'SetActiveReceiptRuleSet', { RuleSetName: THEIRS })
    asTheyWere = await theirs()
  }, 300_000)

  afterAll(async () => {
    for (const close of closing.reverse()) await close()
    ses?.close()
    await account?.close()
    await dns?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function opened(deploying: Promise<Deployed>): Promise<RestStack> {
    const stack = await openRest(account, dns, await deploying)
    closing.push(stack.close)
    return stack
  }

  async function receives(stack: RestStack, address: string): Promise<void> {
    const subject = `for ${address}`
    await ses.receive(`Subject: ${subject}\r\n\r\nx\r\n`, [address])
    await stack.arrival(address, subject)
  }

  test('a deployment is refused while another rule set is active, says what to do, and changes nothing', async () => {
    const refused = deploy(account, await ownApp(account, config, dns.address))
    await expect(refused).rejects.toThrow(
      new RegExp(`"${THEIRS}" is active in this Region.*receiptRuleSet.*takeOver.*inbound`, 's'),
    )
    expect(await ses.active()).toBe(THEIRS)
    expect(await theirs()).toBe(asTheyWere)
    expect(await ruleSets()).toEqual([THEIRS])
  }, 300_000)

  test('a deployment that fails half-way takes over no mail, even if the configuration allows it', async () => {
    await writeFile(join(folder, 'fails'), '')
    const failed = deploy(account, await ownApp(account, { ...config, takeOver: true }, dns.address))
    await expect(failed).rejects.toThrow(/the test wants it to fail/)
    await rm(join(folder, 'fails'))
    const told = await events('Ours')
    // The rule was created and rolled back.
    expect(told).toEqual(
      expect.arrayContaining([
        'AWS::SES::ReceiptRule CREATE_COMPLETE',
        'AWS::SES::ReceiptRule DELETE_COMPLETE',
        'AWS::CloudFormation::Stack ROLLBACK_COMPLETE',
      ]),
    )
    // The rule set was never activated, so it did not have to be restored.
    expect(told.filter((event) => event.startsWith('Custom::MayflySetup'))).toEqual([])
    expect(await ses.active()).toBe(THEIRS)
    expect(await theirs()).toBe(asTheyWere)
    expect(await ruleSets()).toEqual([THEIRS])
  }, 300_000)

  test('a deployment takes over the active rule set if the configuration says so', async () => {
    ours = await opened(deployAgain(account, 'Ours'))
    expect(await ses.active()).toMatch(/^Ours/)
    expect((await ses.rules()).map(({ Recipients }) => Recipients)).toEqual([undefined])
    expect(await theirs()).toBe(asTheyWere)
    await ours.verify(OURS)
    await receives(ours, `first@${OURS}`)
  }, 300_000)

  test('a user deploys the construct from its tarball beside this stack, into the same rule set', async () => {
    await installConstruct(folder)
    // The function of CDK that uploads assets needs the AWS command line, which the emulator lacks.
    await rm(join(folder, 'node_modules/@mayfly/cdk/dist/pages'), { recursive: true })
    await writeFile(join(folder, 'app.mjs'), APP)
    await writeFile(join(folder, 'cdk.json'), JSON.stringify({ app: 'node app.mjs' }))
    const [shared, dnsServer] = [(await ses.active())!, dns.address]
    const app = { stackName: 'Consumers', folder, context: { shared, dnsServer } }
    consumers = await opened(deploy(account, app))
    await account.reportLeftOut()
    expect(await ses.active()).toBe(shared)
    expect((await ses.rules()).map(({ Recipients }) => Recipients?.sort())).toEqual([
      [`.${CONSUMERS}`, CONSUMERS],
      undefined,
    ])
    await consumers.verify(CONSUMERS)
  }, 300_000)

  test('each stack stores its own mail, and does not show the mail of the other', async () => {
    const [to, beside] = [`bot@${OURS}`, `bot@${CONSUMERS}`]
    // Both rules accept it: the first one matches every recipient, and its stack drops those of
    // foreign domains.
    const written = await ses.receive('Subject: both\r\n\r\nYour code is 739105.\r\n', [to, beside])
    expect(Object.keys(written)).toHaveLength(2)
    expect(await ours.arrival(to, 'both')).toMatchObject({ address: to })
    expect(await consumers.arrival(beside, 'both')).toMatchObject({ codes: ['739105'] })
    for (const [stack, domain, address] of [
      [ours, OURS, beside],
      [consumers, CONSUMERS, to],
    ] as const) {
      const { domains } = (await stack.get('/api/domains')).body
      expect(domains.map((one: Json) => one.domain)).toEqual([domain])
      expect(await stack.get(`/api/public/emails/${address}`)).toMatchObject({
        status: 404,
        body: { code: 'domain_not_found' },
      })
    }
  })

  test('a target of the second stack receives events for its mail only', async () => {
    const address = `told@${CONSUMERS}`
    await ses.receive('Subject: for ours\r\n\r\nx\r\n', [`other@${OURS}`])
    await ses.receive('Subject: for the target\r\n\r\nYour code is 482913.\r\n', [address])
    await ours.arrival(`other@${OURS}`, 'for ours')
    const email = await consumers.arrival(address, 'for the target')
    const found: Json[] = []
    const receive = async () => {
      const { Messages = [] } = await account.cloud.json('sqs', 'AmazonSQS.ReceiveMessage', {
        QueueUrl: consumers.outputs.MailsUrl,
        MaxNumberOfMessages: 10,
      })
      found.push(...Messages.map(({ Body }: Json) => JSON.parse(Body)))
      return found
    }
    await eventually('the event of the email', receive, (events) =>
      events.some(({ detail }) => detail.email.id === email.id),
    )
    for (const event of found)
      expect(event).toMatchObject({
        source: 'mayfly',
        'detail-type': 'email.received',
        detail: { domain: CONSUMERS },
      })
    expect(found.map(({ detail }) => detail.email.subject).sort()).toEqual(['both', 'for the target'])
    expect(found.at(-1).detail.email).toMatchObject({ address, codes: ['482913'] })
  })

  test('after one stack is deleted, the other one keeps its rule, identities, names and mail, and works', async () => {
    const before = await identities()
    expect(before).toEqual(expect.arrayContaining([OURS, CONSUMERS]))
    const active = await ses.active()
    const inbox = (await ours.get(`/api/public/emails/bot@${OURS}`)).body.emails
    await consumers.destroy()
    expect(await ses.active()).toBe(active)
    expect((await ses.rules()).map(({ Recipients }) => Recipients)).toEqual([undefined])
    expect(await identities()).toEqual(before.filter((name) => name !== CONSUMERS))
    expect((await ours.get(`/api/public/emails/bot@${OURS}`)).body.emails).toEqual(inbox)
    await receives(ours, `after@${OURS}`)
    await ours.verify(OURS)
  }, 300_000)

  test('after both stacks are deleted, the foreign rule set is active again and unchanged', async () => {
    await ours.destroy()
    expect(await ses.active()).toBe(THEIRS)
    expect(await theirs()).toBe(asTheyWere)
    expect(await ruleSets()).toEqual([THEIRS])
  }, 300_000)

  test('a stack works beside the rules of the active rule set, and leaves them as they were', async () => {
    const config = { stackName: 'Beside', domains: [{ name: OURS }], receiptRuleSet: THEIRS }
    const beside = await opened(deploy(account, await ownApp(account, config, dns.address)))
    expect(await ses.active()).toBe(THEIRS)
    const rules = await ses.rules()
    expect(rules.map(({ Recipients }) => Recipients?.sort())).toEqual([
      [`.${OURS}`, OURS],
      ['theirs.example'],
    ])
    await beside.verify(OURS)
    await receives(beside, `bot@${OURS}`)
    const written = await ses.receive('Subject: theirs\r\n\r\nx\r\n', ['someone@theirs.example'])
    expect(Object.keys(written)).toEqual(['keep'])
    await beside.destroy()
    expect(await ses.active()).toBe(THEIRS)
    expect(await theirs()).toBe(asTheyWere)
  }, 300_000)
})

const APP = `
import { Mayfly } from '@mayfly/cdk'
import { App, CfnOutput, Stack } from 'aws-cdk-lib'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { Queue } from 'aws-cdk-lib/aws-sqs'

const app = new App()
const stack = new Stack(app, 'Consumers')
const mail = new Mayfly(stack, 'Mail', {
  domains: [{ name: '${CONSUMERS}' }],
  receiptRuleSet: app.node.getContext('shared'),
  dnsServer: app.node.getContext('dnsServer'),
  image: 'example.test/mayfly-sse:1',
})
const mails = new Queue(stack, 'Mails', { enforceSSL: true })
mail.onReceived(new SqsQueue(mails))
new CfnOutput(stack, 'Url', { value: mail.baseUrl })
new CfnOutput(stack, 'MailsUrl', { value: mails.queueUrl })
`
