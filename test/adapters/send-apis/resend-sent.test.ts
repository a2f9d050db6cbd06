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

test('the newest thousand sent mails are kept', () => {
  const ids = kept(1100, 'x')
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([1000, '100', '1099'])
})

test('of large ones, the newest that fit into 16 MiB are kept', () => {
  // Each takes a little more than 1 MiB.
  const ids = kept(40, 'x'.repeat(1024 * 1024))
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([15, '25', '39'])
})
