/** A thread that reads messages: their cost must not delay the threads that speak SMTP and HTTP. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../adapters/sqlite/calls.ts'
import { type Connection, connectStore } from '../adapters/sqlite/connect.ts'
import { unavailable } from '../adapters/sqlite/errors.ts'
import { catchAllDomains } from '../core/access/catch-all.ts'
import { receive } from '../core/inbox/receive.ts'
import type { ReadJob } from './readers.ts'
import { loadReading, readMail } from './reading.ts'

export interface ReaderData {
  connection: Connection
  retentionMs: number
  catchAll: boolean
}

/** What the thread says when it has loaded its code. */
export interface ReaderReady {
  type: 'ready'
  /** Undefined on other systems than Linux. */
  threadId: number | undefined
}

/** Below the threads that clients wait for. */
const NICE = 5

const { connection, retentionMs, catchAll } = workerData as ReaderData
const store = connectStore(connection)
const ports = catchAll ? { ...store, domains: catchAllDomains(store.domains) } : store
const threadId = linuxThreadId()
if (threadId !== undefined) setPriority(threadId, NICE)
await loadReading()
if (parentPort !== null) {
  serve(parentPort, (_name, [job]) => receiveJob(job as ReadJob))
  parentPort.postMessage({ type: 'ready', threadId } satisfies ReaderReady)
}

async function receiveJob({ envelope, bytes }: ReadJob): Promise<string[]> {
  const raw = bytes ?? (() => open(envelope.messageId))
  const emails = await receive(ports, envelope, raw, { read: readMail, retentionMs })
  return emails.map((email) => email.id)
}

async function open(messageId: string) {
  const raw = await store.blobs.open(messageId, 'raw')
  if (raw === undefined) throw unavailable(new Error('the raw message was removed before it was read'))
  return raw
}

/** Linux has priorities for single threads, by their ids. */
function linuxThreadId(): number | undefined {
  try {
    return Number(/\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0]) || undefined
  } catch {
    return undefined
  }
}
