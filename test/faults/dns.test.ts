import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type RunningService, startService } from '../support/service.ts'
import {
  type Behaviour,
  cname,
  type LyingDns,
  lyingDns,
  MX,
  message,
  mx,
  rcode,
  TXT,
  txt,
} from './lying-dns.ts'

const HOST = 'mx.mayfly.example'
/** Two tries of some seconds each, for MX and TXT at once, with time for a slow machine. */
const LIMIT_MS = 15_000

/** A correct answer, if the name has such a record. */
const right: Behaviour = (question) => [
  message(question, question.type === MX ? [mx(question.name, 10, HOST)] : []),
]
const many =
  (best: string): Behaviour =>
  (question) => {
    if (question.type !== MX) return [message(question, [])]
    if (!question.tcp) return [message(question, [], { truncated: true })]
    const others = Array.from({ length: 1000 }, (_, i) => mx(question.name, 20, `mx${i}.a.example`))
    return [message(question, [...others, mx(question.name, 10, best)])]
  }

/** No definite answer: nothing may change because of it. */
const NO_ANSWER: [string, Behaviour][] = [
  ['says nothing', () => []],
  ['SERVFAIL', rcode(2)],
  ['REFUSED', rcode(5)],
  ['NOTIMP', rcode(4)],
  ['FORMERR', rcode(1)],
  ['an empty datagram', () => [Buffer.alloc(0)]],
  ['an answer to another id', (question) => [message({ ...question, id: question.id ^ 1 }, [])]],
  [
    'no such name, to another question',
    (question) => {
      const bytes = Buffer.from(question.bytes)
      bytes[1]! ^= 1
      return [message({ ...question, bytes }, [], { rcode: 3 })]
    },
  ],
  [
    'no such name, to another id',
    (question) => [message({ ...question, id: question.id ^ 1 }, [], { rcode: 3 })],
  ],
  ['truncated, and nothing by TCP', (q) => (q.tcp ? [] : [message(q, [], { truncated: true })])],
]

/** No answer that can be parsed. */
const GARBAGE: [string, Behaviour][] = [
  ['half a header', (question) => [message(question, []).subarray(0, 7)]],
  ['garbage', () => [randomBytes(300)]],
  [
    'garbage under the right id',
    ({ id }) => [Buffer.concat([Buffer.of(id >> 8, id & 255), randomBytes(80)])],
  ],
  [
    'more answers than it holds',
    (question) => [message(question, [mx(question.name, 10, HOST)]).subarray(0, -9)],
  ],
  [
    'a name that points at itself',
    (question) => {
      const answer = {
        ...mx(question.name, 10, HOST),
        data: Buffer.of(0, 10, 0xc0, 12 + question.bytes.length),
      }
      const whole = message(question, [answer])
      // The exchange is a compression pointer to itself.
      whole.writeUInt16BE(0xc000 | (whole.length - 2), whole.length - 2)
      return [whole]
    },
  ],
  ['truncated, and garbage by TCP', (q) => [q.tcp ? randomBytes(200) : message(q, [], { truncated: true })]],
]

/** A definite yes, in every form. */
const YES: [string, Behaviour][] = [
  ['twice', (question) => [...right(question), ...right(question)]],
  [
    'after lies under other ids',
    (question) => [
      message({ ...question, id: question.id ^ 1 }, [], { rcode: 3 }),
      message({ ...question, id: question.id ^ 2 }, []),
      ...right(question),
    ],
  ],
  [
    'in upper case and with a name in between',
    (question) =>
      question.type === MX
        ? [
            message(question, [
              cname(question.name, 'b.example'),
              cname('b.example', 'c.example'),
              mx('c.example', 10, HOST.toUpperCase()),
            ]),
          ]
        : [message(question, [])],
  ],
  ['by TCP, in pieces', (q) => (q.tcp ? right(q) : [message(q, [], { truncated: true })])],
  ['as the best of 1,000', many(HOST)],
]

/** A definite no: the domain is unregistered. */
const NO: [string, Behaviour][] = [
  ['no such name', rcode(3)],
  ['no such record', rcode(0)],
  ['another host', (q) => [message(q, q.type === MX ? [mx(q.name, 10, 'mx.other.example')] : [])]],
  ['another host as the best of 1,000', many('mx.other.example')],
  [
    'no mail at all',
    (q) => [message(q, q.type === MX ? [{ ...mx(q.name, 0, 'x'), data: Buffer.of(0, 0, 0) }] : [])],
  ],
]

describe('DNS that', () => {
  let dns: LyingDns
  let service: RunningService
  let serial = 0

  beforeAll(async () => {
    dns = await lyingDns()
    service = await startService({
      MAYFLY_DNS_SERVER: dns.address,
      MAYFLY_MX_HOST: HOST,
      MAYFLY_TRUST_PROXY: '127.0.0.1',
      MAYFLY_LOG_LEVEL: 'error',
    })
  })

  afterAll(async () => {
    await service?.stop()
    await dns?.close()
  })

  async function verify(name: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await fetch(`${service.http}/api/domain/verify/${name}`, {
      headers: { 'X-Forwarded-For': `198.51.100.${++serial % 250}` },
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  const inbox = async (name: string) => (await fetch(`${service.http}/api/public/emails/a%40${name}`)).status

  const unavailable = { status: 503, body: { code: 'dns_unavailable', success: false, verified: false } }

  /** All names at once, because those without a response wait for seconds. */
  async function all(
    behaviours: [string, Behaviour][],
    check: (name: string, behaviour: Behaviour, what: string) => Promise<void>,
  ): Promise<void> {
    await Promise.all(
      behaviours.map(([what, behaviour], i) => check(`n${i}x${++serial}.example`, behaviour, what)),
    )
  }

  test.each([
    ['no answer', NO_ANSWER],
    ['garbage', GARBAGE],
  ])('gives %s registers nothing, and unregisters nothing', async (_group, behaviours) => {
    await all(behaviours, async (name, behaviour, what) => {
      dns.behave(name, behaviour)
      expect({ what, ...(await verify(name)) }).toMatchObject({ what, ...unavailable, status: 503 })
      expect({ what, status: await inbox(name) }).toEqual({ what, status: 404 })
      dns.behave(name, right)
      expect(await verify(name)).toMatchObject({ status: 200, body: { verified: true } })
      dns.behave(name, behaviour)
      expect({ what, ...(await verify(name)) }).toMatchObject({ what, ...unavailable })
      expect({ what, status: await inbox(name) }).toEqual({ what, status: 200 })
    })
  })

  test.each([
    ['no answer', NO_ANSWER],
    ['garbage', GARBAGE],
  ])('gives %s for the key leaves a private domain private', async (_group, behaviours) => {
    await all(behaviours, async (name, behaviour, what) => {
      dns.behave(name, right)
      dns.behave(`_mayfly.${name}`, (question) => [
        message(question, question.type === TXT ? [txt(question.name, 'key=dns-secret')] : []),
      ])
      expect(await verify(name)).toMatchObject({ body: { verified: true, private: true } })
      dns.behave(`_mayfly.${name}`, behaviour)
      const { status, body } = await verify(name)
      // A broken MX record in the response to a TXT query is not a text, so none of the false
      // responses makes the domain public.
      if (status === 200) expect({ what, private: body.private }).toEqual({ what, private: true })
      else expect({ what, status, code: body.code }).toEqual({ what, status: 503, code: 'dns_unavailable' })
      expect({ what, status: await inbox(name) }).toEqual({ what, status: 401 })
    })
  })

  test('gives garbage for one name does not affect the questions about others', async () => {
    for (let n = 0; n < 20; n++) {
      const names = Array.from({ length: 20 }, (_, i) => `beside${i}x${++serial}.example`)
      for (const [i, name] of names.entries())
        dns.behave(name, i % 2 === 0 ? right : () => [randomBytes(300)])
      const statuses = await Promise.all(names.map(async (name) => (await verify(name)).status))
      expect(statuses).toEqual(names.map((_, i) => (i % 2 === 0 ? 200 : 503)))
    }
  })

  test('says yes in any form registers', async () => {
    await all(YES, async (name, behaviour, what) => {
      dns.behave(name, behaviour)
      expect({ what, ...(await verify(name)) }).toMatchObject({ what, body: { verified: true, mx: HOST } })
      expect(await inbox(name)).toBe(200)
    })
  })

  test('says no unregisters', async () => {
    await all(NO, async (name, behaviour, what) => {
      dns.behave(name, right)
      expect(await verify(name)).toMatchObject({ status: 200, body: { verified: true } })
      dns.behave(name, behaviour)
      expect({ what, ...(await verify(name)) }).toMatchObject({
        what,
        status: 200,
        body: { verified: false },
      })
      expect(await inbox(name)).toBe(404)
    })
  })

  test('hangs delays no other client', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `hangs${i}.example`)
    for (const name of names) dns.behave(name, () => [])
    const hanging = names.map((name) => verify(name).then(({ status }) => status))
    dns.behave('quick.example', right)
    expect(await verify('quick.example')).toMatchObject({ status: 200, body: { verified: true } })
    expect((await fetch(`${service.http}/api/health`)).status).toBe(200)
    expect(new Set(await Promise.all(hanging))).toEqual(new Set([503]))
  })
})
