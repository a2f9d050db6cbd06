import type { Email } from '../../packages/client/src/wire.ts'

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
    size: 100,
    received_at: '2026-11-21T10:00:00.000Z',
    expires_at: '2026-11-22T10:00:00.000Z',
    read: false,
    ...fields,
  }
}
