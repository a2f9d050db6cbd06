const HEADER = ['From: Ann Lee <ann@a.example>', 'To: bob@b.example', 'Subject: Tide', 'MIME-Version: 1.0']
const FILE = 'Content-Type: application/octet-stream'
const PICTURE = ['Content-Type: image/png', 'Content-Transfer-Encoding: base64', '', 'iVBORw0KGgo=']

function message(header: string[], ...body: string[]): string {
  return [...header, '', ...body, ''].join('\r\n')
}

/** A message that has these lines in the place of a field of the usual header. */
function headed(name: string, ...lines: string[]): string {
  const header = HEADER.filter((field) => !field.startsWith(`${name}:`))
  return message([...lines, ...header], 'Hello')
}

function multipart(type: string, ...parts: string[][]): string {
  const boundary = /boundary=(\S+)/.exec(type)![1]!
  const body = parts.flatMap((part) => [`--${boundary}`, ...part])
  return message([...HEADER, `Content-Type: multipart/${type}`], ...body, `--${boundary}--`)
}

function named(...disposition: string[]): string {
  const file = [FILE, `Content-Disposition: attachment; ${disposition.join('\r\n ')}`, '', 'x']
  return multipart('mixed; boundary=b', ['Content-Type: text/plain', '', 'Hello'], file)
}

/** Messages with one mistake each, one character per byte, that an earlier version read in another way. */
export const SHAPES: Record<string, string> = {
  'the end of a field before the header': ` b=x;\r\n c=y\r\n${message(HEADER, 'Hello')}`,
  'a text with a blank name': multipart(
    'mixed; boundary=b',
    ['Content-Type: text/plain', '', 'Hello'],
    ['Content-Type: text/html; name=" "', '', '<p>Hello</p>'],
  ),
  'a text behind a picture': multipart('related; boundary=b', PICTURE, [
    'Content-Type: text/plain',
    '',
    'Hello',
  ]),
  'brackets in a boundary without quotes': multipart(
    'mixed; boundary=a(b)c',
    ['Content-Type: text/plain', '', 'Hello'],
    PICTURE,
  ),
  'brackets in a name without quotes': named('filename=tide (1).pdf'),
  'a quote that only ends a name': named('filename=tide.pdf"'),
  'an encoded word in two pieces of a name': named(
    'filename*0="=?utf-8?Q?caf=C3=A9";',
    'filename*1="_tide.pdf?="',
  ),
  'a line break in an encoded name': named('filename="=?utf-8?B?dGlkZQoxLnBkZg==?="'),
  'base64 with blanks': message(
    [...HEADER, 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'],
    '  SGVs bG8g',
    '\td29y bGQ= ',
  ),
  'text in cp819': message([...HEADER, 'Content-Type: text/plain; charset=cp819'], 'caf\xe9 \x80'),
  'a character that two words of ISO-2022-JP share': headed(
    'Subject',
    'Subject: =?ISO-2022-JP?B?GyRCJUYl?= =?ISO-2022-JP?B?OSVIGyhC?=',
  ),
  'a name that is cut inside a character': headed(
    'From',
    'From: \xd0\x90\xd0\xbd\xd0\xbd\xd0\xb0\xd0 <ann@a.example>',
  ),
  'words in brackets instead of an address': headed('From', 'From: <Saved by Blink>'),
  'a month behind the comma': headed('Date', 'Date: Tue,Jul 1 2025 10:00:00 +0530'),
  'a zone with 60 minutes': headed('Date', 'Date: Tue, 1 Jul 2025 10:00:00 +0260'),
  'a date with slashes': headed('Date', 'Date: 2025/07/01 10:00:00 +0200'),
}
