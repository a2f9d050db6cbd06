import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from '@jest/globals'
import nodemailer from 'nodemailer'
import {
  createSmtpListener,
  type Message,
  type SmtpEvent,
  type SmtpListener,
  type SmtpOptions,
} from '../../../adapters/smtp/listener.ts'
import type { Domain, Domains } from '../../../core/access/ports.ts'
import type { Envelope } from '../../../core/inbox/receive.ts'
import { TLS } from './smtp-certificate.ts'
import { Script } from './smtp-script.ts'

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const MAX_BYTES = 1_000_000

const domains = {
  async find(name) {
    if (name === 'broken.test') throw new Error('the store is away')
    return name === 'mayfly.test' || name === 'xn--mller-kva.test' ? ({ name } as Domain) : undefined
  },
} as Domains

interface Delivered {
  envelope: Envelope
  raw: Buffer
  /** Whether it came in one piece. */
  whole: boolean
}

interface Setup {
  listener: SmtpListener
  delivered: Delivered[]
  events: SmtpEvent[]
  script(): Script
}

let cleanUp: (() => unknown)[] = []

afterEach(async () => {
  await Promise.all(cleanUp.map((step) => step()))
  cleanUp = []
})

async function collect(message: Message): Promise<Buffer> {
  if ('bytes' in message) return Buffer.from(message.bytes)
  const chunks: Uint8Array[] = []
  for await (const chunk of message.stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function listen(options: Partial<SmtpOptions> = {}): Promise<Setup> {
  const delivered: Delivered[] = []
  const events: SmtpEvent[] = []
  const listener = await createSmtpListener({
    name: 'mx.mayfly.test',
    host: '127.0.0.1',
    port: 0,
    domains,
    maxBytes: MAX_BYTES,
    deliver: async (envelope, message) => {
      delivered.push({ envelope, raw: await collect(message), whole: 'bytes' in message })
      return envelope.recipients.map(() => ID)
    },
    log: (event) => events.push(event),
    ...options,
  })
  cleanUp.push(() => listener.stop(0))
  return {
    listener,
    delivered,
    events,
    script() {
      const script = new Script(listener.port)
      cleanUp.push(() => script.close())
      return script
    },
  }
}

/** All up to the point at which the server waits for the message. */
const TO_DATA = [
  [null, '220 mx.mayfly.test ESMTP'],
  ['EHLO client.example', '250-mx.mayfly.test\r\n'],
  ['MAIL FROM:<ann@example.com>', '250 2.1.0'],
  ['RCPT TO:<bot@mayfly.test>', '250 2.1.5'],
  ['DATA', '354'],
] as const

describe('the conversation', () => {
  test('EHLO names what is served, and no more', async () => {
    const { script } = await listen()
    const client = script()
    expect(await client.reply()).toBe('220 mx.mayfly.test ESMTP')
    expect(
      (await client.send('EHLO client.example\r\n').reply()).split('\r\n').map((line) => line.slice(4)),
    ).toEqual([
      'mx.mayfly.test',
      'PIPELINING',
      '8BITMIME',
      'SMTPUTF8',
      'ENHANCEDSTATUSCODES',
      `SIZE ${MAX_BYTES}`,
    ])
  })

  test('a message is handed over with its envelope, and the 250 names the email', async () => {
    const { script, delivered, events } = await listen()
    const client = script()
    await client.run([
      ...TO_DATA,
      ['Subject: s\r\n\r\nhello\r\n.', `250 2.0.0 Ok: ${ID}`],
      ['MAIL FROM:<> BODY=8BITMIME SIZE=100', '250'],
      ['RCPT TO:<Bot@MAYFLY.test>', '250'],
      ['RCPT TO:<two@mayfly.test>', '250'],
      ['DATA', '354'],
      ['.', `250 2.0.0 Ok: ${ID} ${ID}`],
      ['QUIT', '221'],
    ])
    await client.closed()
    expect(delivered[0]).toMatchObject({
      envelope: { mail_from: 'ann@example.com', recipients: ['bot@mayfly.test'] },
      raw: Buffer.from('Subject: s\r\n\r\nhello\r\n'),
      whole: true,
    })
    expect(delivered[1]).toMatchObject({
      envelope: { mail_from: null, recipients: ['Bot@MAYFLY.test', 'two@mayfly.test'] },
      raw: Buffer.alloc(0),
    })
    const keys = delivered.map(({ envelope }) => envelope.message_key)
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{20,128}$/)
    expect(events.map(({ type }) => type)).toEqual(['delivered', 'delivered'])
    expect(JSON.stringify(events)).not.toMatch(/hello|ann@|bot@/)
  })

  test.each([
    ['RCPT TO:<bot@elsewhere.test>', '550 5.1.2'],
    ['RCPT TO:<bot@[127.0.0.1]>', '550 5.1.2'],
    ['RCPT TO:<bot@localhost>', '550 5.1.2'],
    ['RCPT TO:<bot@broken.test>', '451 4.3.0'],
    ['RCPT TO:<a..b@mayfly.test>', '553 5.1.3'],
    ['RCPT TO:<"a b"@mayfly.test>', '501 5.1.3'],
    ['RCPT TO:<"ab"@mayfly.test>', '553 5.1.3'],
    [`RCPT TO:<${'a'.repeat(65)}@mayfly.test>`, '553 5.1.3'],
    ['RCPT TO:<böt@mayfly.test>', '553 5.6.7'],
    ['RCPT TO:<bot@xn--mller-kva.test>', '250'],
    ['RCPT TO:<bot@müller.test>', '250'],
    ['RCPT TO:<bot+tag=x@mayfly.test>', '250'],
    ['RCPT TO:bot@mayfly.test', '501 5.1.3'],
    ['RCPT TO:<>', '501 5.1.3'],
    ['RCPT', '501 5.1.3'],
    ['DATA', '503 5.5.1'],
    ['MAIL FROM:<twice@example.com>', '503 5.5.1'],
    ['AUTH PLAIN AGEAYg==', '500 5.5.2'],
    ['STARTTLS', '500 5.5.2'],
    ['XCLIENT ADDR=10.0.0.1', '500 5.5.2'],
    ['WIZ', '500 5.5.2'],
    ['NONSENSE', '500 5.5.2'],
    ['VRFY bot@mayfly.test', '252'],
    ['EXPN list', '500 5.5.2'],
    ['NOOP', '250'],
    ['RSET', '250'],
  ])('%s → %s', async (command, reply) => {
    const { script } = await listen()
    const client = script()
    await client.run([...TO_DATA.slice(0, 3), [command, reply]])
    await client.run([['NOOP', '250']])
  })

  test('commands before their time', async () => {
    const { script } = await listen()
    const client = script()
    await client.run([
      [null, '220'],
      ['MAIL FROM:<a@example.com>', '503 5.5.1'],
      ['HELO client.example', '250 mx.mayfly.test'],
      ['RCPT TO:<bot@mayfly.test>', '503 5.5.1'],
      ['DATA', '503 5.5.1'],
      ['MAIL FROM:<a@example.com>', '250'],
    ])
  })

  test('100 recipients, and not one more', async () => {
    const { script, delivered } = await listen()
    const client = script()
    await client.run(TO_DATA.slice(0, 3))
    for (let i = 0; i < 100; i++) await client.run([[`RCPT TO:<bot${i}@mayfly.test>`, '250']])
    await client.run([
      ['RCPT TO:<bot100@mayfly.test>', '452 4.5.3'],
      ['DATA', '354'],
    ])
    const reply = await client.send('x\r\n.\r\n').reply()
    expect(reply).toMatch(/^250 2\.0\.0 Ok: .* and 84 more$/)
    expect(reply.length).toBeLessThan(510)
    expect(delivered[0]!.envelope.recipients).toHaveLength(100)
  })

  test('everything in one packet, with the next message behind', async () => {
    const { script, delivered } = await listen()
    const client = script()
    const one = 'MAIL FROM:<a@example.com>\r\nRCPT TO:<bot@mayfly.test>\r\nDATA\r\nhello\r\n.\r\n'
    client.send(`EHLO client.example\r\n${one}${one}QUIT\r\n`)
    const replies = ['220', '250', '250', '250', '354', '250', '250', '250', '354', '250', '221']
    await client.run(replies.map((reply) => [null, reply]))
    expect(delivered.map(({ raw }) => raw.toString())).toEqual(['hello\r\n', 'hello\r\n'])
  })

  test('byte by byte', async () => {
    const { script, delivered } = await listen()
    const client = script()
    await client.run(TO_DATA)
    for (const byte of '..a\r\n.\r\r\n..\r\n.\r\n') {
      client.send(byte)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await client.run([[null, '250']])
    expect(delivered[0]!.raw.toString()).toBe('.a\r\n\r\r\n.\r\n')
  })

  test('a command without an end, and ten that nobody knows, end the connection', async () => {
    const { script } = await listen()
    const endless = script()
    await endless.run([[null, '220']])
    endless.send('X'.repeat(5000))
    await endless.run([[null, '500 5.5.2']])
    await endless.closed()
    const guessing = script()
    await guessing.run([
      [null, '220'],
      ...Array.from({ length: 9 }, () => ['GUESS', '500'] as const),
      ['GUESS', '421'],
    ])
    await guessing.closed()
  })

  test('a browser is no mail client', async () => {
    const { script } = await listen()
    const client = script()
    client.send('POST / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await client.run([
      [null, '220'],
      [null, '421'],
    ])
    await client.closed()
  })
})

describe('the end of a message', () => {
  test.each([
    ['\n.\n', '\n.\n'],
    ['\n.\r\n', '\n.\r\n'],
    ['\r.\r', '\r.\r'],
    ['\r\n.\n', '\r\n\n'],
    ['\r\n.\r', '\r\n\r'],
    ['\r.\r\n', '\r.\r\n'],
    ['\r\n\n.\r\n', '\r\n\n.\r\n'],
    ['\r\n.\0\r\n', '\r\n\0\r\n'],
    ['\n..\n', '\n..\n'],
    ['\r\n..\r\n', '\r\n.\r\n'],
    ['\r\n...\r\n', '\r\n..\r\n'],
    ['\r\n.x', '\r\nx'],
    ['\0\x80\xff', '\0\x80\xff'],
  ])('is not %j', async (given, kept) => {
    const { script, delivered } = await listen()
    const client = script()
    await client.run(TO_DATA)
    const smuggled = 'MAIL FROM:<evil@example.com>\r\nRCPT TO:<bot@mayfly.test>\r\nDATA\r\nevil'
    client.send(Buffer.from(`before${given}${smuggled}\r\n.\r\n`, 'latin1'))
    await client.run([
      [null, '250'],
      ['NOOP', '250'],
    ])
    expect(delivered).toHaveLength(1)
    expect(delivered[0]!.raw.toString('latin1')).toBe(`before${kept}${smuggled}\r\n`)
  })

  test.each([
    ['.\r\n', ''],
    ['..\r\n.\r\n', '.\r\n'],
    ['.x\r\n.\r\n', 'x\r\n'],
    ['\r\n.\r\n', '\r\n'],
    ['.\n\r\n.\r\n', '\n\r\n'],
  ])('at the beginning: %j', async (sent, kept) => {
    const { script, delivered } = await listen()
    const client = script()
    await client.run(TO_DATA)
    client.send(sent)
    await client.run([
      [null, '250'],
      ['NOOP', '250'],
    ])
    expect(delivered[0]!.raw.toString()).toBe(kept)
  })

  test('a megabyte of nothing but dots at the beginning of lines', async () => {
    const { script, delivered } = await listen()
    const client = script()
    await client.run(TO_DATA)
    client.send(`${'..\r\n'.repeat(250_000)}.\r\n`)
    await client.run([[null, '250']])
    expect(delivered[0]!.raw.equals(Buffer.from('.\r\n'.repeat(250_000)))).toBe(true)
  })
})

describe('large messages', () => {
  test.each([
    [262_000, true],
    [300_000, false],
    [MAX_BYTES, false],
  ])('%i bytes: whole is %s', async (size, whole) => {
    const { script, delivered } = await listen()
    const client = script()
    await client.run(TO_DATA)
    const body = Buffer.alloc(size - 2, 'abcdefg')
    client.send(Buffer.concat([body, Buffer.from('\r\n.\r\n')]))
    await client.run([[null, '250']])
    expect(delivered[0]!.whole).toBe(whole)
    expect(delivered[0]!.raw.length).toBe(size)
    expect(hash(delivered[0]!.raw.subarray(0, -2))).toBe(hash(body))
  })

  test('too large by its own word', async () => {
    const { script } = await listen()
    const client = script()
    await client.run([
      ...TO_DATA.slice(0, 2),
      [`MAIL FROM:<a@example.com> SIZE=${MAX_BYTES + 1}`, '552 5.3.4'],
      [`MAIL FROM:<a@example.com> SIZE=${MAX_BYTES}`, '250'],
    ])
  })

  test.each([MAX_BYTES + 1, 5 * MAX_BYTES])('too large in fact: %i bytes', async (size) => {
    const { script, delivered } = await listen()
    const client = script()
    await client.run(TO_DATA)
    client.send(Buffer.concat([Buffer.alloc(size - 2, 'x'), Buffer.from('\r\n.\r\n')]))
    await client.run([
      [null, '552 5.3.4'],
      ['NOOP', '250'],
    ])
    expect(delivered).toEqual([])
  })

  test('a store that reads slowly holds the client back', async () => {
    let first = (): void => {}
    const opened = new Promise<void>((resolve) => {
      first = resolve
    })
    const gate = Promise.withResolvers<void>()
    const { script } = await listen({
      maxBytes: 50_000_000,
      deliver: async (_delivery, message) => {
        first()
        await gate.promise
        await collect(message)
        return [ID]
      },
    })
    const client = script()
    await client.run(TO_DATA)
    client.send(Buffer.concat([Buffer.alloc(40_000_000, 'x'), Buffer.from('\r\n.\r\n')]))
    await opened
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(client.socket.writableLength).toBeGreaterThan(0)
    gate.resolve()
    await client.run([[null, '250']])
  })
})

describe('what goes wrong', () => {
  test.each([100, 500_000])('the store fails: %i bytes', async (size) => {
    let fails = 1
    const { script, delivered, events } = await listen({
      deliver: async () => {
        if (fails-- > 0) throw new Error('disk full, of hello')
        return [ID]
      },
    })
    const client = script()
    await client.run(TO_DATA)
    client.send(`${'x'.repeat(size)}\r\n.\r\n`)
    await client.run([[null, '451 4.3.0'], ...TO_DATA.slice(2), ['x\r\n.', '250']])
    expect(delivered).toEqual([])
    expect(events.map(({ type }) => type)).toEqual(['failed', 'delivered'])
  })

  test('no recipient is here any more', async () => {
    const { script } = await listen({ deliver: async () => [] })
    await script().run([...TO_DATA, ['x\r\n.', '550 5.1.2']])
  })

  test.each([10, 500_000])('the client leaves after %i bytes', async (size) => {
    const { script, delivered, events } = await listen()
    const client = script()
    await client.run(TO_DATA)
    client.send('x'.repeat(size))
    await new Promise((resolve) => setTimeout(resolve, 50))
    client.close()
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(events).toEqual([{ type: 'broken off', client: '127.0.0.1' }])
    expect(delivered).toEqual([])
  })

  test('the client falls silent', async () => {
    const { script, delivered, events } = await listen({ limits: { commandMs: 100, dataMs: 300 } })
    const idle = script()
    await idle.run([
      [null, '220'],
      [null, '421 4.4.2'],
    ])
    await idle.closed()
    const stalled = script()
    await stalled.run(TO_DATA)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(stalled.silent).toBe(true)
    stalled.send('half a mess')
    await stalled.run([[null, '421 4.4.2']])
    await stalled.closed()
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(delivered).toEqual([])
  })

  test('a slow store is not the client’s silence', async () => {
    const { script } = await listen({
      limits: { commandMs: 50, dataMs: 50 },
      deliver: async () => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return [ID]
      },
    })
    await script().run([...TO_DATA, ['x\r\n.', '250']])
  })

  test('more connections than there may be', async () => {
    const { script } = await listen({ limits: { connections: 2 } })
    const clients = [script(), script()]
    for (const client of clients) await client.run([[null, '220']])
    const third = script()
    await third.run([[null, '421 4.3.2']])
    await third.closed()
    await clients[0]!.run([['QUIT', '221']])
    await clients[0]!.closed()
    await script().run([[null, '220']])
  })

  test('a port that is taken', async () => {
    const { listener } = await listen()
    await expect(listen({ port: listener.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('stopping', () => {
  test('idle clients are told, a message under way is finished, nobody new gets in', async () => {
    const { listener, script, delivered } = await listen()
    const [idle, sending] = [script(), script()]
    await idle.run(TO_DATA.slice(0, 4))
    await sending.run(TO_DATA)
    sending.send('first half, ')
    const stopped = listener.stop(5000)
    await idle.run([[null, '421 4.3.2']])
    await idle.closed()
    const late = script()
    await late.closed()
    expect(late.silent).toBe(true)
    sending.send('second half\r\n.\r\n')
    await sending.run([
      [null, '250'],
      [null, '421 4.3.2'],
    ])
    await stopped
    expect(delivered[0]!.raw.toString()).toBe('first half, second half\r\n')
  })

  test('a message that does not end is cut off after the time of grace', async () => {
    const { listener, script, delivered } = await listen()
    const client = script()
    await client.run(TO_DATA)
    client.send('never ending')
    await listener.stop(100)
    await client.closed()
    expect(delivered).toEqual([])
  })

  test('a client that keeps its side open holds nobody up', async () => {
    const { listener } = await listen()
    const client = new Script(listener.port, { allowHalfOpen: true })
    cleanUp.push(() => client.close())
    await client.run([[null, '220']])
    await listener.stop(30_000)
  })
})

describe('nodemailer', () => {
  test.each([false, true])('delivers, with STARTTLS %s', async (secure) => {
    const { listener, delivered } = await listen(secure ? { tls: TLS } : {})
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port: listener.port,
      requireTLS: secure,
      ignoreTLS: !secure,
      tls: { ca: TLS.cert, servername: 'mx.mayfly.test' },
    })
    const sent = await transport.sendMail({
      from: 'Ann <ann@example.com>',
      to: 'bot@mayfly.test',
      bcc: 'hidden@mayfly.test',
      subject: 'Grüße',
      text: 'line\n.\n..dots\n',
      attachments: [{ filename: 'a.bin', content: Buffer.alloc(400_000, 7) }],
    })
    transport.close()
    expect(sent.response).toBe(`250 2.0.0 Ok: ${ID} ${ID}`)
    expect(delivered[0]!.envelope.recipients).toEqual(['bot@mayfly.test', 'hidden@mayfly.test'])
    expect(delivered[0]!.raw.toString()).toContain('\r\nline\r\n.\r\n..dots\r\n')
  })

  test('is not lied to about TLS', async () => {
    const { listener } = await listen()
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port: listener.port, requireTLS: true })
    await expect(transport.verify()).rejects.toThrow()
    transport.close()
  })

  test('what was sent in the clear behind STARTTLS is dropped', async () => {
    const { script, delivered } = await listen({ tls: TLS })
    const client = script()
    await client.run(TO_DATA.slice(0, 2))
    client.send('STARTTLS\r\nMAIL FROM:<evil@example.com>\r\nRCPT TO:<bot@mayfly.test>\r\n')
    await client.run([[null, '220']])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(client.silent).toBe(true)
    expect(delivered).toEqual([])
  })
})

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
