import type { PassThrough } from 'node:stream'
import { describe, expect, test } from '@jest/globals'
import { envelopeOf } from '../../adapters/ses/notification.ts'
import type { Message } from '../../adapters/smtp/listener.ts'
import type { NewEnvelope } from '../../core/inbox/receive.ts'
import { isUlid } from '../../core/ulid.ts'
import { NO_VERDICTS, type Verdicts } from '../../reading/message.ts'
import { deliverTo } from '../../smtp-service/deliver.ts'

const VERDICTS: Verdicts = { ...NO_VERDICTS, spf: 'pass', dkim: 'fail', dmarc: 'gray' }
const ENVELOPE: NewEnvelope = {
  mailFrom: 'a@sender.example',
  recipients: ['Bot+1@Mail.Example', 'c@other.example'],
  verdicts: NO_VERDICTS,
}
const CLIENT = { address: '192.0.2.1', helo: 'mx.sender.example' }

async function bytesOf(content: AsyncIterable<Uint8Array> | Uint8Array): Promise<Buffer> {
  if (content instanceof Uint8Array) return Buffer.from(content)
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** The ports in memory; they record the order of calls, and one of them can fail. */
function parts(fault: 'put' | 'send' | undefined = undefined) {
  const done: string[] = []
  const stored = new Map<string, Buffer>()
  const sent: string[] = []
  const checked: unknown[] = []
  const deliver = deliverTo({
    bucket: 'messages',
    clock: () => 1_790_000_000_000,
    authentication: {
      async check(message, sender) {
        checked.push([(await bytesOf(message).catch(() => Buffer.from('broken'))).toString(), sender])
        return VERDICTS
      },
    },
    blobs: {
      async put(key, part, content) {
        const bytes = await bytesOf(content)
        if (fault === 'put') throw new Error('S3 does not answer')
        stored.set(`${key}/${part}`, bytes)
        done.push('put')
      },
    },
    queue: {
      async send(message) {
        if (fault === 'send') throw new Error('SQS does not answer')
        sent.push(message)
        done.push('send')
      },
    },
  })
  return { deliver, done, stored, sent, checked }
}

async function* slowly(...texts: string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

const large = 'x'.repeat(100_000)
const messages: [string, () => Message, string][] = [
  ['whole', () => ({ bytes: new Uint8Array(Buffer.from('Subject: x\r\n\r\ny')) }), 'Subject: x\r\n\r\ny'],
  ['as it comes', () => ({ stream: slowly('Subject: x\r\n', '\r\n', large) }), `Subject: x\r\n\r\n${large}`],
]

describe.each(messages)('a message that is handed over %s', (_, message, text) => {
  test('is stored, then queued with its verdicts in the format of SES', async () => {
    const { deliver, done, stored, sent, checked } = parts()
    const [messageId, ...others] = await deliver(ENVELOPE, message(), CLIENT)
    expect([isUlid(messageId!), others]).toEqual([true, []])
    expect(done).toEqual(['put', 'send'])
    expect(stored.get(`${messageId}/raw`)!.toString()).toBe(text)
    expect(checked).toEqual([[text, { ...CLIENT, mailFrom: 'a@sender.example' }]])
    expect(envelopeOf(sent[0]!, 'messages')).toEqual({
      ...ENVELOPE,
      messageId,
      receivedAt: 1_790_000_000_000,
      verdicts: VERDICTS,
    })
  })

  test.each(['put', 'send'] as const)('is not accepted if the %s fails', async (fault) => {
    const { deliver, sent } = parts(fault)
    await expect(deliver(ENVELOPE, message(), CLIENT)).rejects.toThrow('does not answer')
    expect(sent).toEqual([])
  })
})

test('an incomplete message is not queued', async () => {
  const { deliver, sent, stored } = parts()
  async function* broken(): AsyncIterable<Uint8Array> {
    yield Buffer.from('Subject: x\r\n')
    throw new Error('the client left')
  }
  await expect(deliver(ENVELOPE, { stream: broken() }, CLIENT)).rejects.toThrow('the client left')
  expect([sent, [...stored]]).toEqual([[], []])
})

test('a bounce is queued with an empty sender', async () => {
  const { deliver, sent } = parts()
  await deliver({ ...ENVELOPE, mailFrom: null }, messages[0]![1](), CLIENT)
  expect(envelopeOf(sent[0]!, 'messages')!.mailFrom).toBeNull()
})

/** Parts whose check records the message that it reads, after `ready`. */
function checking(ready: Promise<void>, put: (content: AsyncIterable<Uint8Array>) => Promise<void>) {
  const checked = Promise.withResolvers<string>()
  let listeners: (() => number) | undefined
  const deliver = deliverTo({
    bucket: 'messages',
    clock: () => 1_790_000_000_000,
    authentication: {
      async check(message) {
        listeners = () => (message as PassThrough).listenerCount('drain')
        await ready
        checked.resolve(await bytesOf(message).then(String, () => 'broken'))
        return VERDICTS
      },
    },
    blobs: { put: (_key, _part, content) => put(content as AsyncIterable<Uint8Array>) },
    queue: { send: async () => {} },
  })
  return { deliver, checked: checked.promise, listeners: () => listeners?.() }
}

test('a failed upload ends the authentication of the message too', async () => {
  const { deliver, checked } = checking(Promise.resolve(), async () => {
    throw new Error('S3 does not answer')
  })
  const stream = slowly('Subject: x\r\n', '\r\n', 'y')
  await expect(deliver(ENVELOPE, { stream }, CLIENT)).rejects.toThrow('S3 does not answer')
  expect(await checked).toBe('broken')
})

test('authentication reads what was sent, though the connection reuses its buffer', async () => {
  const uploaded = Promise.withResolvers<void>()
  const { deliver, checked } = checking(uploaded.promise, async (content) => {
    for await (const _ of content);
    uploaded.resolve()
  })
  async function* reusing(): AsyncIterable<Uint8Array> {
    const buffer = Buffer.alloc(3)
    for (const text of ['one', 'two']) {
      buffer.write(text)
      yield buffer
    }
  }
  await deliver(ENVELOPE, { stream: reusing() }, CLIENT)
  expect(await checked).toBe('onetwo')
})

test('a message is received at the pace of its authentication', async () => {
  const started = Promise.withResolvers<void>()
  const { deliver, checked, listeners } = checking(started.promise, async (content) => {
    for await (const _ of content);
  })
  let received = 0
  async function* chunks(): AsyncIterable<Uint8Array> {
    for (; received < 100; received++) yield Buffer.alloc(64 * 1024, 'x')
  }
  const delivered = deliver(ENVELOPE, { stream: chunks() }, CLIENT)
  for (let turn = 0; turn < 1000; turn++) await new Promise(setImmediate)
  expect(received).toBeLessThan(10)
  started.resolve()
  expect(await delivered).toHaveLength(1)
  expect((await checked).length).toBe(100 * 64 * 1024)
  expect(listeners()).toBe(0)
})

test('a message is stored whole, though its authentication breaks while the message waits for it', async () => {
  const waits = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<number>()
  const deliver = deliverTo({
    bucket: 'messages',
    clock: () => 0,
    authentication: {
      async check(message) {
        await waits.promise
        ;(message as PassThrough).destroy()
        return VERDICTS
      },
    },
    blobs: { put: async (_key, _part, content) => stored.resolve((await bytesOf(content)).length) },
    queue: { send: async () => {} },
  })
  async function* chunks(): AsyncIterable<Uint8Array> {
    setImmediate(waits.resolve)
    yield* slowly(large, large, large)
  }
  await deliver(ENVELOPE, { stream: chunks() }, CLIENT)
  expect(await stored.promise).toBe(3 * large.length)
})
