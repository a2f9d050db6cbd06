import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openStore, type Store } from '../../../adapters/sqlite/store.ts'
import {
  CATCH_ALL,
  catchAllDomains,
  configurableDomains,
  registeredDomains,
} from '../../../core/access/catch-all.ts'
import { DomainService } from '../../../core/access/domain-service.ts'
import type { DomainState, Domains } from '../../../core/access/ports.ts'
import { newDomain } from '../../../core/access/registration.ts'
import { receive } from '../../../core/inbox/receive.ts'
import { readMail } from '../../../local-service/reading.ts'
import { NO_VERDICTS } from '../../../reading/message.ts'
import { temporaryDirectory } from '../../adapters/sqlite/store-temporary.ts'
import { uniqueMessageId } from '../../contract/sample.ts'
import { FakeDomains } from './fakes.ts'

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
    const envelope = {
      messageId: uniqueMessageId(),
      mailFrom: null,
      recipients: [address],
      verdicts: NO_VERDICTS,
    }
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
    const seen: unknown[] = []
    // Mail that arrives between two steps of the change, and what a reader sees then.
    const stored: Domains = {
      ...store.domains,
      change: async (...args) => {
        const isChanged = await store.domains.change(...args)
        seen.push(await read('jo@private.example'))
        return isChanged
      },
      find: async (name) => {
        const found = await store.domains.find(name)
        if (name === 'private.example' && found?.keyHash !== null) await send('jo@private.example')
        return found
      },
    }
    await registeredDomains(stored, Date.now).change('private.example', known, undefined)
    expect(seen).toEqual([[], [], []])
    expect(await read('jo@private.example')).toEqual([])
    expect(await send('jo@private.example')).toHaveLength(1)
    expect(await read('jo@private.example')).toHaveLength(1)
  })
})

describe('a change of a registration', () => {
  const NAME = 'a.example'
  const PUBLIC = newDomain(NAME, 'verified', 1)
  const PRIVATE: DomainState = { ...PUBLIC, keyHash: 'k' }
  let stored: FakeDomains
  let views: Domains[]

  beforeEach(async () => {
    stored = new FakeDomains()
    views = [registeredDomains(stored, () => 7), configurableDomains(stored, () => 7)]
    await stored.change(CATCH_ALL, undefined, newDomain(CATCH_ALL, 'verified', 5))
  })

  /** The changes of the store because of this one in a view, which must succeed. */
  async function effects(view: Domains, before: DomainState | undefined, after: DomainState | undefined) {
    const known = await stored.find(NAME)
    if (known !== undefined) await stored.change(NAME, known, undefined)
    if (before !== undefined) await stored.change(NAME, undefined, before)
    stored.changes.length = 0
    expect(await view.change(NAME, await stored.find(NAME), after)).toBe(true)
    return stored.changes
  }

  test('makes a private domain public before it is unregistered, and begins catch-all again', async () => {
    const again = `${CATCH_ALL} verified`
    for (const view of views) {
      const steps = [`${NAME} verified`, again, `${NAME} removed`]
      expect(await effects(view, PRIVATE, undefined)).toEqual(steps)
    }
  })

  test('begins catch-all again when a private domain becomes public', async () => {
    for (const view of views) {
      const after = { ...PUBLIC, registeredAt: 2 }
      expect(await effects(view, PRIVATE, after)).toEqual([`${NAME} verified`, `${CATCH_ALL} verified`])
    }
  })

  test.each<[string, DomainState | undefined, DomainState | undefined]>([
    ['registers', undefined, PUBLIC],
    ['registers a private domain', undefined, PRIVATE],
    ['unregisters a public domain', PUBLIC, undefined],
    ['changes a private domain', PRIVATE, { ...PRIVATE, keyHash: 'other' }],
  ])('that %s leaves catch-all as it is', async (_, before, after) => {
    for (const view of views) expect(await effects(view, before, after)).toHaveLength(1)
  })

  test('begins catch-all again although it was changed in between', async () => {
    await stored.change(NAME, undefined, PRIVATE)
    const change = stored.change.bind(stored)
    let faster = 2
    stored.change = async (...args) => (args[0] !== CATCH_ALL || faster-- <= 0) && change(...args)
    await registeredDomains(stored, () => 7).change(NAME, await stored.find(NAME), undefined)
    expect(stored.changes.slice(-3)).toEqual([`${NAME} verified`, `${CATCH_ALL} verified`, `${NAME} removed`])
  })

  test('leaves a domain that is registered again meanwhile', async () => {
    await stored.change(NAME, undefined, PRIVATE)
    const change = stored.change.bind(stored)
    stored.change = async (...args) => {
      const isChanged = await change(...args)
      if (args[0] === CATCH_ALL) await change(NAME, await stored.find(NAME), PRIVATE)
      return isChanged
    }
    expect(await views[0]!.change(NAME, await stored.find(NAME), undefined)).toBe(false)
    expect(await stored.find(NAME)).toMatchObject(PRIVATE)
  })

  test('is refused if the domain was changed since it was read', async () => {
    const outdated = { ...PRIVATE, visibleAfter: '', revision: 'outdated' }
    for (const view of [...views, catchAllDomains(stored)])
      expect(await view.change(NAME, outdated, undefined)).toBe(false)
  })

  test('is made in the store, which is asked for the domains of a key', async () => {
    for (const view of [...views, catchAllDomains(stored)]) {
      expect(await view.change(NAME, undefined, PRIVATE)).toBe(true)
      expect((await view.withKey('k')).map(({ name }) => name)).toEqual([NAME])
      expect(await view.find(NAME)).toMatchObject(PRIVATE)
      await stored.change(NAME, await stored.find(NAME), undefined)
    }
  })

  test('is not prevented where catch-all is off', async () => {
    await stored.change(CATCH_ALL, await stored.find(CATCH_ALL), undefined)
    for (const view of views) expect(await effects(view, PRIVATE, undefined)).toEqual([`${NAME} removed`])
  })
})
