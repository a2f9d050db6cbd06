import { expect, test } from '@jest/globals'
import { Outbox } from '../../../adapters/send-apis/outbox.ts'
import type { Domain } from '../../../core/access/ports.ts'

test('a message that no inbox accepted is rejected, because its domain ended in the meantime', async () => {
  const refused: object[] = []
  const outbox = new Outbox({
    domains: { find: async (name) => ({ name, visibleAfter: '0' }) as Domain },
    deliver: async () => [],
    faults: false,
    maxMessageBytes: 100,
    clock: () => 7,
    refused: (refusal) => refused.push(refusal),
  })
  const message = {
    sendId: 'id',
    mailFrom: '',
    recipients: ['a@gone.test'],
    raw: async () => Buffer.from('x'),
  }
  await expect(outbox.send(message, '127.0.0.1')).rejects.toMatchObject({
    kind: 'rejected',
    recipients: ['a@gone.test'],
  })
  const reply = expect.stringContaining('a@gone.test')
  expect(refused).toEqual([
    { at: 7, client: '127.0.0.1', mailFrom: null, recipient: 'a@gone.test', code: 400, reply },
  ])
})
