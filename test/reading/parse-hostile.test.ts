import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ParsedMail } from '../../reading/read.ts'
import { readMail } from './read-mail.ts'

const SEED = 20_261_121

interface Kept {
  size: number
  sha256: string
}

async function read(
  raw: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<{ mail: ParsedMail; kept: Map<string, Kept> }> {
  const kept = new Map<string, Kept>()
  const mail = await readMail(raw, async (id, content) => {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of content) {
      hash.update(chunk)
      size += chunk.length
    }
    kept.set(id, { size, sha256: hash.digest('hex') })
  })
  return { mail, kept }
}

/** Pieces of MIME, valid and malformed, so that random messages reach rare cases. */
const fragment = fc.oneof(
  fc.constantFrom(
    '\r\n',
    '\r\n\r\n',
    '\n',
    '\r',
    '--b\r\n',
    '--b--\r\n',
    '--c\r\n',
    '--c--\r\n',
    '\r\n--b\r\nContent-Type: text/plain\r\n\r\n',
    'From: a <a@b.c>, "x\r\n',
    'To: g: a@b.c, =?utf-8?B?PGFAYi5jPg==?=;\r\n',
    'Subject: =?iso-2022-jp?B?GyRCJUYbKEI=?= =?utf-16?Q?=D8=00?=\r\n',
    'Date: Thu, 99 Foo\r\n',
    'Content-Type: multipart/mixed; boundary=b\r\n',
    'Content-Type: multipart/alternative; boundary="c"\r\n',
    'Content-Type: message/rfc822\r\n',
    'Content-Type: text/html; charset=utf-16\r\n',
    'Content-Type: text/plain; charset=iso-2022-jp; format=flowed; delsp=yes\r\n',
    'Content-Type: text/plain; charset="__proto__"\r\n',
    'Content-Type: application/octet-stream; name*0*=x\'\'%ff; name*1="a/b"\r\n',
    'Content-Type: /\r\n',
    'Content-Transfer-Encoding: base64\r\n',
    'Content-Transfer-Encoding: quoted-printable\r\n',
    'Content-Disposition: attachment; filename="=?x?Q?=00?="\r\n',
    'Content-Disposition: inline; __proto__=1; constructor*=2\r\n',
    'Content-ID: <<a>>\r\n',
    '=\r\n',
    '=C3=A9= \r\n=4',
    'SGVsbG8=',
    '\x1b$B%F',
    ' ',
    '\0',
  ),
  fc.string({ maxLength: 20 }),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
)
const message = fc.array(fragment, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''), 'latin1'))

async function* cutInto(raw: Buffer, sizes: number[]): AsyncIterable<Uint8Array> {
  let at = 0
  for (const size of sizes) {
    yield raw.subarray(at, at + size)
    at += size
  }
  yield raw.subarray(at)
}

describe('any message', () => {
  test('is read, and its attachments are described correctly', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (raw) => {
        const { mail, kept } = await read(raw)
        const json = JSON.stringify(mail)
        expect(json.isWellFormed()).toBe(true)
        expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/)
        expect(mail.attachments.map(({ id }) => id)).toEqual(mail.attachments.map((_, i) => String(i)))
        for (const { id, size, sha256, filename, contentType } of mail.attachments) {
          expect(kept.get(id)).toEqual({ size, sha256 })
          expect(filename ?? 'x').toMatch(/^[^/\\\p{Cc}]+$/u)
          expect(contentType).toMatch(/^[^/\s]+\/[^/\s]+$/)
        }
      }),
      { seed: SEED, numRuns: 1500 },
    )
  })

  test('is read the same in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(message, fc.array(fc.nat({ max: 30 }), { maxLength: 30 }), async (raw, sizes) => {
        expect((await read(cutInto(raw, sizes))).mail).toEqual((await read(raw)).mail)
      }),
      { seed: SEED, numRuns: 500 },
    )
  })
})

/** Each of these takes minutes or gigabytes unless its cost is proportional to its size. */
describe('two megabytes are read in linear time:', () => {
  const SIZE = 2_000_000
  const fill = (text: string): string => text.repeat(Math.ceil(SIZE / text.length))
  const html = 'Content-Type: text/html\r\n\r\n'
  const multipart = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'

  test.each<[string, string]>([
    ['parts', `${multipart}${fill('--b\r\n\r\nx\r\n')}`],
    ['attachments', `${multipart}${fill('--b\r\nContent-Type: a/b\r\n\r\nx\r\n')}`],
    ['header fields', fill('X: y\r\n')],
    ['a header field', `X: ${fill('y')}`],
    ['a folded header field', `X: y${fill('\r\n y')}`],
    ['lines', `\r\n${fill('\n')}`],
    ['a line', `\r\n${fill('x')}`],
    ['spaces in quoted-printable', `Content-Transfer-Encoding: quoted-printable\r\n\r\nx${fill(' ')}x`],
    ['equals signs in quoted-printable', `Content-Transfer-Encoding: quoted-printable\r\n\r\n${fill('=')}`],
    ['padding in base64', `Content-Transfer-Encoding: base64\r\n\r\n${fill('A=')}`],
    ['tags that are never closed', `${html}${fill('<table><tr><td>')}`],
    ['tags that close nothing', `${html}${'<a>'.repeat(100_000)}${fill('</b>')}`],
    ['attached messages in one another', fill('Content-Type: message/rfc822\r\n\r\n')],
    ['ISO-2022-JP', `Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n${fill('\x1b$B%F\x1b(B\n')}`],
    ['flowed lines', `Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${fill('x \r\n')}`],
  ])('%s', async (_name, text) => {
    const { mail } = await read(Buffer.from(`Subject: s\r\n${text}`, 'latin1'))
    expect(mail.subject).toBe('s')
  })

  test('nested parts', async () => {
    const parts = Array.from(
      { length: 30_000 },
      (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`,
    )
    const { mail } = await read(
      Buffer.from(`Subject: s\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${parts.join('')}`),
    )
    expect(mail.subject).toBe('s')
    expect(mail.parseError).toBeDefined()
  })
})

/**
 * The size is just below the limit of a header; the parser does not read a message with a larger
 * one.
 */
describe('a megabyte of header is read in linear time:', () => {
  const fill = (text: string): string => text.repeat(Math.floor(1_000_000 / text.length))

  test.each<[string, string]>([
    ['addresses', `To: ${fill('a@b.c, ')}`],
    ['encoded addresses', `To: ${fill('=?utf-8?B?PGFAYi5jPg==?=, ')}`],
    ['quotes', `To: ${fill('"')}`],
    ['brackets', `To: ${fill('<')}`],
    ['comments', `To: ${fill('(')}`],
    ['groups', `To: ${fill('g:')}`],
    ['encoded words', `X: ${fill('=?utf-8?Q?=E2=9C=93?= ')}`],
    ['broken encoded words', `X: ${fill('=?a?b?')}`],
    ['spaces between encoded words', `X: =?a?Q?b?=${fill(' ')}x`],
    ['parameters', `Content-Type: text/plain; ${fill('a*0=b; ')}`],
    ['transfer encoding', `Content-Transfer-Encoding: ${fill('(')}`],
    ['date', `Date: ${fill('(')}`],
    ['content id', `Content-Type: a/b\r\nContent-ID: x${fill('>')}x`],
    ['filename', `Content-Disposition: attachment; filename="${fill('../../')}"`],
    ['boundary', `Content-Type: multipart/mixed; boundary="${fill('b')}"`],
  ])('%s', async (_name, header) => {
    const { mail } = await read(Buffer.from(`Subject: s\r\n${header}\r\n\r\nbody`))
    expect(mail.subject).toBe('s')
  })
})
