import { expect, test } from '@jest/globals'
import type { ClientRequest, WaitRecord } from '../../../adapters/http/activity.ts'
import { domainOf, keyOf } from '../../../adapters/http/wire/access.ts'
import { activityEntry, arrivedOf } from '../../../adapters/http/wire/activity.ts'
import { summary, wholeWithoutBodies } from '../../../adapters/http/wire/email.ts'
import { attemptOf, webhookOf } from '../../../adapters/http/wire/webhooks.ts'
import type { Email } from '../../../core/inbox/email.ts'
import type { Attachment, MessageDetails } from '../../../reading/message.ts'

/*
 * Every value differs from every other one of its type, so that no field can take the value of another. The fields of
 * the stored objects are complete by their types, so a new field has to be added here too.
 */

const SECOND = 1_790_000_000_000
const at = (seconds: number) => SECOND + seconds * 1000
const iso = (seconds: number) => new Date(at(seconds)).toISOString()

const FILE: Attachment = {
  id: '4',
  filename: 'terms.pdf',
  contentType: 'application/pdf',
  size: 5,
  inline: true,
  contentId: 'c6',
  sha256: 'ab'.repeat(32),
}
const EMAIL: Email = {
  id: '01K5K0000000000000000000A1',
  address: 'to+b@shop.test',
  from: { name: 'Sender', address: 'from@x.test' },
  to: [{ name: 'To', address: 'to@x.test' }],
  cc: [{ name: 'Cc', address: 'cc@x.test' }],
  subject: 'Subject',
  bodyText: 'Text äö',
  bodyTextTruncated: false,
  codes: ['482913'],
  links: ['https://x.test/l'],
  actionLink: { url: 'https://x.test/a', text: 'Confirm', kind: 'confirm' },
  attachmentCount: 2,
  attachments: [FILE],
  size: 3,
  receivedAt: at(1),
  expiresAt: at(2),
  read: true,
}
const FILE_JSON = { id: '4', filename: 'terms.pdf', content_type: 'application/pdf', size: 5, inline: true }
const EMAIL_JSON = {
  id: '01K5K0000000000000000000A1',
  address: 'to+b@shop.test',
  from: { name: 'Sender', address: 'from@x.test' },
  to: [{ name: 'To', address: 'to@x.test' }],
  cc: [{ name: 'Cc', address: 'cc@x.test' }],
  subject: 'Subject',
  body_text: 'Text äö',
  body_text_truncated: false,
  codes: ['482913'],
  links: ['https://x.test/l'],
  action_link: { url: 'https://x.test/a', text: 'Confirm', kind: 'confirm' },
  attachment_count: 2,
  attachments: [FILE_JSON],
  size: 3,
  received_at: iso(1),
  expires_at: iso(2),
  read: true,
}

test('a key has its purpose and both of its times', () => {
  const key = { keyHash: 'h', purpose: 'CI', createdAt: at(1), expiresAt: at(2) }
  expect(keyOf(key)).toEqual({ purpose: 'CI', created_at: iso(1), expires_at: iso(2) })
})

test('a domain is private if it has a key', () => {
  const domain = { name: 'x.test' } as Parameters<typeof domainOf>[0]
  const json = (isPrivate: boolean) => ({ domain: 'x.test', status: 'verified', private: isPrivate })
  expect(domainOf({ ...domain, keyHash: 'h' })).toEqual(json(true))
  expect(domainOf({ ...domain, keyHash: null })).toEqual(json(false))
})

test('an email of a list has each field of the stored one', () => {
  expect(summary(EMAIL)).toEqual(EMAIL_JSON)
})

test.each([
  ['whole', 9, false, 'Text äö', false],
  ['cut by the store', 9, true, 'Text äö', true],
  ['cut by the request', 8, false, 'Text ä', true],
])('the text of an email that is %s says so', (_, bytes, bodyTextTruncated, text, isTruncated) => {
  const { body_text, body_text_truncated } = summary({ ...EMAIL, bodyTextTruncated }, bytes)
  expect([body_text, body_text_truncated]).toEqual([text, isTruncated])
})

test('a whole email has each field of the stored one, and its addresses in the API', () => {
  const details: MessageDetails = {
    headers: [{ name: 'X', value: 'y' }],
    messageId: 'm7',
    date: iso(3),
    attachments: [FILE],
    verdicts: { spam: 'pass', virus: 'fail', spf: 'gray', dkim: 'processing_failed', dmarc: null },
    mailFrom: 'bounce@x.test',
    codeDetails: [{ value: '482913', kind: 'one_time', reason: 'code is' }],
  }
  const path = '/api/emails/to%2Bb%40shop.test/01K5K0000000000000000000A1'
  const { body_text: _, ...rest } = EMAIL_JSON
  const json = {
    ...rest,
    headers: [{ name: 'X', value: 'y' }],
    message_id: 'm7',
    date: iso(3),
    attachments: [{ ...FILE_JSON, content_id: 'c6', sha256: 'ab'.repeat(32), url: `${path}/attachments/4` }],
    verdicts: { spam: 'pass', virus: 'fail', spf: 'gray', dkim: 'processing_failed', dmarc: null },
    mail_from: 'bounce@x.test',
    code_details: [{ value: '482913', kind: 'one_time', reason: 'code is' }],
    raw_url: `${path}/raw`,
  }
  // Both bodies of this answer are complete, also where the text of the list is not.
  expect(wholeWithoutBodies({ ...EMAIL, bodyTextTruncated: true }, details)).toEqual(json)
  expect(wholeWithoutBodies(EMAIL, { ...details, parseError: 'broken' })).toEqual({
    ...json,
    parse_error: 'broken',
  })
})

test('a webhook has its target, its filter and both of its times, and not its secret', () => {
  const stored = {
    id: 'wh_1',
    keyHash: 'h',
    url: 'https://x.test/hook',
    status: 'pending' as const,
    secret: 'whsec_s',
    filter: { subject: 'Code' },
    domainKeyHash: 'd',
    createdAt: at(1),
    expiresAt: at(2),
  }
  const json = {
    id: 'wh_1',
    url: 'https://x.test/hook',
    status: 'pending',
    subject: 'Code',
    created_at: iso(1),
    expires_at: iso(2),
  }
  expect(webhookOf({ ...stored, target: { address: 'a@x.test' } })).toEqual({ ...json, address: 'a@x.test' })
  expect(webhookOf({ ...stored, target: { domain: 'x.test' } })).toEqual({ ...json, domain: 'x.test' })
})

test.each([
  ['that failed', 'email.received', null, 'refused', at(2), iso(2)],
  ['that succeeded', 'ping', 204, null, null, null],
] as const)(
  'an attempt of a webhook %s has each field of the stored one',
  (_, type, status, error, nextAt, next) => {
    expect(attemptOf({ at: at(1), delivery: 'msg_1', type, status, error, ms: 7, nextAt })).toEqual({
      time: iso(1),
      webhook_id: 'msg_1',
      type,
      status,
      error,
      ms: 7,
      next_attempt_at: next,
    })
  },
)

test('a request of the activity has its method, target, times and answer', () => {
  const request: ClientRequest = { method: 'GET', target: '/latest', startedAt: at(1) }
  const json = { method: 'GET', target: '/latest', started_at: iso(1), status: null, ms: null, wait: null }
  expect(activityEntry(request, [])).toEqual(json)
  const ended = (ms: number) => activityEntry({ ...request, answer: { status: 200, ms } }, [])
  expect(ended(7.6)).toEqual({ ...json, status: 200, ms: 8 })
  // A clock that was set back.
  expect(ended(-4)).toEqual({ ...json, status: 200, ms: 0 })
})

test('a wait of the activity has its filter, its limit, what it found and what it missed', () => {
  const arrivedJson = {
    id: '01K5K0000000000000000000A1',
    from: { name: 'Sender', address: 'from@x.test' },
    subject: 'Subject',
    received_at: iso(1),
  }
  expect(arrivedOf(EMAIL)).toEqual(arrivedJson)
  const waits = (wait: WaitRecord, emails: Email[]) =>
    activityEntry({ method: 'GET', target: '/wait', startedAt: at(0), wait }, emails).wait
  const filter = { subject: 'Other' }
  // It waits still: what it missed is computed from the emails that exist now.
  const open = { filter, after: undefined, timeoutMs: 2500 }
  expect(waits(open, [EMAIL, { ...EMAIL, receivedAt: at(-1) }])).toEqual({
    filter,
    since: null,
    timeout: 3,
    found: null,
    missed: [{ ...arrivedJson, reasons: [{ filter: 'subject', text: expect.stringContaining('Subject') }] }],
  })
  const { id, from, receivedAt } = EMAIL
  const found = { id, from, subject: 'Other', receivedAt }
  expect(waits({ filter, after: '0', timeoutMs: 1000, found, missed: [] }, [EMAIL])).toEqual({
    filter,
    since: '0',
    timeout: 1,
    found: { ...arrivedJson, subject: 'Other' },
    missed: [],
  })
})
