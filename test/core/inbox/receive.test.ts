import { describe, expect, test } from '@jest/globals'
import type { Domain } from '../../../core/access/ports.ts'
import { type Email, emailOf } from '../../../core/inbox/email.ts'
import { decodeMessageBody } from '../../../core/inbox/message-body.ts'
import type { MessageParts, NewMessage, Part } from '../../../core/inbox/ports.ts'
import { type Envelope, type RawMessage, type ReceivePorts, receive } from '../../../core/inbox/receive.ts'
import { readMail } from '../../../local-service/reading.ts'
import { NO_VERDICTS } from '../../../reading/message.ts'

const OPTIONS = { retentionMs: 3_600_000, read: readMail }
const RAW = mailWith(Buffer.from('PDF'))

function mailWith(attachment: Buffer): Buffer {
  const head = [
    'From: Ann <ann@example.com>',
    'Reply-To: Desk <desk@example.com>',
    'To: bot@mayfly.test',
    'Subject: Hello',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Your text',
    '--b',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename=a.pdf',
    '',
    '',
  ]
  return Buffer.concat([Buffer.from(head.join('\r\n')), attachment, Buffer.from('\r\n--b--\r\n')])
}

function envelopeTo(...recipients: string[]): Envelope {
  return { messageId: 'message1', mailFrom: 'bounce@example.com', recipients, verdicts: NO_VERDICTS }
}

/** Stores in memory. A call that is named in `failing` fails once. */
function createPorts(failing: string[] = []) {
  const stored: NewMessage[] = []
  const parts = new Map<string, Buffer>()
  const calls: string[] = []
  function call(name: string): void {
    calls.push(name)
    const at = failing.indexOf(name)
    if (at === -1) return
    failing.splice(at, 1)
    throw new Error(`${name} failed`)
  }
  const ports: ReceivePorts = {
    domains: {
      async find(name) {
        call(`find ${name}`)
        const status = { 'mayfly.test': 'verified', 'pending.test': 'pending' }[name]
        if (status === undefined) return undefined
        return { name, status, registeredAt: 5000, visibleAfter: 'since' } as Domain
      },
    },
    blobs: {
      async put(messageId: string, part: Part, content: AsyncIterable<Uint8Array> | Uint8Array) {
        const chunks: Uint8Array[] = []
        if (content instanceof Uint8Array) chunks.push(content)
        else for await (const chunk of content) chunks.push(chunk)
        call(`put ${part}`)
        parts.set(`${messageId}/${part}`, Buffer.concat(chunks))
      },
      async remove(messageId: string) {
        call('remove')
        for (const name of [...parts.keys()]) if (name.startsWith(`${messageId}/`)) parts.delete(name)
      },
    },
    emails: {
      async store(message: NewMessage, collected: MessageParts = new Map()) {
        call(`store with ${[...collected.keys()].join(', ')}`)
        for (const [part, content] of collected)
          parts.set(`${message.messageId}/${part}`, Buffer.from(content))
        if (!stored.some(({ messageId }) => messageId === message.messageId)) stored.push(message)
        return message.recipients.map((address) =>
          emailOf(message.summary, address, '01ARZ3NDEKTSV4RRFFQ69G5FAV', message.retentionMs),
        )
      },
    },
  }
  return { ports, stored, parts, calls }
}

/** A stored raw message, in chunks. */
function storedRaw(raw: Uint8Array): RawMessage {
  return async () => ({ size: raw.length, stream: chunksOf(raw) })
}

async function* chunksOf(raw: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < raw.length; at += 5000) yield raw.subarray(at, at + 5000)
}

async function bodyOf(parts: ReadonlyMap<string, Buffer>, [message]: NewMessage[]) {
  const { details, bodies } = await decodeMessageBody(
    chunksOf(parts.get('message1/body') ?? Buffer.from('there is no body')),
    message!.summary,
  )
  const chunks: Uint8Array[] = []
  for await (const chunk of bodies) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString().split('\n')
  const [bodyText, bodyHtml] = lines.map((line) => JSON.parse(line)) as [string, string | null]
  return { details, bodies: { bodyText, bodyHtml } }
}

describe('receive', () => {
  test.each<{ what: string; raw: RawMessage; calls: string[] }>([
    {
      what: 'in memory',
      raw: RAW,
      calls: ['find mayfly.test', 'store with raw, attachments/0, body'],
    },
    {
      what: 'that is stored already',
      raw: storedRaw(RAW),
      calls: ['find mayfly.test', 'store with attachments/0, body'],
    },
  ])('stores a message $what with one command', async ({ raw, calls: expected }) => {
    const { ports, stored, parts, calls } = createPorts()
    const emails = await receive(ports, envelopeTo('bot@mayfly.test'), raw, OPTIONS)
    expect(emails.map((email: Email) => email.address)).toEqual(['bot@mayfly.test'])
    expect(calls).toEqual(expected)
    expect(stored[0]).toMatchObject({
      retentionMs: 3_600_000,
      summary: {
        from: { name: 'Ann', address: 'ann@example.com' },
        subject: 'Hello',
        bodyText: 'Your text',
        bodyTextTruncated: false,
        attachmentCount: 1,
        size: RAW.length,
      },
      mentioned: [
        { name: 'Desk', address: 'desk@example.com' },
        { name: null, address: 'bounce@example.com' },
      ],
    })
    expect(parts.get('message1/attachments/0')?.toString()).toBe('PDF')
    const { details, bodies } = await bodyOf(parts, stored)
    expect(details).toMatchObject({ mailFrom: 'bounce@example.com', verdicts: NO_VERDICTS })
    expect(details).not.toHaveProperty('parseError')
    expect(details.attachments[0]).toMatchObject({ id: '0', filename: 'a.pdf', size: 3 })
    expect(bodies).toEqual({ bodyText: 'Your text', bodyHtml: null })
  })

  test('stores every field that the mail has', async () => {
    const { ports, stored, parts } = createPorts()
    const url = 'https://shop.example/confirm?token=f3b1c5d7e9'
    const raw = [
      'From: Ann <ann@example.com>',
      'To: Bot <bot@mayfly.test>',
      'Cc: cy@example.com',
      'Subject: Confirm your address',
      'Message-ID: <1@example.com>',
      'Date: Tue, 01 Dec 2026 10:00:00 +0000',
      'Content-Type: text/html',
      '',
      `<p>Your verification code is 739105.</p><a href="${url}">Confirm your address</a>`,
    ]
    const bytes = Buffer.from(raw.join('\r\n'))
    await receive(ports, envelopeTo('bot@mayfly.test'), bytes, OPTIONS)
    const bodyText = `Your verification code is 739105.\n\nConfirm your address [${url}]`
    expect(stored[0]?.summary).toEqual({
      from: { name: 'Ann', address: 'ann@example.com' },
      to: [{ name: 'Bot', address: 'bot@mayfly.test' }],
      cc: [{ name: null, address: 'cy@example.com' }],
      subject: 'Confirm your address',
      bodyText,
      bodyTextTruncated: false,
      codes: ['739105'],
      links: [url],
      actionLink: { kind: 'confirm', text: 'Confirm your address', url },
      attachmentCount: 0,
      attachments: [],
      size: bytes.length,
    })
    const { details, bodies } = await bodyOf(parts, stored)
    expect(details).toEqual({
      headers: raw.slice(0, 7).map((line) => {
        const [name, value] = line.split(': ')
        return { name, value }
      }),
      messageId: '<1@example.com>',
      date: '2026-12-01T10:00:00.000Z',
      attachments: [],
      verdicts: NO_VERDICTS,
      mailFrom: 'bounce@example.com',
      codeDetails: [{ value: '739105', kind: 'one_time', reason: 'Your verification code is 739105' }],
    })
    expect(bodies).toEqual({ bodyText, bodyHtml: raw.at(-1) })
  })

  test('stores an attachment that is large before the email, and not in memory', async () => {
    const attachment = Buffer.alloc(2_000_000, 'attached ')
    const { ports, parts, calls } = createPorts()
    await receive(ports, envelopeTo('bot@mayfly.test'), storedRaw(mailWith(attachment)), OPTIONS)
    expect(calls).toEqual(['find mayfly.test', 'put attachments/0', 'store with body'])
    expect(parts.get('message1/attachments/0')?.equals(attachment)).toBe(true)
  })

  // The raw message is stored already, so that the attachment has all of the memory.
  test.each([
    [512 * 1024, ['put body', 'store with attachments/0']],
    [512 * 1024 + 1, ['put attachments/0', 'store with body']],
  ])('of the parts of a message, 512 KiB are held in memory: %d bytes', async (bytes, kept) => {
    const attachment = Buffer.alloc(bytes, 'attached ')
    const { ports, stored, parts, calls } = createPorts()
    await receive(ports, envelopeTo('bot@mayfly.test'), storedRaw(mailWith(attachment)), OPTIONS)
    expect(calls).toEqual(['find mayfly.test', ...kept])
    expect(parts.get('message1/attachments/0')?.equals(attachment)).toBe(true)
    expect((await bodyOf(parts, stored)).bodies.bodyText).toBe('Your text')
  })

  test('stores canonical recipients in their order, once each, and only those on registered domains', async () => {
    const { ports, stored, calls } = createPorts()
    const recipients = [
      'Bot@Mayfly.Test',
      'bot@mayfly.test',
      'bot+1@mayfly.test',
      'x@pending.test',
      'x@elsewhere.test',
      '"a b"@mayfly.test',
      'jürgen@mayfly.test',
      'nonsense',
      'a..b@mayfly.test',
    ]
    await receive(ports, envelopeTo(...recipients), RAW, OPTIONS)
    expect(stored[0]?.recipients).toEqual([
      'bot@mayfly.test',
      'bot+1@mayfly.test',
      'x@pending.test',
      '"a b"@mayfly.test',
      'jürgen@mayfly.test',
    ])
    expect(calls.filter((name) => name === 'find mayfly.test')).toHaveLength(1)
  })

  test('without a registered recipient reads nothing and removes the raw message', async () => {
    const { ports, stored, parts, calls } = createPorts()
    parts.set('message1/raw', RAW)
    const raw = () => Promise.reject(new Error('it was opened'))
    expect(await receive(ports, envelopeTo('x@elsewhere.test'), raw, OPTIONS)).toEqual([])
    expect(stored).toEqual([])
    expect(parts.size).toBe(0)
    expect(calls).toEqual(['find elsewhere.test', 'remove'])
  })

  test.each(['find mayfly.test', 'put attachments/0', 'store with body'])(
    'rejects if `%s` fails, and completes when it is called again',
    async (step) => {
      const { ports, stored, parts } = createPorts([step])
      const raw = storedRaw(mailWith(Buffer.alloc(1_000_000, 'x')))
      const envelope = envelopeTo('bot@mayfly.test')
      await expect(receive(ports, envelope, raw, OPTIONS)).rejects.toThrow(`${step} failed`)
      expect(stored).toEqual([])
      await receive(ports, envelope, raw, OPTIONS)
      await receive(ports, envelope, raw, OPTIONS)
      expect(stored).toHaveLength(1)
      expect([...parts.keys()]).toEqual(['message1/attachments/0', 'message1/body'])
    },
  )

  test('keeps no bytes when it is called again after all copies were removed', async () => {
    const { ports, parts } = createPorts()
    ports.emails.store = async () => []
    expect(await receive(ports, envelopeTo('bot@mayfly.test'), RAW, OPTIONS)).toEqual([])
    expect(parts.size).toBe(0)
  })

  test('rejects if the raw message cannot be read to its end', async () => {
    const { ports, stored } = createPorts()
    async function* broken(): AsyncIterable<Uint8Array> {
      yield RAW
      throw new Error('the stream ended')
    }
    const raw = async () => ({ size: 2 * RAW.length, stream: broken() })
    await expect(receive(ports, envelopeTo('bot@mayfly.test'), raw, OPTIONS)).rejects.toThrow(
      'the stream ended',
    )
    expect(stored).toEqual([])
  })

  test('puts 16 KiB of the text into the summary, cut between characters, and all of it into the body', async () => {
    const { ports, stored, parts } = createPorts()
    const text = `x${'é'.repeat(20_000)}`
    const raw = Buffer.from(`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`)
    await receive(ports, envelopeTo('bot@mayfly.test'), raw, OPTIONS)
    expect(stored[0]?.summary).toMatchObject({ bodyText: `x${'é'.repeat(8191)}`, bodyTextTruncated: true })
    expect((await bodyOf(parts, stored)).bodies.bodyText).toBe(text)
  })

  test('stores a message that cannot be parsed, with the reason', async () => {
    const { ports, stored, parts } = createPorts()
    const raw = Buffer.from('Subject: s\r\n\r\nx')
    const read: typeof readMail = async (...args) => ({
      ...(await readMail(...args)),
      parseError: 'it is broken',
    })
    await receive(ports, envelopeTo('bot@mayfly.test'), raw, { ...OPTIONS, read })
    expect(stored[0]?.summary).toMatchObject({ subject: 's', bodyText: 'x', size: raw.length })
    expect((await bodyOf(parts, stored)).details.parseError).toBe('it is broken')
  })

  test.each<{ what: string; more: Partial<Envelope>; isStored: boolean }>([
    { what: 'accepted before its domain was registered', more: { receivedAt: 4999 }, isStored: false },
    { what: 'accepted when its domain was registered', more: { receivedAt: 5000 }, isStored: true },
    { what: 'accepted later', more: { receivedAt: 5001 }, isStored: true },
    {
      what: 'whose domain is registered as it was',
      more: { visibleAfter: { 'mayfly.test': 'since' } },
      isStored: true,
    },
    {
      what: 'whose domain was registered again',
      more: { visibleAfter: { 'mayfly.test': 'before' } },
      isStored: false,
    },
    {
      what: 'that says nothing about its domain',
      more: { visibleAfter: { 'other.test': 'before' } },
      isStored: true,
    },
  ])('stores mail $what: $isStored', async ({ more, isStored }) => {
    const { ports, stored, parts } = createPorts()
    await receive(ports, { ...envelopeTo('bot@mayfly.test'), ...more }, RAW, OPTIONS)
    expect(stored.map(({ visibleAfter }) => visibleAfter)).toEqual(
      isStored ? [{ 'mayfly.test': 'since' }] : [],
    )
    expect(parts.size).toBe(isStored ? 3 : 0)
  })
})

describe('the stored bytes of a message', () => {
  const bytes = (parts: ReadonlyMap<string, Buffer>) =>
    [...parts.values()].reduce((sum, { length }) => sum + length, 0)

  test.each([
    { what: 'control characters', raw: `\r\n${'\u0001'.repeat(300_000)}` },
    {
      what: 'HTML in an 8-bit charset',
      raw: `Content-Type: text/html; charset=windows-1251\r\n\r\n${'\xe6'.repeat(300_000)}`,
    },
    { what: 'HTML that is all text', raw: `Content-Type: text/html\r\n\r\n${'word '.repeat(60_000)}` },
    { what: 'quotes', raw: `\r\n${'"'.repeat(300_000)}` },
  ])('are at most 2.5 times its size for $what', async ({ raw: text }) => {
    const { ports, stored, parts } = createPorts()
    const raw = Buffer.from(text, 'latin1')
    parts.set('message1/raw', raw)
    await receive(ports, envelopeTo('bot@mayfly.test'), storedRaw(raw), OPTIONS)
    expect(bytes(parts)).toBeLessThan(2.5 * raw.length + 70_000)
    const { details, bodies } = await bodyOf(parts, stored)
    expect(bodies.bodyText.length).toBeGreaterThan(0)
    if (bytes(parts) > 2 * raw.length) expect(details.parseError ?? 'cut').toContain('cut')
  })

  test('do not limit a small message', async () => {
    const { ports, stored, parts } = createPorts()
    const raw = Buffer.from(`\r\n${'\u0001'.repeat(9000)}`)
    await receive(ports, envelopeTo('bot@mayfly.test'), raw, OPTIONS)
    const { details, bodies } = await bodyOf(parts, stored)
    expect(bodies.bodyText).toHaveLength(9000)
    expect(details.parseError).toBeUndefined()
  })
})
