import { afterEach, expect, test } from '@jest/globals'
import { Mayfly } from '../../../packages/client/src/mayfly.ts'
import { sendJson, startStub, type TestProxy } from './proxy.ts'

type Call = (mayfly: Mayfly, signal: AbortSignal) => Promise<unknown>

const inboxOf = (mayfly: Mayfly) => mayfly.inbox({ address: 'bot@x.test', history: true })

const CALLS = {
  'a wait for any address': (mayfly, signal) => mayfly.waitForMail({ signal }),
  'a wait for any address that timed out': (mayfly, signal) => mayfly.waitForMail({ signal, timeout: 1 }),
  'a stream of all addresses': (mayfly, signal) => mayfly.stream({ signal }).next(),
  'a wait of an inbox': async (mayfly, signal) => (await inboxOf(mayfly)).waitForMail({ signal }),
  'a wait of an inbox that timed out': async (mayfly, signal) =>
    (await inboxOf(mayfly)).waitForMail({ signal, timeout: 1 }),
  'a stream of an inbox': async (mayfly, signal) => (await inboxOf(mayfly)).stream({ signal }).next(),
  'a request': (mayfly, signal) => mayfly.request({ path: '/api/x' }, { signal }),
} satisfies Record<string, Call>

let stub: TestProxy | undefined
afterEach(() => stub?.close())

test.each<[keyof typeof CALLS, held: RegExp]>([
  ['a wait for any address', /^\/api\/emails\?.*limit=100/],
  ['a wait for any address', /^\/api\/emails\/wait/],
  ['a wait for any address that timed out', /^\/api\/emails\?limit=5$/],
  ['a stream of all addresses', /^\/api\/emails\?limit=5$/],
  ['a stream of all addresses', /^\/api\/sse/],
  ['a wait of an inbox', /^\/api\/emails\/bot.*\/wait/],
  ['a wait of an inbox that timed out', /^\/api\/emails\/bot[^/]*$/],
  ['a stream of an inbox', /^\/api\/sse/],
  ['a request', /x/],
])(
  '%s ends with the reason of the caller while the service does not answer %s',
  async (name, held) => {
    const controller = new AbortController()
    stub = await startStub((response, path) => {
      if (held.test(path)) controller.abort('by the caller')
      else sendJson(response, { emails: [], next_cursor: null, email: null })
    })
    const mayfly = new Mayfly({ url: stub.url, apiKey: 'mf_x' })
    await expect(CALLS[name](mayfly, controller.signal)).rejects.toBe('by the caller')
  },
  10_000,
)
