import { type Context, Hono } from 'hono'
import { fold } from '../../core/inbox/filter.ts'
import { CatcherError } from './catcher-error.ts'
import { entityOf, fieldOf, isShown, partsOf } from './header-block.ts'
import { listed, type Messages, search, type Window, windowOf, within } from './search.ts'
import { MessageView } from './view.ts'

const LIST_MAX = 250
const TEXT_JSON = { 'Content-Type': 'text/json' }

/** The read API of MailHog (github.com/mailhog/MailHog). */
export function mailhog(messages: Messages): Hono {
  const { allMail } = messages
  const app = new Hono({ strict: false })
  app.get('/api/v2/messages', async (c) => {
    const window = windowOf(c, LIST_MAX)
    const { messages: total } = await allMail.count()
    return list(c, await listed(messages, window), total, window, TEXT_JSON)
  })
  app.get('/api/v2/search', async (c) => {
    const window = windowOf(c, LIST_MAX)
    const { kind, query } = searchOf(c)
    const wanted = fold(query)
    const addresses = kind === 'containing' ? [] : [wanted]
    const matches = (view: MessageView) => KINDS[kind](view, wanted)
    const { views, total } = await search(messages, { addresses }, matches, window)
    return list(c, views, total, window, { 'Content-Type': 'application/json' })
  })
  app.get('/api/v1/messages/:id', async (c) => {
    const found = await allMail.find(c.req.param('id'))
    return c.body(
      JSON.stringify(found ? await messageJson(new MessageView(found, messages.blobs)) : null),
      200,
      TEXT_JSON,
    )
  })
  app.delete('/api/v1/messages/:id', async (c) => {
    const found = await allMail.find(c.req.param('id'))
    if (found === undefined) throw new CatcherError(500, '')
    await allMail.remove(found.copies)
    return c.body(null)
  })
  return app
}

type Kind = 'from' | 'to' | 'containing'

const KINDS: Record<Kind, (view: MessageView, wanted: string) => Promise<boolean>> = {
  to: async (view, wanted) =>
    view.recipients.some((address) => address.includes(wanted)) ||
    fold(fieldOf(entityOf(await view.source()), 'to')).includes(wanted),
  from: async (view, wanted) =>
    fold((await view.details()).mailFrom ?? '').includes(wanted) ||
    fold(fieldOf(entityOf(await view.source()), 'from')).includes(wanted),
  containing: async (view, wanted) => {
    const { fields, body } = entityOf(await view.source())
    return fold(body).includes(wanted) || fields.some(({ value }) => fold(value).includes(wanted))
  },
}

/** @throws CatcherError 400 */
function searchOf(c: Context): { kind: Kind; query: string } {
  const { kind = '', query = '' } = c.req.query()
  if (Object.hasOwn(KINDS, kind) && query !== '') return { kind: kind as Kind, query }
  throw new CatcherError(400, '')
}

async function list(
  c: Context,
  views: MessageView[],
  total: number,
  { start }: Window,
  headers: { 'Content-Type': string },
): Promise<Response> {
  const items = await within(views, messageJson)
  return c.body(JSON.stringify({ total, count: items.length, start, items }), 200, headers)
}

async function messageJson(view: MessageView) {
  const { mailFrom } = await view.details()
  const source = await view.source()
  const content = contentOf(source, 0)
  return {
    ID: view.id,
    From: pathOf(mailFrom ?? ''),
    To: view.recipients.map(pathOf),
    Content: { ...content, MIME: null },
    Created: new Date(view.email.receivedAt).toISOString().replace('Z', '000000Z'),
    MIME: content.MIME,
    Raw: { From: mailFrom ?? '', To: view.recipients, Data: source, Helo: '' },
  }
}

function pathOf(address: string) {
  const at = address.lastIndexOf('@')
  return {
    Relays: null,
    Mailbox: address.slice(0, Math.max(at, 0)),
    Domain: address.slice(at + 1),
    Params: '',
  }
}

interface Content {
  Headers: Record<string, string[]>
  Body: string
  Size: number
  MIME: { Parts: Content[] } | null
}

function contentOf(source: string, depth: number): Content {
  const entity = entityOf(source)
  const Headers: Record<string, string[]> = {}
  for (const { name, value } of entity.fields) Headers[name] = [...(Headers[name] ?? []), value]
  const parts = isShown(depth) ? partsOf(entity) : undefined
  return {
    Headers,
    Body: entity.body,
    Size: Buffer.byteLength(source),
    MIME: parts === undefined ? null : { Parts: parts.map((part) => contentOf(part, depth + 1)) },
  }
}
