import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { portsOn, type StorePorts } from '../../../adapters/sqlite/ports.ts'
import { writingTo } from '../../../adapters/sqlite/writing.ts'
import type { Webhook, WebhookAttempt, WebhookTarget } from '../../../core/events/webhooks/ports.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { WEBHOOK_ATTEMPTS_KEPT } from '../../../core/limits.ts'
import { sampleMail, sampleWebhook, uniqueAddress, uniqueDomain } from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

describe('the outbox', () => {
  let now: number
  let opened: OpenWriting
  let ports: StorePorts

  beforeEach(() => {
    now = 1_800_000_000_000
    opened = openWriting(() => now)
    ports = opened.ports
  })
  afterEach(() => opened.close())

  async function add(target: WebhookTarget, change: Partial<Webhook> = {}): Promise<string> {
    const webhook = sampleWebhook(now, { target, ...change })
    await ports.webhooks.add(webhook, 20)
    return webhook.id
  }

  async function arrives(address: string): Promise<Email> {
    const [email] = await ports.emails.store(sampleMail([address]))
    return email!
  }

  const jobs = (webhook: string, limit = 100) => ports.webhooks.jobs(webhook, now, limit)
  const attempt = (delivery: string): WebhookAttempt => ({
    at: 1_800_000_000_000,
    delivery,
    type: 'email.received',
    status: 500,
    error: null,
    ms: 3,
    nextAt: null,
  })

  test('has a job for each webhook that matches an email, and for no other', async () => {
    const domain = uniqueDomain()
    const address = uniqueAddress(domain)
    const [ofAddress, ofDomain] = [await add({ address }), await add({ domain })]
    await add({ address: uniqueAddress(domain) })
    await add({ domain: uniqueDomain() })
    await add({ address }, { filter: { subject: 'of nobody' } })
    await add({ address }, { expiresAt: now })
    const email = await arrives(address)
    const job = { address, email: email.id, attempts: 0, due: now }
    const lanes = await ports.webhooks.due(now)
    expect(lanes.map(({ webhook }) => webhook).sort()).toEqual([ofAddress, ofDomain].sort())
    expect(lanes[0]).toMatchObject({ keyHash: expect.stringMatching(/^[0-9a-f]{64}$/), host: 'example.com' })
    expect(await jobs(ofAddress)).toEqual([{ webhook: ofAddress, ...job }])
    expect(await jobs(ofDomain)).toEqual([{ webhook: ofDomain, ...job }])
    expect(await ports.webhooks.due(now - 1)).toEqual([])
  })

  test('has a job for a webhook that was created before the service started', async () => {
    const address = uniqueAddress()
    const webhook = await add({ address })
    const { commands } = writingTo(opened.db, () => now, { publish() {} })
    const [email] = await commands.storeEmails(sampleMail([address]), new Map())
    expect((await jobs(webhook)).map((job) => job.email)).toEqual([email!.id])
  })

  test('holds the emails of a pending webhook until it is live, and has its ping at once', async () => {
    const address = uniqueAddress()
    const webhook = await add({ address }, { status: 'pending' })
    const ping = { webhook, address: '', email: '', attempts: 0, due: now }
    expect(await jobs(webhook)).toEqual([ping])
    const email = await arrives(address)
    expect(await jobs(webhook)).toEqual([ping])
    await ports.webhooks.finish(ping, undefined, attempt('ping'))
    expect(await jobs(webhook)).toEqual([])
    expect(await ports.webhooks.due(now)).toEqual([])
    await ports.webhooks.activate(webhook)
    expect(await ports.webhooks.due(now)).toHaveLength(1)
    expect((await jobs(webhook)).map((job) => job.email)).toEqual([email.id])
    expect(await ports.webhooks.find(webhook)).toMatchObject({ status: 'live' })
  })

  test('calls back once when there are webhooks: at the first one, or at once if there are some', async () => {
    let calls = 0
    ports.webhooks.onceAny(() => calls++)
    expect(calls).toBe(0)
    await add({ domain: 'mayfly.test' })
    expect(calls).toBe(1)
    await add({ domain: 'mayfly.test' })
    expect(calls).toBe(1)
    portsOn(
      opened.db,
      opened.writing.commands,
      () => now,
      async () => ({}),
    ).webhooks.onceAny(() => calls++)
    expect(calls).toBe(2)
  })

  test('returns the jobs that have been due longest, up to the limit', async () => {
    const address = uniqueAddress()
    const webhook = await add({ address })
    const emails: string[] = []
    for (let n = 0; n < 5; n++) {
      emails.push((await arrives(address)).id)
      now += 10
    }
    expect((await jobs(webhook, 3)).map(({ email }) => email)).toEqual(emails.slice(0, 3))
    expect((await ports.webhooks.jobs(webhook, now - 30, 100)).map(({ email }) => email)).toEqual(
      emails.slice(0, 3),
    )
  })

  test('has a job again when it is due again, and not after it has ended', async () => {
    const address = uniqueAddress()
    const webhook = await add({ address })
    expect(await ports.webhooks.nextDue(now)).toBeUndefined()
    const email = await arrives(address)
    const [first] = await jobs(webhook)
    await ports.webhooks.finish(first!, now + 500, attempt('one'))
    expect(await jobs(webhook)).toEqual([])
    expect(await ports.webhooks.due(now)).toEqual([])
    expect(await ports.webhooks.nextDue(now)).toBe(now + 500)
    now += 500
    const again = await jobs(webhook)
    expect(again).toEqual([{ webhook, address, email: email.id, attempts: 1, due: now }])
    await ports.webhooks.finish(again[0]!, undefined, undefined)
    expect(await jobs(webhook)).toEqual([])
    expect(await ports.webhooks.nextDue(0)).toBeUndefined()
    expect(await ports.webhooks.attempts(webhook)).toEqual([attempt('one')])
  })

  test('keeps nothing of a removed webhook, and the latest attempts of an existing one', async () => {
    const address = uniqueAddress()
    const webhook = await add({ address })
    for (let n = 0; n <= WEBHOOK_ATTEMPTS_KEPT; n++) await ports.webhooks.record(webhook, attempt(`${n}`))
    const rows = () =>
      opened.db.all('SELECT id FROM webhook_attempts').length +
      opened.db.all('SELECT * FROM webhook_jobs').length
    expect(rows()).toBe(WEBHOOK_ATTEMPTS_KEPT)
    await arrives(address)
    const [job] = await jobs(webhook)
    await ports.webhooks.remove(webhook)
    expect(rows()).toBe(0)
    // Its request was under way.
    await ports.webhooks.finish(job!, now + 500, attempt('late'))
    expect(rows()).toBe(0)
  })
})
