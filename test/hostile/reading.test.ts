import { describe, expect, test } from '@jest/globals'
import { readMail } from '../reading/read-mail.ts'

/**
 * Every message is read at a CPU cost near that of plain text of the same size, so that no sender delays others by
 * more than it would with honest mail of that size. Both are measured in this process, in turn.
 */

const SIZE = 250_000
const RATIO_MAX = 12
/** On a busy machine single measurements vary by half, so more are made if a few do not suffice. */
const ROUNDS_MIN = 5
const ROUNDS_MAX = 80

const fill = (text: string, size = SIZE): string => text.repeat(Math.ceil(size / text.length)).slice(0, size)
/** Text of the size that `fill` gives, each piece with its number. */
function numbered(piece: (n: number) => string): string {
  const pieces: string[] = []
  for (let length = 0; length < SIZE; ) {
    const text = piece(pieces.length)
    pieces.push(text)
    length += text.length
  }
  return pieces.join('').slice(0, SIZE)
}

const TEXT = 'Content-Type: text/plain; charset='
const PLAIN = `${TEXT}utf-8\r\n\r\n`
const HTML = 'Content-Type: text/html\r\n\r\n'
const MIXED = 'Content-Type: multipart/mixed; boundary='

/** Multiparts inside one another whose boundaries all begin alike. */
function nested(depth: number): string {
  const boundary = (n: number) => 'x'.repeat(n + 1)
  const parts = Array.from(
    { length: depth },
    (_, n) => `${MIXED}"${boundary(n)}"\r\n\r\n--${boundary(n)}\r\n`,
  )
  return `${parts.join('')}\r\n`
}

const MESSAGES: [string, string][] = [
  ['two dashes inside 18 multiparts', nested(18) + fill('--\n')],
  ['lines like all 18 boundaries', nested(18) + fill(`--${'x'.repeat(20)}y\n`)],
  ['lines that are longer than all boundaries', nested(18) + fill(`--${'x'.repeat(30)}\n`)],
  ['98 multiparts', nested(98) + fill('--\n')],
  ['boundaries', `${MIXED}b\r\n\r\n${fill('--b\n')}`],
  ['closing boundaries', `${MIXED}b\r\n\r\n--b\r\n\r\n${fill('--b--\n')}`],
  ['a multipart without a boundary', `Content-Type: multipart/mixed\r\n\r\n${fill('--\n')}`],
  ['attachments', `${MIXED}b\r\n\r\n${fill('--b\nContent-Type: a/b\n\nx\n')}`],
  [
    'an attached message of the same boundary',
    `${MIXED}b\n\n--b\nContent-Type: message/rfc822\n\n${MIXED}b\n\n${fill('--b\n')}`,
  ],
  ['parts of many fields', `${MIXED}b\r\n\r\n${fill(`--b\n${'X:y\n'.repeat(60)}\n`)}`],
  ['semicolons in a type', `Content-Type: text/plain${fill(';')}\r\n\r\nx`],
  ['semicolons and blanks in a type', `Content-Type: text/plain${fill('; ')}\r\n\r\nx`],
  ['semicolons in a disposition', `Content-Disposition: attachment${fill(';')}\r\n\r\nx`],
  ['words in a parameter', `Content-Type: text/plain; a=${fill('b-b-b- ')}\r\n\r\nx`],
  ['quotes in a charset', `${TEXT}"x${fill("'")}x"\r\n\r\nx`],
  ['comments in a parameter', `Content-Type: text/plain; a=${fill('(')}\r\n\r\nx`],
  ['pieces of a parameter', `Content-Type: text/plain; ${fill('a*0*=b%20; ')}\r\n\r\nx`],
  [
    'short lines of uuencode',
    `Content-Type: a/b\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n${fill('M\n')}`,
  ],
  ['lines before uuencode', `Content-Type: a/b\nContent-Transfer-Encoding: x-uuencode\n\n${fill('b\n')}`],
  ['padding in base64', `Content-Transfer-Encoding: base64\r\n\r\n${fill('A=')}`],
  ['equals signs in quoted-printable', `Content-Transfer-Encoding: quoted-printable\r\n\r\n${fill('= ')}`],
  ['blanks in quoted-printable', `Content-Transfer-Encoding: quoted-printable\r\n\r\nx${fill(' ')}x`],
  ['blank lines', `\r\n${fill('\n')}`],
  ['blank lines before the header', fill('\r\n')],
  ['bare carriage returns', `From: a\r${fill('x\r')}`],
  ['header fields', `${fill('X:y\n')}\nx`],
  ['a folded field', `X: y${fill('\r\n y')}\r\n\r\nx`],
  ['broken fields', `Subject: x\r\n${fill('x\r\n')}From: x\r\n\r\nx`],
  ['encoded words', `X: ${fill('=?big5?Q?=a4?= x ')}\r\n\r\nx`],
  [
    'encoded words in parts',
    `${MIXED}b\n\n${fill(`--b\nContent-Type: a/b; name="${'=?big5?Q?=a4?= x '.repeat(20)}"\n\n`)}`,
  ],
  ['encoded words that are not in their charset', `X: ${fill('=?iso-2022-jp?Q?=a4?=')}\r\n\r\nx`],
  ['bytes in a header', `X: ${fill('\xff ')}\r\n\r\nx`],
  ['bytes in a header of Big5', `${TEXT}big5\r\nX: ${fill('\xff ')}\r\n\r\nx`],
  [
    'colons behind words in an address',
    `To: ${fill('x ', 30_000)}a@ ${fill(': ', 34_000)}\r\n\r\n${fill('x')}`,
  ],
  ['groups of addresses', `To: ${fill('a:', 64_000)}\r\n\r\n${fill('x')}`],
  ['brackets in an address', `To: ${fill('<', 64_000)}\r\n\r\n${fill('x')}`],
  ['bytes in short lines', `\r\n${fill('\x80\n')}`],
  ['bytes in ISO-2022-JP', `${TEXT}iso-2022-jp\r\n\r\n${fill('\xff\n')}`],
  ['switches in ISO-2022-JP', `${TEXT}iso-2022-jp\r\n\r\n${fill('\x1b$B\x1b(B')}`],
  ['switches in ISO-2022-KR', `${TEXT}iso-2022-kr\r\n\r\n${fill('\x0e!!\x0f\n')}`],
  ['tildes in HZ', `${TEXT}hz-gb-2312\r\n\r\n${fill('~')}`],
  ['shifts in UTF-7', `${TEXT}utf-7\r\n\r\n${fill('+')}`],
  ['quote marks in flowed text', `${TEXT}utf-8; format=flowed\r\n\r\n${fill('>\n')}`],
  ['control characters', `\r\n${fill('\x01')}`],
  ['brackets in HTML', HTML + fill('<')],
  ['ends of nothing in HTML', HTML + fill('</')],
  ['tags', HTML + fill('<p>')],
  ['breaks', HTML + fill('<br>\n<p>')],
  ['attributes', `${HTML}<a ${fill('href ')}>`],
  ['quotes in tags', HTML + fill('<a b="')],
  ['entities', HTML + fill('&nGt;')],
  ['styles', HTML + fill('<style></style>')],
  ['comments', HTML + fill('<!--')],
  ['links without an address', HTML + fill('<a href>')],
  ['links without an address beside a URL', `${HTML}https://a.example/ ${fill('<a href>')}`],
  ['links to one page', HTML + fill('<a href=https://a.example/>x</a>')],
  ['links to many pages', HTML + numbered((n) => `<a href=https://a.example/${n}>x</a>\n`)],
  [
    'links to confirm an address',
    HTML + numbered((n) => `<a href="https://a.example/verify?token=a${n}b">Confirm your address</a>\n`),
  ],
  [
    'links in sentences about an order',
    HTML +
      numbered((n) => `<p>About your order <a href="https://a.example/${n}">reset the password</a></p>\n`),
  ],
  ['links after one letter', HTML + fill('<p>a<a href=https://a.example/>')],
  ['paragraphs beside a URL', `${HTML}https://a.example/ ${fill('<p>a')}`],
  ['URLs in HTML', HTML + numbered((n) => `http://a.example/${n} `)],
  ['URLs in paragraphs', HTML + numbered((n) => `<p>http://a.example/${n}</p>`)],
  ['one URL', PLAIN + fill('http://a ')],
  ['many URLs', PLAIN + numbered((n) => `http://a.example/${n} `)],
  ['many hosts', PLAIN + numbered((n) => `http://${n}.example `)],
  ['long URLs', PLAIN + numbered((n) => `http://a.example/${n}${')'.repeat(1500)} `)],
  ['lines with a URL', PLAIN + numbered((n) => `Confirm your address here: https://a.example/${n}\r\n`)],
  ['one code', PLAIN + fill('Your code is 482913\r\n')],
  ['many codes', PLAIN + numbered((n) => `Your code is ${100_000 + n}\r\n`)],
  ['codes in HTML', HTML + fill('<p>Your code is 482913</p>')],
  ['codes near a voucher', PLAIN + fill('voucher code 482913\r\n')],
  ['words for a code', HTML + fill('code ')],
  ['numbers', PLAIN + fill('482913 ')],
  ['digits by themselves', PLAIN + fill('4\n8\n')],
  ['pictures of numbers', HTML + fill('<img alt=123>')],
]

const plain = Buffer.from(PLAIN + fill('Thank you for shopping with us, we are glad that you are here.\r\n'))

async function cpuMicroseconds(raw: Buffer): Promise<number> {
  const before = process.cpuUsage()
  await readMail(raw, async (_id, content) => {
    for await (const _ of content);
  })
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

describe('reading a message costs little more than reading plain text of its size', () => {
  test.each(MESSAGES)('%s', async (_name, text) => {
    const raw = Buffer.from(text, 'latin1')
    const ratios: number[] = []
    do {
      const honest = (await cpuMicroseconds(plain)) / plain.length
      ratios.push((await cpuMicroseconds(raw)) / raw.length / honest)
    } while (ratios.length < ROUNDS_MIN || (median(ratios) >= RATIO_MAX && ratios.length < ROUNDS_MAX))
    expect(median(ratios)).toBeLessThan(RATIO_MAX)
  })
})
