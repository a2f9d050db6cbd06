import { expect, test } from '@jest/globals'
import { SentMails } from '../../../adapters/send-apis/resend-sent.ts'

function kept(count: number, text: string): string[] {
  const sent = new SentMails(() => 0)
  const ids = Array.from({ length: count }, (_, n) => String(n))
  const none = { cc: [], bcc: [], replyTo: [], headers: [], attachments: [], html: undefined }
  const from = { name: '', address: 'shop@example.com' }
  for (const id of ids) sent.add(id, { ...none, from, to: [], subject: 'Hello', text })
  return ids.filter((id) => sent.find(id) !== undefined)
}

test('a sent mail shows null for each body that it does not have', () => {
  const sent = new SentMails(() => Date.UTC(2026, 10, 21))
  const from = { name: 'Shop', address: 'shop@example.com' }
  const to = [{ name: '', address: 'ann@example.com' }]
  const rest = { from, to, cc: to, bcc: [], replyTo: [from], headers: [], attachments: [], subject: 'Hello' }
  sent.add('text', { ...rest, text: 'x', html: undefined })
  sent.add('html', { ...rest, text: undefined, html: '<p>x</p>' })
  const json = {
    object: 'email',
    from: 'Shop <shop@example.com>',
    to: ['ann@example.com'],
    cc: ['ann@example.com'],
    bcc: [],
    reply_to: ['Shop <shop@example.com>'],
    subject: 'Hello',
    created_at: '2026-11-21T00:00:00.000Z',
    last_event: 'delivered',
    scheduled_at: null,
  }
  expect(sent.find('text')).toEqual({ ...json, id: 'text', text: 'x', html: null })
  expect(sent.find('html')).toEqual({ ...json, id: 'html', text: null, html: '<p>x</p>' })
})

test('the newest thousand sent mails are kept', () => {
  const ids = kept(1100, 'x')
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([1000, '100', '1099'])
})

test('of large ones, the newest that fit into 16 MiB are kept', () => {
  // Each takes a little more than 1 MiB.
  const ids = kept(40, 'x'.repeat(1024 * 1024))
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([15, '25', '39'])
})
