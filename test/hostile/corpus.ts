/** Malicious mails, with the effects that they must not have. */
export interface Hostile {
  name: string
  /** One character per byte. */
  raw: string
}

const CRLF = '\r\n'
const fill = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length))
const lines = (...all: string[]): string => all.join(CRLF)
const mixed = (...parts: string[]): string =>
  lines(
    'Subject: parts',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...parts.flatMap((part) => ['--b', part]),
    '--b--',
  )

function nested(depth: number): string {
  let text = ''
  for (let i = 0; i < depth; i++)
    text += `Content-Type: multipart/mixed; boundary=b${i}${CRLF}${CRLF}--b${i}${CRLF}`
  return `Subject: nested${CRLF}${text}Content-Type: text/plain${CRLF}${CRLF}deep`
}

export const CORPUS: Hostile[] = [
  { name: 'nothing', raw: '' },
  { name: 'no headers', raw: `${CRLF}x` },
  { name: 'headers without an end', raw: 'Subject: x' },
  { name: 'NUL everywhere', raw: lines('Sub\0ject: a\0b', 'From: \0<a\0@b.example>', '', 'x\0y\0') },
  { name: 'all bytes', raw: lines('Subject: x', '', String.fromCharCode(...Array(256).keys())) },
  { name: 'bare LF and bare CR', raw: 'Subject: x\nTo: a@b.example\rFrom: c@d.example\n\nbody\r\rbody\n.\n' },
  { name: 'nested 5,000 deep', raw: nested(5000) },
  {
    name: '10,000 parts',
    raw: mixed(...Array<string>(10_000).fill(`Content-Type: text/plain${CRLF}${CRLF}x`)),
  },
  {
    name: '10,000 attachments',
    raw: mixed(
      ...Array.from({ length: 10_000 }, (_, i) =>
        lines('Content-Type: a/b', `Content-Disposition: attachment; filename=f${i}`, '', `${i}`),
      ),
    ),
  },
  { name: 'messages in messages', raw: fill(`Content-Type: message/rfc822${CRLF}${CRLF}`, 500_000) },
  { name: 'a header of a megabyte', raw: lines(`Subject: ${fill('x', 1_000_000)}`, '', 'x') },
  { name: 'headers of five megabytes', raw: lines(fill(`X-Y: z${CRLF}`, 5_000_000), 'body') },
  {
    name: 'a boundary of a megabyte',
    raw: lines(`Content-Type: multipart/mixed; boundary="${fill('b', 1_000_000)}"`, '', 'x'),
  },
  { name: 'a line of five megabytes', raw: lines('Subject: x', '', fill('x', 5_000_000)) },
  { name: '100,000 recipients in To', raw: lines(`To: ${fill('a@b.example, ', 1_300_000)}`, '', 'x') },
  {
    name: 'broken base64',
    raw: lines(
      'Content-Type: text/plain',
      'Content-Transfer-Encoding: base64',
      '',
      '====A=B*C_D-',
      fill('=', 100_000),
    ),
  },
  {
    name: 'charsets that are none',
    raw: lines(
      'Subject: =?\xff?B?////?= =?utf-7?Q?+ADw-?= =?utf-16?B?2AA=?=',
      'Content-Type: text/plain; charset="../../x"',
      '',
      '\xff\xfe\xd8\x00',
    ),
  },
  {
    name: 'RFC 2231 tricks',
    raw: mixed(
      lines(
        "Content-Type: text/html; name*0*=utf-8''%0d%0aSet-Cookie:%20a; name*1*=%00; name*999999=x",
        "Content-Disposition: attachment; filename*0*=utf-8''..%2f..%2f; filename*1=etc; filename*2*=%2fpasswd%0d%0aX-Evil%3A%201",
        '',
        'x',
      ),
      lines(
        'Content-Type: a/b',
        "Content-Disposition: attachment; filename*=utf-8''%E2%80%AEgpj.exe",
        '',
        'x',
      ),
      lines('Content-Type: a/b', "Content-Disposition: attachment; filename*=x''%ff%fe%zz", '', 'x'),
    ),
  },
  {
    name: 'names with paths',
    raw: mixed(
      ...[
        '../../etc/passwd',
        '..\\\\..\\\\boot.ini',
        '/etc/shadow',
        'C:\\\\x',
        '..',
        '.',
        '',
        'a/b/../../..',
        'CON',
        ';rm -rf',
        '"; x="',
      ].map((name) =>
        lines('Content-Type: a/b', `Content-Disposition: attachment; filename="${name}"`, '', 'x'),
      ),
    ),
  },
  {
    name: 'header injection by encoded words',
    raw: lines(
      'Subject: =?utf-8?Q?a=0D=0AX-Evil:_1=0D=0A=0D=0A<script>?=',
      'From: =?utf-8?Q?a=0D=0Adata:_evil=0Aid:_0?= <x@example.org>',
      'To: =?utf-8?Q?a=0D=0A?= <x=?utf-8?Q?=0D=0A?=@example.org>',
      'Message-ID: <a\rb@c>',
      'Content-Type: text/html; charset=utf-8',
      '',
      `</script><script>alert(1)</script>${CRLF}${CRLF}data: {"type":"new-email","evil":true}${CRLF}${CRLF}id: 0${CRLF}retry: 1`,
    ),
  },
  {
    name: 'header injection by content types',
    raw: mixed(
      ...[
        'text/html\r\n\tX-Evil: 1',
        'text/html; charset="a\r\n b"',
        'a/b\0',
        'a/\xff',
        '__proto__/x',
        'text/html/x',
        '',
      ].map((type) =>
        lines(
          `Content-Type: ${type}`,
          'Content-Disposition: attachment; filename=f',
          '',
          '<script>1</script>',
        ),
      ),
    ),
  },
  {
    name: 'line separators that JSON and scripts read otherwise',
    raw: lines('Subject: \xe2\x80\xa8\xe2\x80\xa9\xc2\x85', '', '\xe2\x80\xa8data: x\xe2\x80\xa9'),
  },
  {
    name: 'names of object members',
    raw: lines(
      '__proto__: x',
      'constructor: y',
      'toString: z',
      'Content-Type: text/plain; __proto__=1',
      '',
      'x',
    ),
  },
  {
    name: 'a log line in a subject',
    raw: lines('Subject: ","level":60,"msg":"forged', 'From: "\x1b[2J" <a@b.example>', '', '\x1b]0;x\x07'),
  },
  {
    name: 'HTML that nothing closes',
    raw: lines(
      'Content-Type: text/html',
      '',
      `${fill('<table><tr><td>', 1_000_000)}${fill('<a href="x', 500_000)}`,
    ),
  },
  { name: 'lines of dots', raw: lines('Subject: dots', '', '.', '..', '...', '.x', '.', '') },
]
