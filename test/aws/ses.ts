import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { DescribeActiveReceiptRuleSetCommand, type ReceiptRule, SESClient } from '@aws-sdk/client-ses'
import type { Cloud } from './cloud.ts'
import { EMULATED } from './emulator.ts'

/**
 * What SES reports about a mail besides its recipients; verdicts exist only if it scanned the mail.
 */
export interface SaidOfMail {
  mailFrom?: string
  verdicts?: Record<string, string>
}

/** A receipt rule. */
export interface Rule {
  bucket: string
  prefix: string
  /** Empty if the rule, of another owner, notifies none. */
  topic: string
}

/**
 * Plays the part of Amazon SES that receives mail, as the root user of the account, because the
 * emulator stores receipt rules but does not apply them. It therefore does not show whether SES is
 * allowed to write and publish.
 */
export class Ses {
  readonly #cloud: Cloud
  readonly #client: SESClient
  readonly #s3: S3Client

  constructor(cloud: Cloud) {
    this.#cloud = cloud
    const client = { ...EMULATED, endpoint: cloud.endpoint }
    this.#client = new SESClient(client)
    this.#s3 = new S3Client({ ...client, forcePathStyle: true })
  }

  /** The name of the active rule set. */
  async active(): Promise<string | undefined> {
    return (await this.#describe()).Metadata?.Name
  }

  /** The rules of the active rule set, in order. */
  async rules(): Promise<ReceiptRule[]> {
    return (await this.#describe()).Rules ?? []
  }

  /**
   * Stores a message for each active rule that matches some of its recipients, and notifies the
   * topic of the rule.
   * @returns the names of the rules, with the objects that they wrote
   */
  async receive(
    raw: string | Buffer,
    recipients: string[],
    said: SaidOfMail = {},
  ): Promise<Record<string, string>> {
    const objects: Record<string, string> = {}
    for (const rule of await this.rules()) {
      const taken = recipients.filter((recipient) => rule.Enabled && takes(rule, recipient))
      if (taken.length === 0) continue
      const messageId = randomUUID().replaceAll('-', '')
      const to = actionOf(rule)
      const objectKey = to.prefix + messageId
      await this.#s3.send(new PutObjectCommand({ Bucket: to.bucket, Key: objectKey, Body: raw }))
      if (to.topic !== '')
        await this.announce(to.topic, JSON.stringify(notification(messageId, objectKey, to, taken, said)))
      objects[rule.Name!] = objectKey
    }
    return objects
  }

  /** Creates a bucket of the account for the rules of others. */
  async createBucket(name: string): Promise<void> {
    await this.#s3.send(new CreateBucketCommand({ Bucket: name }))
  }

  /** Publishes any text to a topic. */
  async announce(topic: string, message: string): Promise<void> {
    await this.#cloud.query('sns', {
      Action: 'Publish',
      Version: '2010-03-31',
      TopicArn: topic,
      Message: message,
    })
  }

  close(): void {
    this.#client.destroy()
    this.#s3.destroy()
  }

  #describe() {
    return this.#client.send(new DescribeActiveReceiptRuleSetCommand({}))
  }
}

export function actionOf(rule: ReceiptRule): Rule {
  const { BucketName, ObjectKeyPrefix, TopicArn } = rule.Actions![0]!.S3Action!
  return { bucket: BucketName!, prefix: ObjectKeyPrefix ?? '', topic: TopicArn ?? '' }
}

/**
 * A rule without recipients matches all of them (docs.aws.amazon.com/ses,
 * receiving-email-receipt-rules-console-walkthrough.html).
 */
function takes({ Recipients = [] }: ReceiptRule, recipient: string): boolean {
  const domain = recipient.slice(recipient.lastIndexOf('@') + 1)
  return (
    Recipients.length === 0 ||
    Recipients.some((one) =>
      one.startsWith('.') ? domain.endsWith(one) : one === domain || one === recipient,
    )
  )
}

/**
 * The notification of Amazon SES (docs.aws.amazon.com/ses,
 * receiving-email-notifications-contents.html).
 */
function notification(
  messageId: string,
  objectKey: string,
  { bucket, prefix, topic }: Rule,
  recipients: string[],
  { mailFrom: source = 'sender@example.org', verdicts = {} }: SaidOfMail,
) {
  const timestamp = new Date().toISOString()
  return {
    notificationType: 'Received',
    mail: { timestamp, source, messageId, destination: ['whoever@headers.example'], headersTruncated: false },
    receipt: {
      timestamp,
      processingTimeMillis: 100,
      recipients,
      ...Object.fromEntries(Object.entries(verdicts).map(([name, status]) => [`${name}Verdict`, { status }])),
      action: { type: 'S3', topicArn: topic, bucketName: bucket, objectKeyPrefix: prefix, objectKey },
    },
  }
}
