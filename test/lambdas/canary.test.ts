import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import type { handler, run } from '../../lambdas/canary.ts'
import { AWS_VARIABLES } from '../support/aws-variables.ts'
import { listening } from '../support/http-server.ts'
import { collectLog } from '../support/logged.ts'
import { type RunningService, startService } from '../support/service.ts'

/**
 * The one-machine service takes the place of SES, whose API it accepts, and of the deployment. The
 * function reaches it through a server that can hide mail and break answers.
 */
let service: RunningService
let proxy: Awaited<ReturnType<typeof listening>>
let canary: { handler: typeof handler; run: typeof run }
let answers: ((path: string) => { status: number; body: string } | undefined)[] = []
const requests: string[] = []
/** The mails that SES accepted. */
const sent: { FromEmailAddress: string; Destination: { ToAddresses: string[] } }[] = []

beforeAll(async () => {
  service = await startService({ MAYFLY_DOMAINS: 'canary.example' })
  const server = createServer(
    (request, response) => void pass(request, response).catch(() => response.destroy()),
  )
  proxy = await listening(server)
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`)
    const instead = answers[0]?.(request.url ?? '')
    if (instead !== undefined) {
      answers.shift()
      response.writeHead(instead.status, { 'Content-Type': 'application/json' }).end(instead.body)
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { 'content-type': type = 'application/json', 'last-event-id': last } = request.headers
    const headers = { 'Content-Type': type, ...(last && { 'Last-Event-ID': String(last) }) }
    const body = request.method === 'POST' ? Buffer.concat(chunks) : undefined
    if (body !== undefined) sent.push(JSON.parse(String(body)))
    const aborted = new AbortController()
    response.once('close', () => aborted.abort())
    const init = { method: request.method!, headers, body, signal: aborted.signal }
    const answer = await fetch(`${service.http}${request.url}`, init)
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type')! }).flushHeaders()
    // A stream stays open until the canary closes it.
    for await (const chunk of answer.body!) response.write(chunk)
    response.end()
  }
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: `${proxy.url}/ses`,
    ...AWS_VARIABLES,
    MAYFLY_BASE_URL: proxy.url,
    MAYFLY_CANARY_DOMAIN: 'canary.example',
  })
  canary = await import('../../lambdas/canary.ts')
}, 120_000)

afterEach(() => {
  answers = []
  requests.length = 0
  sent.length = 0
  jest.restoreAllMocks()
})

afterAll(async () => {
  await proxy.close()
  await service.stop()
})

/** The time of a function that passes only in pauses. */
function clock(remainingMs: number) {
  const pauses: number[] = []
  const pause = async (ms: number) => {
    pauses.push(ms)
  }
  const passed = () => pauses.reduce((sum, ms) => sum + ms, 0)
  const left = () => remainingMs - passed()
  const began = Date.now()
  jest.spyOn(Date, 'now').mockImplementation(() => began + passed())
  return { context: { getRemainingTimeInMillis: left }, pause, pauses }
}

const EMPTY = { status: 200, body: '{"success":true,"emails":[],"next_cursor":null}' }
const onRead = (answer: { status: number; body: string }) => (path: string) =>
  path.startsWith('/api/public/emails/') ? answer : undefined

test('a mail that SES accepts is read through the API', async () => {
  const { lines } = collectLog()
  const { tookMs } = await canary.handler({}, { getRemainingTimeInMillis: () => 300_000 })
  expect(tookMs).toBeGreaterThanOrEqual(0)
  expect(lines).toEqual([{ level: 'info', message: 'the mail arrived', tookMs }])
  const [address] = requests[0]!.split('/').slice(-1)
  expect(address).toMatch(/^mayfly-canary-[0-9a-f]{16}%40canary\.example$/)
  // The stream is opened before the mail is sent.
  expect(requests).toEqual([
    `GET /api/sse/${address}`,
    'POST /ses/v2/email/outbound-emails',
    `GET /api/public/emails/${address}`,
  ])
  const [{ FromEmailAddress: from, Destination }] = sent as [(typeof sent)[0]]
  // The only sender that its role allows (lib/operations/canary.ts).
  expect(from).toBe('mayfly-canary@canary.example')
  expect(Destination.ToAddresses.map(encodeURIComponent)).toEqual([address])
})

test('each run has an address of its own', async () => {
  for (let i = 0; i < 2; i++) await canary.handler({}, { getRemainingTimeInMillis: () => 300_000 })
  const reads = requests.filter((request) => request.startsWith('GET /api/public'))
  expect(new Set(reads).size).toBe(2)
})

test('a mail that arrives late is waited for, also past answers that are no list', async () => {
  answers = [EMPTY, { status: 503, body: '{"code":"unavailable"}' }, { status: 200, body: '<html>' }].map(
    onRead,
  )
  const { context, pause, pauses } = clock(300_000)
  expect(await canary.run(context, pause)).toEqual({ tookMs: 15_000 })
  expect(pauses).toEqual([5000, 5000, 5000])
})

test('an API that does not answer for ten seconds is asked again', async () => {
  const waiting = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort())
  const { context, pause, pauses } = clock(300_000)
  await canary.run(context, pause)
  expect(waiting.mock.calls[0]).toEqual([10_000])
  expect(pauses).toEqual([5000])
})

test('a mail of somebody else does not count', async () => {
  const other = { ...EMPTY, body: '{"success":true,"emails":[{"subject":"another"}],"next_cursor":null}' }
  answers = [onRead(other)]
  const { context, pause, pauses } = clock(300_000)
  await canary.run(context, pause)
  expect(pauses).toEqual([5000])
})

test('a mail that never arrives fails the run before its time is over, with the last answer', async () => {
  answers = Array.from({ length: 100 }, () => onRead(EMPTY))
  const { context, pause, pauses } = clock(300_000)
  await expect(canary.run(context, pause)).rejects.toThrow(
    /mayfly-canary-\w+@canary\.example did not arrive within 265 s; the API has no mail for it/,
  )
  // A last request may take 10 s, the stream 15 s, and the report 10 s.
  expect(context.getRemainingTimeInMillis()).toBe(35_000)
  expect(pauses).toHaveLength(53)
  const body = `{"code":"domain_key_missing"}${'x'.repeat(2000)}`
  answers = Array.from({ length: 100 }, () => onRead({ status: 401, body }))
  const again = clock(60_000)
  await expect(canary.run(again.context, again.pause)).rejects.toThrow(
    /answers 401: \{"code":"domain_key_missing"\}x{471}$/,
  )
})

test('a mail that the API lists and no stream sends fails the run, with what the stream did', async () => {
  const refusal = { status: 502, body: '' }
  const onStream = (path: string) => (path.startsWith('/api/sse/') ? refusal : undefined)
  answers = Array.from({ length: 100 }, () => onStream)
  const { context, pause } = clock(300_000)
  await expect(canary.run(context, pause, 100)).rejects.toThrow(
    'the API lists the mail, but no stream sent it within 0.1 s; it answers 502',
  )
})

test('a stream that breaks off resumes where it was', async () => {
  answers = [
    (path) =>
      path.startsWith('/api/sse/') ? { status: 200, body: 'id: 00000000000000000000000000\n\n' } : undefined,
  ]
  const { context, pause } = clock(300_000)
  await canary.run(context, pause)
  expect(requests.filter((request) => request.startsWith('GET /api/sse/'))).toHaveLength(2)
})

test('a mail that SES refuses fails the run at once', async () => {
  const refusal = { status: 400, body: '{"message":"Email address is not verified."}' }
  answers = [(path) => (path.startsWith('/ses') ? refusal : undefined)]
  const { context, pause, pauses } = clock(300_000)
  await expect(canary.run(context, pause)).rejects.toThrow('Email address is not verified.')
  expect(pauses).toEqual([])
})

test('Lambda calls the handler with two arguments: Node 24 has no callbacks there', () => {
  expect(canary.handler).toHaveLength(2)
})
