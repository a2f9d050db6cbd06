import { expect, test } from '@jest/globals'
import { readBody } from '../../adapters/send-apis/body.ts'
import type { RefusedMail } from '../../core/inbox/refusals.ts'
import { latest, mentions, type Refusal, settingFor } from '../../web/all-mail/refusals.ts'
import { sendApis } from '../adapters/send-apis/in-process.ts'
import { GREETING, listenWith, MAX_BYTES, TO_DATA, TO_SENDER } from '../adapters/smtp/setup.ts'
import type { Step } from '../adapters/smtp/smtp-script.ts'

const refusal = (reply: string): Refusal => ({
  at: '2026-11-21T10:00:00.000Z',
  client: '127.0.0.1',
  mail_from: 'app@acme.example',
  recipient: 'Ceo@acme.example',
  code: 550,
  reply,
})

const CATCH_ALL = 'MAYFLY_CATCH_ALL=on accepts mail for every domain.'
const BYTES = 'MAYFLY_MAX_MESSAGE_BYTES allows larger messages.'
const FAULT = 'The address asked for this reply (faults on demand).'
const AUTH = 'MAYFLY_SMTP_AUTH names the credentials that are accepted.'
const UTF8 = 'The client must send MAIL FROM with SMTPUTF8.'
const PARAMETER = 'The client sent a parameter that the service did not offer.'

test.each<[command: string, setting: string | undefined, before: readonly Step[], options?: object]>([
  ['RCPT TO:<jo@elsewhere.test>', undefined, TO_SENDER],
  [`RCPT TO:<jo@${'x'.repeat(64)}.test>`, undefined, TO_SENDER],
  ['RCPT TO:<jo@broken.test>', undefined, TO_SENDER],
  ['RCPT TO:<bot+smtp.999@mayfly.test>', undefined, TO_SENDER],
  [`RCPT TO:<${'x'.repeat(65)}@mayfly.test>`, undefined, TO_SENDER],
  ['MAIL FROM:<a@example.com> SIZE=many', undefined, GREETING],
  ['MAIL FROM:<a@example.com> SMTPUTF8=yes', undefined, GREETING],
  ['MAIL FROM:<a@example.com>', undefined, GREETING, { hasRoom: () => false }],
  ['x\r\n.', undefined, TO_DATA, { deliver: () => Promise.reject(new Error('SQLITE_FULL')) }],
  ['x\r\n.', CATCH_ALL, TO_DATA, { deliver: async () => [] }],
  ['RCPT TO:<jo@elsewhere.test>', CATCH_ALL, TO_SENDER, { unknownDomainHint: undefined }],
  [`MAIL FROM:<a@example.com> SIZE=${MAX_BYTES + 1}`, BYTES, GREETING],
  ['too large\r\n.', BYTES, TO_DATA, { maxBytes: 8 }],
  ['RCPT TO:<bot+smtp.451@mayfly.test>', FAULT, TO_SENDER],
  ['MAIL FROM:<a@example.com>', AUTH, GREETING, { auth: { user: 'app', password: 'secret' } }],
  ['MAIL FROM:<jö@example.com>', UTF8, GREETING],
  ['MAIL FROM:<a@example.com> RET=HDRS', PARAMETER, GREETING],
  ['RCPT TO:<bot@mayfly.test> SMTPUTF8', PARAMETER, TO_SENDER],
])('%j is refused by SMTP, what would accept it: %s', async (command, setting, before, options = {}) => {
  const refused: RefusedMail[] = []
  const { open, close } = await listenWith({
    faults: true,
    unknownDomainHint: 'MAYFLY_CATCH_ALL=on accepts every domain',
    ...options,
    refused: (refusal) => void refused.push(refusal),
  })
  const client = open()
  await client.run([...before, { send: command, expect: '' }])
  await close()
  expect(refused.map(({ reply }) => [reply, settingFor(refusal(reply))])).toEqual([
    [expect.any(String), setting],
  ])
})

test.each<[fields: object, setting: string | undefined, options?: object]>([
  [{ to: 'bot@elsewhere.test' }, undefined],
  [{ to: 'bot+smtp.999@mayfly.test' }, undefined],
  [{ to: '-@-' }, undefined],
  [{ subject: undefined }, undefined],
  [{ text: 'too large' }, BYTES, { maxMessageBytes: 100 }],
  [{ to: 'bot+smtp.451@mayfly.test' }, FAULT],
])(
  'a mail with %j is refused by a send API, what would accept it: %s',
  async (fields, setting, options = {}) => {
    const { call, refusals } = sendApis(options)
    const mail = { from: 'shop@example.com', to: 'bot@mayfly.test', subject: 'x', text: 'x', ...fields }
    await call('POST', '/resend/emails', mail)
    expect(refusals.map(({ reply }) => [reply, settingFor(refusal(reply))])).toEqual([
      [expect.any(String), setting],
    ])
  },
)

test('what would accept a request of a send API that is larger than any message', async () => {
  const room = { take: async () => {}, free() {} }
  const body = (async function* () {
    yield Buffer.from('12345')
  })()
  const read = readBody(new Request('http://127.0.0.1'), body, { limit: 4, room, isShort: () => false })
  expect(settingFor(refusal(String(await read.catch((error) => error))))).toBe(BYTES)
})

test('refusals that were read again are the same ones until another is the newest', async () => {
  const answer = { refusals: [refusal('one')] }
  Object.assign(globalThis, {
    fetch: async () => Response.json({ ...answer, expires_at: '2099-01-01T00:00:00Z' }),
  })
  const first = await latest()
  expect([first, await latest(first)]).toEqual([[refusal('one')], first])
  expect(await latest(first)).toBe(first)
  answer.refusals = [{ ...refusal('two'), at: '2026-11-21T10:00:01.000Z' }]
  expect(await latest(first)).toEqual(answer.refusals)
  answer.refusals = [refusal('two'), refusal('one')]
  expect(await latest(first)).toEqual(answer.refusals)
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
