import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { listening } from './http-server.ts'

/** A message that SQS was given (API_SendMessage). */
export interface SentMessage {
  QueueUrl: string
  MessageBody: string
  DelaySeconds?: number
  MessageGroupId?: string
}

export interface TestSqs {
  /** For `AWS_ENDPOINT_URL_SQS`; also the beginning of the URL of a queue. */
  url: string
  sent: SentMessage[]
  close(): Promise<void>
}

/** The part of SQS that sending needs, for programs that run without the emulator. */
export async function startSqs(): Promise<TestSqs> {
  const sent: SentMessage[] = []
  const server = createServer(async (request, response) => {
    const message = (await json(request)) as SentMessage
    sent.push(message)
    const MD5OfMessageBody = createHash('md5').update(message.MessageBody).digest('hex')
    response.end(JSON.stringify({ MessageId: '1', MD5OfMessageBody }))
  })
  return { ...(await listening(server)), sent }
}
