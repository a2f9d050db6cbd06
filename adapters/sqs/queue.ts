import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { translated } from '../aws/errors.ts'

/** A queue that messages are put into. */
export class Queue {
  readonly #client: SQSClient
  readonly #url: string

  constructor(url: string, client: SQSClient = sqsClient()) {
    this.#url = url
    this.#client = client
  }

  /**
   * Resolves when SQS has the message on several machines.
   * @param options.delaySeconds before which nobody gets it, 900 at most
   * @param options.group whose messages SQS holds back where they crowd out those of others: fair queues
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
}

function sqsClient(): SQSClient {
  return new SQSClient({
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
    maxAttempts: 4,
  })
}
