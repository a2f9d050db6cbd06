import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openStore, type Store } from '../../../adapters/sqlite/store.ts'
import { Mailbox } from '../../../core/inbox/mailbox.ts'
import { receive } from '../../../core/inbox/receive.ts'
import { HOUR_MS } from '../../../core/limits.ts'
import { readMail } from '../../../local-service/reading.ts'
import { NO_VERDICTS } from '../../../reading/message.ts'

/**
 * A database that version 0.2.0 wrote: two domains, and two messages with three emails that expire
 * in 2036.
 */
const DATABASE = fileURLToPath(new URL('../../fixtures/store/mayfly-0.2.0.db.gz', import.meta.url))
const ADDRESS = 'bot@mayfly.test'

describe('a database of version 0.2.0', () => {
  let folder: string
  let store: Store

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-'))
    await writeFile(join(folder, 'mayfly.db'), gunzipSync(await readFile(DATABASE)))
    store = await openStore({ dir: folder })
  })
  afterEach(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })

  test('keeps its emails with all their fields', async () => {
    const { emails } = await store.emails.page(ADDRESS, { limit: 10 })
    expect(emails.map(({ subject }) => subject)).toEqual(['Second', 'First'])
    expect(emails[1]).toEqual({
      id: '01M82Z298Z1S13MNJ33B64GGD9',
      address: ADDRESS,
      from: { name: 'Ann', address: 'ann@example.com' },
      to: [{ name: null, address: ADDRESS }],
      cc: [],
      subject: 'First',
      bodyText: expect.stringContaining('Your code is 739105'),
      bodyTextTruncated: false,
      codes: ['739105'],
      links: ['https://example.com/confirm?t=1'],
      actionLink: { url: 'https://example.com/confirm?t=1', text: 'Confirm your address', kind: 'confirm' },
      attachmentCount: 1,
      size: expect.any(Number),
      receivedAt: expect.any(Number),
      expiresAt: expect.any(Number),
      read: true,
    })
    expect(emails[0]?.read).toBe(false)
  })

  test('keeps bodies, headers, verdicts and attachments', async () => {
    const mailbox = new Mailbox(store.emails, store.blobs)
    const domain = await store.domains.find('mayfly.test')
    const inbox = { address: ADDRESS, registration: { visibleAfter: domain?.visibleAfter ?? '' } }
    const { details, bodies } = await mailbox.read(inbox, '01M82Z298Z1S13MNJ33B64GGD9')
    for await (const chunk of bodies) expect(Buffer.from(chunk).toString()).toContain('Confirm your address')
    expect(details).toMatchObject({
      messageId: '<1@example.com>',
      mailFrom: 'ann@example.com',
      verdicts: { spf: 'pass', dmarc: 'fail', dkim: null },
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', contentId: 'c@x', size: 8 }],
    })
    const attachment = await mailbox.attachment(inbox, '01M82Z298Z1S13MNJ33B64GGD9', '0')
    if ('url' in attachment) throw new Error('the store has no URLs')
    for await (const chunk of attachment.stream) expect(Buffer.from(chunk).toString()).toBe('attached')
  })

  test('keeps its domains and their keys', async () => {
    expect((await store.domains.find('private.test'))?.keyHash).toMatch(/^[0-9a-f]{64}$/)
    expect(await store.domains.find('mayfly.test')).toMatchObject({ status: 'verified', keyHash: null })
  })

  test('accepts mail, searches and deletes', async () => {
    const raw = Buffer.from('Subject: Third\r\n\r\nYour code is 482913\r\n')
    const envelope = { messageId: 'message-3', mailFrom: null, recipients: [ADDRESS], verdicts: NO_VERDICTS }
    const [stored] = await receive(store, envelope, raw, { read: readMail, retentionMs: HOUR_MS })
    const found = await store.emails.page(ADDRESS, { limit: 10, filter: { q: '482913' } })
    expect(found.emails.map(({ id }) => id)).toEqual([stored?.id])
    expect(await store.emails.removeAll(ADDRESS)).toMatchObject({ removed: 3 })
    expect((await store.emails.page('two@private.test', { limit: 10 })).emails).toHaveLength(1)
  })
})
