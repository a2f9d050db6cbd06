import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { SmtpStream } from '../../../adapters/smtp/data.ts'
import type { SmtpOptions } from '../../../adapters/smtp/listener.ts'
import { collect, GREETING, ID, listenWith, MAX_BYTES, TO_DATA } from './setup.ts'

let close = async () => {}
async function listen(options?: Partial<SmtpOptions>) {
  const setup = await listenWith(options)
  close = setup.close
  return setup
}
afterEach(() => close())

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

describe('the data of a message', () => {
  test.each([
    { send: '\n.\n', kept: '\n.\n' },
    { send: '\n.\r\n', kept: '\n.\r\n' },
    { send: '\r.\r', kept: '\r.\r' },
    { send: '\r\n.\n', kept: '\r\n\n' },
    { send: '\r\n.\r', kept: '\r\n\r' },
    { send: '\r.\r\n', kept: '\r.\r\n' },
    { send: '\r\n\n.\r\n', kept: '\r\n\n.\r\n' },
    { send: '\r\n.\0\r\n', kept: '\r\n\0\r\n' },
    { send: '\n..\n', kept: '\n..\n' },
    { send: '\r\n..\r\n', kept: '\r\n.\r\n' },
    { send: '\r\n...\r\n', kept: '\r\n..\r\n' },
    { send: '\r\n.x', kept: '\r\nx' },
    { send: '\0\x80\xff', kept: '\0\x80\xff' },
  ])('do not end at $send, so that no second message can be smuggled in', async ({ send, kept }) => {
    const { open, delivered } = await listen()
    const client = open()
    await client.run(TO_DATA)
    const smuggled = 'MAIL FROM:<evil@example.com>\r\nRCPT TO:<bot@mayfly.test>\r\nDATA\r\nevil'
    client.send(Buffer.from(`before${send}${smuggled}\r\n.\r\n`, 'latin1'))
    await client.run([{ expect: '250' }, { send: 'NOOP', expect: '250' }])
    expect(delivered).toHaveLength(1)
    expect(delivered[0]?.raw.toString('latin1')).toBe(`before${kept}${smuggled}\r\n`)
  })

  test.each([
    { send: '.\r\n', kept: '' },
    { send: '..\r\n.\r\n', kept: '.\r\n' },
    { send: '.x\r\n.\r\n', kept: 'x\r\n' },
    { send: '\r\n.\r\n', kept: '\r\n' },
    { send: '.\n\r\n.\r\n', kept: '\n\r\n' },
  ])('may begin with a dot: $send', async ({ send, kept }) => {
    const { open, delivered } = await listen()
    const client = open()
    await client.run(TO_DATA)
    client.send(send)
    await client.run([{ expect: '250' }, { send: 'NOOP', expect: '250' }])
    expect(delivered[0]?.raw.toString()).toBe(kept)
  })

  test('may arrive byte by byte', async () => {
    const { open, delivered } = await listen()
    const client = open()
    await client.run(TO_DATA)
    for (const byte of '..a\r\n.\r\r\n..\r\n.\r\n') {
      client.send(byte)
      await sleep(2)
    }
    await client.run([{ expect: '250' }])
    expect(delivered[0]?.raw.toString()).toBe('.a\r\n\r\r\n.\r\n')
  })

  test('may be a megabyte of dots at the beginning of lines', async () => {
    const { open, delivered } = await listen()
    const client = open()
    await client.run(TO_DATA)
    client.send(`${'..\r\n'.repeat(250_000)}.\r\n`)
    await client.run([{ expect: '250' }])
    expect(delivered[0]?.raw.equals(Buffer.from('.\r\n'.repeat(250_000)))).toBe(true)
  })
})

test('data that wait for a reader end when the message is abandoned', async () => {
  const parser = new SmtpStream()
  const message = parser.startDataMode()
  const taken = Promise.withResolvers<void>()
  parser.write(Buffer.alloc(100_000), () => taken.resolve())
  expect(message.writableNeedDrain).toBe(true)
  message.destroy()
  await taken.promise
})

describe('the size of a message', () => {
  test.each([
    { size: 256 * 1024, whole: true },
    { size: 256 * 1024 + 1, whole: false },
    { size: MAX_BYTES, whole: false },
  ])('a message of $size bytes is passed to the store in one piece: $whole', async ({ size, whole }) => {
    const { open, delivered } = await listen()
    const client = open()
    await client.run(TO_DATA)
    const body = Buffer.alloc(size - 2, 'abcdefg')
    client.send(Buffer.concat([body, Buffer.from('\r\n.\r\n')]))
    await client.run([{ expect: '250' }])
    expect(delivered[0]?.whole).toBe(whole)
    expect(delivered[0]?.raw.length).toBe(size)
    expect(hash(delivered[0]?.raw.subarray(0, -2) ?? Buffer.alloc(0))).toBe(hash(body))
  })

  test('is refused in MAIL FROM if the declared size is too large', async () => {
    const { open } = await listen()
    await open().run([
      ...GREETING,
      { send: `MAIL FROM:<a@example.com> SIZE=${MAX_BYTES + 1}`, expect: '552 5.3.4' },
      { send: `MAIL FROM:<a@example.com> SIZE=${MAX_BYTES}`, expect: '250' },
    ])
  })

  test.each([
    { size: MAX_BYTES + 1, maxBytes: MAX_BYTES },
    { size: 5 * MAX_BYTES, maxBytes: MAX_BYTES },
    // Passed in one piece, if it were not too large.
    { size: 1001, maxBytes: 1000 },
  ])('a message of $size bytes is refused where $maxBytes are allowed', async ({ size, maxBytes }) => {
    const { open, delivered, events } = await listen({ maxBytes })
    const client = open()
    await client.run(TO_DATA)
    client.send(Buffer.concat([Buffer.alloc(size - 2, 'x'), Buffer.from('\r\n.\r\n')]))
    await client.run([
      { expect: `552 5.3.4 The message is larger than ${maxBytes} bytes` },
      { send: 'NOOP', expect: '250' },
    ])
    expect(delivered).toEqual([])
    expect(events).toEqual([{ type: 'refused', reply: 552, client: '127.0.0.1' }])
  })

  test('a store that reads slowly slows the client down', async () => {
    const opened = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const { open } = await listen({
      maxBytes: 50_000_000,
      async deliver(_envelope, message) {
        opened.resolve()
        await gate.promise
        await collect(message)
        return [ID]
      },
    })
    const client = open()
    await client.run(TO_DATA)
    client.send(Buffer.concat([Buffer.alloc(40_000_000, 'x'), Buffer.from('\r\n.\r\n')]))
    await opened.promise
    await sleep(200)
    expect(client.socket.writableLength).toBeGreaterThan(0)
    gate.resolve()
    await client.run([{ expect: '250' }])
  })
})
