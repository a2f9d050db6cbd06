import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createApp } from '../../../adapters/http/app.ts'
import { LIVE_ENDPOINTS } from '../../../adapters/http/endpoints.ts'
import { type HttpListener, listenHttp } from '../../../adapters/http/node-server.ts'
import type { LiveService } from '../../../adapters/http/service.ts'
import { DomainService } from '../../../core/access/domain-service.ts'
import type { Domain, Domains, Limits } from '../../../core/access/ports.ts'
import { Live } from '../../../core/events/live.ts'
import type { MessageStore } from '../../../core/inbox/ports.ts'

const domain = { name: 'x.test', key_hash: null, visible_after: '' } as Domain

/** Live delivery that no mail comes to. */
function quiet(): Live {
  const store = { settle: async () => {} } as unknown as MessageStore
  return new Live({ subscribe: () => () => {} }, store, Date.now)
}

function listen(service: LiveService): Promise<HttpListener> {
  const app = createApp({ service, endpoints: LIVE_ENDPOINTS, clientAddress: () => '192.0.2.1' })
  return listenHttp((request, env) => app.fetch(request, env as object), { host: '127.0.0.1', port: 0 })
}

/** A store whose look-up of a domain takes as long as one on another machine does. */
describe('a stream', () => {
  let http: HttpListener | undefined

  afterEach(() => http?.stop(0))

  test('whose client leaves while it is looked up is never counted as open, and a wait ends', async () => {
    const live = quiet()
    let lookUps = 0
    const slowly = async <T>(result: T): Promise<T> => {
      lookUps++
      await sleep(30)
      return result
    }
    const rate = { limit: 120, remaining: 1, reset: 1 }
    const service = {
      live,
      domainService: {
        open: () => slowly(domain),
        checkStillOpen: async () => {},
        checkFollowed: async () => {},
      },
      apiKeyService: { authenticate: async () => ({ key: {}, rate, admitted: true }) },
      mailbox: { latest: () => slowly(null) },
    } as unknown as LiveService
    http = await listen(service)
    const { port } = http
    const leave = (path: string, afterMs: number) =>
      new Promise<void>((resolve) => {
        const socket = createConnection({ host: '127.0.0.1', port })
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: k\r\n\r\n`)
        socket.once('close', () => resolve())
        socket.once('connect', () => setTimeout(() => socket.destroy(), afterMs))
      })
    const paths = ['/api/sse/a@x.test', '/api/emails/a@x.test/wait']
    // Where the machine is busy, many have left before their request is read.
    for (let round = 0; round < 10 || (lookUps <= 100 && round < 100); round++) {
      await Promise.all(Array.from({ length: 20 }, (_, n) => leave(paths[n % 2]!, 10 + n * 3)))
    }
    // Who has left before its turn is not looked up.
    expect(lookUps).toBeGreaterThan(20)
    for (let n = 0; n < 100 && live.count > 0; n++) await sleep(20)
    expect(live.count).toBe(0)
  })

  test('ends when its domain has changed before it was followed', async () => {
    const live = quiet()
    let now = domain
    const service = {
      live,
      domainService: new DomainService({
        domains: { find: async () => now } as unknown as Domains,
        limits: {} as Limits,
        clock: Date.now,
      }),
    } as unknown as LiveService
    const follow = live.follow.bind(live)
    live.follow = (...call) => {
      now = { ...domain, key_hash: 'a key' }
      return follow(...call)
    }
    http = await listen(service)
    const answer = await fetch(`http://127.0.0.1:${http.port}/api/sse/a@x.test`)
    // Without an end this would wait for ever.
    expect(await answer.text()).toContain(': connected')
    expect(live.count).toBe(0)
  })
})
