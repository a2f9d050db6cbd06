import type { Attachment, Email, WholeEmail } from '../../packages/client/src/wire.ts'

/** The summary of an email with this id. */
export function email(id: string, fields: Partial<Email> = {}): Email {
  return {
    id,
    address: 'bot@mayfly.test',
    from: { name: 'Sender', address: 'sender@example.org' },
    to: [],
    cc: [],
    subject: `Email ${id}`,
    body_text: '',
    body_text_truncated: false,
    codes: [],
    links: [],
    action_link: null,
    attachment_count: 0,
    attachments: [],
    size: 100,
    received_at: '2026-11-21T10:00:00.000Z',
    expires_at: '2026-11-22T10:00:00.000Z',
    read: false,
    ...fields,
  }
}

/** The whole email with this id. */
export function wholeEmail(id: string, fields: Partial<WholeEmail> = {}): WholeEmail {
  return {
    ...email(id),
    body_html: null,
    headers: [],
    message_id: null,
    date: null,
    attachments: [],
    verdicts: { spam: null, virus: null, spf: null, dkim: null, dmarc: null },
    mail_from: null,
    code_details: [],
    raw_url: `/api/emails/bot@mayfly.test/${id}/raw`,
    ...fields,
  }
}

/** An attachment of the email with this id. */
export function attachment(id: string, fields: Partial<Attachment> = {}): Attachment {
  return {
    id,
    filename: `file-${id}.txt`,
    content_type: 'text/plain',
    size: 1200,
    inline: false,
    content_id: null,
    sha256: '0'.repeat(64),
    url: `/api/emails/bot@mayfly.test/mail/attachments/${id}`,
    ...fields,
  }
}
