import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, jest, test } from '@jest/globals'
import type { Check, ChecksOptions, runChecks as RunChecks } from '../../bin/verify/checks.ts'
import { listening } from '../support/http-server.ts'

let runChecks: typeof RunChecks

beforeAll(async () => {
  const BETWEEN_ATTEMPTS_MS = 3000
  const pause = (ms: number, ...options: [undefined, object]) =>
    sleep(ms === BETWEEN_ATTEMPTS_MS ? 10 : ms, ...options)
  jest.unstable_mockModule('node:timers/promises', () => ({ setTimeout: pause }))
  ;({ runChecks } = await import('../../bin/verify/checks.ts'))
})

/** What goes wrong in a deployment. A request that is named here is answered with 503. */
interface Fault {
  request?: string
  /** The mail as lists have it; null if they lack it. */
  listed?: { subject?: string; codes?: string[] } | null
  streamed?: string
  attempts?: { status: number }[]
  isSent?: false
  sum?: number
  /** The log group that has no line. */
  silent?: string
  alarms?: string[]
  /** No resource is found. */
  resources?: false
}

/** What the programs log, by log group. */
const LINES: Record<string, string> = {
  ingest: '{"level":"info","message":"mail","id":"01","ms":3}',
  streams: '{"level":"info","message":"metrics","OpenStreams":2}',
}

/** Runs the checks against a deployment with this fault; returns those that are not good. */
async function failing(fault: Fault): Promise<Omit<Check, 'isGood'>[]> {
  const checks = await checked(fault)
  return checks.filter(({ isGood }) => !isGood).map(({ name, detail }) => ({ name, detail }))
}

async function checked(fault: Fault): Promise<Check[]> {
  let subject = ''
  const streams: ServerResponse[] = []
  const routes: [request: RegExp, answer: () => object][] = [
    [/^GET .api.health$/, () => ({ status: 'ok' })],
    [/^POST .api.keys$/, () => ({ key: 'k' })],
    [/^POST .api.webhooks$/, () => ({ id: 'w' })],
    [/^GET .api.public.emails.verify-/, () => ({ emails: listed() })],
    [/^GET .api.webhooks.w.deliveries$/, () => ({ deliveries: fault.attempts ?? [{ status: 405 }] })],
    [/^DELETE .api.webhooks.w$/, () => ({})],
  ]
  const listed = () => (fault.listed === null ? [] : [{ subject, codes: ['1', '739105'], ...fault.listed }])
  const server = createServer((request, response) => {
    const asked = `${request.method} ${request.url}`
    if (asked === fault.request) return void response.writeHead(503).end('no')
    if (asked.startsWith('GET /api/sse/verify-')) {
      streams.push(response)
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      return announce()
    }
    const answer = routes.find(([pattern]) => pattern.test(asked))?.[1]
    if (answer === undefined) return void response.writeHead(404).end()
    response.end(JSON.stringify(answer()))
  })
  const announce = () => {
    const event = JSON.stringify({ email: { subject: fault.streamed ?? subject } })
    if (subject !== '') for (const stream of streams) stream.write(`data: ${event}\n\n`)
  }
  const { url, close } = await listening(server)
  const ids: Record<string, [id: string, physicalId: string][]> = {
    'AWS::SQS::Queue': [['InboundQueue1', 'https://sqs/1/inbound']],
    'AWS::Logs::LogGroup': [
      ['InboundIngestLogs1', 'ingest'],
      ['MayflySseLogs1', 'streams'],
    ],
  }
  const options: ChecksOptions = {
    deployment: {
      stackName: 'Mayfly',
      baseUrl: url,
      resources: (type) => new Map(fault.resources === false ? [] : ids[type]),
      firstDomain: async () => 'x.test',
    },
    domain: 'x.test',
    async send(_to, id) {
      if (fault.isSent === false) throw new Error('SES is not available')
      subject = id
      announce()
    },
    cloudWatch: {
      sumOf: async (...metric) =>
        isDeepStrictEqual(metric, ['AWS/SQS', 'NumberOfMessagesSent', { QueueName: 'inbound' }])
          ? (fault.sum ?? 1)
          : 0,
      // The pattern is quoted, so a quote in it is escaped.
      hasLine: async (group, text) =>
        group !== fault.silent && LINES[group]?.includes(text.replaceAll('\\"', '"')) === true,
      alarmsThatAreOn: async (stack) => (stack === 'Mayfly' ? (fault.alarms ?? []) : []),
    },
    patienceMs: 2500,
  }
  try {
    return await runChecks(options)
  } finally {
    for (const stream of streams) stream.destroy()
    await close()
  }
}

test('a deployment that works has no check that fails', async () => {
  expect(await failing({})).toEqual([])
})

test('of several attempts of a webhook the newest one is shown', async () => {
  const checks = await checked({ attempts: [{ status: 200 }, { status: 503 }] })
  expect(checks.find(({ name }) => name === 'webhook attempted')).toEqual({
    name: 'webhook attempted',
    isGood: true,
    detail: '2, the last one with status 200',
  })
})

const REST = 'read by REST, with its code'
const NO_MAIL = [REST, 'the list has no such mail']
const NO_EVENT = ['sent by a stream', expect.stringContaining('no stream sent it within 2.5 s')]
const refused = (request: string) => `${request} answers 503: no`

test.concurrent.each<[Fault, ...unknown[][]]>([
  [{ request: 'GET /api/health' }, ['health', refused('GET /api/health')]],
  [{ request: 'POST /api/keys' }, ['API key', refused('POST /api/keys')]],
  [
    { request: 'POST /api/webhooks' },
    ['webhook', refused('POST /api/webhooks')],
    ['webhook attempted', expect.stringContaining('answers 404')],
  ],
  [{ isSent: false }, ['mail sent by SES', 'SES is not available'], [REST, expect.anything()], NO_EVENT],
  [{ listed: null }, NO_MAIL],
  [{ listed: { subject: 'another' } }, NO_MAIL],
  [{ listed: { codes: ['1'] } }, [REST, 'its codes are ["1"]']],
  [{ streamed: 'another' }, NO_EVENT],
  [{ attempts: [] }, ['webhook attempted', 'there is no attempt']],
  [{ request: 'DELETE /api/webhooks/w' }, ['webhook removed', refused('DELETE /api/webhooks/w')]],
  [{ sum: 0 }, ['metric of received mail', 'CloudWatch has no data yet']],
  [
    { resources: false },
    ['metric of received mail', 'CloudWatch has no data yet'],
    ['log of the ingest function', ' has no line "mail"'],
    ['metrics in the log of the stream service', ' has no metrics'],
  ],
  [{ silent: 'ingest' }, ['log of the ingest function', 'ingest has no line "mail"']],
  [{ silent: 'streams' }, ['metrics in the log of the stream service', 'streams has no metrics']],
  [{ alarms: ['Mayfly-A', 'Mayfly-B'] }, ['no alarm is on', 'Mayfly-A, Mayfly-B']],
])('the checks find %j', async (fault, ...rows) => {
  expect(await failing(fault)).toEqual(rows.map(([name, detail]) => ({ name, detail })))
})
