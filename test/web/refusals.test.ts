import { expect, test } from '@jest/globals'
import { mentions, type Refusal, settingFor } from '../../web/all-mail/refusals.ts'

const refusal = (reply: string): Refusal => ({
  at: '2026-11-21T10:00:00.000Z',
  client: '127.0.0.1',
  mail_from: 'app@acme.example',
  recipient: 'Ceo@acme.example',
  code: 550,
  reply,
})

test.each([
  ['5.1.2 Not accepted. MAYFLY_CATCH_ALL=on accepts every domain', undefined],
  [
    '5.1.2 This service does not accept mail for that domain',
    'MAYFLY_CATCH_ALL=on accepts mail for every domain.',
  ],
  [
    '5.1.2 This service no longer accepts mail for that domain',
    'MAYFLY_CATCH_ALL=on accepts mail for every domain.',
  ],
  ['5.1.3 The domain of the address has a label longer than 63 characters', undefined],
  ['4.3.0 The domain could not be looked up, try again', undefined],
  ['4.3.1 Mail for that domain fills half of the store, try again later', undefined],
  ['5.3.4 The message is larger than 100 bytes', 'MAYFLY_MAX_MESSAGE_BYTES allows larger messages.'],
  ['4.0.0 A fault, as this address requests', 'The address asked for this reply (faults on demand).'],
  ['5.7.8 Wrong user name or password', 'MAYFLY_SMTP_AUTH names the credentials that are accepted.'],
  [
    '5.6.7 The address is not ASCII, so MAIL FROM needs the parameter SMTPUTF8',
    'The client must send MAIL FROM with SMTPUTF8.',
  ],
  ['4.3.0 Something else', undefined],
])('what would accept mail with the reply %s', (reply, setting) => {
  expect(settingFor(refusal(reply))).toBe(setting)
})

test('a search finds refusals by their addresses and the reply', () => {
  const found = (...words: string[]) => mentions(refusal('5.1.2 Not accepted'), words)
  expect([found(), found('ceo@'), found('app@', 'accepted'), found('other')]).toEqual([
    true,
    true,
    true,
    false,
  ])
})
