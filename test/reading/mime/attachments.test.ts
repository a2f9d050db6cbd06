import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { Attachment } from '../../../reading/message.ts'
import { Channel } from '../../../reading/mime/channel.ts'
import { readLines, readWithAttachments } from '../read-mail.ts'
import { chunksOf } from './in-chunks.ts'

async function attached(...header: string[]): Promise<Attachment> {
  const { attachments } = await readLines('Content-Type: a/b', ...header, '', 'x')
  return attachments[0]!
}

describe('the name of an attachment', () => {
  test.each([
    ['.', null],
    ['...', '...'],
    ['a/.', null],
    ['a/ b ', 'b'],
    ['  ', null],
    ['a\r\n\tb', 'a b'],
    ['a\u2028b', 'ab'],
    ['a\u0085b', 'ab'],
  ])('%j becomes %j', async (given, expected) => {
    const field = `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(given)}`
    expect((await attached(field)).filename).toBe(expected)
  })
})

describe('the content id', () => {
  test.each([
    ['<a@b>', 'a@b'],
    ['a@b', 'a@b'],
    ['< a@b > c', 'a@b'],
    [' a@b> ', 'a@b>'],
    ['<a@b', 'a@b'],
    ['<>', null],
    ['', null],
    [`<${'x'.repeat(513)}>`, 'x'.repeat(512)],
  ])('%j becomes %j', async (given, expected) => {
    expect((await attached(`Content-ID: ${given}`)).contentId).toBe(expected)
  })
})

describe('an attachment is inline', () => {
  test.each([
    ['related', '', true],
    ['mixed', '', false],
    ['related', 'Content-Disposition: attachment', false],
    ['mixed', 'Content-Disposition: inline', true],
    ['mixed', 'Content-Disposition: other', false],
    ['related', 'Content-Disposition: other', false],
  ])('in multipart/%s with %j: %s', async (type, field, expected) => {
    const { attachments } = await readLines(
      `Content-Type: multipart/${type}; boundary=b`,
      '',
      '--b',
      'Content-Type: a/b',
      ...(field === '' ? [] : [field]),
      '',
      'x',
      '--b--',
    )
    expect(attachments.map(({ inline }) => inline)).toEqual([expected])
  })
})

test.each([0, 1, 4095, 4096, 4097, 9000])(
  'size and SHA-256 of %d bytes that arrive in chunks',
  async (size) => {
    const content = Buffer.alloc(size, 'content')
    const raw = Buffer.concat([Buffer.from('Content-Type: a/b\n\n'), content])
    for (const chunk of [Number.POSITIVE_INFINITY, 100, 4096, 5000]) {
      async function* source(): AsyncIterable<Uint8Array> {
        yield* chunksOf(raw, chunk)
      }
      const { mail, attachments } = await readWithAttachments(source())
      expect(mail.attachments[0]).toMatchObject({
        size,
        sha256: createHash('sha256').update(content).digest('hex'),
      })
      expect(attachments.get('0')!.equals(content)).toBe(true)
    }
  },
)

test('the writer of the bytes of an attachment continues when their reader asks for the next ones', async () => {
  const channel = new Channel()
  const reader = channel[Symbol.asyncIterator]()
  const bytes = Buffer.from('bytes')
  let isTaken = false
  const pushed = channel.push(bytes)!.then(() => {
    isTaken = true
  })
  expect(await reader.next()).toEqual({ done: false, value: bytes })
  // The reader may still read the memory of these bytes.
  await new Promise(setImmediate)
  expect(isTaken).toBe(false)
  const next = reader.next()
  await pushed
  channel.end()
  expect((await next).done).toBe(true)
})

test('a reader that asks first waits for the bytes and for the end, and other work goes on meanwhile', async () => {
  const channel = new Channel()
  const reader = channel[Symbol.asyncIterator]()
  const [first, bytes] = [reader.next(), Buffer.from('x')]
  await new Promise(setImmediate)
  const pushed = channel.push(bytes)
  expect(await first).toEqual({ done: false, value: bytes })
  const last = reader.next()
  await pushed
  await new Promise(setImmediate)
  channel.end()
  expect((await last).done).toBe(true)
})
