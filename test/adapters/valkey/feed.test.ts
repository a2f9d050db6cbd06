import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { Valkey } from 'iovalkey'
import { channelOf } from '../../../adapters/valkey/channels.ts'
import { ValkeyFeed } from '../../../adapters/valkey/feed.ts'
import { ValkeyPublisher } from '../../../adapters/valkey/publisher.ts'
import type { Change } from '../../../core/events/ports.ts'
import { ulidTime } from '../../../core/ulid.ts'
import { eventually } from '../../support/eventually.ts'
import { describeOnValkey, startValkey, type ValkeyServer } from '../../support/valkey.ts'

describeOnValkey('changes by Valkey', () => {
  let valkey: ValkeyServer
  let publisher: ValkeyPublisher
  let feed: ValkeyFeed
  let heard: Change[]
  let gaps: number
  let reported: string[]
  let errors: unknown[]
  let now: number

  beforeAll(async () => {
    valkey = await startValkey()
  })

  beforeEach(async () => {
    heard = []
    gaps = 0
    reported = []
    errors = []
    now = Date.now()
    publisher = new ValkeyPublisher(valkey.url)
    feed = new ValkeyFeed({
      url: valkey.url,
      clock: () => now,
      publish: (change) => heard.push(change),
      onGap: () => gaps++,
      heartbeatMs: 400,
      patienceMs: 2000,
      report({ type, error }) {
        reported.push(type)
        if (type === 'disconnected') errors.push(error)
      },
    })
    await feed.start()
  })

  afterEach(async () => {
    publisher.close()
    await feed.stop()
  })

  afterAll(() => valkey?.kill())

  let n = 0
  const mail = (domain: string): Extract<Change, { type: 'email' }> => {
    const id = `01K0000000${String(++n).padStart(16, '0')}`
    return { type: 'email', domain, address: `x@${domain}`, email: { id, address: `x@${domain}` } as never }
  }
  const joined = (name: string, keyPresented = true): Change => ({
    type: 'domain',
    name,
    domain: { name, keyHash: 'abc', keyPresented } as never,
  })

  test('arrive for a subscribed domain, once and in order', async () => {
    await feed.subscribe('a.example')
    const changes = [mail('a.example'), mail('b.example'), mail('a.example')]
    for (const change of changes) await publisher.publish(change)
    // The publisher tries again where it cannot be certain.
    await publisher.publish(changes[0]!)
    const cleared: Change = { type: 'inbox-cleared', domain: 'a.example', address: 'x@a.example' }
    await publisher.publish(cleared)
    await publisher.publish({ type: 'domain', name: 'c.example', domain: undefined })
    await eventually(
      '4 changes',
      () => heard,
      ({ length }) => length === 4,
    )
    const removed = { type: 'domain', name: 'c.example' }
    expect(heard).toEqual([changes[0], changes[2], cleared, removed])
    // The longest time since the call before.
    expect(feed.lag()).toEqual({ recordMs: now - ulidTime(changes[0]!.email.id), readMs: 0 })
    expect(feed.lag()).toEqual({ recordMs: 0, readMs: 0 })
  })

  // The first connection is that of a Valkey that hangs.
  test.each([
    { hangs: 'before its first answer', answered: () => false },
    { hangs: 'after its first answer', answered: (sent: string) => !sent.includes('subscribe') },
  ])('arrive after a connection that was accepted, by a Valkey that hangs $hangs', async ({ answered }) => {
    let accepted = 0
    const door = createServer((socket) => {
      socket.on('error', () => {})
      const isFirst = ++accepted === 1
      const target = connect(Number(new URL(valkey.url).port), '127.0.0.1')
      target.pipe(socket)
      socket.on('data', (sent) => void ((!isFirst || answered(String(sent))) && target.write(sent)))
      socket.on('close', () => target.end())
    }).listen(0, '127.0.0.1')
    await once(door, 'listening')
    const { port } = door.address() as AddressInfo
    const other = new ValkeyFeed({
      url: `redis://127.0.0.1:${port}`,
      clock: Date.now,
      publish: (change) => heard.push(change),
      onGap: () => {},
      heartbeatMs: 50,
      report: () => {},
    })
    await other.start()
    await other.subscribe('a.example')
    await publisher.publish(mail('a.example'))
    await eventually('the mail', () => heard.length === 1)
    // On a busy machine, a connection may end more than once before it is answered.
    expect(accepted).toBeGreaterThanOrEqual(2)
    await other.stop()
    door.close()
  })

  test('arrive for a subscribed address, and no mail of other addresses of its domain', async () => {
    const to = (address: string): Change => {
      const one = mail('a.example')
      return { ...one, address, email: { ...one.email, address } }
    }
    await feed.subscribe('one@a.example')
    const [one, two] = [to('one@a.example'), to('two@a.example')]
    const cleared: Change = { type: 'inbox-cleared', domain: 'a.example', address: 'one@a.example' }
    for (const change of [two, one, cleared]) await publisher.publish(change)
    await eventually(
      '2 changes',
      () => heard,
      ({ length }) => length === 2,
    )
    expect(heard).toEqual([one, cleared])
    const admin = new Valkey(valkey.url)
    expect(await admin.pubsub('NUMSUB', channelOf('two@a.example'), channelOf('a.example'))).toEqual([
      channelOf('two@a.example'),
      0,
      channelOf('a.example'),
      0,
    ])
    admin.disconnect()
  })

  test('arrive once for an address whose whole domain is subscribed too', async () => {
    await feed.subscribe('one@a.example')
    await feed.subscribe('a.example')
    const cleared = (local: string): Change => ({
      type: 'inbox-cleared',
      domain: 'a.example',
      address: `${local}@a.example`,
    })
    for (const local of ['one', 'two', 'one']) await publisher.publish(cleared(local))
    const last = mail('a.example')
    await publisher.publish(last)
    await eventually('the last change', () => heard.find(({ type }) => type === 'email'))
    expect(heard).toEqual([cleared('one'), cleared('two'), cleared('one'), last])
  })

  test('a domain that joins a key is subscribed before its streams get the change', async () => {
    await publisher.publish(joined('new.example'))
    await eventually(
      '1 change',
      () => heard,
      ({ length }) => length === 1,
    )
    const first = mail('new.example')
    await publisher.publish(first)
    await eventually(
      '2 changes',
      () => heard,
      ({ length }) => length === 2,
    )
    expect(heard[1]).toEqual(first)
    expect(feed.subscriptions).toBe(1)
    // One that does not join streams is only passed on.
    await publisher.publish(joined('open.example', false))
    await eventually(
      '3 changes',
      () => heard,
      ({ length }) => length === 3,
    )
    expect(feed.subscriptions).toBe(1)
  })

  test('a domain without streams is unsubscribed after a while, and subscribed again on request', async () => {
    await feed.subscribe('a.example')
    await feed.subscribe('b.example')
    now += 120_000
    await feed.unsubscribeIdle(() => false)
    expect(feed.subscriptions).toBe(2)
    now += 1
    await feed.unsubscribeIdle((domain) => domain === 'b.example')
    expect(feed.subscriptions).toBe(1)
    await publisher.publish(mail('a.example'))
    await feed.subscribe('a.example')
    await feed.unsubscribeIdle(() => false)
    expect(feed.subscriptions).toBe(1)
    const one = mail('a.example')
    await publisher.publish(one)
    await eventually(
      '1 change',
      () => heard,
      ({ length }) => length === 1,
    )
    expect(heard).toEqual([one])
  })

  test('when Valkey dies, subscriptions end; a new one waits for Valkey and then receives changes', async () => {
    await feed.subscribe('a.example')
    await valkey.kill()
    await eventually(
      'a gap',
      () => gaps,
      (count) => count === 1,
    )
    now += 5000
    expect(feed.lag().readMs).toBeGreaterThanOrEqual(5000)
    const asked = feed.subscribe('a.example')
    await valkey.start()
    await asked
    const one = mail('a.example')
    await publisher.publish(one).catch(() => publisher.publish(one))
    await eventually(
      '1 change',
      () => heard,
      ({ length }) => length === 1,
    )
    expect([gaps, feed.lag().readMs]).toEqual([1, 0])
    expect(reported).toEqual(['connected', 'disconnected', 'connected'])
  })

  test('a connection that ends without an error is not reported with the error of an earlier one', async () => {
    await valkey.kill()
    await eventually(
      'the end of the connection',
      () => reported,
      ({ length }) => length === 2,
    )
    // In the meantime the client is refused a connection.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await valkey.start()
    await feed.subscribe('a.example')
    const client = new Valkey(valkey.url)
    await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    client.disconnect()
    await eventually(
      'the end of the next connection',
      () => errors,
      ({ length }) => length === 2,
    )
    expect(errors[1]).toBeUndefined()
  })

  test('a Valkey that hangs with an open connection is detected', async () => {
    await feed.subscribe('a.example')
    valkey.hang()
    try {
      await eventually('a gap', () => gaps)
      expect(gaps).toBe(1)
      await expect(feed.subscribe('b.example')).rejects.toMatchObject({ code: 'unavailable' })
    } finally {
      valkey.goOn()
    }
    await eventually('a subscription', () => feed.subscribe('b.example').then(() => feed.subscriptions))
    const one = mail('b.example')
    await publisher.publish(one)
    await eventually(
      '1 change',
      () => heard,
      ({ length }) => length > 0,
    )
    expect(heard).toEqual([one])
  })

  test('a malformed message is skipped, and the next one arrives', async () => {
    await feed.subscribe('a.example')
    const { Valkey } = await import('iovalkey')
    const client = new Valkey(valkey.url)
    await client.publish('mayfly:mail:a.example', 'not JSON')
    client.disconnect()
    const one = mail('a.example')
    await publisher.publish(one)
    await eventually(
      '1 change',
      () => heard,
      ({ length }) => length === 1,
    )
    expect(heard).toEqual([one])
    expect(reported).toEqual(['connected', 'not understood'])
  })
})
