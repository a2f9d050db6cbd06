import { describe, expect, test } from '@jest/globals'
import { Problem } from '../../../core/errors.ts'
import { sendApis } from './in-process.ts'

const TO = 'bot@mayfly.test'
const FROM = 'shop@example.com'

describe('each entry of a bulk request to Amazon SES has its own status', () => {
  /** A recipient and its data, and the status at v2 and at v1. */
  const ENTRIES: [to: string, data: object, v2: string, v1: string][] = [
    [TO, { name: 'Ann' }, 'SUCCESS', 'Success'],
    ['no address', { name: 'Ann' }, 'INVALID_PARAMETER', 'InvalidParameterValue'],
    ['bot@elsewhere.example', { name: 'Ann' }, 'MESSAGE_REJECTED', 'MessageRejected'],
    ['bot+smtp.450@mayfly.test', { name: 'Ann' }, 'ACCOUNT_THROTTLED', 'AccountThrottled'],
    [TO, {}, 'INVALID_PARAMETER', 'InvalidParameterValue'],
    [TO, { name: 'x'.repeat(3000) }, 'INVALID_PARAMETER', 'InvalidParameterValue'],
    ['full@mayfly.test', { name: 'Ann' }, 'TRANSIENT_FAILURE', 'TransientFailure'],
  ]
  const onFullStore = () =>
    sendApis({
      maxMessageBytes: 3000,
      deliver: async ({ recipients }) => {
        if (recipients[0]!.startsWith('full')) throw new Problem('unavailable', 'full')
        return recipients
      },
    })

  test('v2', async () => {
    const { json } = await onFullStore().call('POST', '/ses/v2/email/outbound-bulk-emails', {
      FromEmailAddress: FROM,
      DefaultContent: {
        Template: { TemplateContent: { Subject: 'x', Text: 'Hello {{name}}' }, TemplateData: '{}' },
      },
      BulkEmailEntries: ENTRIES.map(([to, data]) => ({
        Destination: { ToAddresses: [to] },
        ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: JSON.stringify(data) } },
      })),
    })
    const results: { Status: string; MessageId?: string; Error?: string }[] = json.BulkEmailEntryResults
    expect(results.map(({ Status }) => Status)).toEqual(ENTRIES.map(([, , status]) => status))
    expect(results.map((one) => (one.Status === 'SUCCESS' ? one.MessageId : one.Error))).toEqual(
      ENTRIES.map(() => expect.stringMatching(/./)),
    )
  })

  test('v1', async () => {
    const { call } = onFullStore()
    const template = {
      'Template.TemplateName': 't',
      'Template.SubjectPart': 'x',
      'Template.TextPart': 'Hello {{name}}',
    }
    await call('POST', '/ses', new URLSearchParams({ Action: 'CreateTemplate', ...template }))
    const form = new URLSearchParams({
      Action: 'SendBulkTemplatedEmail',
      Source: FROM,
      Template: 't',
      DefaultTemplateData: '{}',
    })
    for (const [n, [to, data]] of ENTRIES.entries()) {
      form.set(`Destinations.member.${n + 1}.Destination.ToAddresses.member.1`, to)
      form.set(`Destinations.member.${n + 1}.ReplacementTemplateData`, JSON.stringify(data))
    }
    const { text } = await call('POST', '/ses', form)
    const statuses = [...text.matchAll(/<Status>(\w+)<\/Status>/g)].map(([, status]) => status)
    expect(statuses).toEqual(ENTRIES.map(([, , , status]) => status))
  })
})

/** Of 50 copies, which have 550 MB, only some are in memory at once, and 512 MB are allowed. */
test.each<[provider: string, path: string, request: (content: string) => object]>([
  [
    'Amazon SES',
    '/ses/v2/email/outbound-bulk-emails',
    (RawContent) => ({
      FromEmailAddress: FROM,
      DefaultContent: {
        Template: {
          TemplateContent: { Subject: 'x', Text: 'x' },
          Attachments: [{ FileName: 'a.bin', RawContent }],
        },
      },
      BulkEmailEntries: Array(50).fill({ Destination: { ToAddresses: [TO] } }),
    }),
  ],
  [
    'SendGrid',
    '/sendgrid/v3/mail/send',
    (content) => ({
      from: { email: FROM },
      subject: 'x',
      content: [{ type: 'text/plain', value: 'x' }],
      personalizations: Array(50).fill({ to: [{ email: TO }] }),
      attachments: [{ content, filename: 'a.bin' }],
    }),
  ],
  [
    'Mailgun',
    '/mailgun/v3/mayfly.test/messages',
    (content) => {
      const form = new FormData()
      const to = Array.from({ length: 50 }, (_, n) => `bot${n}@mayfly.test`)
      for (const [name, value] of Object.entries({ from: FROM, subject: 'x', text: 'x', to: to.join(', ') }))
        form.set(name, value)
      form.set('recipient-variables', JSON.stringify(Object.fromEntries(to.map((one) => [one, {}]))))
      form.set('attachment', new Blob([Buffer.from(content, 'base64')]), 'a.bin')
      return form
    },
  ],
])('%s: the copies of an attachment have a bound together', async (_, path, request) => {
  const { call, sent } = sendApis({ maxMessageBytes: 20_000_000 })
  const { status, text } = await call('POST', path, request(Buffer.alloc(11_000_000).toString('base64')))
  expect([Math.floor(status / 100), text]).toEqual([4, expect.stringContaining('50 messages of 1100000')])
  expect(sent).toEqual([])
})
