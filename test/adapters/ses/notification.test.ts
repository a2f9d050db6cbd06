import { describe, expect, test } from '@jest/globals'
import { envelopeOf } from '../../../adapters/ses/notification.ts'

/** The example of the SES guide (receiving-email-notifications-examples.html), with the S3 action of our rule. */
function notification(change: (whole: Record<string, never>) => void = () => {}): string {
  const whole = {
    notificationType: 'Received',
    receipt: {
      timestamp: '2015-09-11T20:32:33.936Z',
      processingTimeMillis: 406,
      recipients: ['Recipient@Example.com', 'blind+copy@example.com'],
      spamVerdict: { status: 'PASS' },
      virusVerdict: { status: 'PASS' },
      spfVerdict: { status: 'GRAY' },
      dkimVerdict: { status: 'FAIL' },
      dmarcVerdict: { status: 'PROCESSING_FAILED' },
      dmarcPolicy: 'reject',
      action: {
        type: 'S3',
        topicArn: 'arn:aws:sns:us-east-1:012345678912:example-topic',
        bucketName: 'the-bucket',
        objectKeyPrefix: 'inbound/',
        objectKey: 'inbound/d6iitobk75ur44p8kdnnp7g2n800',
      },
    },
    mail: {
      timestamp: '2015-09-11T20:32:33.936Z',
      source: '0000014fbe1c09cf-7cb9f704-7531-4e53-89a1-5fa9744f5eb6-000000@amazonses.com',
      messageId: 'd6iitobk75ur44p8kdnnp7g2n800',
      destination: ['recipient@example.com'],
      headersTruncated: false,
    },
  }
  change(whole as never)
  return JSON.stringify(whole)
}

// biome-ignore lint/suspicious/noExplicitAny: the tests break notifications of any shape
const broken = (change: (whole: any) => void) => () => envelopeOf(notification(change), 'the-bucket')

describe('a notification of Amazon SES', () => {
  test('gives the envelope, the object and the verdicts', () => {
    expect(envelopeOf(notification(), 'the-bucket')).toEqual({
      messageId: 'd6iitobk75ur44p8kdnnp7g2n800',
      mailFrom: '0000014fbe1c09cf-7cb9f704-7531-4e53-89a1-5fa9744f5eb6-000000@amazonses.com',
      receivedAt: Date.parse('2015-09-11T20:32:33.936Z'),
      recipients: ['Recipient@Example.com', 'blind+copy@example.com'],
      verdicts: { spam: 'pass', virus: 'pass', spf: 'gray', dkim: 'fail', dmarc: 'processing_failed' },
    })
  })

  test('the message with which SES tests a topic is not a mail', () => {
    expect(
      envelopeOf('Successfully validated SNS topic for Amazon SES event publishing.', 'b'),
    ).toBeUndefined()
  })

  test.each(['', '<>', undefined])('a bounce has no sender: %j', (source) => {
    expect(broken((whole) => (whole.mail.source = source))()?.mailFrom).toBeNull()
  })

  test('verdicts that are missing or new are null', () => {
    const delivery = broken((whole) => {
      delete whole.receipt.spamVerdict
      whole.receipt.virusVerdict = { status: 'DISABLED' }
      whole.receipt.spfVerdict = 'PASS'
    })()
    expect(delivery?.verdicts).toMatchObject({ spam: null, virus: null, spf: null, dkim: 'fail' })
  })

  test.each([undefined, 7, 'yesterday'])('without a valid time, %j, it has none', (timestamp) => {
    expect(broken((whole) => (whole.mail.timestamp = timestamp))()).not.toHaveProperty('receivedAt')
  })

  test('without a type, or with a name of 128 characters, it is a mail', () => {
    const objectKey = `inbound/${'x'.repeat(128)}`
    const read = broken((whole) => {
      delete whole.notificationType
      whole.receipt.action.objectKey = objectKey
    })
    expect(`inbound/${read()?.messageId}`).toBe(objectKey)
  })

  test('a notification of another type is not a mail', () => {
    expect(broken((whole) => (whole.notificationType = 'AmazonSnsSubscriptionSucceeded'))()).toBeUndefined()
  })

  test.each<[string, () => unknown, RegExp]>([
    ['text', () => envelopeOf('hello', 'the-bucket'), /not JSON/],
    ['JSON that is no object', () => envelopeOf('7', 'the-bucket'), /not a notification/],
    ['null', () => envelopeOf('null', 'the-bucket'), /not a notification/],
    [
      'a name of 129 characters',
      broken((whole) => (whole.receipt.action.objectKey = `inbound/${'x'.repeat(129)}`)),
      /name that SES does not give/,
    ],
    ['an empty object', () => envelopeOf('{}', 'the-bucket'), /receipt\.recipients/],
    ['no recipients', broken((whole) => delete whole.receipt.recipients), /receipt\.recipients/],
    [
      'a recipient that is no text',
      broken((whole) => whole.receipt.recipients.push(7)),
      /receipt\.recipients/,
    ],
    ['another bucket', broken((whole) => (whole.receipt.action.bucketName = 'x')), /the bucket "x"/],
    ['no action', broken((whole) => delete whole.receipt.action), /the bucket "undefined"/],
    ['another prefix', broken((whole) => (whole.receipt.action.objectKey = 'parts/x')), /not under inbound/],
    [
      'a path',
      broken((whole) => (whole.receipt.action.objectKey = 'inbound/../x')),
      /name that SES does not give/,
    ],
    [
      'no name',
      broken((whole) => (whole.receipt.action.objectKey = 'inbound/')),
      /name that SES does not give/,
    ],
  ])('%s is a fault that names the reason', (_, read, message) => {
    expect(read).toThrow(message)
  })
})
