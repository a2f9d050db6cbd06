import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import nodemailer from 'nodemailer'
import type { SmtpOptions } from '../../../adapters/smtp/listener.ts'
import { A_MAIL, DATA, ENVELOPE, GREETING, ID, listenWith, recipient } from './setup.ts'
import { TLS } from './smtp-certificate.ts'
import type { Step } from './smtp-script.ts'

let close = async () => {}
async function listen(options?: Partial<SmtpOptions>) {
  const setup = await listenWith({ limits: { wrongCredentialsMs: 1 }, ...options })
  close = setup.close
  return setup
}
afterEach(() => close())

const base64 = (text: string) => Buffer.from(text).toString('base64')
const plain = (user: string, password: string) => `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`
const login = (user: string, password: string, last: string): Step[] => [
  { send: 'AUTH LOGIN', expect: '334 VXNlcm5hbWU6' },
  { send: base64(user), expect: '334 UGFzc3dvcmQ6' },
  { send: base64(password), expect: last },
]
const ONE = { user: 'app', password: 'se:cret' }

describe('AUTH any', () => {
  test.each<{ what: string; steps: Step[] }>([
    { what: 'PLAIN', steps: [{ send: plain('anyone', 'anything'), expect: '235 2.7.0' }] },
    { what: 'PLAIN with no password', steps: [{ send: plain('anyone', ''), expect: '235' }] },
    { what: 'PLAIN with nothing', steps: [{ send: plain('', ''), expect: '235' }] },
    { what: 'LOGIN', steps: login('anyone', 'anything', '235 2.7.0') },
    { what: 'no AUTH at all', steps: [] },
  ])('accepts mail after $what', async ({ steps }) => {
    const { open, delivered } = await listen({ auth: 'any' })
    await open().run([...GREETING, ...steps, ...ENVELOPE, DATA])
    expect(delivered).toHaveLength(1)
  })

  test('is offered in EHLO, with and without STARTTLS', async () => {
    for (const tls of [undefined, TLS]) {
      const { open, close: end } = await listenWith({ auth: 'any', ...(tls && { tls }) })
      const client = open()
      await client.run([{ expect: '220' }])
      expect(await client.send('EHLO client.example\r\n').reply()).toContain('AUTH PLAIN LOGIN')
      await client.run([{ send: plain('anyone', 'anything'), expect: '235' }])
      await end()
    }
  })

  test.each(['AUTH PLAIN %%%', 'AUTH', 'AUTH PLAIN', 'AUTH CRAM-MD5'])(
    'still accepts mail after %s',
    async (command) => {
      const { open } = await listen({ auth: 'any' })
      const client = open()
      await client.run(GREETING)
      const reply = await client.send(`${command}\r\n`).reply()
      if (reply.startsWith('334')) await client.run([{ send: '*', expect: '501' }])
      await client.run([...ENVELOPE, DATA])
    },
  )
})

describe('AUTH with one credential', () => {
  test.each<{ what: string; steps: Step[] }>([
    { what: 'PLAIN', steps: [{ send: plain('app', 'se:cret'), expect: '235' }] },
    { what: 'LOGIN', steps: login('app', 'se:cret', '235') },
    {
      what: 'a wrong attempt',
      steps: [{ send: plain('app', 'wrong'), expect: '535 5.7.8' }, ...login('app', 'se:cret', '235')],
    },
  ])('accepts mail after $what', async ({ steps }) => {
    const { open, delivered } = await listen({ auth: ONE })
    await open().run([...GREETING, ...steps, ...ENVELOPE, DATA])
    expect(delivered).toHaveLength(1)
  })

  test.each([
    { user: 'app', password: 'se:cre' },
    { user: 'app', password: '' },
    { user: 'App', password: 'se:cret' },
    { user: '', password: 'se:cret' },
    { user: 'se:cret', password: 'app' },
  ])('rejects $user and $password, and mail after it', async ({ user, password }) => {
    const { open, delivered } = await listen({ auth: ONE })
    await open().run([
      ...GREETING,
      { send: plain(user, password), expect: '535 5.7.8' },
      { send: 'MAIL FROM:<ann@example.com>', expect: '530 5.7.0 Authentication required' },
      recipient('bot@mayfly.test', '530 5.7.0'),
      { send: 'DATA', expect: '530 5.7.0' },
    ])
    expect(delivered).toEqual([])
  })

  test('closes the connection of a client that guesses passwords', async () => {
    const { open } = await listen({ auth: ONE })
    const client = open()
    await client.run(GREETING)
    let attempts = 0
    while (!(await client.send(`${plain('app', 'guess')}\r\n`).reply()).startsWith('421')) attempts++
    expect(attempts).toBeLessThanOrEqual(11)
    await client.closed()
  })

  test('delays the reply to wrong credentials, and no other reply', async () => {
    const { open } = await listen({ auth: ONE, limits: { wrongCredentialsMs: 200 } })
    const client = open()
    await client.run(GREETING)
    const began = performance.now()
    await client.run([{ send: plain('app', 'wrong'), expect: '535' }])
    expect(performance.now() - began).toBeGreaterThan(150)
  })

  test('requires STARTTLS before the password if STARTTLS is offered', async () => {
    const { open, listener, delivered } = await listen({ auth: ONE, tls: TLS })
    await open().run([...GREETING, { send: plain('app', 'se:cret'), expect: '538 5.7.0' }])
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port: listener.port,
      auth: { user: ONE.user, pass: ONE.password },
      tls: { ca: TLS.cert, servername: 'mx.mayfly.test' },
    })
    await transport.sendMail({ from: 'a@example.com', to: 'bot@mayfly.test', text: 'x' })
    transport.close()
    expect(delivered).toHaveLength(1)
  })
})

describe('AUTH off', () => {
  test('is neither offered nor accepted', async () => {
    const { open } = await listen({ auth: 'off' })
    const client = open()
    await client.run([{ expect: '220' }])
    expect(await client.send('EHLO client.example\r\n').reply()).not.toContain('AUTH')
    await client.run([{ send: plain('a', 'b'), expect: '500' }, ...ENVELOPE, DATA])
  })
})

describe('STARTTLS', () => {
  test.each([false, true])('Nodemailer delivers, with STARTTLS: %s', async (secure) => {
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
    expect(delivered[0]?.envelope.recipients).toEqual(['bot@mayfly.test', 'hidden@mayfly.test'])
    expect(delivered[0]?.raw.toString()).toContain('\r\nline\r\n.\r\n..dots\r\n')
  })

  test('is not offered without a certificate', async () => {
    const { listener } = await listen()
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port: listener.port, requireTLS: true })
    await expect(transport.verify()).rejects.toThrow()
    transport.close()
  })

  test('drops commands that the client sent in the clear behind it', async () => {
    const { open, delivered } = await listen({ tls: TLS })
    const client = open()
    await client.run(GREETING)
    client.send('STARTTLS\r\nMAIL FROM:<evil@example.com>\r\nRCPT TO:<bot@mayfly.test>\r\n')
    await client.run([{ expect: '220' }])
    await sleep(50)
    expect(client.silent).toBe(true)
    expect(delivered).toEqual([])
  })

  test('is optional for mail', async () => {
    const { open, delivered } = await listen({ tls: TLS })
    await open().run(A_MAIL)
    expect(delivered).toHaveLength(1)
  })
})
