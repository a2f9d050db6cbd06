import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SENDERS, type TestMail } from './senders.ts'
import { headerOf, newAddress, startSendService, type TestService } from './setup.ts'

const MAX_MESSAGE_BYTES = 16_000_000

let service: TestService

beforeAll(async () => {
  service = await startSendService({ MAYFLY_MAX_MESSAGE_BYTES: String(MAX_MESSAGE_BYTES) })
})

afterAll(() => service.stop())

/** A mail to these addresses; each test changes the fields that it is about. */
function mailTo(address: string, changes: Partial<TestMail> = {}): TestMail {
  return {
    from: { name: 'Shop', address: 'shop@example.com' },
    to: [{ name: '', address }],
    subject: 'Your code',
    text: 'Your verification code is 482913.',
    ...changes,
  }
}

describe.each(SENDERS)('$name', (sender) => {
  test('a text mail: the code is found, and the first header contains the id in the response', async () => {
    const to = newAddress()
    const id = await sender.send(service, mailTo(to))
    const email = await service.email(to)
    expect(email.codes).toEqual(['482913'])
    expect(email.body_text.trim()).toBe('Your verification code is 482913.')
    expect(email.from).toEqual({ name: 'Shop', address: 'shop@example.com' })
    expect(email.mail_from).toBe('shop@example.com')
    expect(id).not.toBe('')
    expect(email.headers[0]).toEqual({ name: 'X-Mayfly-Send-Id', value: id })
  })

  test('an HTML mail without text', async () => {
    const to = newAddress()
    await sender.send(
      service,
      mailTo(to, { text: undefined, html: '<p>Sign in: <b>771204</b> is your code</p>' }),
    )
    const email = await service.email(to)
    expect(email.body_html?.trim()).toBe('<p>Sign in: <b>771204</b> is your code</p>')
    expect(email.codes).toEqual(['771204'])
  })

  test('text and HTML with characters of many languages and a long line', async () => {
    const to = newAddress()
    const text = `Grüße, 李雷! Ваш код: 104477 🦟\n${'long '.repeat(400)}end`
    const html = `<p>Grüße, 李雷! ${'€'.repeat(2000)}</p>`
    await sender.send(service, mailTo(to, { text, html }))
    const email = await service.email(to)
    expect(email.body_text.replaceAll('\r\n', '\n').trim()).toBe(text)
    expect(email.body_html?.trim()).toBe(html)
  })

  test('display names and subjects of any language', async () => {
    const to = newAddress()
    const subject =
      'Bestätigung für 李雷 – Ваш заказ 🦟, mit einem Betreff, der viel länger als eine Zeile ist'
    await sender.send(
      service,
      mailTo(to, {
        from: { name: 'Jürgen Größe, Inc.', address: 'shop@example.com' },
        to: [{ name: '李雷', address: to }],
        subject,
      }),
    )
    const email = await service.email(to)
    expect(email.from.name).toBe('Jürgen Größe, Inc.')
    expect(email.to).toEqual([{ name: '李雷', address: to }])
    expect(email.subject).toBe(subject)
  })

  test('Cc and Bcc are delivered, and no header names the Bcc', async () => {
    const [to, cc, bcc, bcc2] = [newAddress(), newAddress(), newAddress(), newAddress()]
    await sender.send(service, mailTo(to, { cc: [cc], bcc: [bcc, bcc2] }))
    for (const address of [to, cc, bcc, bcc2]) {
      const email = await service.email(address)
      const raw = (await service.raw(address, email.id)).toString()
      expect(email.cc.map((one) => one.address)).toEqual([cc])
      expect(raw).not.toContain(bcc)
      expect(raw).not.toMatch(/^bcc:/im)
    }
  })

  test('reply-to', async () => {
    const to = newAddress()
    await sender.send(service, mailTo(to, { replyTo: 'support@example.com' }))
    expect(headerOf(await service.email(to), 'Reply-To')).toBe('support@example.com')
  })

  test('custom headers', async () => {
    const to = newAddress()
    const headers = { 'X-Order': 'A-17; größer', 'List-Unsubscribe': '<https://example.com/u?x=1>' }
    await sender.send(service, mailTo(to, { headers }))
    const email = await service.email(to)
    expect(headerOf(email, 'X-Order')).toBe(headers['X-Order'])
    expect(headerOf(email, 'List-Unsubscribe')).toBe(headers['List-Unsubscribe'])
  })

  test('no line is longer than a message may have, and long values arrive unchanged', async () => {
    const to = newAddress()
    const subject = `Code 482913 ${'s'.repeat(1501)}`
    const headers: Record<string, string> = {
      'X-Token': 'x'.repeat(1501),
      'X-Mixed': `${'größer'.repeat(300)} and ${'y'.repeat(900)} 🦟`,
      'X-Words': 'word '.repeat(400).trim(),
      'List-Unsubscribe': `<https://example.com/u?t=${'z'.repeat(1501)}>`,
    }
    const content = Buffer.from(`Subject: Inner\r\n\r\n${'i'.repeat(1501)}\r\n`)
    const inner = { filename: 'inner.eml', contentType: 'message/rfc822', content }
    // Version 1 of SES has neither, so the SDK would send a message that the application has made.
    const hasParts = sender.name !== '@aws-sdk/client-ses'
    await sender.send(service, mailTo(to, { subject, ...(hasParts && { headers, attachments: [inner] }) }))
    const email = await service.email(to)
    const lines = (await service.raw(to, email.id)).toString('latin1').split('\r\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(998)
    expect(email.subject).toBe(subject)
    if (!hasParts) return
    for (const [name, value] of Object.entries(headers))
      expect([name, headerOf(email, name)]).toEqual([name, value])
    expect((await service.attachment(email, 0)).toString()).toBe(content.toString())
  })

  test('a word that cannot be encoded is refused, and nothing is stored', async () => {
    const to = newAddress()
    const from = { name: 'n'.repeat(1501), address: 'shop@example.com' }
    const error = await failureOf(sender.send(service, mailTo(to, { from })))
    expect(sender.errorOf(error)).toBe(sender.errors.invalid)
    expect(await service.emails(to)).toEqual([])
  })

  test('attachments byte for byte, with their names and types', async () => {
    const to = newAddress()
    const contents = [randomBytes(100_001), Buffer.from('a,b\r\n1,2\n\r'), Buffer.from([0])]
    await sender.send(
      service,
      mailTo(to, {
        attachments: [
          { filename: 'Rechnung März.pdf', contentType: 'application/pdf', content: contents[0]! },
          { filename: 'list.csv', contentType: 'text/csv', content: contents[1]! },
          { filename: 'zero.bin', contentType: 'application/octet-stream', content: contents[2]! },
        ],
      }),
    )
    const email = await service.email(to)
    expect(email.attachments.map(({ filename }) => filename)).toEqual([
      'Rechnung März.pdf',
      'list.csv',
      'zero.bin',
    ])
    expect(email.attachments[0]?.content_type).toBe('application/pdf')
    for (const [i, content] of contents.entries()) {
      expect((await service.attachment(email, i)).equals(content)).toBe(true)
    }
  })

  test('an inline image that the HTML refers to', async () => {
    const to = newAddress()
    const content = randomBytes(5000)
    const html = '<p><img src="cid:logo.png" alt=""></p>'
    const image = { filename: 'logo.png', contentType: 'image/png', content, cid: 'logo.png' }
    await sender.send(service, mailTo(to, { html, attachments: [image] }))
    const email = await service.email(to)
    expect(email.attachments[0]).toMatchObject({
      inline: true,
      content_id: 'logo.png',
      content_type: 'image/png',
    })
    expect((await service.attachment(email, 0)).equals(content)).toBe(true)
  })

  test('an attachment of 10 MB', async () => {
    const to = newAddress()
    const content = randomBytes(10_000_000)
    const file = { filename: 'big.bin', contentType: 'application/octet-stream', content }
    await sender.send(service, mailTo(to, { attachments: [file] }))
    expect((await service.attachment(await service.email(to), 0)).equals(content)).toBe(true)
  })

  test('a message over the limit is refused, and nothing is stored', async () => {
    const to = newAddress()
    const content = randomBytes(MAX_MESSAGE_BYTES)
    const file = { filename: 'big.bin', contentType: 'application/octet-stream', content }
    const error = await failureOf(sender.send(service, mailTo(to, { attachments: [file] })))
    expect(sender.errorOf(error)).toBe(sender.errors.tooLarge)
    expect(await service.emails(to)).toEqual([])
  })

  test('an unknown domain is refused with the SDK’s error, and no other recipient gets the mail', async () => {
    const to = newAddress()
    const error = await failureOf(sender.send(service, mailTo(to, { bcc: ['ann@elsewhere.example'] })))
    expect(sender.errorOf(error)).toBe(sender.errors.rejected)
    expect(JSON.stringify(error) + String(error)).toContain('ann@elsewhere.example')
    expect(await service.emails(to)).toEqual([])
  })

  test('an invalid address is rejected', async () => {
    const error = await failureOf(sender.send(service, mailTo('no address')))
    expect(sender.errorOf(error)).toBe(sender.errors.invalid)
  })

  test('+smtp.451: throttled; +smtp.550: rejected', async () => {
    const throttled = await failureOf(sender.send(service, mailTo(newAddress('+smtp.451'))))
    expect(sender.errorOf(throttled)).toBe(sender.errors.throttled)
    const rejected = await failureOf(sender.send(service, mailTo(newAddress('+smtp.data.550'))))
    expect(sender.errorOf(rejected)).toBe(sender.errors.rejected)
  })

  test('+smtp.451x1: accepted at the second attempt', async () => {
    const to = newAddress('+smtp.451x1')
    const error = await failureOf(sender.send(service, mailTo(to)))
    expect(sender.errorOf(error)).toBe(sender.errors.throttled)
    await sender.send(service, mailTo(to))
    expect(await service.emails(to)).toHaveLength(1)
  })

  test('+smtp.delay.1: accepted', async () => {
    const to = newAddress('+smtp.delay.1')
    await sender.send(service, mailTo(to))
    expect(await service.emails(to)).toHaveLength(1)
  })

  test('+smtp.drop: the connection ends, and nothing is stored', async () => {
    const to = newAddress('+smtp.drop')
    const error = await failureOf(sender.send(service, mailTo(to)))
    expect(`${error} ${JSON.stringify(error)}`).toMatch(/socket hang up|fetch failed|Unable to fetch data/)
    expect(await service.emails(to)).toEqual([])
  })

  test('an unknown fault is refused with the list of faults', async () => {
    const error = await failureOf(sender.send(service, mailTo(newAddress('+smtp.999'))))
    expect(sender.errorOf(error)).toBe(sender.errors.invalid)
    expect(JSON.stringify(error) + String(error)).toContain('smtp.delay.5')
  })
})

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const outcome = await work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )
  if ('result' in outcome) throw new Error(`expected a failure, got ${JSON.stringify(outcome.result)}`)
  return outcome.error
}
