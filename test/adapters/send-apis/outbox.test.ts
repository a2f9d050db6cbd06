import { expect, test } from '@jest/globals'
import { Outbox } from '../../../adapters/send-apis/outbox.ts'
import type { Domain } from '../../../core/access/ports.ts'

const options = {
  domains: { find: async (name: string) => ({ name, visibleAfter: '0' }) as Domain },
  faults: false,
  maxMessageBytes: 100,
  clock: () => 7,
  refused: () => {},
}

const ALL = ['build 1', 'store 1', 'build 2', 'store 2']

test.each([
  ['a large message is stored before the next one is built', 8 * 1024 * 1024, ALL.slice(0, 2)],
  ['a small message is built while others are stored', 100, ALL],
])('%s, and each is stored once', async (_, bytes, begun) => {
  const steps: string[] = []
  const stored = Promise.withResolvers<void>()
  const outbox = new Outbox({
    ...options,
    deliver: async (_envelope, raw) => {
      steps.push(`store ${raw[0]}`)
      await stored.promise
      return ['id']
    },
  })
  const send = (n: number) =>
    outbox.send(
      {
        sendId: 'id',
        mailFrom: '',
        recipients: ['a@mayfly.test'],
        raw: async () => {
          steps.push(`build ${n}`)
          return new Uint8Array(bytes).fill(n)
        },
      },
      '127.0.0.1',
    )
  const sent = Promise.all([send(1), send(2)])
  // Nothing waits for anything but the store, so that one turn of the event loop is enough.
  await new Promise((resolve) => setImmediate(resolve))
  expect(steps).toEqual(begun)
  stored.resolve()
  await sent
  expect(steps).toEqual(ALL)
})

test('a message that no inbox accepted is rejected, because its domain ended in the meantime', async () => {
  const refused: object[] = []
  const outbox = new Outbox({
    ...options,
    deliver: async () => [],
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
