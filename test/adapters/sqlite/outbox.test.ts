import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Writing, writingTo } from '../../../adapters/sqlite/commands.ts'
import { type Database, openForWriting } from '../../../adapters/sqlite/database.ts'
import { portsOn, type StorePorts } from '../../../adapters/sqlite/ports.ts'
import type { Webhook, WebhookAttempt, WebhookTarget } from '../../../core/events/webhooks/ports.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { WEBHOOK_ATTEMPTS_KEPT } from '../../../core/limits.ts'
import {
  HOUR_MS,
  sampleMail,
  unique,
  uniqueAddress,
  uniqueDomain,
  uniqueHash,
} from '../../contract/sample.ts'
import { temporaryDirectory } from './store-temporary.ts'

describe('the outbox', () => {
  let now: number
  let db: Database
  let remove: () => void
  let writing: Writing
  let ports: StorePorts

  beforeEach(() => {
    now = 1_800_000_000_000
    const temporary = temporaryDirectory()
    remove = temporary.remove
    db = openForWriting(temporary.dir)
    writing = writingTo(db, () => now, { announce() {} })
    ports = portsOn(db, writing.commands, () => now)
  })
  afterEach(() => {
    writing.group.flush()
    db.close()
    remove()
  })

  async function add(target: WebhookTarget, change: Partial<Webhook> = {}): Promise<string> {
    const webhook: Webhook = {
      id: `wh_${unique()}`,
      key_hash: uniqueHash(),
      url: 'https://example.com/hook',
      secret: 'whsec_c2VjcmV0',
      target,
      filter: {},
      domain_key_hash: null,
      created_at: now,
      expires_at: now + HOUR_MS,
      ...change,
    }
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
    next_at: null,
  })

  test('has a job for each webhook that is to be told of an email, and for no other', async () => {
    const domain = uniqueDomain()
    const address = uniqueAddress(domain)
    const [ofAddress, ofDomain] = [await add({ address }), await add({ domain })]
    await add({ address: uniqueAddress(domain) })
    await add({ domain: uniqueDomain() })
    await add({ address }, { filter: { subject: 'of nobody' } })
    await add({ address }, { expires_at: now })
    const email = await arrives(address)
    const job = { address, email: email.id, attempts: 0, due: now }
    expect((await ports.webhooks.due(now)).sort()).toEqual([ofAddress, ofDomain].sort())
    expect(await jobs(ofAddress)).toEqual([{ webhook: ofAddress, ...job }])
    expect(await jobs(ofDomain)).toEqual([{ webhook: ofDomain, ...job }])
    expect(await ports.webhooks.due(now - 1)).toEqual([])
  })

  test('says once when there are webhooks: at the first one, or at once where there are some', async () => {
    let calls = 0
    ports.webhooks.onceAny(() => calls++)
    expect(calls).toBe(0)
    await add({ domain: 'mayfly.test' })
    expect(calls).toBe(1)
    await add({ domain: 'mayfly.test' })
    expect(calls).toBe(1)
    portsOn(db, writing.commands, () => now).webhooks.onceAny(() => calls++)
    expect(calls).toBe(2)
  })

  test('gives the jobs that have been due longest, as many as are asked for', async () => {
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

  test('has a job again when it is due again, and no more when it has ended', async () => {
    const address = uniqueAddress()
    const webhook = await add({ address })
    expect(await ports.webhooks.nextDue(now)).toBeUndefined()
    const email = await arrives(address)
    const [first] = await jobs(webhook)
    await ports.webhooks.settle(first!, now + 500, attempt('one'))
    expect(await jobs(webhook)).toEqual([])
    expect(await ports.webhooks.due(now)).toEqual([])
    expect(await ports.webhooks.nextDue(now)).toBe(now + 500)
    now += 500
    const again = await jobs(webhook)
    expect(again).toEqual([{ webhook, address, email: email.id, attempts: 1, due: now }])
    await ports.webhooks.settle(again[0]!, undefined, undefined)
    expect(await jobs(webhook)).toEqual([])
    expect(await ports.webhooks.nextDue(0)).toBeUndefined()
    expect(await ports.webhooks.attempts(webhook)).toEqual([attempt('one')])
  })

  test('keeps nothing of a webhook that is gone, and of one that is there the latest attempts', async () => {
    const address = uniqueAddress()
    const webhook = await add({ address })
    for (let n = 0; n <= WEBHOOK_ATTEMPTS_KEPT; n++) await ports.webhooks.record(webhook, attempt(`${n}`))
    const rows = () =>
      db.all('SELECT id FROM webhook_attempts').length + db.all('SELECT * FROM webhook_jobs').length
    expect(rows()).toBe(WEBHOOK_ATTEMPTS_KEPT)
    await arrives(address)
    const [job] = await jobs(webhook)
    await ports.webhooks.remove(webhook)
    expect(rows()).toBe(0)
    // Its request was under way.
    await ports.webhooks.settle(job!, now + 500, attempt('late'))
    expect(rows()).toBe(0)
  })
})
