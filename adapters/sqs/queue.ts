import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { translated } from '../aws/errors.ts'

/** A queue of SQS. */
export class Queue {
  readonly #client = new SQSClient({
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
    maxAttempts: 4,
  })
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /**
   * Resolves when SQS has stored the message on several machines.
   * @param options.delaySeconds during which no consumer receives it, at most 900
   * @param options.group its tenant in a fair queue: SQS delays a group that crowds out others
   *   (docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html)
   * @throws Problem `unavailable`
   */
  async send(message: string, options: { delaySeconds?: number; group?: string } = {}): Promise<void> {
    const input = {
      QueueUrl: this.#url,
      MessageBody: message,
      DelaySeconds: options.delaySeconds,
      MessageGroupId: options.group,
    }
    try {
      await this.#client.send(new SendMessageCommand(input))
    } catch (error) {
      throw translated(error)
    }
  }

  /** Makes a received message visible again after these seconds. @throws Problem `unavailable` */
  async retryAfter(receiptHandle: string, seconds: number): Promise<void> {
    const input = { QueueUrl: this.#url, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds }
    try {
      await this.#client.send(new ChangeMessageVisibilityCommand(input))
    } catch (error) {
      throw translated(error)
    }
  }
}
