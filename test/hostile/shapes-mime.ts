import { type Filler, MIXED, PLAIN, type Shape, TEXT, utf8 } from './shape.ts'

/** Multiparts inside one another whose boundaries all begin alike. */
function nested(depth: number): string {
  const boundary = (n: number) => 'x'.repeat(n + 1)
  const parts = Array.from(
    { length: depth },
    (_, n) => `${MIXED}"${boundary(n)}"\r\n\r\n--${boundary(n)}\r\n`,
  )
  return `${parts.join('')}\r\n`
}

const part = (type: string, body = 'x', more = '') => `--b\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`
const QP = 'Content-Transfer-Encoding: quoted-printable\r\n'
const BASE64 = 'Content-Transfer-Encoding: base64\r\n'

/** Half of it as plain text, and the same as HTML. */
function inTextAndHtml(text: string): string {
  const half = text.slice(0, text.length / 2)
  const utf = 'charset=utf-8'
  return `Content-Type: multipart/alternative; boundary=b\r\n\r\n${part(`text/plain; ${utf}`, half)}${part(`text/html; ${utf}`, `a ${half}`)}`
}

/** Parts, encodings and charsets. */
export const mimeShapes = ({ fill, numbered }: Filler): Shape[] => [
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
  [
    'short lines of uuencode',
    `Content-Type: a/b\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n${fill('M\n')}`,
  ],
  ['lines before uuencode', `Content-Type: a/b\nContent-Transfer-Encoding: x-uuencode\n\n${fill('b\n')}`],
  ['padding in base64', `Content-Transfer-Encoding: base64\r\n\r\n${fill('A=')}`],
  ['equals signs in quoted-printable', `Content-Transfer-Encoding: quoted-printable\r\n\r\n${fill('= ')}`],
  ['blanks in quoted-printable', `Content-Transfer-Encoding: quoted-printable\r\n\r\nx${fill(' ')}x`],
  ['blank lines', `\r\n${fill('\n')}`],
  [
    'encoded words in parts',
    `${MIXED}b\n\n${fill(`--b\nContent-Type: a/b; name="${'=?big5?Q?=a4?= x '.repeat(20)}"\n\n`)}`,
  ],
  ['bytes in short lines', `\r\n${fill('\x80\n')}`],
  ['bytes in ISO-2022-JP', `${TEXT}iso-2022-jp\r\n\r\n${fill('\xff\n')}`],
  ['switches in ISO-2022-JP', `${TEXT}iso-2022-jp\r\n\r\n${fill('\x1b$B\x1b(B')}`],
  ['switches in ISO-2022-KR', `${TEXT}iso-2022-kr\r\n\r\n${fill('\x0e!!\x0f\n')}`],
  ['tildes in HZ', `${TEXT}hz-gb-2312\r\n\r\n${fill('~')}`],
  ['shifts in UTF-7', `${TEXT}utf-7\r\n\r\n${fill('+')}`],
  ['quote marks in flowed text', `${TEXT}utf-8; format=flowed\r\n\r\n${fill('>\n')}`],
  ['small texts', `${MIXED}b\r\n\r\n${fill(part('text/plain'))}`],
  [
    'small texts of different charsets',
    `${MIXED}b\r\n\r\n${numbered((n) => part(`text/plain; charset=${['big5', 'iso-2022-jp', 'utf-7', 'koi8-r', 'x'][n % 5]}`, '\xa4\xa4'))}`,
  ],
  [
    'digits beside kanji in text and HTML',
    `Subject: Your code\r\n${inTextAndHtml(fill(utf8('331\n\n1\n\n1\n\n2認2\n\n2認')))}`,
  ],
  ['headers of parts without an end', `${MIXED}b\r\n\r\n${fill('--b\r\nX: y\r\nz z\r\n')}`],
  [
    'small documents in base64',
    `${MIXED}b\r\n\r\n${fill(part('text/html; charset=iso-2022-kr', 'DkFBDw==', BASE64))}`,
  ],
  [
    'small documents',
    `Content-Type: multipart/alternative; boundary=b\r\n\r\n${fill(part('text/html', '<p>x'))}`,
  ],
  [
    'small pictures',
    `Content-Type: multipart/related; boundary=b\r\n\r\n${fill(part('image/png', 'eA==', BASE64))}`,
  ],
  ['attached messages', `${MIXED}b\r\n\r\n${fill(part('message/rfc822', 'Subject: x\r\n\r\nx'))}`],
  ['messages in messages', fill('Content-Type: message/rfc822\r\n\r\n')],
  ['messages in multiparts', fill(`${MIXED}b\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n`)],
  [
    'multiparts beside one another',
    `${MIXED}b\r\n\r\n${numbered((n) => part(`multipart/mixed; boundary=c${n}`, `--c${n}\r\n\r\nx\r\n--c${n}--`))}`,
  ],
  ['parts without fields', `${MIXED}b\r\n\r\n${fill('--b\r\n\r\nx\r\n')}`],
  [
    'reports',
    `Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${fill('Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n')}`,
  ],
  [
    'a calendar',
    `Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\n${fill('BEGIN:VEVENT\r\nSUMMARY:x\r\n y\r\nDTSTART:20261123T100000Z\r\nEND:VEVENT\r\n')}`,
  ],
  ['lines almost like a boundary', `${MIXED}b\r\n\r\n--b\r\n\r\n${fill('--bx\n')}`],
  ['a boundary with blanks behind it', `${MIXED}b\r\n\r\n${fill(`--b${' '.repeat(60)}\n`)}`],
  ['an archive', `Content-Type: application/zip\r\n${BASE64}\r\n${fill(`${'UEsDBBQA'.repeat(9)}\r\n`)}`],
  ['base64 in short lines', `Content-Type: a/b\r\n${BASE64}\r\n${fill('Q\n')}`],
  ['a text in base64 with junk', `${TEXT}utf-8\r\n${BASE64}\r\n${fill('Q*U-J.D ')}`],
  ['soft line breaks', `${TEXT}utf-8\r\n${QP}\r\n${fill('=\r\n')}`],
  ['escapes', `${TEXT}utf-8\r\n${QP}\r\n${fill('=41')}`],
  ['escapes of bytes that are no text', `${TEXT}utf-8\r\n${QP}\r\n${fill('=FF')}`],
  [
    'files in uuencode',
    `Content-Type: a/b\nContent-Transfer-Encoding: x-uuencode\n\n${fill('begin 644 a\n#86)C\n`\nend\n')}`,
  ],
  ['flowed text', `${TEXT}utf-8; format=flowed; delsp=yes\r\n\r\n${fill('x \n')}`],
  ['quotations in flowed text', `${TEXT}utf-8; format=flowed\r\n\r\n${fill('>> x \n> y\n')}`],
  ['UTF-16', `${TEXT}utf-16\r\n\r\n${fill('\x00x')}`],
  ['halves of characters in UTF-16', `${TEXT}utf-16le\r\n\r\n${fill('\x00\xd8')}`],
  ['characters of Shift_JIS', `${TEXT}shift_jis\r\n\r\n${fill('\x83e')}`],
  ['bytes that are not GB18030', `${TEXT}gb18030\r\n\r\n${fill('\x81\x30')}`],
  ['bytes of no charset', `${TEXT}x-unknown\r\n\r\n${fill('\xe4\xb8\xad\xff ')}`],
  ['an unfinished character', `${TEXT}utf-8\r\n\r\n${fill('\xf0\x9f\x98')}`],
  ['characters of UTF-7', `${TEXT}utf-7\r\n\r\n${fill('+AOk-')}`],
  ['escapes of ISO-2022-JP', `${TEXT}iso-2022-jp\r\n\r\n${fill('\x1b$B')}`],
  ['zeros', `\r\n${fill('\x00')}`],
  ['one long line', PLAIN + fill('x')],
  ['one letter in a line', PLAIN + fill('x\n')],
  ['blanks and line ends', PLAIN + fill(' \n')],
  ['vertical tabs and form feeds', PLAIN + fill('x\x0b\x0c')],
  [
    'parameters of parts',
    `${MIXED}b\r\n\r\n${numbered((n) => `--b\r\nContent-Type: a/b; ${"name*=x''a; n=x; ".repeat(8)}n=${n}\r\n\r\n`)}`,
  ],
  [
    'names of attachments in many charsets',
    `${MIXED}b\r\n\r\n${numbered((n) => `--b\r\nContent-Type: a/b; name*=x${n}''%e4\r\n\r\n`)}`,
  ],
  [
    'texts in many charsets',
    `${MIXED}b\r\n\r\n${numbered((n) => `--b\r\nContent-Type: text/plain; charset=x${n}\r\n\r\n\xe4\r\n`)}`,
  ],
]
