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

  /** Resolves when SQS has the message on several machines. @throws Problem `unavailable` */
  async send(message: string): Promise<void> {
    try {
      await this.#client.send(new SendMessageCommand({ QueueUrl: this.#url, MessageBody: message }))
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
