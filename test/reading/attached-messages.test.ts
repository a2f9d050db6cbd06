import { describe, expect, test } from '@jest/globals'
import { readWithAttachments } from './read-mail.ts'

const INNER = [
  'Subject: inner',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'inner text',
  '--b--',
]
const message = (...inner: string[]) =>
  Buffer.from(
    [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'outer text',
      '--b',
      'Content-Type: message/rfc822',
      '',
      ...inner,
      '--b',
      'Content-Type: application/pdf; name=tide.pdf',
      '',
      '%PDF',
      '--b--',
      '',
    ].join('\r\n'),
  )

describe('an attached message that reuses the boundary of the message around it', () => {
  test('is one attachment, and the parts behind it are read', async () => {
    const { mail, attachments } = await readWithAttachments(message(...INNER))
    expect(mail.text).toBe('outer text')
    expect(mail.attachments.map(({ contentType }) => contentType)).toEqual([
      'message/rfc822',
      'application/pdf',
    ])
    expect(attachments.get('0')?.toString()).toBe(INNER.join('\r\n'))
    expect(attachments.get('1')?.toString()).toBe('%PDF')
  })

  test('is read the same in chunks of any size', async () => {
    const raw = message(...INNER)
    const whole = await readWithAttachments(raw)
    for (const size of [1, 2, 3, 7, 50]) {
      async function* chunks(): AsyncIterable<Uint8Array> {
        for (let at = 0; at < raw.length; at += size) yield raw.subarray(at, at + size)
      }
      expect(await readWithAttachments(chunks())).toEqual(whole)
    }
  })

  test('ends at a boundary of its own choice only: another boundary belongs to the message around it', async () => {
    const other = INNER.map((line) => line.replace('=b', '=inner').replace('--b', '--inner'))
    const { attachments } = await readWithAttachments(message(...other))
    expect(attachments.get('0')?.toString()).toBe(other.join('\r\n'))
    expect(attachments.get('1')?.toString()).toBe('%PDF')
    const plain = await readWithAttachments(message('Subject: inner', '', 'text about boundary=b'))
    expect(plain.attachments.get('0')?.toString()).toBe('Subject: inner\r\n\r\ntext about boundary=b')
  })
})

test('a multipart behind an attached message may have the boundary of that message', async () => {
  const lines = INNER.map((line) => line.replace('=b', '=inner').replace('--b', '--inner'))
  const [subject = '', ...part] = lines
  const { mail, attachments } = await readWithAttachments(message(subject, ...part, '--b', ...part))
  expect(attachments.get('0')?.toString()).toBe(lines.join('\r\n'))
  expect(mail.text).toBe('outer text\ninner text')
  expect(mail.attachments).toHaveLength(2)
})
