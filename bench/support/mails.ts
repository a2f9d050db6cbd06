import { randomBytes } from 'node:crypto'

export type MailSize = '2 KB' | '100 KB' | '10 MB'

/** A typical message, ready for DATA: with CRLF, and without a line that begins with a dot. */
export function sampleMail(size: MailSize): Buffer {
  if (size === '2 KB') return alternative(6)
  if (size === '100 KB') return alternative(430)
  return withAttachment(10 * 1024 * 1024)
}

const HEAD = [
  'From: "Example Shop" <no-reply@shop.example>',
  'To: Customer <customer@mayfly.test>',
  'Subject: Your verification code',
  'Date: Sat, 21 Nov 2026 10:00:00 +0000',
  'Message-ID: <20261121100000.4711@shop.example>',
  'MIME-Version: 1.0',
]

/** A mail with a code and a link as text and as HTML, with this many lines of other content. */
function alternative(lines: number): Buffer {
  const text = [
    'Your verification code is 739105',
    '',
    'https://shop.example/verify?token=8f14e45fceea167a',
    '',
  ]
  const html = [
    '<html><body><p>Your verification code is <b>739105</b></p>',
    '<p><a href="https://shop.example/verify?token=8f14e45fceea167a">Verify your address</a></p>',
  ]
  for (let i = 0; i < lines; i++) {
    text.push(`Line ${i}: thank you for shopping with us, we are glad that you are here.`)
    html.push(
      `<p style="margin:0 0 12px 0;font-family:Arial,sans-serif;color:#333333">Line ${i}: thank you for `,
    )
    html.push('shopping with us, we are glad that you are here.</p>')
  }
  html.push('</body></html>')
  return Buffer.from(
    [
      ...HEAD,
      'Content-Type: multipart/alternative; boundary="b1"',
      '',
      '--b1',
      'Content-Type: text/plain; charset=utf-8',
      '',
      ...text,
      '--b1',
      'Content-Type: text/html; charset=utf-8',
      '',
      ...html,
      '--b1--',
      '',
    ].join('\r\n'),
  )
}

/**
 * A short text, and an attachment of this many random bytes in base64, which are 1.37 times as many
 * in the message.
 */
export function withAttachment(bytes: number): Buffer {
  const base64 = randomBytes(bytes)
    .toString('base64')
    .match(/.{1,76}/g)!
  return Buffer.from(
    [
      ...HEAD,
      'Content-Type: multipart/mixed; boundary="b1"',
      '',
      '--b1',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Your verification code is 739105. The file is attached.',
      '--b1',
      'Content-Type: application/pdf; name="file.pdf"',
      'Content-Disposition: attachment; filename="file.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      ...base64,
      '--b1--',
      '',
    ].join('\r\n'),
  )
}
