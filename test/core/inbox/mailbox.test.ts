import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Email } from '../../../core/inbox/email.ts'
import type { EmailFilter } from '../../../core/inbox/filter.ts'
import { type Handover, Mailbox } from '../../../core/inbox/mailbox.ts'
import { encodeMessageBody } from '../../../core/inbox/message-body.ts'
import type { BlobStore, MessageStore, Page, PageRequest, Part } from '../../../core/inbox/ports.ts'
import { LIST_READ_BYTES, PAGE_READ_BYTES, SEARCH_READ_BYTES } from '../../../core/limits.ts'
import { lastUlidOf } from '../../../core/ulid.ts'
import { type Attachment, NO_VERDICTS } from '../../../reading/message.ts'
import { openTemporary } from '../../adapters/sqlite/store-temporary.ts'
import { sampleContent, sampleMail, uniqueAddress, uniqueDomain } from '../../contract/sample.ts'

let store: Awaited<ReturnType<typeof openTemporary>>
let mailbox: Mailbox

beforeEach(async () => {
  store = await openTemporary()
  mailbox = new Mailbox(store.emails, store.blobs)
})
afterEach(() => store.close())

const inbox = (address: string) => ({ address, registration: { visibleAfter: '' } })
const PARTS: Part[] = ['raw', 'body', 'attachments/0']

/** Stores a mail with its parts. Returns its message id and the ids of its emails. */
async function receive(recipients: string[]): Promise<{ delivery: string; ids: string[] }> {
  const mail = sampleMail(recipients)
  for (const part of PARTS) await store.blobs.put(mail.messageId, part, Buffer.alloc(300_000))
  const emails = await store.emails.store(mail)
  return { delivery: mail.messageId, ids: emails.map(({ id }) => id) }
}

/** The parts of a message that still exist. */
async function kept(delivery: string): Promise<Part[]> {
  const found: Part[] = []
  for (const part of PARTS) if ((await store.blobs.open(delivery, part)) !== undefined) found.push(part)
  return found
}

describe('the bytes of a message', () => {
  test('stay until its last copy is deleted', async () => {
    const [one, two] = [uniqueAddress(), uniqueAddress()]
    const { delivery, ids } = await receive([one, two])
    await mailbox.remove(inbox(one), ids[0]!)
    expect(await kept(delivery)).toEqual(PARTS)
    await mailbox.remove(inbox(two), ids[1]!)
    expect(await kept(delivery)).toEqual([])
  })

  test('go with an emptied inbox if there is no other copy', async () => {
    const [one, two] = [uniqueAddress(), uniqueAddress()]
    const alone = await receive([one])
    const shared = await receive([one, two])
    expect(await mailbox.removeAll(inbox(one))).toBe(2)
    expect(await kept(alone.delivery)).toEqual([])
    expect(await kept(shared.delivery)).toEqual(PARTS)
    expect(await mailbox.removeAll(inbox(two))).toBe(1)
    expect(await kept(shared.delivery)).toEqual([])
  })
})

const NOT_FOUND = { code: 'email_not_found' }
const BODIES = { bodyText: 'It is 123456.', bodyHtml: null }

/** Stores a complete mail with two attachments, of which one has a name. Returns its id. */
async function whole(address: string, subject = 'Hello'): Promise<string> {
  const mail = sampleMail([address], { summary: sampleContent({ subject, bodyText: BODIES.bodyText }) })
  const attachment = { contentType: 'text/plain', size: 3 } as Attachment
  const detail = {
    headers: [],
    messageId: null,
    date: null,
    attachments: [
      { ...attachment, id: '0', filename: 'a.txt' },
      { ...attachment, id: '1', filename: null },
    ],
    verdicts: NO_VERDICTS,
    mailFrom: null,
    codeDetails: [],
  }
  await store.blobs.put(mail.messageId, 'raw', Buffer.from('raw'))
  await store.blobs.put(mail.messageId, 'body', encodeMessageBody(detail, BODIES, mail.summary))
  await store.blobs.put(mail.messageId, 'attachments/0', Buffer.from('one'))
  await store.blobs.put(mail.messageId, 'attachments/1', Buffer.from('two'))
  return (await store.emails.store(mail))[0]!.id
}

async function text(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function handedOver(part: Handover) {
  if ('url' in part) return part
  return { ...part, stream: await text(part.stream) }
}

describe('an email', () => {
  test('is read with all of its content, and is marked as read', async () => {
    const address = uniqueAddress()
    const id = await whole(address)
    const { email, details, bodies } = await mailbox.read(inbox(address), id)
    expect(email).toMatchObject({ id, subject: 'Hello', read: true })
    expect(details.attachments.map(({ filename }) => filename)).toEqual(['a.txt', null])
    expect(await text(bodies)).toBe('"It is 123456."\nnull')
    expect((await mailbox.latest(inbox(address), {}))!.read).toBe(true)
  })

  test('is returned as it was received, and each attachment with its name or a number', async () => {
    const address = uniqueAddress()
    const id = await whole(address)
    expect(await handedOver(await mailbox.raw(inbox(address), id))).toEqual({
      download: { contentType: 'message/rfc822', filename: `${id}.eml` },
      size: 3,
      stream: 'raw',
    })
    const first = await handedOver(await mailbox.attachment(inbox(address), id, '0'))
    expect(first).toEqual({
      download: { contentType: 'text/plain', filename: 'a.txt' },
      size: 3,
      stream: 'one',
    })
    const second = await handedOver(await mailbox.attachment(inbox(address), id, '1'))
    expect(second).toMatchObject({ download: { filename: 'attachment-1' }, stream: 'two' })
    await expect(mailbox.attachment(inbox(address), id, '2')).rejects.toMatchObject({
      code: 'attachment_not_found',
    })
  })

  test('is returned as a URL if the store has one', async () => {
    const address = uniqueAddress()
    const id = await whole(address)
    const link = async (_: string, part: Part, { filename }: { filename: string | null }) =>
      `https://blobs.test/${part}?as=${filename}`
    const linked = new Mailbox(store.emails, {
      ...store.blobs,
      open: (...of) => store.blobs.open(...of),
      link,
    })
    expect(await linked.raw(inbox(address), id)).toEqual({ url: `https://blobs.test/raw?as=${id}.eml` })
    expect(await linked.attachment(inbox(address), id, '0')).toEqual({
      url: 'https://blobs.test/attachments/0?as=a.txt',
    })
  })

  test('closes the stored body when an attachment needs only its first line', async () => {
    const address = uniqueAddress()
    const id = await whole(address)
    const steps: string[] = []
    const watched = new Mailbox(store.emails, {
      ...store.blobs,
      link: (...of) => store.blobs.link(...of),
      async open(messageId, part) {
        steps.push(`open ${part}`)
        const opened = await store.blobs.open(messageId, part)
        if (opened === undefined || part !== 'body') return opened
        async function* watch(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
          try {
            yield* stream
          } finally {
            await new Promise(setImmediate)
            steps.push('closed')
          }
        }
        return { ...opened, stream: watch(opened.stream) }
      },
    })
    await watched.attachment(inbox(address), id, '0')
    expect(steps).toEqual(['open body', 'closed', 'open attachments/0'])
  })

  test('does not exist for another address, after its deletion, or under a malformed id', async () => {
    const address = uniqueAddress()
    const id = await whole(address)
    for (const [where, which] of [
      [uniqueAddress(), id],
      [address, 'nonsense'],
      [address, lastUlidOf(1)],
    ] as const) {
      await expect(mailbox.read(inbox(where), which)).rejects.toMatchObject(NOT_FOUND)
      await expect(mailbox.raw(inbox(where), which)).rejects.toMatchObject(NOT_FOUND)
      await expect(mailbox.attachment(inbox(where), which, '0')).rejects.toMatchObject(NOT_FOUND)
      await expect(mailbox.find(inbox(where), which)).rejects.toMatchObject(NOT_FOUND)
      await expect(mailbox.remove(inbox(where), which)).rejects.toMatchObject(NOT_FOUND)
    }
    expect(await mailbox.find(inbox(address), id)).toMatchObject({ id, subject: 'Hello', read: false })
    await mailbox.remove(inbox(address), id)
    await expect(mailbox.read(inbox(address), id)).rejects.toMatchObject(NOT_FOUND)
  })

  test('a malformed id never reaches the store', async () => {
    const asked: string[] = []
    const find = async (_: string, id: string) => void asked.push(id)
    const emails = {
      find,
      markRead: find,
      remove: find,
    } satisfies Partial<MessageStore> as unknown as MessageStore
    const careful = new Mailbox(emails, store.blobs)
    for (const call of ['read', 'raw', 'find', 'remove'] as const) {
      await expect(careful[call](inbox('a@x.test'), 'zzz')).rejects.toMatchObject(NOT_FOUND)
    }
    expect(asked).toEqual([])
  })
})

describe('mail from an earlier registration of the domain', () => {
  test('does not exist for any method, and later mail does', async () => {
    const address = uniqueAddress()
    const old = await whole(address, 'old')
    const young = await whole(address, 'young')
    const now = { address, registration: { visibleAfter: old } }
    const subjects = async (after?: string) =>
      (await mailbox.list(now, { limit: 10, after })).emails.map(({ subject }) => subject)
    expect(await subjects()).toEqual(['young'])
    expect(await subjects(lastUlidOf(1))).toEqual(['young'])
    expect(await subjects(young)).toEqual([])
    await expect(mailbox.read(now, old)).rejects.toMatchObject(NOT_FOUND)
    await expect(mailbox.raw(now, old)).rejects.toMatchObject(NOT_FOUND)
    await expect(mailbox.find(now, old)).rejects.toMatchObject(NOT_FOUND)
    await expect(mailbox.remove(now, old)).rejects.toMatchObject(NOT_FOUND)
    expect((await mailbox.read(now, young)).email.subject).toBe('young')
    expect(await mailbox.removeAll(now)).toBe(1)
    expect((await mailbox.latest(inbox(address), {}))!.subject).toBe('old')
  })

  test('is purged with its bytes, batch after batch, without newer mail', async () => {
    const domain = uniqueDomain()
    const recipients = Array.from({ length: 100 }, () => uniqueAddress(domain))
    const deliveries: string[] = []
    let last = ''
    for (let n = 0; n < 3; n++) {
      const { delivery, ids } = await receive(recipients)
      deliveries.push(delivery)
      last = ids.toSorted().at(-1)!
    }
    const young = await receive([recipients[0]!])
    await mailbox.purge(domain, last)
    for (const delivery of deliveries) expect(await kept(delivery)).toEqual([])
    expect(await kept(young.delivery)).toEqual(PARTS)
    const { emails } = await mailbox.list(inbox(recipients[0]!), { limit: 10 })
    expect(emails.map(({ id }) => id)).toEqual(young.ids)
  })

  test('a purge ends with the last email or after a number of batches, and leaves the rest for the next time', async () => {
    let left = 250
    let asked = 0
    const purge = async (_domain: string, _upTo: string, limit: number) => {
      asked++
      const removed = Math.min(left, limit)
      left -= removed
      return { removed, orphans: [] }
    }
    const purging = new Mailbox(
      { purge } satisfies Partial<MessageStore> as unknown as MessageStore,
      store.blobs,
    )
    await purging.purge('x.test', lastUlidOf(1))
    expect([asked, left]).toEqual([2, 0])
    asked = 0
    left = 5000
    await purging.purge('x.test', lastUlidOf(1))
    expect([asked, left]).toEqual([20, 1000])
  })
})

describe('the latest email', () => {
  test('is the newest that matches the filter and is newer than an id, or null', async () => {
    const address = uniqueAddress()
    const first = await whole(address, 'code')
    const second = await whole(address, 'code')
    const third = await whole(address, 'bill')
    const latest = async (subject?: string, after?: string) =>
      (await mailbox.latest(inbox(address), subject === undefined ? {} : { subject }, after))?.id
    expect(await latest()).toBe(third)
    expect(await latest('code')).toBe(second)
    expect(await latest('code', first)).toBe(second)
    expect(await latest('code', second)).toBeUndefined()
    expect(await mailbox.latest(inbox(address), { subject: 'nothing' })).toBeNull()
  })

  test('is found if the store passes over many before it', async () => {
    const before: (string | undefined)[] = []
    const page: MessageStore['page'] = async (_address, request) => {
      before.push(request.before)
      if (request.before === 'b') return { emails: [{ id: 'a' } as never], next: 'a', bytes: 0 }
      return { emails: [], next: request.before === undefined ? 'c' : 'b', bytes: 0 }
    }
    const passing = new Mailbox({ page } as MessageStore, store.blobs)
    expect((await passing.latest(inbox('a@x.test'), { q: 'x' }))!.id).toBe('a')
    expect(before).toEqual([undefined, 'c', 'b'])
  })
})

/** A mailbox on a store that answers with these pages, and what it was asked. */
function paged(...pages: Partial<Page>[]) {
  const asked: PageRequest[] = []
  const changes: string[] = []
  let running = 0
  let most = 0
  const page: MessageStore['page'] = async (_address, request) => {
    asked.push(request)
    return { emails: [], next: undefined, bytes: 0, ...pages.shift() }
  }
  const markRead: MessageStore['markRead'] = async (address, id) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    changes.push(`${address} ${id}`)
    return undefined
  }
  const emails = { page, markRead } as MessageStore
  return { own: new Mailbox(emails, {} as BlobStore), asked, changes, most: () => most }
}
const of = (...ids: string[]) => ids.map((id) => ({ id, read: id.startsWith('read') }) as Email)
const ON_X = { address: 'a@x.test', registration: { visibleAfter: 'since' } }

describe('a list', () => {
  test('continues after a page that ended because of its bytes, for what is still missing', async () => {
    const { own, asked } = paged(
      { emails: of('5', '4'), next: '4', bytes: PAGE_READ_BYTES },
      { emails: of('3'), next: '3', bytes: PAGE_READ_BYTES },
    )
    const filter = { has: 'code' } as const
    const page = await own.list(ON_X, { limit: 3, before: '6', filter })
    expect(page).toEqual({ emails: of('5', '4', '3'), next: '3', bytes: 2 * PAGE_READ_BYTES })
    expect(asked).toEqual([
      { limit: 3, before: '6', after: 'since', filter },
      { limit: 1, before: '4', after: 'since', filter },
    ])
  })

  test.each<[string, Partial<Page>, number | undefined]>([
    ['it is the last one', { next: undefined, bytes: PAGE_READ_BYTES }, undefined],
    ['it read little', { next: '4', bytes: PAGE_READ_BYTES - 1 }, undefined],
    ['as much was read as the caller may', { next: '4', bytes: PAGE_READ_BYTES }, PAGE_READ_BYTES],
  ])('ends with a page if %s', async (_, only, readBytes) => {
    const { own, asked } = paged({ emails: of('4'), ...only })
    expect(await own.list(ON_X, { limit: 3 }, readBytes)).toEqual({ emails: of('4'), ...only })
    expect(asked).toHaveLength(1)
  })

  test('continues below the bytes that the caller may read', async () => {
    const { own, asked } = paged({ next: '4', bytes: PAGE_READ_BYTES })
    await own.list(ON_X, { limit: 3 }, PAGE_READ_BYTES + 1)
    expect(asked).toHaveLength(2)
  })
})

describe('the oldest email', () => {
  test('is the last one of the last page that has any', async () => {
    const { own, asked } = paged(
      { emails: of('9', '8'), next: '8' },
      { emails: of('7', '6'), next: '6' },
      { emails: [], next: undefined },
    )
    const filter = { subject: 'x' }
    expect((await own.oldest(ON_X, filter, 'sinces'))?.id).toBe('6')
    const all = { limit: 100, filter, after: 'sinces' }
    expect(asked).toEqual([
      { ...all, before: undefined },
      { ...all, before: '8' },
      { ...all, before: '6' },
    ])
  })

  test('is none if no page has any', async () => {
    expect(await paged({ next: '8' }).own.oldest(ON_X, {})).toBeNull()
  })
})

describe('marking an inbox as read', () => {
  test('changes what was unread on every page, and counts it', async () => {
    const { own, asked, changes } = paged(
      { emails: of('9', 'read 8', '7'), next: '7' },
      { emails: of('read 6'), next: '6' },
      { emails: of('5') },
    )
    expect(await own.markAllRead(ON_X)).toBe(3)
    expect(changes).toEqual(['a@x.test 9', 'a@x.test 7', 'a@x.test 5'])
    expect(asked.map(({ limit, before, after }) => [limit, before, after])).toEqual([
      [100, undefined, 'since'],
      [100, '7', 'since'],
      [100, '6', 'since'],
    ])
  })

  test('makes at most fifty changes at once', async () => {
    const { own, most } = paged({ emails: of(...Array.from({ length: 100 }, (_, n) => `${n}`)) })
    expect(await own.markAllRead(ON_X)).toBe(100)
    expect(most()).toBe(50)
  })
})

describe('what one request reads', () => {
  /**
   * A store whose every page takes as long as it may, without an end; and the turns of the event
   * loop in between.
   */
  async function reads(
    filter: EmailFilter,
    read: (mailbox: Mailbox) => Promise<unknown> = (own) => own.list(INBOX, { limit: 100, filter }),
  ) {
    let [pages, turns] = [0, 0]
    const page: MessageStore['page'] = async () => {
      pages++
      setImmediate(() => turns++)
      return { emails: [], next: `${pages}`, bytes: PAGE_READ_BYTES }
    }
    await read(new Mailbox({ page } as MessageStore, {} as BlobStore))
    return { pages, turns }
  }
  const INBOX = { address: 'a@x.test', registration: { visibleAfter: '' } }

  test('is bounded, and other requests have their turn after each part of it', async () => {
    const list = LIST_READ_BYTES / PAGE_READ_BYTES
    expect(await reads({})).toEqual({ pages: list, turns: list - 1 })
    const search = SEARCH_READ_BYTES / PAGE_READ_BYTES
    expect(await reads({ q: 'x' })).toEqual({ pages: search, turns: search - 1 })
    expect((await reads({}, (own) => own.latest(INBOX, { q: 'x' }))).pages).toBe(search)
    expect((await reads({}, (own) => own.oldest(INBOX, { q: 'x' }))).pages).toBe(search)
  })
})
