import dns from 'node:dns'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import type { SmtpOptions } from '../../../adapters/smtp/listener.ts'
import type { RefusedMail } from '../../../core/inbox/refusals.ts'
import { NO_VERDICTS } from '../../../reading/message.ts'
import { eventually } from '../../support/eventually.ts'
import {
  BEGIN,
  DATA,
  ENVELOPE,
  GREETING,
  ID,
  listenWith,
  MAX_BYTES,
  recipient,
  TO_DATA,
  TO_SENDER,
} from './setup.ts'
import type { Step } from './smtp-script.ts'

let close = async () => {}
async function listen(options?: Partial<SmtpOptions>) {
  const setup = await listenWith(options)
  close = setup.close
  return setup
}
afterEach(() => close())

const BOUNCE: readonly Step[] = [...GREETING, { send: 'MAIL FROM:<>', expect: '250' }]

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

  test.each([
    ['MAIL FROM:<a@example.com> RET=HDRS', 'RET'],
    ['MAIL FROM:<a@example.com> ENVID=x SIZE=5', 'ENVID'],
    ['MAIL FROM:<a@example.com> AUTH=<>', 'AUTH'],
    ['MAIL FROM:<a@example.com> mt-priority=3', 'MT-PRIORITY'],
    ['MAIL FROM:<a@example.com> REQUIRETLS', 'REQUIRETLS'],
    [`MAIL FROM:<a@example.com> ${'X'.repeat(41)}=1`, 'X'.repeat(40)],
    ['MAIL FROM:<a@example.com> A\u0007Ä=1', 'A??'],
  ])('refuses a parameter that was not announced: %s', async (send, name) => {
    const { open, delivered } = await listen()
    await open().run([
      ...GREETING,
      { send, expect: `555 5.5.4 The parameter ${name} was not announced` },
      ...ENVELOPE.slice(0, 1),
      { send: 'RCPT TO:<bot@mayfly.test> NOTIFY=SUCCESS', expect: '555 5.5.4 The parameter NOTIFY' },
      { send: 'RCPT TO:<bot@mayfly.test> ORCPT=rfc822;x', expect: '555 5.5.4 The parameter ORCPT' },
      ...ENVELOPE.slice(1),
      DATA,
    ])
    expect(delivered).toHaveLength(1)
  })

  test('accepts the parameter of AUTH where AUTH is announced', async () => {
    const { open } = await listen({ auth: 'any' })
    const send = 'MAIL FROM:<a@example.com> AUTH=<> BODY=8BITMIME SMTPUTF8 SIZE=9'
    await open().run([...GREETING, { send, expect: '250' }])
  })

  test('delivers messages with their envelopes, and names the emails in the reply', async () => {
    const { open, delivered, events } = await listen()
    const client = open()
    await client.run([
      ...TO_DATA,
      { send: 'Subject: s\r\n\r\nhello\r\n.', expect: `250 2.0.0 Ok: ${ID}` },
      { send: 'MAIL FROM:<> BODY=8BITMIME SIZE=100', expect: '250' },
      recipient('Bot@MAYFLY.test'),
      recipient('two@mayfly.test'),
      BEGIN,
      { send: '.', expect: `250 2.0.0 Ok: ${ID} ${ID}` },
      { send: 'QUIT', expect: '221' },
    ])
    await client.closed()
    expect(delivered[0]).toMatchObject({
      envelope: { mailFrom: 'ann@example.com', recipients: ['bot@mayfly.test'], verdicts: NO_VERDICTS },
      raw: Buffer.from('Subject: s\r\n\r\nhello\r\n'),
      whole: true,
    })
    expect(delivered[1]).toMatchObject({
      envelope: { mailFrom: null, recipients: ['bot@mayfly.test', 'two@mayfly.test'] },
      raw: Buffer.alloc(0),
    })
    expect(events.map(({ type }) => type)).toEqual(['delivered', 'delivered'])
    expect(JSON.stringify(events)).not.toMatch(/hello|ann@|bot@/)
  })

  test('passes on how the domains of the recipients were registered at RCPT', async () => {
    const { open, delivered } = await listen()
    await open().run([
      ...TO_SENDER,
      recipient('bot@mayfly.test'),
      recipient('bot@elsewhere.test', '550'),
      recipient('bot@müller.test'),
      BEGIN,
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
      recipient('bot@müller.test'),
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
    {
      send: 'RCPT TO:<bot@[127.0.0.1]>',
      expect: '553 5.1.3 The domain of the address is an IP address, not a name',
    },
    {
      send: 'RCPT TO:<bot@-a.test>',
      expect: '553 5.1.3 The domain of the address is not labels of letters, digits and hyphens',
    },
    {
      send: `RCPT TO:<bot@${'a'.repeat(64)}.test>`,
      expect: '553 5.1.3 The domain of the address has a label longer than 63 characters',
    },
    {
      send: `RCPT TO:<bot@${'a.'.repeat(130)}test>`,
      expect: '553 5.1.3 The domain of the address is longer than 253 characters',
    },
    { send: 'RCPT TO:<bot@localhost>', expect: '550 5.1.2' },
    { send: 'RCPT TO:<bot@broken.test>', expect: '451 4.3.0' },
    {
      send: 'RCPT TO:<a..b@mayfly.test>',
      expect: '553 5.1.3 The local part of the address has a dot at an end, or two dots in a row',
    },
    { send: 'RCPT TO:<"a b"@mayfly.test>', expect: '250' },
    { send: 'RCPT TO:<"a@b"@mayfly.test>', expect: '250' },
    { send: 'RCPT TO:<@relay.test,@b.test:"a>b"@mayfly.test>', expect: '250' },
    { send: 'RCPT TO:<"ab"@mayfly.test>', expect: '250' },
    { send: 'RCPT TO:<"a b"@elsewhere.test>', expect: '550 5.1.2' },
    { send: 'RCPT TO:<"a b@mayfly.test>', expect: '501 5.1.3' },
    {
      send: 'RCPT TO:<"a\u0000b"@mayfly.test>',
      expect: '553 5.1.3 The local part of the address has a control character',
    },
    { send: 'RCPT TO:<root>', expect: '550 5.1.2' },
    { send: 'RCPT TO:<Postmaster>', expect: '550 5.1.2' },
    {
      send: `RCPT TO:<${'a'.repeat(65)}@mayfly.test>`,
      expect: '553 5.1.3 The local part of the address is longer than 64 octets',
    },
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
    ...[
      'STARTTLS',
      'XCLIENT ADDR=10.0.0.1',
      'XFORWARD ADDR=10.0.0.1',
      'WIZ',
      'SHELL',
      'KILL',
      'NONSENSE',
    ].map((send) => ({ send, expect: '500 5.5.2 Error: command not recognized' })),
    { send: `NOOP ${'x'.repeat(4091)}`, expect: '250' },
    { send: 'VRFY bot@mayfly.test', expect: '252' },
    { send: 'EXPN list', expect: '500 5.5.2' },
    { send: 'NOOP', expect: '250' },
    { send: 'RSET', expect: '250' },
  ])('after MAIL FROM: $send → $expect', async (step) => {
    const { open } = await listen()
    await open().run([...TO_SENDER, step, { send: 'NOOP', expect: '250' }])
  })

  test('accepts the recipient <postmaster> for the first domain (RFC 5321, section 4.5.1)', async () => {
    const { open, delivered } = await listen({ postmasterDomain: async () => 'mayfly.test' })
    await open().run([...TO_SENDER, recipient('Postmaster'), BEGIN, DATA])
    expect(delivered[0]?.envelope.recipients).toEqual(['postmaster@mayfly.test'])
  })

  test('a sender outside of ASCII needs SMTPUTF8', async () => {
    const { open, delivered } = await listen()
    await open().run([
      { expect: '220' },
      { send: 'EHLO client.example', expect: '250' },
      { send: 'MAIL FROM:<jürgen@example.com>', expect: '553 5.6.7' },
      { send: 'MAIL FROM:<jürgen@example.com> SMTPUTF8', expect: '250' },
      recipient('bot@mayfly.test'),
      BEGIN,
      DATA,
    ])
    expect(delivered[0]?.envelope.mailFrom).toBe('jürgen@example.com')
  })

  test('refuses commands in the wrong order', async () => {
    const { open } = await listen()
    await open().run([
      { expect: '220' },
      { send: 'MAIL FROM:<a@example.com>', expect: '503 5.5.1' },
      { send: 'HELO client.example', expect: '250 mx.mayfly.test' },
      recipient('bot@mayfly.test', '503 5.5.1'),
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
      recipient('bot100@mayfly.test', '452 4.5.3'),
      BEGIN,
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
        BEGIN,
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
        ids: [ID],
        bytes: 3,
        client: '127.0.0.1',
        ms: expect.any(Number),
      },
      { type: 'refused', reply: 452, client: '127.0.0.1' },
    ])
  })

  test.each<[command: string, before: readonly Step[], refusal: object | undefined]>([
    ['MAIL FROM:<jö@x.test>', GREETING, { mailFrom: 'jö@x.test', recipient: null, code: 553 }],
    ['MAIL FROM:<> RET=HDRS', GREETING, { mailFrom: null, recipient: null, code: 555 }],
    ['RCPT TO:<jo@elsewhere.test>', TO_SENDER, { mailFrom: 'ann@example.com', code: 550 }],
    ['rcpt to:<jo@elsewhere.test>', TO_SENDER, { mailFrom: 'ann@example.com', code: 550 }],
    ['Rcpt To: <jo@elsewhere.test>', TO_SENDER, { mailFrom: 'ann@example.com', code: 550 }],
    ['RCPT TO:<jo@elsewhere.test>', BOUNCE, { mailFrom: null, code: 550 }],
    ['full\r\n.', TO_DATA, { mailFrom: 'ann@example.com', recipient: null, code: 452 }],
    // These say nothing about a mail.
    ['DATA', TO_SENDER, undefined],
    ['RCPT TO:<jo@elsewhere.test>', GREETING, undefined],
    ['NONSENSE <jo@elsewhere.test>', TO_SENDER, undefined],
  ])('reports a refused sender, recipient or message: %j', async (send, before, refusal) => {
    const refusals: RefusedMail[] = []
    const { open } = await listen({
      hasRoom: (bytes) => bytes !== 'full\r\n'.length,
      refused: (refused) => void refusals.push(refused),
    })
    const client = open()
    const began = Date.now()
    await client.run(before)
    const reply = await client.send(`${send}\r\n`).reply()
    const common = { client: '127.0.0.1', reply: reply.slice(4), recipient: 'jo@elsewhere.test' }
    expect(refusals).toEqual(refusal === undefined ? [] : [{ at: expect.any(Number), ...common, ...refusal }])
    for (const { at } of refusals) expect(at >= began && at <= Date.now()).toBe(true)
  })

  test('asks no name server who its clients are, which would delay them', async () => {
    const reverse = jest.spyOn(dns, 'reverse')
    const { open } = await listen()
    await open().run(GREETING)
    expect(reverse).not.toHaveBeenCalled()
    reverse.mockRestore()
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
    { what: 'a line without an end', send: 'X'.repeat(4097), expect: '500 5.5.2 The line is too long' },
    { what: 'a line that is too long', send: `NOOP ${'x'.repeat(4092)}\r\n`, expect: '500 5.5.2' },
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
})
