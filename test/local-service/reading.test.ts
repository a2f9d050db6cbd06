import { describe, expect, test } from '@jest/globals'
import { LINKS_MAX } from '../../core/limits.ts'
import { readMail, unreadable } from '../../local-service/reading.ts'

const HEAD_BYTES = 16 * 1024
const noAttachment = async () => {
  throw new Error('The message has no attachment.')
}

async function* inChunksOf(size: number, raw: Buffer): AsyncIterable<Uint8Array> {
  for (let at = 0; at < raw.length; at += size) yield raw.subarray(at, at + size)
}

const WAYS: [string, (raw: Buffer) => Buffer | AsyncIterable<Uint8Array>][] = [
  ['whole', (raw) => raw],
  ['in chunks', (raw) => inChunksOf(1000, raw)],
]

describe.each(WAYS)('a message that no reader could read, which is there %s', (_, given) => {
  const read = (text: string) => unreadable('it hung')(given(Buffer.from(text, 'latin1')), noAttachment)

  test('has the sender and the subject of its header, and the reason', async () => {
    expect(await read('X: y\r\nfrom: Ann <ann@a.test>\r\nSUBJECT: \tHi =?x?\r\n\r\nbody')).toEqual({
      from: { name: null, address: 'ann@a.test' },
      to: [],
      cc: [],
      replyTo: [],
      subject: 'Hi =?x?',
      text: '',
      html: null,
      codes: [],
      links: [],
      actionLink: null,
      codeDetails: [],
      headers: [],
      messageId: null,
      date: null,
      attachments: [],
      parseError: 'The message could not be read: it hung',
    })
  })

  test.each([
    ['From: ann@a.test\n\n', 'ann@a.test'],
    ['From: \u00e9 <>\r\n\r\n', '\u00e9 <>'],
    ['X-From: ann@a.test\r\n\r\n', null],
    [`From: <${'a'.repeat(600)}>\r\n\r\n`, `<${'a'.repeat(499)}`],
  ])('%j is from %j', async (header, address) => {
    expect(await read(header)).toMatchObject({ from: { name: null, address }, subject: '' })
  })

  test('is searched for fields in its first 16 KB only', async () => {
    const fill = (bytes: number) => `X: ${'x'.repeat(bytes - 5)}\r\n`
    expect(await read(`${fill(HEAD_BYTES - 11)}Subject: Hi\r\n`)).toMatchObject({ subject: 'Hi' })
    expect(await read(`${fill(HEAD_BYTES - 10)}Subject: Hi\r\n`)).toMatchObject({ subject: 'H' })
  })
})

test('a message is read with the limits of the service', async () => {
  const many = (one: (n: number) => string) => Array.from({ length: 200 }, (_, n) => one(n))
  const to = many((n) => `a${n}@x.test`).join(',\r\n ')
  const text = many((n) => `https://a.example/${n}\r\n`).join('')
  const raw = `Subject: ${'x'.repeat(5000)}\r\nTo: ${to}\r\n\r\n${text}`
  const mail = await readMail(Buffer.from(raw), noAttachment)
  expect([mail.subject.length, mail.to.length, mail.links.length]).toEqual([4096, 100, LINKS_MAX])
})

test('a message is read no further than its unread form needs', async () => {
  let yielded = 0
  async function* large(): AsyncIterable<Uint8Array> {
    while (yielded < 4 * HEAD_BYTES) {
      yielded += 4096
      yield Buffer.alloc(4096, 'x')
    }
  }
  await unreadable('it hung')(large(), noAttachment)
  expect(yielded).toBe(HEAD_BYTES)
})
