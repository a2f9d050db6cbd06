import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { afterEach, describe, expect, test } from '@jest/globals'
import nodemailer from 'nodemailer'
import { DEFAULT_LIMITS } from '../../../adapters/smtp/limits.ts'
import { ended } from '../../support/service.ts'
import { A_MAIL, GREETING, listenWith, type Setup } from './setup.ts'
import { TLS } from './smtp-certificate.ts'

/** Clients of these tests send their first byte when this machine lets them. */
const PATIENT = { ...DEFAULT_LIMITS, firstByteMs: 30_000 }

const MAIL = { from: 'ann@example.com', to: 'bot@mayfly.test', text: 'x' }

let setup: Setup
afterEach(() => setup.close())

describe('where the service has a certificate, the SMTP port', () => {
  test.each([
    ['TLS from the first byte, with a login', { secure: true, auth: { user: 'a', pass: 'b' } }, PATIENT],
    ['STARTTLS', { requireTLS: true }, DEFAULT_LIMITS],
    ['plain SMTP', { ignoreTLS: true }, DEFAULT_LIMITS],
  ])('accepts %s, by Nodemailer', async (_way, options, limits) => {
    setup = await listenWith({ tls: TLS, auth: 'any', limits })
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port: setup.listener.port,
      tls: { ca: TLS.cert, servername: 'localhost' },
      ...options,
    })
    await transport.sendMail(MAIL)
    transport.close()
    expect(setup.delivered).toHaveLength(1)
  })

  test("accepts TLS from the first byte, by Python's smtplib", async () => {
    setup = await listenWith({ tls: TLS, limits: PATIENT })
    const script = `
import smtplib, ssl, sys
context = ssl.create_default_context(cadata=sys.argv[2])
with smtplib.SMTP_SSL('localhost', int(sys.argv[1]), context=context) as smtp:
    smtp.sendmail('ann@example.com', ['bot@mayfly.test'], 'Subject: x\\r\\n\\r\\nx')
`
    const python = spawn('python3', ['-c', script, String(setup.listener.port), TLS.cert], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(await ended(python)).toEqual({ code: 0, output: '' })
    expect(setup.delivered).toHaveLength(1)
  })

  test('offers no second TLS inside of TLS', async () => {
    setup = await listenWith({ tls: TLS, limits: PATIENT })
    const socket = connect({
      port: setup.listener.port,
      host: '127.0.0.1',
      ca: TLS.cert,
      servername: 'localhost',
    })
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    await once(socket, 'data')
    socket.write('EHLO a.example\r\nSTARTTLS\r\nQUIT\r\n')
    await once(socket, 'close')
    expect(text).toMatch(/^220 [\s\S]*250[\s\S]*\n50[023] [\s\S]*221 /)
    expect(text).not.toContain('250-STARTTLS')
  })

  test('serves others while a handshake is broken, and closes that connection', async () => {
    setup = await listenWith({ tls: TLS, limits: PATIENT })
    const broken = setup.open().send(Uint8Array.from([0x16, 3, 1, 0, 4, 1, 2, 3, 4]))
    await once(broken.socket, 'close')
    const early = setup.open()
    early.send('EHLO client.example\r\n')
    await early.run([{ expect: '220' }, { expect: '250-mx.mayfly.test' }])
  })

  test('closes a connection that ends before its first byte', async () => {
    setup = await listenWith({ tls: TLS, limits: PATIENT })
    const left = setup.open()
    await once(left.socket, 'connect')
    left.socket.end()
    await once(left.socket, 'close')
  })
})

test('without a certificate the greeting comes at once, and TLS is not understood', async () => {
  setup = await listenWith({ limits: PATIENT })
  await setup.open().run(A_MAIL)
  const tls = setup.open()
  await tls.run(GREETING)
  tls.send(Uint8Array.from([0x16, 3, 1, 0, 4, 1, 2, 13, 10]))
  expect(await tls.reply()).toMatch(/^500 /)
})
