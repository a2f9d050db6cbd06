import { describe, expect, test } from '@jest/globals'
import type { Domain, Domains } from '../../../core/access/ports.ts'
import { type Email, emailOf } from '../../../core/inbox/email.ts'
import { decodeMessageBody } from '../../../core/inbox/message-body.ts'
import type { BlobStore, MessageStore, NewMessage } from '../../../core/inbox/ports.ts'
import { type Envelope, receive } from '../../../core/inbox/receive.ts'
import { NO_VERDICTS } from '../../../reading/message.ts'

const OPTIONS = { retentionMs: 3_600_000 }
const RAW = Buffer.from(
  [
    'From: Ann <ann@example.com>',
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
    'PDF',
    '--b--',
    '',
  ].join('\r\n'),
)

function delivery(...recipients: string[]): Envelope {
  return { messageId: 'delivery1', mailFrom: 'bounce@example.com', recipients, verdicts: NO_VERDICTS }
}

/** The three ports in memory; `fails` names the calls that fail once. */
function world(fails: string[] = []) {
  const stored: NewMessage[] = []
  const parts = new Map<string, Buffer>()
  const calls: string[] = []
  function call(name: string): void {
    calls.push(name)
    const at = fails.indexOf(name)
    if (at === -1) return
    fails.splice(at, 1)
    throw new Error(`${name} failed`)
  }
  const domains = {
    async find(name) {
      call(`find ${name}`)
      const status = new Map<string, Domain['status']>([
        ['mayfly.test', 'verified'],
        ['pending.test', 'pending'],
      ]).get(name)
      return status && ({ name, status, registeredAt: 5000, visibleAfter: 'since' } as Domain)
    },
  } as Domains
  const blobs = {
    async put(key, part, content) {
      const chunks: Uint8Array[] = []
      if (content instanceof Uint8Array) chunks.push(content)
      else for await (const chunk of content) chunks.push(chunk)
      call(`put ${part}`)
      parts.set(`${key}/${part}`, Buffer.concat(chunks))
    },
    async remove(key) {
      call('remove')
      for (const part of [...parts.keys()]) if (part.startsWith(`${key}/`)) parts.delete(part)
    },
  } as BlobStore
  const emails = {
    async store(mail) {
      call('store')
      if (!stored.some(({ messageId: delivery }) => delivery === mail.messageId)) stored.push(mail)
      return mail.recipients.map((address) =>
        emailOf(mail.summary, address, '01ARZ3NDEKTSV4RRFFQ69G5FAV', mail.retentionMs),
      )
    },
  } as MessageStore
  return { ports: { domains, blobs, emails }, stored, parts, calls }
}

async function* stream(raw: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < raw.length; at += 50) yield raw.subarray(at, at + 50)
}

describe('receive', () => {
  test('stores what the message holds, then the email', async () => {
    for (const raw of [RAW, stream(RAW)]) {
      const { ports, stored, parts, calls } = world()
      const emails = await receive(ports, delivery('bot@mayfly.test'), raw, OPTIONS)
      expect(emails.map((email: Email) => email.address)).toEqual(['bot@mayfly.test'])
      expect(calls).toEqual(['find mayfly.test', 'put attachments/0', 'put content', 'store'])
      expect(stored[0]!.retentionMs).toBe(3_600_000)
      expect(stored[0]!.summary).toMatchObject({
        from: { name: 'Ann', address: 'ann@example.com' },
        subject: 'Hello',
        bodyText: 'Your text',
        bodyTextTruncated: false,
        attachmentCount: 1,
        size: RAW.length,
      })
      expect(parts.get('delivery1/attachments/0')!.toString()).toBe('PDF')
      const { details, bodies } = await decodeMessageBody(stream(parts.get('delivery1/content')!))
      expect(details).toMatchObject({ mailFrom: 'bounce@example.com', verdicts: NO_VERDICTS })
      expect(details).not.toHaveProperty('parseError')
      expect(details.attachments[0]).toMatchObject({ id: '0', filename: 'a.pdf', size: 3 })
      let json = ''
      for await (const chunk of bodies) json += Buffer.from(chunk).toString()
      expect(JSON.parse(json)).toEqual({ body_text: 'Your text', body_html: null })
    }
  })

  test('recipients are canonical, each once, and only those on registered domains', async () => {
    const { ports, stored, calls } = world()
    await receive(
      ports,
      delivery(
        'Bot@Mayfly.Test',
        'bot@mayfly.test',
        'bot+1@mayfly.test',
        'x@pending.test',
        'x@elsewhere.test',
        '"a b"@mayfly.test',
        'nonsense',
      ),
      RAW,
      OPTIONS,
    )
    expect(stored[0]!.recipients).toEqual(['bot@mayfly.test', 'bot+1@mayfly.test', 'x@pending.test'])
    expect(calls.filter((name) => name === 'find mayfly.test')).toHaveLength(1)
  })

  test('without any recipient here nothing is kept', async () => {
    const { ports, stored, parts } = world()
    parts.set('delivery1/raw', RAW)
    expect(await receive(ports, delivery('x@elsewhere.test'), RAW, OPTIONS)).toEqual([])
    expect(stored).toEqual([])
    expect(parts.size).toBe(0)
  })

  test.each(['find mayfly.test', 'put attachments/0', 'put content', 'store'])(
    'where `%s` fails it rejects, and the next call completes it',
    async (step) => {
      const { ports, stored, parts } = world([step])
      await expect(receive(ports, delivery('bot@mayfly.test'), RAW, OPTIONS)).rejects.toThrow(
        `${step} failed`,
      )
      expect(stored).toEqual([])
      await receive(ports, delivery('bot@mayfly.test'), RAW, OPTIONS)
      await receive(ports, delivery('bot@mayfly.test'), RAW, OPTIONS)
      expect(stored).toHaveLength(1)
      expect(parts.size).toBe(2)
    },
  )

  test('handled again after all copies were removed, it keeps no bytes', async () => {
    const { ports, parts } = world()
    ports.emails.store = async () => []
    expect(await receive(ports, delivery('bot@mayfly.test'), RAW, OPTIONS)).toEqual([])
    expect(parts.size).toBe(0)
  })

  test('where the message breaks off it rejects', async () => {
    const { ports, stored } = world()
    async function* broken(): AsyncIterable<Uint8Array> {
      yield RAW
      throw new Error('broken off')
    }
    await expect(receive(ports, delivery('bot@mayfly.test'), broken(), OPTIONS)).rejects.toThrow('broken off')
    expect(stored).toEqual([])
  })

  test('the summary has 16 KiB of the text, cut between characters; the content has all', async () => {
    const { ports, stored, parts } = world()
    const text = `x${'é'.repeat(20_000)}`
    const raw = Buffer.from(`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`)
    await receive(ports, delivery('bot@mayfly.test'), raw, OPTIONS)
    const { bodyText, bodyTextTruncated } = stored[0]!.summary
    expect(bodyText).toBe(`x${'é'.repeat(8191)}`)
    expect(bodyTextTruncated).toBe(true)
    expect(parts.get('delivery1/content')!.toString()).toContain(text)
  })

  test('a message that cannot be read as a whole is kept with what is wrong with it', async () => {
    const { ports, stored, parts } = world()
    const raw = Buffer.from('Subject: s\r\nContent-Type: multipart/mixed\r\n\r\nx')
    await receive(ports, delivery('bot@mayfly.test'), raw, OPTIONS)
    expect(stored[0]!.summary).toMatchObject({ subject: 's', bodyText: 'x', size: raw.length })
    const { details } = await decodeMessageBody(stream(parts.get('delivery1/content')!))
    expect(details.parseError).toContain('in parts')
  })

  test.each<[string, Partial<Envelope>, boolean]>([
    ['that came in before its domain was registered so', { receivedAt: 4999 }, false],
    ['that came in with it', { receivedAt: 5000 }, true],
    ['that came in after it', { receivedAt: 5001 }, true],
    ['let in for its domain as it is', { visibleAfter: { 'mayfly.test': 'since' } }, true],
    ['let in for its domain as it was', { visibleAfter: { 'mayfly.test': 'before' } }, false],
    ['let in for another domain', { visibleAfter: { 'other.test': 'before' } }, true],
  ])('mail %s', async (_what, more, isStored) => {
    const { ports, stored, parts } = world()
    await receive(ports, { ...delivery('bot@mayfly.test'), ...more }, RAW, OPTIONS)
    expect(stored.map(({ visibleAfter: registrations }) => registrations)).toEqual(
      isStored ? [{ 'mayfly.test': 'since' }] : [],
    )
    expect(parts.size).toBe(isStored ? 2 : 0)
  })

  test('without any recipient here the message is not read', async () => {
    const { ports, calls } = world()
    await receive(ports, delivery('x@elsewhere.test'), RAW, OPTIONS)
    expect(calls).toEqual(['find elsewhere.test', 'remove'])
  })
})
