import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { Shares } from '../../../adapters/sqlite/shares.ts'
import type { Space } from '../../../adapters/sqlite/space.ts'
import { SIZE_FACTOR } from '../../../adapters/sqlite/space.ts'
import type { Origin } from '../../../core/inbox/ports.ts'
import { sampleContent, sampleMail, uniqueAddress } from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

const ATTACKER: Origin = { client: '192.0.2.1', sender: 'a@example.com' }
const OTHER: Origin = { client: '192.0.2.2', sender: 'b@example.com' }

describe('the share of the store that one origin may fill', () => {
  let opened: OpenWriting
  let used: number
  let shares: Shares

  beforeEach(async () => {
    opened = await openWriting(Date.now)
    used = 900
    shares = new Shares(opened.db, { maxBytes: 1000, used: () => used } as Space)
  })
  afterEach(() => opened.close())

  async function store(origin: Origin | undefined, size: number, domain = 'mayfly.test') {
    const mail = sampleMail([uniqueAddress(domain)], {
      summary: sampleContent({ size: size / SIZE_FACTOR }),
      origin,
    })
    const [email] = await opened.ports.emails.store(mail)
    return { messageId: mail.messageId, email }
  }

  test('is half of it, for a client, a sender and a domain each', async () => {
    await store(ATTACKER, 500)
    expect(shares.allows('client', ATTACKER.client, 1)).toBe(false)
    expect(shares.allows('sender', ATTACKER.sender, 1)).toBe(false)
    expect(shares.allows('domain', 'mayfly.test', 1)).toBe(false)
    expect(shares.allows('client', OTHER.client, 1)).toBe(true)
    expect(shares.allows('sender', OTHER.sender, 1)).toBe(true)
    expect(shares.allows('domain', 'other.test', 1)).toBe(true)
  })

  test('includes the message that is about to be stored', async () => {
    await store(ATTACKER, 400)
    expect(shares.allows('client', ATTACKER.client, 100)).toBe(true)
    expect(shares.allows('client', ATTACKER.client, 101)).toBe(false)
  })

  test('of a domain includes the messages whose first recipient it has', async () => {
    const recipients = ['first.test', 'second.test'].map((domain) => uniqueAddress(domain))
    const summary = sampleContent({ size: 500 / SIZE_FACTOR })
    await opened.ports.emails.store(sampleMail(recipients, { summary, origin: ATTACKER }))
    expect(shares.allows('domain', 'first.test', 1)).toBe(false)
    expect(shares.allows('domain', 'second.test', 1)).toBe(true)
  })

  test('does not matter while the store is less than half full', async () => {
    await store(ATTACKER, 600)
    used = 300
    expect(shares.allows('client', ATTACKER.client, 200)).toBe(true)
    expect(shares.allows('client', ATTACKER.client, 201)).toBe(false)
  })

  test('includes a message whose parts came first, and counts it once', async () => {
    const mail = sampleMail([uniqueAddress()], {
      summary: sampleContent({ size: 400 / SIZE_FACTOR }),
      origin: ATTACKER,
    })
    await opened.ports.blobs.put(mail.messageId, 'raw', Buffer.alloc(300_000))
    for (let n = 0; n < 2; n++) await opened.ports.emails.store(mail)
    expect([100, 101].map((bytes) => shares.allows('client', ATTACKER.client, bytes))).toEqual([true, false])
  })

  test('is summed up again after a second, or when a thousand others were', async () => {
    let now = 5000
    const timer = jest.spyOn(performance, 'now').mockImplementation(() => now)
    const allows = () => shares.allows('sender', ATTACKER.sender, 200)
    await store(ATTACKER, 300)
    expect(allows()).toBe(true)
    await store(ATTACKER, 1)
    now += 999
    expect(allows()).toBe(true)
    now += 1
    expect(allows()).toBe(false)
    await opened.ports.emails.store(sampleMail([uniqueAddress()]))
    opened.db.raw.exec('DELETE FROM origins')
    for (let n = 1; n < 1000; n++) shares.allows('sender', `${n}@example.com`, 200)
    expect(allows()).toBe(false)
    shares.allows('sender', '1000@example.com', 200)
    expect(allows()).toBe(true)
    timer.mockRestore()
  })

  test('does not count mail of the machine itself', async () => {
    await store(undefined, 800)
    expect(shares.allows('domain', 'mayfly.test', 1)).toBe(true)
  })

  test('is free again when the mail is deleted', async () => {
    const { messageId, email } = await store(ATTACKER, 600)
    await opened.ports.emails.remove(email?.address ?? '', email?.id ?? '')
    await opened.ports.blobs.remove(messageId)
    expect(shares.allows('client', ATTACKER.client, 1)).toBe(true)
  })
})
