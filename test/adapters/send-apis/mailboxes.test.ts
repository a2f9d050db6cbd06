import { expect, jest, test } from '@jest/globals'
import { parseFields, parseMailboxes } from '../../../adapters/send-apis/mailboxes.ts'

test('encoded words are decoded, and those of an unknown charset are kept', () => {
  const name = '=?utf-8?q?J=C3=B6?= =?utf-8?b?cmc=?= =?none?q?a?= =?none?q?b?='
  expect(parseMailboxes(`${name} <a@b.example>`)).toEqual([
    { name: 'Jörg=?none?q?a?= =?none?q?b?=', address: 'a@b.example' },
  ])
})

test('a charset is looked up once for a whole field, however many of its words name it', () => {
  const Decoder = jest.spyOn(globalThis, 'TextDecoder')
  try {
    parseMailboxes(`${'=?none?q?a?= =?utf-8?q?b?= '.repeat(20)}<a@b.example>`)
    expect(Decoder.mock.calls).toEqual([['none'], ['utf-8']])
  } finally {
    Decoder.mockRestore()
  }
})

test('fields have room for 1,000 recipients, and for no more together than one of them', () => {
  const recipients = Array.from(
    { length: 1000 },
    (_, n) => `Recipient of a Batch ${n} <recipient-${n}@mail.example>`,
  )
  expect(parseFields(recipients)).toHaveLength(1000)
  expect(parseMailboxes(recipients.join(', '))).toHaveLength(1000)
  expect(() => parseFields([...recipients, ...recipients, ...recipients])).toThrow(
    'An address field has at most',
  )
})
