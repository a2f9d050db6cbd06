import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { AllMail } from '../../../packages/client/src/all-mail.ts'
import type { Deadline } from '../../../packages/client/src/deadline.ts'
import { MayflyError } from '../../../packages/client/src/errors.ts'
import type { Call, Http } from '../../../packages/client/src/http.ts'
import { Mayfly } from '../../../packages/client/src/mayfly.ts'
import { sendJson, startStub, type TestProxy } from './proxy.ts'

const ID = Array.from({ length: 10 }, (_, n) => `01M84WWW9H36WCNK6VY98FDKB${n}`)
const mail = (n: number, subject = 'other') => ({ id: ID[n], address: 'jo@x.test', subject })
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`

/** What a service answers too rarely for a test: several pages, mail between two requests, gaps. */
describe('the requests for the mail of all addresses', () => {
  let stub: TestProxy
  /** The answers to the next lists and waits, in their order; a wait has a single email. */
  let answers: object[]
  let streamed: string[]
  let resumedAt: unknown
  let mayfly: Mayfly

  beforeEach(async () => {
    answers = []
    streamed = []
    stub = await startStub(async (response, path, { headers }) => {
      if (path.startsWith('/api/sse')) {
        resumedAt = headers['last-event-id']
        return response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(streamed.join(''))
      }
      // Longer than a request that is not given the time of its wait.
      await sleep(50)
      sendJson(response, answers.shift() ?? { emails: [], next_cursor: null })
    })
    mayfly = new Mayfly({ url: stub.url, apiKey: 'operator' })
  })
  afterEach(() => stub.close())

  const list = (...emails: object[]) => ({ emails, next_cursor: null })
  /** The requests, with their parameters in order, and without how long a wait may take. */
  const requests = () =>
    stub.requests.map((line) => {
      const [path, query] = line.replace(/^GET /, '').split('?')
      const parameters = [...new URLSearchParams(query)].filter(
        ([name]) => !['timeout', 'limit'].includes(name),
      )
      return `${path} ${parameters.map(([name, value]) => `${name}=${value}`).join(' ')}`.trim()
    })

  test('a list has every page', async () => {
    answers = [{ emails: [mail(3), mail(2)], next_cursor: 'c1' }, list(mail(1))]
    expect((await mayfly.mails({ to: 'jo@' })).map(({ id }) => id)).toEqual([ID[3], ID[2], ID[1]])
    expect(requests()).toEqual(['/api/emails to=jo@', '/api/emails to=jo@ cursor=c1'])
  })

  test('a wait asks for what is newer than all that it has seen, the oldest first', async () => {
    answers = [
      list(mail(3), mail(1)),
      { email: mail(5) },
      list(),
      { email: mail(6, 'wanted') },
      list(mail(6, 'wanted')),
    ]
    const found = await mayfly.waitForMail({ to: 'jo@', subject: /^wanted/, timeout: 20_000 })
    expect(found.id).toBe(ID[6])
    expect(requests()).toEqual([
      '/api/emails to=jo@',
      `/api/emails/wait to=jo@ since=${ID[3]} order=oldest`,
      // What a pattern rejects is not asked for again.
      `/api/emails to=jo@ since=${ID[5]}`,
      `/api/emails/wait to=jo@ since=${ID[5]} order=oldest`,
      `/api/emails to=jo@ since=${ID[5]}`,
    ])
  })

  test('a wait that fails lists the five newest emails, the oldest of them first', async () => {
    const facts = { from: { name: 'Ann', address: null }, codes: [], links: [], action_link: null }
    const emails = [3, 2, 1].map((n) => ({ ...mail(n), ...facts, received_at: '2026-11-23T08:00:00Z' }))
    answers = [list(...emails), list(...emails)]
    const error = await mayfly.waitForMail({ subject: /^wanted/, timeout: 0 }).catch((error) => error)
    expect(error).toMatchObject({ code: 'timeout', arrived: [1, 2, 3].map((n) => ({ id: ID[n] })) })
    // A slow machine has no time left for the list before it.
    expect(stub.requests.at(-1)).toBe('GET /api/emails?limit=5')
    expect(stub.requests.filter((line) => line.includes('/wait'))).toEqual([])
  })

  test('a stream begins at the newest email, and lists a gap up to the email after it', async () => {
    answers = [list(mail(2), mail(1)), list(mail(5), mail(4), mail(3))]
    const arrived = [5, 6].map((n) => event({ type: 'new-email', email: mail(n) }))
    streamed = [event({ type: 'gap', missed_before: ID[5] }), ...arrived]
    const received: string[] = []
    for await (const { id } of mayfly.stream()) if (received.push(id) === 4) break
    expect(received).toEqual(ID.slice(3, 7))
    expect(resumedAt).toBe(ID[2])
    expect(requests()).toEqual(['/api/emails', '/api/sse', `/api/emails since=${ID[2]}`])
  })
})

/** The moment of a failure cannot be caused by a server. */
describe('the time of a request for the mail of all addresses', () => {
  /** @param at the number of the request that fails */
  function failing(error: Error | undefined, at = 1) {
    const calls: { call: Call; leftMs: number }[] = []
    const http = {
      json: async (call: Call, { leftMs }: Deadline) => {
        calls.push({ call, leftMs })
        if (error !== undefined && calls.length === at) throw error
        return { emails: [], next_cursor: null, deleted: 0 }
      },
    }
    return { allMail: new AllMail(http as unknown as Http), calls }
  }
  const lost = (name: string) => new MayflyError('unreachable', 'lost', { cause: { name } })

  test.each([
    // Then the mails that arrived are listed.
    ['a request that the deadline ended', 0, 'timeout', lost('TimeoutError'), 2],
    ['a lost connection', 0, 'unreachable', lost('TypeError'), 1],
    ['a request that took too long before the deadline', 60_000, 'unreachable', lost('TimeoutError'), 1],
  ])('%s in a wait of %d ms: %s', async (_what, timeout, code, error, requests) => {
    const { allMail, calls } = failing(error)
    await expect(allMail.wait({ timeout }, 0)).rejects.toMatchObject({ code })
    expect(calls).toHaveLength(requests)
  })

  test('a wait without time asks for no mail to come', async () => {
    const { allMail, calls } = failing(undefined)
    expect(await allMail.wait({ timeout: 0, orNull: true }, 0)).toBeNull()
    expect(calls.map(({ call }) => call.path)).toEqual(['/api/emails'])
  })

  test('a request that the service holds has more time than it is held', async () => {
    const { allMail, calls } = failing(lost('TypeError'), 2)
    await expect(allMail.wait({ timeout: 60_000 }, 0)).rejects.toMatchObject({ code: 'unreachable' })
    const { path, query, patienceMs } = calls[1]!.call
    expect([path, query?.timeout]).toEqual(['/api/emails/wait', 25])
    expect(patienceMs).toBeGreaterThan(30_000)
  })

  test('deleting 100,000 mails takes half a minute, so it has more time than that', async () => {
    const { allMail, calls } = failing(undefined)
    expect(await allMail.clear({})).toBe(0)
    expect(Math.min(calls[0]!.leftMs, calls[0]!.call.patienceMs ?? 0)).toBeGreaterThan(60_000)
  })
})
