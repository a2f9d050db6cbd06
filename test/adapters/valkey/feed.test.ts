import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { ValkeyFeed } from '../../../adapters/valkey/feed.ts'
import { ValkeyPublisher } from '../../../adapters/valkey/publisher.ts'
import type { Change } from '../../../core/events/ports.ts'
import { eventually } from '../../contract/sample.ts'
import { describeOnValkey, startValkey, type ValkeyServer } from '../../support/valkey.ts'

describeOnValkey('changes by Valkey', () => {
  let valkey: ValkeyServer
  let publisher: ValkeyPublisher
  let feed: ValkeyFeed
  let heard: Change[]
  let broken: number
  let now: number

  beforeAll(async () => {
    valkey = await startValkey()
  })

  beforeEach(async () => {
    heard = []
    broken = 0
    now = Date.now()
    publisher = new ValkeyPublisher(valkey.url)
    feed = new ValkeyFeed({
      url: valkey.url,
      clock: () => now,
      announce: (change) => heard.push(change),
      broken: () => broken++,
      heartbeatMs: 400,
      patienceMs: 2000,
      report: () => {},
    })
    await feed.start()
  })

  afterEach(async () => {
    publisher.close()
    await feed.stop()
  })

  afterAll(() => valkey?.kill())

  let n = 0
  const mail = (domain: string): Change => {
    const id = `01K0000000${String(++n).padStart(16, '0')}`
    return { type: 'email', domain, address: `x@${domain}`, email: { id, address: `x@${domain}` } as never }
  }
  const joined = (name: string): Change => ({
    type: 'domain',
    name,
    domain: { name, keyHash: 'abc', keyPresented: true } as never,
  })

  test('of a domain that was asked for, everything from then on, once and in order', async () => {
    await feed.hear('a.example')
    const changes = [mail('a.example'), mail('b.example'), mail('a.example')]
    for (const change of changes) await publisher.publish(change)
    // The publisher tries again where it cannot be certain.
    await publisher.publish(changes[0]!)
    const cleared: Change = { type: 'inbox-cleared', domain: 'a.example', address: 'x@a.example' }
    await publisher.publish(cleared)
    await eventually(() => heard.length === 3)
    expect(heard).toEqual([changes[0], changes[2], cleared])
  })

  test('a domain that joins a key is heard before its streams are told', async () => {
    await publisher.publish(joined('new.example'))
    await eventually(() => heard.length === 1)
    const first = mail('new.example')
    await publisher.publish(first)
    await eventually(() => heard.length === 2)
    expect(heard[1]).toEqual(first)
  })

  test('what nobody follows is heard no more after a while, and again when it is asked for', async () => {
    await feed.hear('a.example')
    await feed.hear('b.example')
    now += 121_000
    await feed.forget((domain) => domain === 'b.example')
    expect(feed.domains).toBe(1)
    await feed.hear('a.example')
    await feed.forget(() => false)
    expect(feed.domains).toBe(1)
    const one = mail('a.example')
    await publisher.publish(one)
    await eventually(() => heard.length === 1)
    expect(heard).toEqual([one])
  })

  test('a Valkey that dies ends what was heard; whoever asks waits for it, and hears again', async () => {
    await feed.hear('a.example')
    await valkey.kill()
    await eventually(() => broken === 1)
    now += 5000
    expect(feed.lag().readMs).toBeGreaterThanOrEqual(5000)
    const asked = feed.hear('a.example')
    await valkey.start()
    await asked
    const one = mail('a.example')
    await publisher.publish(one).catch(() => publisher.publish(one))
    await eventually(() => heard.length === 1)
    expect([broken, feed.lag().readMs]).toEqual([1, 0])
  }, 20_000)

  test('a Valkey that hangs is noticed, though its connection stays', async () => {
    await feed.hear('a.example')
    valkey.hang()
    try {
      const end = Date.now() + 15_000
      while (broken === 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
      expect(broken).toBe(1)
      await expect(feed.hear('b.example')).rejects.toMatchObject({ code: 'unavailable' })
    } finally {
      valkey.goOn()
    }
  }, 40_000)

  test('what is no change is left out, and the next one is heard', async () => {
    await feed.hear('a.example')
    const { Valkey } = await import('iovalkey')
    const client = new Valkey(valkey.url)
    await client.publish('mayfly:mail:a.example', 'not JSON')
    client.disconnect()
    const one = mail('a.example')
    await publisher.publish(one)
    await eventually(() => heard.length === 1)
    expect(heard).toEqual([one])
  })
})
