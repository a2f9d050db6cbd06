import { Buffer } from 'node:buffer'
import { expect, test } from '@jest/globals'
import { READING_LIMITS } from '../../../core/limits.ts'
import { parseMail } from '../../../reading/read.ts'

const PICTURE =
  '--b\r\nContent-Type: image/png\r\nContent-Location: https://a.example/x.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n'
const page = (words: string) =>
  `--b\r\nContent-Type: text/html\r\nContent-Location: https://a.example/${words}\r\n\r\n<p>${words}</p>\r\n`

async function read(parameters: string, ...parts: string[]) {
  const head = `From: a@a.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b${parameters}\r\n\r\n`
  return parseMail(Buffer.from(`${head}${parts.join('')}--b--\r\n`), async () => {}, READING_LIMITS)
}

test('the HTML of an MHTML document is shown, wherever it is', async () => {
  for (const parts of [
    [page('one'), PICTURE],
    [PICTURE, page('one')],
    [PICTURE, PICTURE, page('one')],
  ]) {
    const { html, attachments } = await read('; type="text/html"', ...parts)
    expect(html?.trim()).toBe('<p>one</p>')
    expect(attachments).toHaveLength(parts.length - 1)
  }
})

test('a further page of it, as a frame has, is an attachment', async () => {
  const { html, attachments } = await read('; type="text/html"', PICTURE, page('one'), page('two'))
  expect(html?.trim()).toBe('<p>one</p>')
  expect(attachments.map(({ contentType }) => contentType)).toEqual(['image/png', 'text/html'])
})

test('a text behind pictures is text of the mail if it is no file', async () => {
  const text = (words: string, field = '') => `--b\r\nContent-Type: text/plain${field}\r\n\r\n${words}\r\n`
  expect(await read('', PICTURE, PICTURE, text('one'), text('two'))).toMatchObject({
    text: 'one',
    attachments: [{}, {}, { contentType: 'text/plain' }],
  })
  for (const field of [
    '; name=a.txt',
    '\r\nContent-Disposition: inline; filename=a.txt',
    '\r\nContent-ID: <a>',
    '\r\nContent-Location: https://a.example/a.txt',
  ])
    expect((await read('', PICTURE, text('one', field))).attachments).toHaveLength(2)
})
