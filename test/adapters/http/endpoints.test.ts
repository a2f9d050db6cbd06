import { createConnection, type Socket } from 'node:net'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createApp } from '../../../adapters/http/app.ts'
import { randomDomain } from '../../../adapters/http/endpoints/domains.ts'
import { publicInbox } from '../../../adapters/http/endpoints/inboxes.ts'
import { addressStream } from '../../../adapters/http/endpoints/streams.ts'
import { KeepAlive } from '../../../adapters/http/keep-alive.ts'
import { type HttpListener, listenHttp } from '../../../adapters/http/node-server.ts'
import type { Service } from '../../../adapters/http/service.ts'
import { DomainService } from '../../../core/access/domain-service.ts'
import type { Domain, Domains, Limits } from '../../../core/access/ports.ts'
import { WrongKeys } from '../../../core/access/wrong-keys.ts'
import { Problem } from '../../../core/errors.ts'
import type { Follow } from '../../../core/events/live.ts'
import { eventually } from '../../support/eventually.ts'
import type { ServiceParts } from './ask.ts'
import { domain, quiet, serving } from './live-service.ts'

const clientAddress = () => '192.0.2.1'

describe('a random domain', () => {
  const choose = async (domains: Partial<Domain>[]) => {
    const service = {
      domainService: { verified: async () => domains },
    } satisfies ServiceParts as unknown as Service
    const answer = await createApp({ service, endpoints: [randomDomain], clientAddress }).request(
      'http://localhost/api/domains/random',
    )
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  test('is a public one, never a private one', async () => {
    const names = ['a.test', 'b.test', 'c.test']
    const domains = [...names.map((name) => ({ name, keyHash: null })), { name: 'p.test', keyHash: 'x' }]
    const chosen = new Set<unknown>()
    for (let n = 0; n < 200; n++) {
      const { body } = await choose(domains)
      const offered = (body.domains as { domain: string }[]).map(({ domain }) => domain)
      expect([...offered].sort()).toEqual(names)
      expect(body.domain).toBe(offered[0])
      chosen.add(body.domain)
    }
    expect([...chosen].sort()).toEqual(names)
  })

  test('is domain_not_found if there is no public domain', async () => {
    expect(await choose([{ name: 'p.test', keyHash: 'x' }])).toMatchObject({
      status: 404,
      body: { code: 'domain_not_found' },
    })
  })
})

describe('an inbox', () => {
  const opened = { name: 'x.test', keyHash: null, visibleAfter: '' } as Domain
  const read = async (now: Domain) => {
    let found = opened
    const service = {
      keylessRate: { admit: () => {} },
      domainService: new DomainService({
        domains: { find: async () => found } satisfies Partial<Domains> as unknown as Domains,
        wrongKeys: new WrongKeys({} as Limits, Date.now),
        clock: Date.now,
      }),
      mailbox: {
        list: async () => {
          found = now
          return { emails: [], next: undefined }
        },
      },
    } satisfies ServiceParts as unknown as Service
    const answer = await createApp({ service, endpoints: [publicInbox], clientAddress }).request(
      'http://localhost/api/public/emails/a@x.test',
    )
    return { status: answer.status, body: await answer.json() }
  }

  test('is unavailable if its domain changed during the read, because another owner may have it now', async () => {
    expect(await read(opened)).toMatchObject({ status: 200, body: { emails: [] } })
    expect(await read({ ...opened, keyHash: 'a key' })).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    })
  })
})

describe('a request for a stream', () => {
  let http: HttpListener
  /** How each stream was followed, and whether it is still open. */
  let follows: (Follow & { isOpen: boolean })[]
  let followed: Promise<void>
  /** The topics whose changes were requested. */
  let covered: unknown[]
  let covering: Promise<void>

  beforeEach(async () => {
    follows = []
    covered = []
    covering = Promise.resolve()
    followed = Promise.resolve()
    const live = quiet()
    jest.spyOn(live, 'cover').mockImplementation((topic) => {
      covered.push(topic)
      return covering
    })
    jest.spyOn(live, 'startId').mockReturnValue('01J00000000000000000000NOW')
    const follow = live.follow.bind(live)
    live.follow = (options, sink) => {
      const record = { ...options, isOpen: true }
      follows.push(record)
      const stop = follow(options, sink)
      return () => {
        record.isOpen = false
        stop()
      }
    }
    const service = serving(live, () => domain)
    jest.spyOn(service.domainService, 'checkFollowed').mockImplementation(() => followed)
    const app = createApp({ service, endpoints: [addressStream], clientAddress })
    http = await listenHttp((request, env) => app.fetch(request, env as object), {
      hosts: ['127.0.0.1'],
      port: 0,
    })
  })
  afterEach(() => http.stop(0))

  const PATH = '/api/sse/a@x.test'

  /**
   * Sends requests on one connection, and returns the received text as soon as it matches
   * `pattern`.
   */
  async function ask(pattern: RegExp, ...requests: string[]): Promise<{ text: string; socket: Socket }> {
    const socket = createConnection({ host: '127.0.0.1', port: http.port })
    socket.write(requests.map((head) => `${head}\r\nHost: localhost\r\n\r\n`).join(''))
    let text = ''
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += chunk
      if (pattern.test(text)) break
    }
    return { text, socket }
  }

  test('starts with an id to resume from, unless it resumes', async () => {
    const ULID = '01J00000000000000000000000'
    for (const [query, header, after] of [
      ['', '', undefined],
      [`?last_event_id=${ULID}`, '', ULID],
      [`?last_event_id=${ULID}`, 'Last-Event-ID: 01J00000000000000000000001', '01J00000000000000000000001'],
      // EventSource sends an empty id after a reset.
      [`?last_event_id=${ULID}`, 'Last-Event-ID: ', ULID],
    ]) {
      const head = `GET ${PATH}${query} HTTP/1.1${header === '' ? '' : `\r\n${header}`}`
      const { text, socket } = await ask(/event: connected/, head)
      socket.destroy()
      expect(covered.pop()).toMatchObject({ addresses: ['a@x.test'] })
      expect(text.includes('id: 01J00000000000000000000NOW')).toBe(after === undefined)
      expect(follows.at(-1)!.after).toBe(after)
      expect(follows.at(-1)!.startId === undefined).toBe(after !== undefined)
    }
  })

  test('gets new emails by default, or the requested events in any order', async () => {
    for (const query of ['', '?events=email-read,new-email', '?events=new-email,email-read,new-email'])
      (await ask(/event: connected/, `GET ${PATH}${query} HTTP/1.1`)).socket.destroy()
    const [usual, one, other] = follows
    expect(usual!.events).toBeUndefined()
    expect([...one!.events!].sort()).toEqual(['email-read', 'new-email'])
    expect(other!.events).toBe(one!.events)
  })

  test('opens its stream when the changes of its topic arrive, not before', async () => {
    const arriving = Promise.withResolvers<void>()
    covering = arriving.promise
    const opened = ask(/event: connected/, `GET ${PATH} HTTP/1.1`)
    await eventually(
      'the request for changes',
      () => covered.length,
      (count) => count === 1,
    )
    // The request goes on in the same turn of the event loop if it does not wait.
    await new Promise((resolve) => setImmediate(resolve))
    expect(follows).toEqual([])
    arriving.resolve()
    ;(await opened).socket.destroy()
    expect(follows).toHaveLength(1)
  })

  test('by HEAD opens no stream, and requests no changes', async () => {
    const answer = await fetch(`http://127.0.0.1:${http.port}${PATH}`, { method: 'HEAD' })
    expect(covered).toEqual([])
    expect([answer.status, answer.headers.get('Content-Type'), follows]).toEqual([
      200,
      'text/event-stream',
      [],
    ])
  })

  test('that has another request pipelined behind it is rejected, and the other request is answered', async () => {
    const { text, socket } = await ask(/not_found/, `GET ${PATH} HTTP/1.1`, 'GET /none HTTP/1.1')
    socket.destroy()
    expect(text).toMatch(/HTTP\/1\.1 429 .*too_many_streams.*HTTP\/1\.1 404/s)
    expect(follows).toEqual([])
  })

  test('ends its stream when another request follows on the same connection', async () => {
    const { socket } = await ask(/event: connected/, `GET ${PATH} HTTP/1.1`)
    socket.write('GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n')
    let text = ''
    for await (const chunk of socket) {
      text += chunk
      if (/not_found/.test(text)) break
    }
    expect(text).toMatch(/^0\r\n\r\nHTTP\/1\.1 404/)
    expect(follows.map(({ isOpen }) => isOpen)).toEqual([false])
  })

  test('that ends gets no more keep-alive comments', async () => {
    const remove = jest.spyOn(KeepAlive.prototype, 'remove')
    try {
      const { socket } = await ask(/event: connected/, `GET ${PATH} HTTP/1.1`)
      socket.destroy()
      await eventually('the end of the stream', () => remove.mock.calls.length === 1)
    } finally {
      remove.mockRestore()
    }
  })

  test('leaves the response that all streams share as it is', async () => {
    ;(await ask(/event: connected/, `GET ${PATH} HTTP/1.1\r\nX-Request-Id: mine`)).socket.destroy()
    expect([...RESPONSE_ALREADY_SENT.headers.keys()]).toEqual(['x-hono-already-sent'])
  })

  test('ends its stream if access to the domain changed while it was opened', async () => {
    followed = Promise.reject(new Problem('domain_key_invalid', 'x'))
    followed.catch(() => {})
    const answer = await fetch(`http://127.0.0.1:${http.port}${PATH}`)
    expect(await answer.text()).toContain('event: connected')
    expect(follows.map(({ isOpen }) => isOpen)).toEqual([false])
  })
})
