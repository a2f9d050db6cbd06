import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openStore, type Store } from '../../../adapters/sqlite/store.ts'
import {
  CATCH_ALL,
  catchAllDomains,
  configurableDomains,
  registeredDomains,
} from '../../../core/access/catch-all.ts'
import { DomainService } from '../../../core/access/domain-service.ts'
import type { Domains } from '../../../core/access/ports.ts'
import { receive } from '../../../core/inbox/receive.ts'
import { readMail } from '../../../local-service/reading.ts'
import { NO_VERDICTS } from '../../../reading/message.ts'
import { temporaryDirectory } from '../../adapters/sqlite/store-temporary.ts'
import { unique } from '../../contract/sample.ts'

describe('catch-all', () => {
  let dir: string
  let remove: () => void
  let store: Store
  let domains: Domains

  beforeEach(async () => {
    ;({ dir, remove } = temporaryDirectory())
    store = await openStore({ dir })
    domains = catchAllDomains(store.domains)
    await configure(true)
  })
  afterEach(async () => {
    await store.close()
    remove()
  })

  /** Configures as a start of the service does. */
  async function configure(isOn: boolean, own: { name: string; key: string | null }[] = []) {
    const wrongKeys = { admit: async () => {} }
    const configurable = configurableDomains(store.domains, Date.now)
    const service = new DomainService({ domains: configurable, wrongKeys, clock: Date.now })
    await service.configure([...(isOn ? [{ name: CATCH_ALL, key: null }] : []), ...own], 'verified')
  }

  async function send(address: string): Promise<string[]> {
    const envelope = { messageId: unique(), mailFrom: null, recipients: [address], verdicts: NO_VERDICTS }
    const options = { read: readMail, retentionMs: 3_600_000 }
    const emails = await receive({ ...store, domains }, envelope, Buffer.from('\r\nx\r\n'), options)
    return emails.map(({ id }) => id)
  }

  /** The ids that a reader of the address sees, undefined if its domain is not registered. */
  async function read(address: string): Promise<string[] | undefined> {
    const domain = await domains.find(address.slice(address.indexOf('@') + 1))
    if (domain === undefined) return undefined
    const { emails } = await store.emails.page(address, { limit: 10, after: domain.visibleAfter })
    return emails.map(({ id }) => id)
  }

  test('accepts mail for every domain, which is public', async () => {
    expect(await domains.find('any.example')).toMatchObject({
      name: 'any.example',
      keyHash: null,
      status: 'verified',
    })
    const ids = await send('jo@any.example')
    expect(ids).toHaveLength(1)
    expect(await read('jo@any.example')).toEqual(ids)
  })

  test('is in no list of domains', async () => {
    await configure(true, [{ name: 'own.example', key: null }])
    for (const view of [domains, registeredDomains(store.domains, Date.now)]) {
      expect((await view.list()).map(({ name }) => name)).toEqual(['own.example'])
    }
  })

  test('keeps the rules of configured domains', async () => {
    await configure(true, [{ name: 'private.example', key: 'secret' }])
    expect((await domains.find('private.example'))?.keyHash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('keeps its mail when the service starts again', async () => {
    const ids = await send('jo@any.example')
    await configure(true)
    expect(await read('jo@any.example')).toEqual(ids)
  })

  test('ends when it is turned off, and its mail does not come back', async () => {
    await send('jo@any.example')
    await configure(false)
    expect(await read('jo@any.example')).toBeUndefined()
    expect(await send('jo@any.example')).toEqual([])
    await configure(true)
    expect(await read('jo@any.example')).toEqual([])
  })

  test('does not open the mail of a domain that was private before it was turned on', async () => {
    await configure(false, [{ name: 'private.example', key: 'secret' }])
    expect(await send('jo@private.example')).toHaveLength(1)
    await configure(true)
    expect(await read('jo@private.example')).toEqual([])
  })

  test('does not open the mail of a private domain that leaves the configuration', async () => {
    await configure(true, [{ name: 'private.example', key: 'secret' }])
    expect(await send('jo@private.example')).toHaveLength(1)
    await configure(true)
    expect(await read('jo@private.example')).toEqual([])
  })

  test('does not open the mail of a private domain that is unregistered', async () => {
    await configure(true, [{ name: 'private.example', key: 'secret' }])
    expect(await send('jo@private.example')).toHaveLength(1)
    const known = await store.domains.find('private.example')
    await registeredDomains(store.domains, Date.now).change('private.example', known, undefined)
    expect(await read('jo@private.example')).toEqual([])
    expect(await send('jo@private.example')).toHaveLength(1)
    expect(await read('jo@private.example')).toHaveLength(1)
  })
})
