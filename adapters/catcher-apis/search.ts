import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import type { AllMail, BlobStore, MessagesRequest } from '../../core/inbox/ports.ts'
import { MessageView } from './view.ts'

const LIST_DEFAULT = 50
/** Messages that one step reads: some milliseconds. */
const STEP = 200
/** A search with many words examines fewer messages in a turn: other requests wait for at most this time. */
const TURN_MS = 20
/** Bytes of the messages that one answer lists; a client continues with `start`. */
const LISTED_BYTES = 16 * 1024 * 1024

export interface Window {
  start: number
  limit: number
}

/** The window that a request asks for; a value that is no number counts as absent. */
export function windowOf(c: Context, most = Number.POSITIVE_INFINITY): Window {
  const number = (name: string, fallback: number) => {
    const value = c.req.query(name) ?? ''
    return /^\d{1,9}$/.test(value) ? Number(value) : fallback
  }
  return { start: number('start', 0), limit: Math.min(number('limit', LIST_DEFAULT), most) }
}

export interface Matches {
  /** Of all that match. */
  total: number
  unread: number
  /** Those in the window, newest first. */
  views: MessageView[]
}

/** The messages of a store for readers. */
export interface Messages {
  allMail: AllMail
  blobs: BlobStore
}

/** Finds messages, newest first. `request` names what the store's index answers. */
export async function search(
  messages: Messages,
  request: Pick<MessagesRequest, 'addresses' | 'subjects'>,
  matches: (view: MessageView) => Promise<boolean>,
  { start, limit }: Window,
): Promise<Matches> {
  const found: Matches = { total: 0, unread: 0, views: [] }
  for await (const view of each(messages, request)) {
    if (!(await matches(view))) continue
    if (found.total >= start && found.views.length < limit) found.views.push(view)
    found.total++
    if (!view.listed.read) found.unread++
  }
  return found
}

/** Yields the messages that the index answers, newest first, in turns with other requests. */
export async function* each(
  { allMail, blobs }: Messages,
  request: Pick<MessagesRequest, 'addresses' | 'subjects'> = {},
  skip = 0,
): AsyncGenerator<MessageView> {
  let before: string | undefined
  let first = skip
  let since = performance.now()
  do {
    const page = await allMail.messages({ ...request, limit: STEP, skip: first, ...(before && { before }) })
    for (const listed of page.messages) {
      yield new MessageView(listed, blobs)
      if (performance.now() - since < TURN_MS) continue
      await setImmediate()
      since = performance.now()
    }
    before = page.next
    first = 0
    await setImmediate()
    since = performance.now()
  } while (before !== undefined)
}

/** Returns the messages of a window over all mail. */
export async function listed(messages: Messages, { start, limit }: Window): Promise<MessageView[]> {
  const views: MessageView[] = []
  if (limit <= 0) return views
  for await (const view of each(messages, {}, start)) {
    views.push(view)
    if (views.length >= limit) break
  }
  return views
}

/** Returns the JSON of each message, until the answer is as large as one may be. */
export async function within<T>(
  views: MessageView[],
  toJson: (view: MessageView) => Promise<T>,
): Promise<T[]> {
  const entries: T[] = []
  let bytes = 0
  for (const view of views) {
    const entry = await toJson(view)
    bytes += JSON.stringify(entry).length
    if (entries.length > 0 && bytes > LISTED_BYTES) break
    entries.push(entry)
  }
  return entries
}
