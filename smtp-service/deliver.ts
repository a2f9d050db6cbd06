import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { notificationOf } from '../adapters/ses/notification.ts'
import type { Authentication } from '../adapters/smtp/authentication.ts'
import type { Client, Message } from '../adapters/smtp/listener.ts'
import type { Queue } from '../adapters/sqs/queue.ts'
import type { Clock } from '../core/clock.ts'
import type { BlobStore } from '../core/inbox/ports.ts'
import type { NewEnvelope } from '../core/inbox/receive.ts'
import { ulidSource } from '../core/ulid.ts'

export interface DeliverParts {
  blobs: Pick<BlobStore, 'put'>
  queue: Pick<Queue, 'send'>
  authentication: Pick<Authentication, 'check'>
  /** Name of the bucket that `blobs` writes to. */
  bucket: string
  clock: Clock
}

/**
 * Stores a message as Amazon SES does: first the raw message in the bucket, then its notification
 * in the queue. The message is safe when SQS has the notification. Otherwise the sender gets a
 * temporary refusal and retries, and the bucket's lifecycle rule removes the raw message.
 */
export function deliverTo({ blobs, queue, authentication, bucket, clock }: DeliverParts) {
  const newMessageId = ulidSource(clock, randomBytes)
  return async (arrived: NewEnvelope, message: Message, client: Client): Promise<string[]> => {
    const envelope = { ...arrived, messageId: newMessageId() }
    const receivedAt = clock()
    const sender = { ...client, mailFrom: envelope.mailFrom }
    const copy = new PassThrough()
    // Started first, so that the copy is read while it is written.
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

/** Yields the same chunks at the pace of the slower reader, and writes them to `copy`. */
async function* passing(stream: AsyncIterable<Uint8Array>, copy: PassThrough): AsyncIterable<Uint8Array> {
  for await (const chunk of stream) {
    // The sender may overwrite its buffer while the copy still waits.
    if (!copy.write(Buffer.from(chunk)) && !copy.destroyed) await drained(copy)
    yield chunk
  }
  copy.end()
}

/** Resolves when the stream accepts more data or is closed. */
function drained(copy: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      copy.off('drain', goOn).off('close', goOn)
      resolve()
    }
    copy.on('drain', goOn).on('close', goOn)
  })
}
