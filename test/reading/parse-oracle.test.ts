import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import { createTransport } from 'nodemailer'
import { readMail } from './read-mail.ts'

/** The fields on which our parser and mailparser must agree for a well-formed mail. */
interface Seen {
  subject: string
  from: unknown
  to: unknown[]
  text: string
  html: string
  attachments: { filename: string | null; sha256: string; size: number }[]
}

/**
 * Removes the differences that parsers may have: line ends, blanks before them, and a line end at
 * the end of a text.
 */
const normalized = (text: string) =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trimEnd()

async function byOurParser(raw: Buffer): Promise<Seen> {
  const mail = await readMail(raw, async (_id, content) => {
    for await (const _ of content as AsyncIterable<Uint8Array>);
  })
  return {
    subject: mail.subject,
    from: mail.from,
    to: mail.to,
    text: normalized(mail.text),
    html: normalized(mail.html ?? ''),
    attachments: mail.attachments.map(({ filename, sha256, size }) => ({ filename, sha256, size })),
  }
}

async function byMailparser(raw: Buffer): Promise<Seen> {
  const mail = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true })
  const people = (field: typeof mail.to) =>
    [field ?? []]
      .flat()
      .flatMap(({ value }) => value)
      .map(({ name, address }) => ({ name: name || null, address: address || null }))
  return {
    subject: mail.subject ?? '',
    from: people(mail.from)[0],
    to: people(mail.to),
    text: normalized(mail.text ?? ''),
    html: normalized(mail.html || ''),
    attachments: mail.attachments.map(({ filename, content, size }) => ({
      filename: filename ?? null,
      sha256: createHash('sha256').update(content).digest('hex'),
      size,
    })),
  }
}

const words = fc
  .array(
    fc.constantFrom('Hello', 'Grüße', '你好', 'код', '739105', 'a=b', '<b>', 'x'.repeat(90), '🦋', '.'),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((all) => all.join(' '))
const name = fc.constantFrom('Ann', 'Ann "the" Lee', 'Lee, Ann', 'Ünïcode Näme', '李', 'a@b')

const mails = fc.record({
  subject: words,
  from: name.map((text) => ({ name: text, address: 'ann@example.org' })),
  to: fc.array(
    name.map((text) => ({ name: text, address: 'bot@mayfly.test' })),
    { minLength: 1, maxLength: 4 },
  ),
  text: words,
  html: fc.option(
    words.map((text) => `<p>${text.replaceAll('<', '&lt;')}</p>`),
    { nil: undefined },
  ),
  textEncoding: fc.constantFrom('quoted-printable' as const, 'base64' as const),
  attachments: fc.array(
    fc.record({
      filename: fc.constantFrom('a.pdf', 'Ünïcode näme.png', 'very-long-'.repeat(12).concat('.bin')),
      content: fc.uint8Array({ minLength: 1, maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
      contentType: fc.constantFrom('application/pdf', 'image/png', 'application/octet-stream'),
    }),
    { maxLength: 3 },
  ),
})

describe('our parser and mailparser read a well-formed mail alike', () => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  test('texts, addresses, names and attachments', async () => {
    await fc.assert(
      fc.asyncProperty(mails, async (mail) => {
        const { message } = await transport.sendMail(mail)
        const raw = message as Buffer
        expect(await byOurParser(raw)).toEqual(await byMailparser(raw))
      }),
      { numRuns: 150 },
    )
  })
})
