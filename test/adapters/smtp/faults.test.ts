import { afterEach, expect, test } from '@jest/globals'
import type { SmtpOptions } from '../../../adapters/smtp/listener.ts'
import { BEGIN, DATA, ENVELOPE, GREETING, listenWith, recipient, TO_DATA, TO_SENDER } from './setup.ts'

let close: (() => Promise<void>) | undefined

async function listen(options: Partial<SmtpOptions> = {}) {
  const setup = await listenWith({ faults: true, ...options })
  close = setup.close
  return setup
}

afterEach(async () => {
  await close?.()
  close = undefined
})

test.each([421, 450, 451, 452, 550, 552, 554])('smtp.%i: at RCPT, every time', async (code) => {
  const { open } = await listen()
  for (let i = 0; i < 3; i++) {
    const client = open()
    await client.run([
      ...TO_SENDER,
      recipient(`bot+smtp.${code}@mayfly.test`, `${code} ${Math.floor(code / 100)}.`),
    ])
    if (code === 421) await client.closed()
    else await client.run([recipient('bot@mayfly.test')])
  }
})

test('smtp.451x2: fails the first two attempts of each address, in any case', async () => {
  const { open, delivered } = await listen()
  const client = open()
  await client.run([
    ...TO_SENDER,
    recipient('one+smtp.451x2@mayfly.test', '451'),
    recipient('ONE+SMTP.451x2@mayfly.test', '451'),
    recipient('two+smtp.451x2@mayfly.test', '451'),
    recipient('one+smtp.451x2@mayfly.test'),
    recipient('one+smtp.451x2@mayfly.test'),
    BEGIN,
    DATA,
  ])
  expect(delivered.map(({ envelope }) => envelope.recipients)).toEqual([['one+smtp.451x2@mayfly.test']])
})

test('smtp.data.550: after the message, and nothing is stored', async () => {
  const { open, delivered } = await listen()
  const client = open()
  await client.run([
    ...TO_SENDER,
    recipient('bot+smtp.data.550@mayfly.test'),
    BEGIN,
    { send: `${'x'.repeat(400_000)}\r\n.`, expect: '550 5.0.0' },
    ...ENVELOPE,
    DATA,
  ])
  expect(delivered).toHaveLength(1)
})

test('smtp.data.451x1: once, then the large message is whole', async () => {
  const sizes: number[] = []
  const { open } = await listen({
    async deliver(_envelope, message) {
      let size = 0
      if ('stream' in message) for await (const chunk of message.stream) size += chunk.length
      sizes.push(size)
      return ['id']
    },
  })
  const client = open()
  await client.run(GREETING)
  for (const reply of ['451', '250']) {
    await client.run([
      { send: 'MAIL FROM:<ann@example.com>', expect: '250' },
      recipient('bot+smtp.data.451x1@mayfly.test'),
      BEGIN,
      { send: `${'x'.repeat(400_000)}\r\n.`, expect: reply },
    ])
  }
  expect(sizes).toEqual([400_002])
})

test('smtp.data: each recipient of a message counts its own attempts', async () => {
  const { open, delivered } = await listen()
  const client = open()
  await client.run(GREETING)
  for (const reply of ['451', '451', '250'])
    await client.run([
      { send: 'MAIL FROM:<ann@example.com>', expect: '250' },
      recipient('one+smtp.data.451x1@mayfly.test'),
      recipient('two+smtp.data.451x2@mayfly.test'),
      BEGIN,
      { send: 'x\r\n.', expect: reply },
    ])
  expect(delivered).toHaveLength(1)
})

test('smtp.delay.1: delays this reply and no other', async () => {
  const { open } = await listen()
  const [slow, other] = [open(), open()]
  await slow.run(TO_SENDER)
  slow.send('RCPT TO:<bot+smtp.delay.1@mayfly.test>\r\n')
  await other.run([...TO_DATA, DATA])
  expect(slow.silent).toBe(true)
  await slow.run([{ expect: '250' }])
})

test('smtp.drop: the connection ends after the message, and nothing is stored', async () => {
  const { open, delivered } = await listen()
  const client = open()
  await client.run([...TO_SENDER, recipient('bot+smtp.drop@mayfly.test'), BEGIN])
  client.send('x\r\n.\r\n')
  await client.closed()
  expect(client.silent).toBe(true)
  expect(delivered).toEqual([])
})

test('smtp.drop: a large message, too, is received to its end', async () => {
  const { open } = await listen()
  const [client, other] = [open(), open()]
  await client.run([...TO_SENDER, recipient('bot+smtp.drop@mayfly.test'), BEGIN])
  const large = 'x'.repeat(400_000)
  client.send(large)
  // An early end would precede this reply.
  await other.run([...TO_DATA, { send: `${large}\r\n.`, expect: '250' }])
  expect(client.socket.destroyed).toBe(false)
  client.send('\r\n.\r\n')
  await client.closed()
})

test('a sender that uses one connection for many faults stays connected', async () => {
  const { open } = await listen()
  const client = open()
  await client.run(TO_SENDER)
  for (let i = 0; i < 15; i++) await client.run([recipient('bot+smtp.550@mayfly.test', '550 5.0.0')])
})

test.each(['smtp.999', 'smtp.delay.61', 'smtp.451x0', 'smtp.', 'smtp.data.drop'])(
  '%s is refused as an unknown fault',
  async (tag) => {
    const { open } = await listen()
    await open().run([
      ...TO_SENDER,
      { send: `RCPT TO:<bot+${tag}@mayfly.test>`.replace('smtp.@', 'smtp.-@'), expect: '553 5.1.3' },
    ])
  },
)

test('with faults off the address accepts mail', async () => {
  const { open } = await listen({ faults: false })
  await open().run([...TO_SENDER, recipient('bot+smtp.550@mayfly.test')])
})
