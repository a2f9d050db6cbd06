import { Buffer } from 'node:buffer'
import { finished } from 'node:stream/promises'
import type { SMTPServerDataStream } from 'smtp-server'
import { Refusal } from './refusal.ts'

/** A message up to this size is handed over whole, a larger one as a stream. */
const WHOLE_BYTES = 256 * 1024

/** The raw message, without dot-stuffing. */
export type Message = { bytes: Uint8Array } | { stream: AsyncIterable<Uint8Array> }

/**
 * Receives the message. Rejects if the client disconnects first.
 * @throws Refusal for a message over the limit; for a stream, when it is read
 */
export function messageOf(stream: SMTPServerDataStream, maxBytes: number): Promise<Message> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const stopListening = () => stream.off('data', take).off('end', end).off('close', leave)
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= WHOLE_BYTES) return
      stopListening()
      stream.pause()
      resolve({ stream: rest(chunks, stream, maxBytes) })
    }
    const end = () => {
      stopListening()
      if (stream.sizeExceeded) reject(oversized(maxBytes))
      else resolve({ bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size) })
    }
    const leave = () => reject(new Error('The client disconnected within the message'))
    stream.on('data', take).on('end', end).on('close', leave)
  })
}

async function* rest(
  first: Buffer[],
  stream: SMTPServerDataStream,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  yield* first.splice(0)
  yield* stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  if (stream.sizeExceeded) throw oversized(maxBytes)
}

function oversized(maxBytes: number): Refusal {
  return new Refusal(552, `5.3.4 The message is larger than ${maxBytes} bytes`)
}

/** Discards the rest of the message, so that the reply follows it. */
export async function drain(stream: SMTPServerDataStream): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return
  stream.resume()
  await finished(stream, { writable: false }).catch(() => {})
}
