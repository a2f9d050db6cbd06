import { Readable } from 'node:stream'
import { type Context, Hono } from 'hono'
import { contentDisposition } from '../../core/content-disposition.ts'
import type { AllMailbox } from '../../core/inbox/all-mailbox.ts'
import type { Copy } from '../../core/inbox/ports.ts'
import { CatcherError, NOT_FOUND } from './catcher-error.ts'
import { changeOf } from './change.ts'
import { headersOf, htmlOf, messageJson, summaryOf } from './mailpit-shapes.ts'
import { parseQuery, type SearchQuery } from './query.ts'
import { each, listed, type Messages, search, windowOf, within } from './search.ts'
import { timeIn } from './time-zone.ts'
import { MessageView } from './view.ts'

/** Copies that one command marks or removes, so that incoming mail waits for milliseconds only. */
const CHANGED_AT_ONCE = 200
const TEXT = 'text/plain; charset=utf-8'

/** What the service knows about itself. */
export interface CatcherStats {
  version: string
  storedBytes: number
  received: number
  receivedBytes: number
  refused: number
}

export interface MailpitParts extends Messages {
  allMailbox: AllMailbox
  stats: () => Promise<CatcherStats>
}

/** The read API of Mailpit (mailpit.axllent.org/docs/api-v1). */
export function mailpit(parts: MailpitParts): Hono {
  const app = new Hono({ strict: false })
  app.get('/api/v1/messages', (c) => listMessages(c, parts))
  app.delete('/api/v1/messages', (c) => deleteMessages(c, parts))
  app.put('/api/v1/messages', (c) => setRead(c, parts))
  app.get('/api/v1/search', (c) => searchMessages(c, parts))
  app.delete('/api/v1/search', async (c) => {
    await removeMatching(parts, queryOf(c, true))
    return c.text('ok')
  })
  app.get('/api/v1/message/:id', async (c) => {
    const view = await messageOf(c, parts)
    const json = await messageJson(view)
    await markRead(c, parts, view)
    return c.body(json, 200, { 'Content-Type': 'application/json' })
  })
  app.get('/api/v1/message/:id/headers', async (c) =>
    c.json(headersOf(await (await messageOf(c, parts)).source())),
  )
  app.get('/api/v1/message/:id/raw', (c) => raw(c, parts))
  app.get('/api/v1/message/:id/part/:part', (c) => part(c, parts))
  app.get('/api/v1/info', (c) => info(c, parts))
  app.get('/api/v1/tags', (c) => c.json([]))
  app.get('/livez', (c) => c.body(null))
  app.get('/readyz', (c) => c.body(null))
  app.get('/view/:file{.+\\.(?:html|txt)}', (c) => view(c, parts))
  app.get('/view/:id', async (c) => {
    const { id, email } = await messageOf(c, parts)
    return c.redirect(`../#${encodeURIComponent(email.address)}/${id}`)
  })
  return app
}

async function listMessages(c: Context, parts: MailpitParts): Promise<Response> {
  const window = windowOf(c)
  const isArrived = arrivedBefore(c)
  // Mailpit lists all messages if `limit` is 0.
  const wanted = window.limit === 0 ? { start: 0, limit: Number.POSITIVE_INFINITY } : window
  const views = isArrived
    ? (await search(parts, {}, async (view) => isArrived(view), wanted)).views
    : await listed(parts, wanted)
  const { messages, unread } = await parts.allMail.count()
  return listAnswer(c, parts, views, { ...window, messages_count: messages, messages_unread: unread })
}

async function searchMessages(c: Context, parts: MailpitParts): Promise<Response> {
  const query = queryOf(c, true)
  const window = windowOf(c)
  const isArrived = arrivedBefore(c) ?? (() => true)
  const matches = async (view: MessageView) => isArrived(view) && (await query.matches(view))
  const { total, unread, views } = await search(parts, query, matches, window)
  return listAnswer(c, parts, views, { ...window, messages_count: total, messages_unread: unread })
}

/** The parameter `before`; undefined without one that is a time. */
function arrivedBefore(c: Context): ((view: MessageView) => boolean) | undefined {
  const time = timeIn('', c.req.query('before') ?? '')
  return time === undefined ? undefined : ({ email }) => email.receivedAt < time
}

async function listAnswer(
  c: Context,
  { allMail }: MailpitParts,
  views: MessageView[],
  {
    start,
    messages_count,
    messages_unread,
  }: { start: number; messages_count: number; messages_unread: number },
): Promise<Response> {
  const { messages: total, unread } = await allMail.count()
  const messages = await within(views, summaryOf)
  const count = messages.length
  return c.json({ total, unread, count, messages_count, messages_unread, start, tags: [], messages })
}

/** @throws CatcherError 400 if there is no query, or it has too many terms */
function queryOf(c: Context, isRequired: boolean): SearchQuery {
  const text = (c.req.query('query') ?? '').trim()
  if (text === '' && isRequired) throw new CatcherError(400, 'Error: no search query')
  return queryFrom(c, text)
}

const queryFrom = (c: Context, text: string) => parseQuery(text, c.req.query('tz') ?? '')

/** The message with this id; with `latest` the newest one that matches `query`. @throws CatcherError 404 */
async function messageOf(
  c: Context,
  parts: MailpitParts,
  id = c.req.param('id') ?? '',
): Promise<MessageView> {
  if (id === 'latest') {
    const query = queryOf(c, false)
    for await (const candidate of each(parts, query)) if (await query.matches(candidate)) return candidate
    throw new CatcherError(404, 'Message not found')
  }
  const found = await parts.allMail.find(id)
  if (found === undefined) throw new CatcherError(404, NOT_FOUND)
  return new MessageView(found, parts.blobs)
}

async function raw(c: Context, parts: MailpitParts): Promise<Response> {
  const view = await messageOf(c, parts)
  const { stream } = await view.open('raw')
  const disposition = c.req.query('dl') === '1' && {
    'Content-Disposition': contentDisposition(`${view.id}.eml`),
  }
  return new Response(bytesOf(stream), { headers: { 'Content-Type': TEXT, ...disposition } })
}

async function part(c: Context, parts: MailpitParts): Promise<Response> {
  const view = await messageOf(c, parts)
  const { attachments } = await view.details()
  const attachment = attachments.find(({ id }) => id === c.req.param('part'))
  if (attachment === undefined) throw new CatcherError(404, NOT_FOUND)
  const { stream, size } = await view.open(`attachments/${attachment.id}`)
  return new Response(bytesOf(stream), {
    headers: {
      'Content-Type': attachment.contentType,
      'Content-Length': String(size),
      // As Mailpit does; the policy of the answer lets no script of a part run.
      'Content-Disposition': contentDisposition(attachment.filename ?? attachment.contentId ?? '').replace(
        'attachment',
        'inline',
      ),
    },
  })
}

function bytesOf(stream: AsyncIterable<Uint8Array>): BodyInit {
  return Readable.toWeb(Readable.from(stream)) as ReadableStream<Uint8Array>
}

async function view(c: Context, parts: MailpitParts): Promise<Response> {
  const [, id = '', kind] = /^(.*)\.(html|txt)$/.exec(c.req.param('file') ?? '') ?? []
  const message = await messageOf(c, parts, id).catch((error) => {
    throw error instanceof CatcherError && error.status === 404
      ? new CatcherError(404, 'Message not found')
      : error
  })
  await markRead(c, parts, message)
  if (kind === 'txt') return c.text(JSON.parse((await message.bodiesAsSent()).text) as string)
  const html = await htmlOf(message)
  if (html === undefined) throw new CatcherError(404, 'This message does not contain a HTML part')
  return c.html(html)
}

/** GET of a message and of its views marks it. HEAD is a safe method (RFC 9110, section 9.2.1). */
async function markRead(c: Context, { allMail }: MailpitParts, { listed }: MessageView): Promise<void> {
  if (c.req.method !== 'HEAD') await allMail.setRead(listed.copies, true)
}

async function info(c: Context, { allMail, stats }: MailpitParts): Promise<Response> {
  const { messages, unread } = await allMail.count()
  const { version, storedBytes, received, receivedBytes, refused } = await stats()
  return c.json({
    Version: version,
    LatestVersion: version,
    Database: 'mayfly.db',
    DatabaseSize: storedBytes,
    Messages: messages,
    Unread: unread,
    Tags: {},
    RuntimeStats: {
      Uptime: Math.floor(process.uptime()),
      Memory: process.memoryUsage.rss(),
      MessagesDeleted: 0,
      SMTPAccepted: received,
      SMTPAcceptedSize: receivedBytes,
      SMTPRejected: refused,
      SMTPIgnored: 0,
    },
  })
}

/**
 * Without ids, and with a body of another form, everything is deleted, as Mailpit does. Clients of
 * MailHog parse every body that is not empty, so the answer has none.
 */
async function deleteMessages(c: Context, parts: MailpitParts): Promise<Response> {
  const { ids } = await changeOf(c).catch(() => ({ ids: [] }))
  if (ids.length === 0) await parts.allMailbox.removeAll({})
  else await inSteps(await copiesOf(parts, ids), (copies) => parts.allMail.remove(copies))
  return c.body(null)
}

async function setRead(c: Context, parts: MailpitParts): Promise<Response> {
  const { read, ids, search: text } = await changeOf(c)
  if (ids.length > 0 && text !== '')
    throw new CatcherError(400, 'You may specify either IDs or a search query, not both')
  const copies = ids.length > 0 ? await copiesOf(parts, ids) : await copiesThat(parts, queryFrom(c, text))
  await inSteps(copies, (some) => parts.allMail.setRead(some, read))
  return c.text('ok')
}

/** The copies of messages; ids that are not known are passed over. */
async function copiesOf({ allMail }: MailpitParts, ids: string[]): Promise<Copy[]> {
  const found = await Promise.all(ids.map((id) => allMail.find(id)))
  return found.flatMap((message) => message?.copies ?? [])
}

async function copiesThat(parts: MailpitParts, query: SearchQuery): Promise<Copy[]> {
  const copies: Copy[] = []
  for await (const view of each(parts, query)) {
    if (await query.matches(view))
      copies.push(...view.listed.copies.map(({ address, id }) => ({ address, id })))
  }
  return copies
}

async function removeMatching(parts: MailpitParts, query: SearchQuery): Promise<void> {
  await inSteps(await copiesThat(parts, query), (copies) => parts.allMail.remove(copies))
}

async function inSteps(copies: Copy[], change: (some: Copy[]) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < copies.length; n += CHANGED_AT_ONCE) await change(copies.slice(n, n + CHANGED_AT_ONCE))
}
