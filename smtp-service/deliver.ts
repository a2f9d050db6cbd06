import { PassThrough } from 'node:stream'
import { notificationOf } from '../adapters/ses/notification.ts'
import type { Authentication } from '../adapters/smtp/authentication.ts'
import type { Client, Message } from '../adapters/smtp/listener.ts'
import type { Queue } from '../adapters/sqs/queue.ts'
import type { Clock } from '../core/clock.ts'
import type { BlobStore } from '../core/inbox/ports.ts'
import type { Envelope } from '../core/inbox/receive.ts'

export interface DeliverParts {
  blobs: Pick<BlobStore, 'put'>
  queue: Pick<Queue, 'send'>
  authentication: Pick<Authentication, 'check'>
  /** Name of the bucket that `blobs` writes to. */
  bucket: string
  clock: Clock
}

/**
 * Hands a message on as Amazon SES does: the raw message in the bucket first, then its notification in the queue.
 * Only when SQS has that is the message safe; one whose notification was never sent is removed by the bucket's
 * lifecycle rule, and its sender was told to try again.
 */
export function deliverTo({ blobs, queue, authentication, bucket, clock }: DeliverParts) {
  return async (envelope: Envelope, message: Message, client: Client): Promise<string[]> => {
    const receivedAt = clock()
    const sender = { ...client, mailFrom: envelope.mailFrom }
    const copy = new PassThrough()
    // Begun first, so that the copy is read while it is written.
    const checked = authentication.check(copy, sender)
    try {
      const raw = 'bytes' in message ? message.bytes : passing(message.stream, copy)
      if ('bytes' in message) copy.end(message.bytes)
      await blobs.put(envelope.messageId, 'raw', raw)
    } catch (error) {
      copy.destroy()
      throw error
    }
    await queue.send(notificationOf({ ...envelope, receivedAt, verdicts: await checked }, bucket))
    return [envelope.messageId]
  }
}

/** The same chunks, at the pace of the slower of both readers. */
async function* passing(stream: AsyncIterable<Uint8Array>, copy: PassThrough): AsyncIterable<Uint8Array> {
  for await (const chunk of stream) {
    // The sender's buffer may be filled anew while the copy still waits.
    if (!copy.write(Buffer.from(chunk)) && !copy.destroyed) await drained(copy)
    yield chunk
  }
  copy.end()
}

/** Resolves when it takes more, or when nobody reads it any more. */
function drained(copy: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      copy.off('drain', goOn).off('close', goOn)
      resolve()
    }
    copy.on('drain', goOn).on('close', goOn)
  })
}
