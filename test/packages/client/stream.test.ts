import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { Http } from '../../../packages/client/src/http.ts'
import { Keys } from '../../../packages/client/src/keys.ts'
import { Mayfly } from '../../../packages/client/src/node.ts'
import { parseServiceUrl } from '../../../packages/client/src/service-url.ts'
import { readStream } from '../../../packages/client/src/stream.ts'
import { eventually } from '../../support/eventually.ts'
import { refuse, sendJson, startStub, type TestProxy } from './proxy.ts'

const ids = ['1', '2', '3', '4'].map((last) => `01M7XY78NV3PTPJF56WG3ST56${last}`)
const email = (id: string | undefined) => ({ id, address: 'a@mayfly.test', subject: id })
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const newEmail = (id: string | undefined) => event({ type: 'new-email', email: email(id) })

/**
 * Events that a real service produces too rarely for a test: gaps of a thousand mails, dead
 * connections, repeated events.
 */
describe('a stream', () => {
  let server: TestProxy

  afterEach(() => {
    jest.restoreAllMocks()
    return server.close()
  })

  test('lists the mails of a gap', async () => {
    server = await startStub((response, path) => {
      if (!path.startsWith('/api/sse/')) {
        const missed = path.includes(`since=${ids[0]}`) ? ids.slice(1, 3) : ids
        sendJson(response, { emails: missed.toReversed().map(email), next_cursor: null })
        return
      }
      // The gap ends before the email that follows it, although the list has that one too.
      response.write(`retry: 1\n\n${newEmail(ids[0])}${event({ type: 'gap', missed_before: ids[2] })}`)
      response.write(`${newEmail(ids[2])}${newEmail(ids[3])}`)
    })
    const mayfly = new Mayfly({ url: server.url, apiKey: 'mf_x' })
    const inbox = await mayfly.inbox({ address: 'a@mayfly.test', history: true })
    const received: string[] = []
    for await (const { id } of inbox.stream()) {
      received.push(id)
      if (received.length === 4) break
    }
    expect(received).toEqual(ids)
  })

  test('ends with the error of a service that refuses it', async () => {
    server = await startStub((response) => refuse(response, 403, 'domain_key_invalid', {}))
    const http = new Http(parseServiceUrl(server.url), new Keys('mf_x', async () => ''), 'wrong')
    await expect(readStream(http, '/api/sse/a%40private.test', '0', undefined).next()).rejects.toMatchObject({
      code: 'domain_key_invalid',
    })
  })

  test('connects again when a connection is silent, and drops repeated events', async () => {
    const connections: unknown[] = []
    server = await startStub((response, _path, { headers }) => {
      connections.push(headers['last-event-id'])
      // The first connection stays open without another byte, as after a power cut of a router.
      if (connections.length === 1) response.write(`retry: 1\n\n${newEmail(ids[0])}`)
      else response.write(`${newEmail(ids[0])}${newEmail(ids[1])}`)
    })
    const http = new Http(parseServiceUrl(server.url), new Keys('mf_x', async () => ''), undefined)
    const received: unknown[] = []
    for await (const item of readStream(http, '/api/sse/a%40mayfly.test', '0', undefined, 200)) {
      received.push('email' in item && item.email.id)
      if (received.length === 2) break
    }
    expect(received).toEqual([ids[0], ids[1]])
    expect(connections.slice(0, 2)).toEqual(['0', ids[0]])
  })

  /** The first email of the stream of a new client. */
  async function first(domainKey?: string): Promise<unknown> {
    const http = new Http(parseServiceUrl(server.url), new Keys('mf_x', async () => ''), domainKey)
    for await (const item of readStream(http, '/api/sse/a%2Bb%40mayfly.test', '0', undefined)) {
      return 'email' in item && item.email
    }
    return undefined
  }

  test('is requested without the API key, and with the domain key in its query', async () => {
    const seen: unknown[] = []
    server = await startStub((response, path, { headers }) => {
      seen.push(path, headers['x-api-key'])
      response.write(newEmail(ids[0]))
    })
    await first('secret')
    await first()
    const path = '/api/sse/a%2Bb%40mayfly.test'
    expect(seen).toEqual([`${path}?key=secret`, undefined, path, undefined])
  })

  test.each([
    ['with its history begins before every email', true, '0'.repeat(26)],
    ['begins after the newest email', false, ids[0]],
  ])('of an inbox that is opened %s', async (_what, history, since) => {
    const seen: unknown[] = []
    server = await startStub((response, path, { headers }) => {
      if (path.endsWith('/latest')) {
        sendJson(response, { email: email(ids[0]) })
        return
      }
      seen.push(headers['last-event-id'])
      response.write(newEmail(ids[1]))
    })
    const mayfly = new Mayfly({ url: server.url, apiKey: 'mf_x' })
    const inbox = await mayfly.inbox({ address: 'a@mayfly.test', history })
    const stream = inbox.stream()
    expect((await stream.next()).value).toMatchObject({ id: ids[1] })
    await stream.return()
    expect(seen).toEqual([since])
  })

  test('may arrive byte by byte, with comments, other events and either end of line', async () => {
    const subject = '李雷, ä: 1'
    const lines = [
      ':',
      'event: x',
      'id: 5',
      `data: ${JSON.stringify({ type: 'other', email: email(ids[3]) })}`,
    ]
    const data = `data:${JSON.stringify({ type: 'new-email', email: { ...email(ids[0]), subject } })}`
    server = await startStub(async (response) => {
      response.socket?.setNoDelay()
      for (const byte of Buffer.from([...lines, '', data, '', ''].join('\r\n'))) {
        response.write(Buffer.of(byte))
        await turn()
      }
    })
    expect(await first()).toMatchObject({ id: ids[0], subject })
  })

  test('ends its connection and its timers when the caller stops', async () => {
    const SILENCE_MS = 600_001
    const timers = jest.spyOn(globalThis, 'setTimeout')
    const stopped = jest.spyOn(globalThis, 'clearTimeout')
    let isClosed = false
    server = await startStub((response) => {
      response.once('close', () => {
        isClosed = true
      })
      response.write(newEmail(ids[0]))
    })
    const http = new Http(parseServiceUrl(server.url), new Keys('mf_x', async () => ''), undefined)
    for await (const _ of readStream(http, '/api/sse/a%40mayfly.test', '0', undefined, SILENCE_MS)) break
    await eventually('the end of the connection', () => isClosed)
    const started = timers.mock.results.filter((_, n) => timers.mock.calls[n]?.[1] === SILENCE_MS)
    // One for the connection, and another one when bytes have arrived.
    expect(started.length).toBeGreaterThan(1)
    const ended = stopped.mock.calls.map(([timer]) => timer)
    for (const { value } of started) expect(ended).toContain(value)
  })

  test('rejects with the reason of the caller who aborts', async () => {
    server = await startStub((response) => response.write(newEmail(ids[0])))
    const controller = new AbortController()
    const mayfly = new Mayfly({ url: server.url, apiKey: 'mf_x' })
    const inbox = await mayfly.inbox({ address: 'a@mayfly.test', history: true })
    const stream = inbox.stream({ signal: controller.signal })
    expect((await stream.next()).value).toMatchObject({ id: ids[0] })
    const next = stream.next()
    controller.abort('by the caller')
    await expect(next).rejects.toBe('by the caller')
  })

  test.each([
    [':\n\n', 2000],
    ['retry: 3000\n\n', 3000],
    ['id: 5\n\n', 2000],
  ])('connects again after %j and %d ms, and after 45 s of silence', async (lines, retryMs) => {
    const delaysMs: unknown[] = []
    const start = globalThis.setTimeout
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((wake: () => void, ms?: number) => {
      delaysMs.push(ms)
      return start(wake, ms === retryMs ? 0 : ms)
    }) as typeof setTimeout)
    let connections = 0
    server = await startStub((response) => {
      if (connections++ === 0) response.end(lines)
      else response.write(newEmail(ids[0]))
    })
    expect(await first()).toMatchObject({ id: ids[0] })
    expect(delaysMs).toEqual(expect.arrayContaining([retryMs, 45_000]))
  })

  test('gives a service one minute to come back', async () => {
    // The clock does not move.
    jest.spyOn(performance, 'now').mockReturnValue(0)
    const start = globalThis.setTimeout
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((wake: () => void, ms?: number) =>
        start(wake, ms === 59_000 ? 0 : ms)) as typeof setTimeout)
    const pauses = ['59', '60']
    server = await startStub((response) => {
      refuse(response, 503, 'unavailable', { 'Retry-After': pauses.shift() ?? '0' })
    })
    await expect(first()).rejects.toMatchObject({ code: 'unavailable' })
    expect(pauses).toEqual([])
  })
})
