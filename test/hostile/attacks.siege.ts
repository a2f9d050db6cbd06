import { once } from 'node:events'
import { type Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { VERIFICATIONS_PER_MINUTE, WRONG_DOMAIN_KEYS_PER_MINUTE } from '../../core/limits.ts'
import { OUTSIDE, RawHttp, testFromOutside } from '../faults/raw-http.ts'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { keepAliveAgent } from '../support/keep-alive-agent.ts'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { ATTACK_SECONDS, besiege, type Siege } from './siege.ts'

const MX_HOST = 'mx.mayfly.example'
const KEY = 'a-key-of-their-own'
const OWNED = { domain: 'owned.test', key: 'the-key-of-somebody-else' }
const REPLAY = `/api/user-dashboard/sse?key=${KEY}&last_event_id=${'0'.repeat(26)}`
const MINUTES = Math.ceil(ATTACK_SECONDS / 60) + 1
const TIMEOUT_MS = ATTACK_SECONDS * 1000 + 120_000

/**
 * What stopped an earlier version, with ten times the numbers and for MAYFLY_ATTACK_SECONDS, each
 * against its own process; and attacks that could stop this version.
 */
describe('under attack', () => {
  let service: RunningService
  let dns: TestDns
  const sockets = new Set<Socket>()

  beforeEach(async () => {
    dns = await startDns()
    service = await startService({
      // Clients can then come from an address that is not loopback, which has limits.
      MAYFLY_HOST: '0.0.0.0',
      MAYFLY_DOMAINS: `mayfly.test,theirs.test=${KEY},${OWNED.domain}=${OWNED.key}`,
      MAYFLY_DNS_SERVER: dns.address,
      MAYFLY_MX_HOST: MX_HOST,
      MAYFLY_LOG_LEVEL: 'error',
    })
    service.http = service.http.replace('0.0.0.0', '127.0.0.1')
    service.smtp.host = '127.0.0.1'
    const smtp = await SmtpClient.open(service.smtp)
    for (let n = 0; n < 10; n++) {
      const to = Array.from({ length: 100 }, () => freshAddress('theirs.test'))
      const reply = await smtp.send('s@example.org', to, `Subject: ${n}\r\n\r\n${'x'.repeat(20_000)}`)
      expect(reply).toMatch(/^250/)
    }
    for (let n = 0; n < 100; n++) {
      const reply = await smtp.send(
        's@example.org',
        ['large@mayfly.test'],
        `Subject: ${n}\r\n\r\n${'x '.repeat(10_000)}`,
      )
      expect(reply).toMatch(/^250/)
    }
    smtp.close()
  })

  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    const output = service?.output()
    await service?.stop()
    await dns?.close()
    expect(output).not.toContain('"level":50')
  })

  const outside = () => service.http.replace('127.0.0.1', OUTSIDE!)

  const attacked = (
    name: string,
    attack: (siege: Siege) => Promise<void>,
    run: typeof test | typeof test.skip = test,
  ) =>
    run(
      name,
      () =>
        besiege(service, OWNED, async (siege) => {
          await attack(siege)
          for (const socket of sockets) socket.destroy()
        }),
      TIMEOUT_MS,
    )

  /** The attacker is a client that is not on this machine. */
  const attackedFromOutside = (name: string, attack: (siege: Siege) => Promise<void>) =>
    attacked(name, attack, testFromOutside(name))

  /** Keeps this many tasks running; each starts again when it has ended. */
  async function keep({ goesOn }: Siege, count: number, one: (n: number) => Promise<void>): Promise<void> {
    const all = Array.from({ length: count }, async (_, n) => {
      while (goesOn()) {
        await one(n)
        await sleep(50)
      }
    })
    const left = (async () => {
      while (goesOn()) await sleep(100)
      for (const socket of sockets) socket.destroy()
    })()
    await Promise.all([...all, left])
  }

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: mayfly.test\r\n\r\n`

  attackedFromOutside('1,000 pipelined streams on a connection whose client leaves after a second', (siege) =>
    keep(siege, 1, async () => {
      const attacker = new RawHttp(outside(), OUTSIDE).send(get(REPLAY).repeat(1000)).stall()
      await sleep(1000)
      attacker.close()
    }),
  )

  attacked('250 connections with 60 pipelined streams each, none of which is read', (siege) =>
    keep(siege, 250, async (n) => {
      const attacker = new RawHttp(service.http, `127.0.4.${1 + (n % 50)}`)
        .send(get(REPLAY).repeat(60))
        .stall()
      sockets.add(attacker.socket)
      await attacker.closed
      sockets.delete(attacker.socket)
    }),
  )

  attacked('2,500 connections that read nothing of the 17 MB that each asks for', (siege) =>
    keep(siege, 2500, async (n) => {
      const attacker = new RawHttp(service.http, `127.0.1.${1 + (n % 5)}`).get(REPLAY).stall()
      sockets.add(attacker.socket)
      await attacker.closed
      sockets.delete(attacker.socket)
    }),
  )

  // The system buffers the first 2 MB of answers on loopback, and hardly any for a remote client.
  attacked('250 connections that ask for lists of 1.6 MB, four each, and read none', (siege) =>
    keep(siege, 250, async (n) => {
      const list = get('/api/public/emails/large@mayfly.test?limit=100').repeat(4)
      const attacker = new RawHttp(service.http, `127.0.5.${1 + (n % 5)}`).send(list).stall()
      sockets.add(attacker.socket)
      await attacker.closed
      sockets.delete(attacker.socket)
    }),
  )

  attackedFromOutside('160 connections with 1,500 pipelined requests each for streams and waits', (siege) =>
    keep(siege, 160, async (n) => {
      const path = n % 2 === 0 ? `/api/sse/${freshAddress()}` : `/api/emails/${freshAddress()}/wait`
      const attacker = new RawHttp(outside(), OUTSIDE).send(get(path).repeat(1500))
      sockets.add(attacker.socket)
      await Promise.race([attacker.closed, sleep(2000)])
      attacker.close()
      sockets.delete(attacker.socket)
    }),
  )

  attacked('5,000 connections that bring a header by bytes, and never its end', (siege) =>
    keep(siege, 5000, async (n) => {
      const attacker = new RawHttp(service.http, `127.0.2.${1 + (n % 5)}`).send('GET / HTTP/1.1\r\nX-A: ')
      sockets.add(attacker.socket)
      const drip = setInterval(() => attacker.send('a'), 1000)
      await attacker.closed
      clearInterval(drip)
      sockets.delete(attacker.socket)
    }),
  )

  attackedFromOutside(
    '10,000 SMTP connections of one address, idle and in the middle of a message',
    async (siege) => {
      const toData =
        'MAIL FROM:<a@example.org>\r\nRCPT TO:<bot@mayfly.test>\r\nDATA\r\nSubject: never ends\r\n'
      await keep(siege, 10_000, async (n) => {
        const socket = connect({ host: OUTSIDE!, port: service.smtp.port })
        sockets.add(socket)
        socket.on('error', () => {}).resume()
        socket.write(n % 10 < 7 ? 'EHLO a.example\r\n' : `EHLO a.example\r\n${toData}`)
        const drip = setInterval(() => socket.write(n % 10 < 7 ? 'NOOP\r\n' : 'x'), 1000)
        await once(socket, 'close').catch(() => {})
        clearInterval(drip)
        sockets.delete(socket)
      })
    },
  )

  attacked('guesses of a domain’s key by 64 connections, as fast as they are answered', async (siege) => {
    const agent = keepAliveAgent('127.0.0.8', 64)
    const statuses = new Map<number, number>()
    let guess = 0
    await keep(siege, 64, async () => {
      for (let i = 0; i < 50 && siege.goesOn(); i++) {
        const path = guess % 2 === 0 ? '/api/public/emails' : '/api/sse'
        const status = await answered(`${path}/inbox@${OWNED.domain}?key=${guess++}`, agent)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    agent.destroy()
    process.stderr.write(`guesses by their answer: ${JSON.stringify([...statuses])}\n`)
    expect([403, 429]).toEqual(expect.arrayContaining([...statuses.keys()]))
    expect(statuses.get(403)).toBeLessThanOrEqual(MINUTES * WRONG_DOMAIN_KEYS_PER_MINUTE)
  })

  attacked('30,000 verifications of domains that nobody registered, by 100 addresses', async (siege) => {
    const before = dns.questions
    let asked = 0
    const statuses = new Set<number>()
    const agents = Array.from({ length: 100 }, (_, n) => keepAliveAgent(`127.0.3.${n + 1}`))
    dns.set('MX', 'late.example', [`10 ${MX_HOST}`])
    const owner = keepAliveAgent('127.0.9.8')
    let verified = 0
    await Promise.all([
      keep(siege, 100, async (n) => {
        for (let i = 0; i < 10 && siege.goesOn() && asked < 30_000; i++)
          statuses.add(await answered(`/api/domain/verify/x${asked++}.example`, agents[n]!))
      }),
      (async () => {
        while (siege.goesOn()) {
          expect(await answered('/api/domain/verify/late.example', owner)).toBe(200)
          verified++
          await sleep(3000)
        }
      })(),
    ])
    for (const agent of [...agents, owner]) agent.destroy()
    process.stderr.write(`${asked} verifications made ${dns.questions - before} questions\n`)
    expect([200, 429]).toEqual(expect.arrayContaining([...statuses]))
    expect(verified).toBeGreaterThan(0)
    // MX, and TXT if there is one, and the questions that a resolver adds.
    expect(dns.questions - before).toBeLessThanOrEqual(
      3 * (MINUTES * 100 * VERIFICATIONS_PER_MINUTE + verified),
    )
  })

  async function answered(path: string, agent: Agent): Promise<number> {
    const sent = request(service.http + path, { agent }).end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    await once(answer, 'end')
    return answer.statusCode
  }
})
