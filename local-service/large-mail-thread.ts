/** The thread that reads large mail: 38 MB of HTML take the better part of a second that no one should wait for. */
import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../adapters/sqlite/calls.ts'
import { type Connection, connectStore } from '../adapters/sqlite/connect.ts'
import { unavailable } from '../adapters/sqlite/errors.ts'
import { type Envelope, receive } from '../core/inbox/receive.ts'

export interface LargeMailData {
  connection: Connection
  retentionMs: number
}

const { connection, retentionMs } = workerData as LargeMailData
const store = connectStore(connection)
let last: Promise<unknown> = Promise.resolve()

serve(parentPort!, (_name, [envelope]) => {
  const received = last.then(() => receiveStored(envelope as Envelope))
  last = received.catch(() => {})
  return received
})

async function receiveStored(envelope: Envelope): Promise<string[]> {
  const raw = await store.blobs.open(envelope.messageId, 'raw')
  if (raw === undefined) throw unavailable(new Error('the raw message is gone before it was read'))
  const emails = await receive(store, envelope, raw.stream, { retentionMs })
  return emails.map((email) => email.id)
}
