import type Mail from 'nodemailer/lib/mailer/index.js'

const image = (width: number, height: number, fill: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${fill}"/></svg>`,
  )

/** A typical sign-up email, with a code and an action link. */
export const CONFIRMATION: Mail.Options = {
  from: 'Acme <no-reply@acme.example>',
  subject: 'Confirm your email address',
  text: 'Your verification code is 482913. Confirm: https://acme.example/confirm?token=5f2c9',
  html: `<div style="max-width:560px;margin:0 auto;padding:32px;font-family:Arial,sans-serif;color:#222;background:#fff">
<img src="https://acme.example/logo.png" width="120" height="36" alt="Acme"><h1 style="font-size:24px">Welcome to Acme</h1>
<p>Enter this code to finish your registration:</p><p style="font-size:30px;letter-spacing:6px"><b>482913</b></p>
<p>Or open the link:</p><p><a style="background:#2b5;color:#fff;padding:12px 20px;border-radius:6px;text-decoration:none" href="https://acme.example/confirm?token=5f2c9">Confirm email address</a></p>
<p style="color:#777">The code is valid for 10 minutes. You can ignore this email if you did not sign up.</p></div>`,
}

/** A newsletter of 640 pixels with remote images, designed for a white background. */
export const NEWSLETTER: Mail.Options = {
  from: 'The Weekly <news@weekly.example>',
  subject: 'Nine things we learned about queues this week',
  text: 'Nine things we learned about queues this week. https://weekly.example/42',
  html: `<body style="background:#f4f4f4"><table width="640" align="center" cellpadding="0" cellspacing="0" style="background:#fff;font-family:Georgia,serif;color:#333">
<tr><td style="padding:24px"><h1 style="margin:0">The Weekly</h1></td></tr>
<tr><td><img src="https://weekly.example/hero.jpg" width="640" height="240" alt="A queue of people in the rain" style="display:block"></td></tr>
${['Back pressure is a feature', 'Retries need a budget', 'A dead letter is a letter'].map((title) => `<tr><td style="padding:24px;display:flex;gap:16px"><img src="https://weekly.example/t.jpg" width="160" height="110" alt="${title}"><div><h2 style="margin:0">${title}</h2><p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.</p><a href="https://weekly.example/${title.length}">Read the story</a></div></td></tr>`).join('')}
</table></body>`,
}

/** An email that sets no colours, with a link in its text only. */
export const NOTE: Mail.Options = {
  from: 'Ana García <ana@example.org>',
  subject: 'Notes from today',
  text: 'Hello,\n\nhere are my notes: https://example.org/notes\n\nAna',
  html: '<p>Hello,</p><p>here are <a href="https://example.org/notes">my notes</a>.</p><p>Ana</p>',
}

export const ATTACHMENTS: Mail.Options = {
  from: 'Accounts <billing@acme.example>',
  subject: 'Your invoices of 2026',
  text: 'Attached are your invoices.',
  html: '<p>Attached are your invoices.</p>',
  attachments: [
    ...Array.from({ length: 9 }, (_, i) => ({
      filename: `invoice-2026-${String(i + 1).padStart(2, '0')}${i === 4 ? '-with-a-much-longer-name-than-the-others' : ''}.pdf`,
      content: '%PDF-1.4 x'.repeat(40 * (i + 1)),
    })),
    { filename: 'chart.svg', content: image(300, 200, '#27a'), contentType: 'image/svg+xml' },
  ],
}

export const RIGHT_TO_LEFT: Mail.Options = {
  from: 'משרד <office@example.org>',
  subject: 'קוד האימות שלך: 5521',
  text: 'קוד האימות שלך הוא 552190',
}

export const OTHERS: Mail.Options[] = [
  {
    from: 'GitHub <noreply@github.example>',
    subject: '[acme/shop] Run failed: CI - main (a1b2c3d)',
    text: 'Run failed.',
  },
  {
    from: 'Linear <hi@linear.example>',
    subject: 'ACM-482 was assigned to you',
    text: 'Fix the checkout on phones',
  },
  { from: 'Stripe <receipts@stripe.example>', subject: 'Receipt for order 8841', text: 'Amount: 42.00' },
  {
    from: 'Bank <alerts@bank.example>',
    subject: 'Your one-time password',
    text: 'Your one-time password is 903417.',
  },
]

/** A long subject, a long name, and a text of many lines with a word that does not break. */
export const LONG: Mail.Options = {
  from: `Department of Unusually Long Names and Titles <no-reply.${'notifications'.repeat(3)}@mail.example.org>`,
  subject:
    'An unusually long subject that says everything twice, because the program that sends it puts the whole first paragraph into it (reference 2026-11-0004711)',
  text: `Dear Ann,\n\n${'A line of a text that goes on for a while and that a reader wraps at the width of the window. '.repeat(6)}\n\nhttps://example.org/${'path/'.repeat(40)}\n\n> quoted\n> lines\n`,
}

/** Pictures in the HTML, which are no files for a reader. */
export const PICTURES: Mail.Options = {
  from: 'Studio <hello@studio.example>',
  subject: 'Pictures in place',
  text: 'Three pictures.',
  html: '<h2>Three pictures</h2><p><img src="cid:a@x" width="300"> <img src="cid:b@x" width="300"></p><p><img src="cid:c@x" width="616"></p>',
  attachments: ['a', 'b', 'c'].map((name, i) => ({
    filename: `${name}.svg`,
    cid: `${name}@x`,
    contentDisposition: 'inline',
    contentType: 'image/svg+xml',
    content: image(616, 200, ['#0d6e78', '#7a4d00', '#a3262a'][i] ?? ''),
  })),
}

export const INVITATION: Mail.Options = {
  from: 'Calendar <calendar@example.org>',
  subject: 'Invitation: Retrospective, Friday at 10',
  text: 'You are invited to the retrospective.',
  icalEvent: {
    filename: 'invite.ics',
    method: 'REQUEST',
    content:
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1@example.org\r\nDTSTAMP:20261120T090000Z\r\nDTSTART:20261127T100000Z\r\nDTEND:20261127T110000Z\r\nSUMMARY:Retrospective\r\nORGANIZER:mailto:ann@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  },
}
