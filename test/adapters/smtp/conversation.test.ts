import { afterEach, describe, expect, test } from '@jest/globals'
import type { SmtpOptions } from '../../../adapters/smtp/listener.ts'
import { eventually } from '../../support/eventually.ts'
import { DATA, ENVELOPE, GREETING, ID, listenWith, MAX_BYTES, TO_DATA, TO_SENDER } from './setup.ts'
import type { Step } from './smtp-script.ts'

let close = async () => {}
async function listen(options?: Partial<SmtpOptions>) {
  const setup = await listenWith(options)
  close = setup.close
  return setup
}
afterEach(() => close())

describe('an SMTP conversation', () => {
  test('EHLO lists the extensions', async () => {
    const { open } = await listen()
    const client = open()
    expect(await client.reply()).toBe('220 mx.mayfly.test ESMTP')
    const reply = await client.send('EHLO client.example\r\n').reply()
    expect(reply.split('\r\n').map((line) => line.slice(4))).toEqual([
      'mx.mayfly.test',
      'PIPELINING',
      '8BITMIME',
      'SMTPUTF8',
      'ENHANCEDSTATUSCODES',
      `SIZE ${MAX_BYTES}`,
    ])
  })

  test('delivers messages with their envelopes, and names the emails in the reply', async () => {
    const { open, delivered, events } = await listen()
    const client = open()
    await client.run([
      ...TO_DATA,
      { send: 'Subject: s\r\n\r\nhello\r\n.', expect: `250 2.0.0 Ok: ${ID}` },
      { send: 'MAIL FROM:<> BODY=8BITMIME SIZE=100', expect: '250' },
      { send: 'RCPT TO:<Bot@MAYFLY.test>', expect: '250' },
      { send: 'RCPT TO:<two@mayfly.test>', expect: '250' },
      { send: 'DATA', expect: '354' },
      { send: '.', expect: `250 2.0.0 Ok: ${ID} ${ID}` },
      { send: 'QUIT', expect: '221' },
    ])
    await client.closed()
    expect(delivered[0]).toMatchObject({
      envelope: { mailFrom: 'ann@example.com', recipients: ['bot@mayfly.test'] },
      raw: Buffer.from('Subject: s\r\n\r\nhello\r\n'),
      whole: true,
    })
    expect(delivered[1]).toMatchObject({
      envelope: { mailFrom: null, recipients: ['Bot@MAYFLY.test', 'two@mayfly.test'] },
      raw: Buffer.alloc(0),
    })
    const ids = delivered.map(({ envelope }) => envelope.messageId)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{20,128}$/)
    expect(events.map(({ type }) => type)).toEqual(['delivered', 'delivered'])
    expect(JSON.stringify(events)).not.toMatch(/hello|ann@|bot@/)
  })

  test('passes on how the domains of the recipients were registered at RCPT', async () => {
    const { open, delivered } = await listen()
    await open().run([
      ...TO_SENDER,
      { send: 'RCPT TO:<bot@mayfly.test>', expect: '250' },
      { send: 'RCPT TO:<bot@elsewhere.test>', expect: '550' },
      { send: 'RCPT TO:<bot@müller.test>', expect: '250' },
      { send: 'DATA', expect: '354' },
      DATA,
    ])
    expect(delivered[0]?.envelope.visibleAfter).toEqual({
      'mayfly.test': 'registered mayfly.test',
      'xn--mller-kva.test': 'registered xn--mller-kva.test',
    })
  })

  test('drops the recipients of an aborted mail', async () => {
    const { open, delivered } = await listen()
    await open().run([
      ...TO_SENDER,
      { send: 'RCPT TO:<bot@müller.test>', expect: '250' },
      { send: 'RSET', expect: '250' },
      ...ENVELOPE,
      DATA,
    ])
    expect(delivered[0]?.envelope).toMatchObject({
      recipients: ['bot@mayfly.test'],
      visibleAfter: { 'mayfly.test': 'registered mayfly.test' },
    })
    expect(Object.keys(delivered[0]?.envelope.visibleAfter ?? {})).toHaveLength(1)
  })

  test.each<Step & { send: string }>([
    { send: 'RCPT TO:<bot@elsewhere.test>', expect: '550 5.1.2' },
    { send: 'RCPT TO:<bot@[127.0.0.1]>', expect: '550 5.1.2' },
    { send: 'RCPT TO:<bot@localhost>', expect: '550 5.1.2' },
    { send: 'RCPT TO:<bot@broken.test>', expect: '451 4.3.0' },
    { send: 'RCPT TO:<a..b@mayfly.test>', expect: '553 5.1.3' },
    { send: 'RCPT TO:<"a b"@mayfly.test>', expect: '501 5.1.3' },
    { send: 'RCPT TO:<"ab"@mayfly.test>', expect: '553 5.1.3' },
    { send: `RCPT TO:<${'a'.repeat(65)}@mayfly.test>`, expect: '553 5.1.3' },
    { send: 'RCPT TO:<böt@mayfly.test>', expect: '553 5.6.7' },
    { send: 'RCPT TO:<bot@xn--mller-kva.test>', expect: '250' },
    { send: 'RCPT TO:<bot@müller.test>', expect: '250' },
    { send: 'RCPT TO:<bot+tag=x@mayfly.test>', expect: '250' },
    { send: 'RCPT TO:bot@mayfly.test', expect: '501 5.1.3' },
    { send: 'RCPT TO:<>', expect: '501 5.1.3' },
    { send: 'RCPT', expect: '501 5.1.3' },
    { send: 'DATA', expect: '503 5.5.1' },
    { send: 'MAIL FROM:<twice@example.com>', expect: '503 5.5.1' },
    { send: 'AUTH PLAIN AGEAYg==', expect: '500 5.5.2' },
    { send: 'STARTTLS', expect: '500 5.5.2' },
    { send: 'XCLIENT ADDR=10.0.0.1', expect: '500 5.5.2' },
    { send: 'WIZ', expect: '500 5.5.2' },
    { send: 'NONSENSE', expect: '500 5.5.2' },
    { send: 'VRFY bot@mayfly.test', expect: '252' },
    { send: 'EXPN list', expect: '500 5.5.2' },
    { send: 'NOOP', expect: '250' },
    { send: 'RSET', expect: '250' },
  ])('after MAIL FROM: $send → $expect', async (step) => {
    const { open } = await listen()
    await open().run([...TO_SENDER, step, { send: 'NOOP', expect: '250' }])
  })

  test('refuses commands in the wrong order', async () => {
    const { open } = await listen()
    await open().run([
      { expect: '220' },
      { send: 'MAIL FROM:<a@example.com>', expect: '503 5.5.1' },
      { send: 'HELO client.example', expect: '250 mx.mayfly.test' },
      { send: 'RCPT TO:<bot@mayfly.test>', expect: '503 5.5.1' },
      { send: 'DATA', expect: '503 5.5.1' },
      { send: 'MAIL FROM:<a@example.com>', expect: '250' },
    ])
  })

  test('accepts 100 recipients and rejects the next one', async () => {
    const { open, delivered } = await listen()
    const client = open()
    await client.run([
      ...TO_SENDER,
      ...Array.from({ length: 100 }, (_, i) => ({ send: `RCPT TO:<bot${i}@mayfly.test>`, expect: '250' })),
      { send: 'RCPT TO:<bot100@mayfly.test>', expect: '452 4.5.3' },
      { send: 'DATA', expect: '354' },
    ])
    const reply = await client.send('x\r\n.\r\n').reply()
    expect(reply).toMatch(/^250 2\.0\.0 Ok: .* and 84 more$/)
    expect(reply.length).toBeLessThan(510)
    expect(delivered[0]?.envelope.recipients).toHaveLength(100)
  })

  test('names at most 16 emails in the reply', async () => {
    const { open } = await listen()
    const client = open()
    for (const [count, more] of [
      [16, ''],
      [17, ' and 1 more'],
    ] as const) {
      await client.run([
        ...(count === 16 ? GREETING : []),
        { send: 'MAIL FROM:<a@example.com>', expect: '250' },
        ...Array.from({ length: count }, (_, i) => ({
          send: `RCPT TO:<bot${i}@mayfly.test>`,
          expect: '250',
        })),
        { send: 'DATA', expect: '354' },
      ])
      expect(await client.send('x\r\n.\r\n').reply()).toBe(
        `250 2.0.0 Ok: ${Array(16).fill(ID).join(' ')}${more}`,
      )
    }
  })

  test('reports a delivered message and a rejected one to the operator', async () => {
    let hasRoom = true
    const { open, events } = await listen({ hasRoom: (bytes) => hasRoom || bytes === 0 })
    const client = open()
    await client.run([...TO_DATA, DATA, ...ENVELOPE])
    hasRoom = false
    await client.run([{ send: 'x\r\n.', expect: '452 4.3.1' }])
    expect(events).toEqual([
      {
        type: 'delivered',
        messageId: expect.any(String),
        recipients: 1,
        bytes: 3,
        client: '127.0.0.1',
        ms: expect.any(Number),
      },
      { type: 'refused', reply: 452, client: '127.0.0.1' },
    ])
  })

  test('asks for room with the declared size, the sender and the client, and passes the client on', async () => {
    const asked: unknown[] = []
    const clients: unknown[] = []
    const { open } = await listen({
      hasRoom: (...question) => asked.push(question) > 0,
      deliver: async (_envelope, _message, client) => {
        clients.push(client)
        return [ID]
      },
    })
    await open().run([
      ...GREETING,
      { send: 'MAIL FROM:<ann@example.com> SIZE=500', expect: '250' },
      ...ENVELOPE.slice(1),
      DATA,
    ])
    const from = { sender: 'ann@example.com', client: '127.0.0.1' }
    expect(asked).toEqual([
      [500, from],
      [3, from],
    ])
    expect(clients).toEqual([{ address: '127.0.0.1', helo: 'client.example' }])
  })

  test('counts a mail as under way from MAIL FROM until its end or its abort', async () => {
    const { open, listener } = await listen()
    const [client, leaving] = [open(), open()]
    await client.run(GREETING)
    expect(listener.underWay()).toBe(0)
    await client.run(TO_DATA.slice(2))
    await leaving.run(TO_SENDER)
    expect(listener.underWay()).toBe(2)
    await client.run([DATA])
    leaving.close()
    await eventually('no mail is under way', () => listener.underWay() === 0)
    await client.run([...ENVELOPE.slice(0, 1), { send: 'RSET', expect: '250' }])
    expect(listener.underWay()).toBe(0)
  })

  test('reads two mails from one packet', async () => {
    const { open, delivered } = await listen()
    const client = open()
    const mail = 'MAIL FROM:<a@example.com>\r\nRCPT TO:<bot@mayfly.test>\r\nDATA\r\nhello\r\n.\r\n'
    client.send(`EHLO client.example\r\n${mail}${mail}QUIT\r\n`)
    const replies = ['220', '250', '250', '250', '354', '250', '250', '250', '354', '250', '221']
    await client.run(replies.map((reply) => ({ expect: reply })))
    expect(delivered.map(({ raw }) => raw.toString())).toEqual(['hello\r\n', 'hello\r\n'])
  })

  test.each([
    { what: 'a line without an end', send: 'X'.repeat(5000), expect: '500 5.5.2' },
    { what: 'ten unknown commands', send: 'GUESS\r\n'.repeat(10), expect: '421' },
    { what: 'an HTTP request', send: 'POST / HTTP/1.1\r\nHost: localhost\r\n\r\n', expect: '421' },
  ])('ends the connection after $what', async ({ send, expect: last }) => {
    const { open } = await listen()
    const client = open()
    await client.run([{ expect: '220' }])
    client.send(send)
    let reply = await client.reply()
    while (!reply.startsWith(last)) reply = await client.reply()
    await client.closed()
  })

  test('a port in use is an error', async () => {
    const { listener } = await listen()
    await expect(listenWith({ port: listener.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('sends nothing before the greeting', async () => {
    const { open } = await listen()
    await open().run(GREETING)
  })
})
