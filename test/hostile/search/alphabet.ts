import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const CHARACTERS = [
  ...' \t\r\n\0.,:;!?\'"`()[]{}<>|/\\=+-_*#&%@$^~0123456789aAzZxeE',
  ...'äßéİıſ—–…«»„“”·•、。：（）「」０１２Ａａ認証コ한가码я٣۴०\u00a0\u200b\u200d\u2028\u0301\ufeff',
]

/** A counter that grows with each repetition, so that links and words differ. */
export const COUNTER = '\u{f0000}'
/** Becomes a different word of the lexicon in each repetition. */
export const WORD = '\u{f0001}'

const PIECES = [
  'https://', 'http://a.b/', 'https://x.example/verify?token=', 'www.', '://', '?a=', '&b=', '%20', '%', '#x', 'mailto:a@b.example', 'a@b.example', '@', 'xn--',
  `<a href=http://a.b/${COUNTER}>`, `<a href=http://a.b/a1000${COUNTER}>here</a>`, `https://a.b/x?token=a1000${COUNTER} `, `w${COUNTER} `, `${COUNTER}-`,
  '<a href="', '<a href=https://a.example/', '">', '</a>', '<b>', '</b>', '<span>', '</span>', '<p>', '</p>', '<br>', '<td ', '<td>', '<tr>', '<table>', '</table>', '<div>', '</div>', '<div style="', 'display:none', '<img ', ' alt="', ' src="//', '<style>', '</style>', '<!--', '-->', '<![endif]', '<script>', '<title>', '<a b="', '<meta name=', 'color-scheme:', 'background=', 'url(', 'prefers-color-scheme:', '/*', '*/', '/*a', '@media (', ':hover', '{', '}', ';', 'a{b:c}', 'calc(', 'style="',
  '&amp;', '&#65;', '&nbsp;', '&lt;', '&', '&#x', '&nGt;',
  '123456', '482 913', '12-34', 'A1B2C3', 'G-123456', '1234', '12', '1', '2024-01-01', '12:30', '€ 12.50', 'a1', 'ABC-DEF',
  'Your verification code is', 'code: ', 'code', 'Code', 'your', 'is', 'not', 'expires in 10 minutes', 'Confirm your email', 'reset your password', 'unsubscribe', 'invoice', 'order', 'password', 'click', 'sign in', 'click here to',
  '=?utf-8?q?', '=?utf-8?b?', '?=', '=?', '=20', '=\r\n', '=3D', 'QUJD',
  '\r\n\r\n', '\r\n', '\n', '\r\n ', '\r\n\t', '--x\r\n', '--x--\r\n', '--', '-----------------------------', 'Content-Type: text/html\r\n\r\n', 'Content-Type: text/plain; charset=utf-7\r\n\r\n', 'Content-Type: multipart/mixed; boundary=x\r\n\r\n', 'Content-Type: message/rfc822\r\n\r\n', 'Content-Transfer-Encoding: base64\r\n', 'Content-Transfer-Encoding: quoted-printable\r\n', 'Content-Disposition: attachment; filename=a\r\n', 'From: a <a@b.example>\r\n', 'To: ', 'Subject: ', 'Received: from a by b; Mon, 1 Jan 2024 00:00:00 +0000\r\n', 'X: y\r\n', 'name*0*=utf-8\'\'', 'filename="', 'boundary="', 'charset=', 'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=a.example; s=s; h=from; bh=AAAA; b=AAAA\r\n', ' l=1;',
  'Content-Type: text/html; charset=iso-2022-kr\r\nContent-Transfer-Encoding: base64\r\n\r\nDkFBDw==\r\n', 'Content-Type: text/html; charset=hz-gb-2312\r\n\r\n~{', 'Content-Type: text/plain; charset=unknown\r\n\r\n', 'Content-Type: text/plain; format=flowed; charset=shift_jis\r\n', 'Content-Type: multipart/alternative; boundary=y\r\n\r\n', '--y\r\n', '--y--\r\n',
  '> ', 'On Mon, 1 Jan 2024 a wrote:', '-- \r\n', 'begin 644 a\r\n', '+AGE-', '\x1b$B', '\x1b(B',
  '{{b}}', '{{#each l}}', '{{/each}}', '%recipient.a%', '-n-', '"', '\\', '\\u0041', '[]', '{}', ',', ':',
] // biome-ignore format: one list

/** What less common messages have: quotes, styles of hidden text, parts of all kinds, templates, commands, queries. */
const RARE = [
  '<blockquote type="cite">', '</blockquote>', '<div class="gmail_quote">', '<pre>', '</pre>', '<del>', '</del>', '<svg>', '<textarea>', '<template>', '<form action="', '<area href=', '<base href="//a.b/">', '<img alt="123456">', '<![CDATA[', '<!doctype ', '<?xml', '<o:p>', '<!--[if mso]>', '<bdo dir=rtl>', '<font size=1 color=white>', '<a href="https://a.b/?u=https%3A%2F%2Fc.d%2Fverify">', '<a href="#">', '<a href="https://a.b/1">1</a>',
  '&zwnj;', '&shy;', '&#8203;', '&#00000065;', '&CounterClockwiseContourIntegral;', '&ampamp', '&lt;a href=',
  '!important', 'var(--a)', 'rgb(255 255 255/0)', '#ffffff', 'clip:rect(0,0,0,0)', 'position:absolute;left:-9999px', 'transform:scale(0)', 'line-height:0', 'text-indent:-', 'content:"', '\\64 isplay:none', ':is(', ':not(', '[class~=', '@supports(', '.a,', '*{', '.a>.b+.c~',
  'Content-Type: multipart/related; boundary="x"; type="text/html"; start="<a>"\r\n\r\n', 'Content-Type: multipart/signed; boundary=z\r\n\r\n', '--z\r\n', 'Content-Type: multipart/digest; boundary=z\r\n\r\n', 'Content-Type: message/partial\r\n\r\n', 'Content-Type: message/delivery-status\r\n\r\n', 'Content-Type: text/calendar; method=REQUEST\r\n\r\n', 'Content-Type: application/octet-stream; name=a\r\n\r\n', 'Content-ID: <a>\r\n', 'Date: Mon, 01 Jan 2024 00:00:00 (a) +0000\r\n', 'Cc: a:b@c.example,;', 'Reply-To: ', 'Message-ID: <', 'List-Unsubscribe: <', 'References: <a@b> ', '"a\\"b" <a@b.example>,', '(a (b', ';;', 'name*1*=%E2%82%AC;', 'boundary*=utf-8\'\'x', '=?utf-8*en?q?a?= ', '=?iso-2022-jp?b?GyRC?= ', '=?utf-16?b?//4=?= ', '=?x-unknown?q?=41?= ', `=?x-${COUNTER}?q?a?= `,
  '\x1b$)C\x0e', '+//8-', '%u0041', '=C3=A9', '=E2=80=8B', '=0D=0A', ' =\r\n', 'Content-Transfer-Encoding: x-uuencode\r\n', '=ybegin line=128 size=1 name=a\r\n',
  'https://user:pass@a.b/', '//[::1]/', 'https://a.b/c?redirect=https%3A%2F%2Fd.e', ';jsessionid=', '/confirm/', '<https://a.b/c>', '[https://a.b/c]', '](https://a.b/c)',
  '{{{b}}}', '{{#if b}}', '{{else}}', '{{/if}}', '{{#with b}}', '{{/with}}', '{{> a}}', '{{!--', '--}}', '{{lookup . "a"}}', '{{@index}}', '{{~b~}}', '{{#unless b}}', '{{/unless}}', '{{^b}}', '{{/b}}', '{{{{raw}}}}', '../', '{{#each l}}{{#each ../l}}', '%recipient%', '{{{each l}}}', '{{#equals a b}}', '{{insert "a" "b"}}',
  '[[', '{"a":', '\\ud83d', '1e9', 'null,', '&a=', '&a%5B%5D=',
  'RCPT TO:<a@mayfly.test>\r\n', 'MAIL FROM:<>\r\n', 'RSET\r\n', 'NOOP\r\n', 'VRFY a\r\n', 'HELP\r\n', 'EHLO a\r\n', 'STARTTLS\r\n', 'AUTH PLAIN AA==\r\n', 'BDAT 1\r\n', 'DATA\r\n', '\r\n.\r\n', '..', ' SIZE=1', ' BODY=8BITMIME', ' SMTPUTF8', ' ORCPT=rfc822;a+40b', ' RET=HDRS',
  'from:', 'subject:"', 'is:unread ', '-is:read ', 'before:2024-01-01 ', 'tag:a ', '!', ' AND ', 'has:attachment ', 'larger:1k ',
] // biome-ignore format: one list

/** Declarations and rules, which count only where a style begins. */
const STYLES = [
  'display:none', 'visibility:hidden', 'opacity:0', 'max-height:0', 'font-size:0', 'color:#fff', 'background:#fff', 'color:rgba(0,0,0,.1)', 'background:url(//a.b/)', 'mso-hide:all', '@media(max-width:9px){', '@import ', '<style>', '<style>', '</style>', `.a${COUNTER}{`, '.a{', '}', `class=a${COUNTER}`, '<p style="', "<td style='", '<font color=', ' hidden>',
] // biome-ignore format: one list

/**
 * Pieces of which texts are made, in groups: characters, markup, the words of the lexicon and the
 * literals of the regular expressions in the sources. A search picks a group first, because there
 * are ten times as many words as tags.
 */
export function alphabet(): string[][] {
  return [CHARACTERS, PIECES, PIECES, RARE, STYLES, words(), literals(), [COUNTER, WORD]]
}

/** Words of the lexicon, the same in each run. */
export function words(): string[] {
  const found = new Set<string>()
  for (const file of globSync('reading/lexicon/languages/*.ini', { cwd: root })) {
    for (const [, values = ''] of readFileSync(root + file, 'utf8').matchAll(/=(.*(?:\n\s+.*)*)/g)) {
      for (const word of values.split(',')) if (word.trim() !== '') found.add(word.trim())
    }
  }
  return sample([...found], 1500)
}

function literals(): string[] {
  const found = new Set<string>()
  for (const file of globSync('{reading,adapters,core,web}/**/*.{ts,tsx}', { cwd: root })) {
    const source = readFileSync(root + file, 'utf8')
    for (const [, expression = ''] of source.matchAll(
      /(?:[=(,:?]|=>)\s*\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\//g,
    )) {
      for (const [literal] of expression.matchAll(/[a-z][a-z-]{1,20}/gi)) found.add(literal)
    }
  }
  return sample([...found], 500)
}

/** Evenly from the list, so that the result is the same in each run. */
function sample(list: string[], count: number): string[] {
  const step = Math.max(1, list.length / count)
  return Array.from({ length: Math.min(count, list.length) }, (_, n) => list[Math.floor(n * step)]!)
}
