import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { SmtpOptions } from '../../../adapters/smtp/listener.ts'
import { eventually } from '../../support/eventually.ts'
import { DATA, ENVELOPE, ID, listenWith, TO_DATA } from './setup.ts'

let close = async () => {}
async function listen(options?: Partial<SmtpOptions>) {
  const setup = await listenWith(options)
  close = setup.close
  return setup
}
afterEach(() => close())

describe('failures', () => {
  test.each([100, 500_000])('a store that fails after %i bytes is a temporary error', async (size) => {
    let failures = 1
    const { open, events } = await listen({
      async deliver() {
        if (failures-- > 0) throw new Error('disk full, of hello')
        return [ID]
      },
    })
    await open().run([
      ...TO_DATA,
      { send: `${'x'.repeat(size)}\r\n.`, expect: '451 4.3.0' },
      ...ENVELOPE,
      DATA,
    ])
    expect(events.map(({ type }) => type)).toEqual(['failed', 'delivered'])
  })

  test('a mail is rejected if its domains are no longer registered', async () => {
    const { open } = await listen({ deliver: async () => [] })
    await open().run([...TO_DATA, { send: 'x\r\n.', expect: '550 5.1.2' }])
  })

  test.each([10, 500_000])('a client that disconnects after %i bytes leaves no message', async (size) => {
    const { open, delivered, events } = await listen()
    const client = open()
    await client.run(TO_DATA)
    client.send('x'.repeat(size))
    await sleep(50)
    client.close()
    await eventually('an event', () => events.length > 0)
    expect(events).toEqual([{ type: 'disconnected', client: '127.0.0.1' }])
    expect(delivered).toEqual([])
  })

  test('a client that is silent before a command is disconnected', async () => {
    const { open } = await listen({ limits: { commandMs: 100 } })
    const client = open()
    await client.run([{ expect: '220' }, { expect: '421 4.4.2' }])
    await client.closed()
  })

  test('a client that is silent within a message is disconnected', async () => {
    const { open, delivered, events } = await listen({ limits: { dataMs: 100 } })
    const client = open()
    await client.run(TO_DATA)
    client.send('half a message')
    await client.run([{ expect: '421 4.4.2' }])
    await client.closed()
    await eventually('an event', () => events.length > 0)
    expect(delivered).toEqual([])
  })

  test('the time that the store needs does not count as silence', async () => {
    const { open } = await listen({
      // Seconds, because a busy machine must not make the client look silent.
      limits: { commandMs: 2000, dataMs: 2000, mailMs: 3000 },
      async deliver() {
        await sleep(4000)
        return [ID]
      },
    })
    await open().run([...TO_DATA, DATA])
  })
})

describe('stopping', () => {
  test('closes idle connections, finishes the current message, and accepts no new client', async () => {
    const refusals: unknown[] = []
    const { listener, open, delivered } = await listen({ refused: (refusal) => void refusals.push(refusal) })
    const [idle, sending] = [open(), open()]
    await idle.run(TO_DATA.slice(0, 4))
    await sending.run(TO_DATA)
    sending.send('first half, ')
    const stopped = listener.stop(30_000)
    await idle.run([{ expect: '421 4.3.2' }])
    await idle.closed()
    const late = open()
    await late.closed()
    expect(late.silent).toBe(true)
    // Connections that only linger are closed every second; this one is in use.
    await sleep(1500)
    sending.send('second half\r\n.\r\n')
    await sending.run([{ expect: '250' }, { expect: '421 4.3.2' }])
    await stopped
    expect(delivered[0]?.raw.toString()).toBe('first half, second half\r\n')
    // The last command of both was answered before.
    expect(refusals).toEqual([])
  })

  test('aborts a message that is not complete in time', async () => {
    const { listener, open, delivered } = await listen()
    const client = open()
    await client.run(TO_DATA)
    client.send('never ending')
    await listener.stop(100)
    await client.closed()
    expect(delivered).toEqual([])
  })

  test('does not wait for a client that keeps its side of the connection open', async () => {
    const { listener, open } = await listen()
    const client = open({ allowHalfOpen: true })
    await client.run([{ expect: '220' }])
    await listener.stop(30_000)
  })
})
