import { describe, expect, test } from '@jest/globals'
import { headerDate } from '../../../reading/mime/date.ts'
import { readLines, readWithAttachments } from '../read-mail.ts'

test.each([
  'Delivered-To: a@b.example',
  'Return-Path: <a@b.example>',
  'X-Original-To: a@b.example',
  'DKIM-Signature: v=1;\r\n\ta=rsa-sha256',
  'Reply-To: a@b.example',
])('a message that begins with a blank line and %s', async (field) => {
  const mail = await readLines('', field, 'From: Ann <ann@a.example>', 'Subject: Tide', '', 'body')
  expect(mail).toMatchObject({ from: { name: 'Ann' }, subject: 'Tide', text: 'body' })
})

describe('parts with broken headers', () => {
  const parts = (...lines: string[]) =>
    ['Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'first', '--b', ...lines, '--b--', ''].join(
      '\r\n',
    )

  test('a file with a name and a type that is none is an attachment', async () => {
    const raw = parts('Content-Type: application-x-gzip; name="tide.xml.gz"', '', 'not text')
    const { mail } = await readWithAttachments(Buffer.from(raw))
    expect(mail.text).toBe('first')
    expect(mail.attachments).toMatchObject([
      { filename: 'tide.xml.gz', contentType: 'application/octet-stream' },
    ])
  })

  test('a broken line before another field is left out', async () => {
    const raw = parts('Content-Type: text/html', '1;SLXP216 broken', 'X-Other: 1', '', '<p>second</p>')
    const { mail } = await readWithAttachments(Buffer.from(raw))
    expect(mail.html).toContain('<p>second</p>')
    expect(mail.html).not.toContain('SLXP216')
  })
})

test('texts with a blank name are no files', async () => {
  const mail = await readLines(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; name=" "',
    '',
    'first',
    '--b',
    'Content-Type: text/html; name=" "',
    'Content-Disposition: inline',
    '',
    '<p>second</p>',
    '--b--',
  )
  expect(mail).toMatchObject({ text: 'first\n\nsecond', html: '<p>second</p>', attachments: [] })
})

test('a Content-Disposition that is no word does not hide the only HTML', async () => {
  const mail = await readLines(
    'Content-Type: text/html',
    'Content-Disposition: =?utf-8?Q?invalid?=',
    '',
    '<p>x</p>',
  )
  expect(mail).toMatchObject({ html: '<p>x</p>', attachments: [] })
})

test.each([
  ['Thu,29 Apr 2012 23:34:45 +0900', '2012-04-29T14:34:45.000Z'],
  ['Tue, 029 Apr 2019 10:00:00 +0000', '2019-04-29T10:00:00.000Z'],
  ['Thursday, April 09, 2003 9:00 AM', '2003-04-09T09:00:00.000Z'],
  ['April 9, 2003 12:05:07 PM', '2003-04-09T12:05:07.000Z'],
  ['Apr 9, 2003 12:05 am', '2003-04-09T00:05:00.000Z'],
  ['Mon Nov 23 2026 10:02:03 GMT+0100 (CET)', '2026-11-23T09:02:03.000Z'],
  ['Mon, Nov 23 2026 10:02:03 +0000', '2026-11-23T10:02:03.000Z'],
  ['Mon, 23 Nov 2026 9:2:3 +0000', '2026-11-23T09:02:03.000Z'],
  ['"Mon, 23 Nov 2026 10:02:03 +0000"', '2026-11-23T10:02:03.000Z'],
  ['<Mon, 23 Nov 2026 10:02:03 +0000>', '2026-11-23T10:02:03.000Z'],
])('the date %s', (written, date) => {
  expect(headerDate(written)).toBe(date)
})
