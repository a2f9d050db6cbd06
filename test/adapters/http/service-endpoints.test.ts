import { describe, expect, test } from '@jest/globals'
import { inboxActivity } from '../../../adapters/http/endpoints/activity.ts'
import { health } from '../../../adapters/http/endpoints/health.ts'
import { info } from '../../../adapters/http/endpoints/info.ts'
import { revokeKey } from '../../../adapters/http/endpoints/keys.ts'
import { checkLinks } from '../../../adapters/http/endpoints/link-check.ts'
import { testMail } from '../../../adapters/http/endpoints/test-mail.ts'
import { Problem } from '../../../core/errors.ts'
import { sampleContent } from '../../contract/sample.ts'
import { ask, CLIENT } from './ask.ts'

const OPERATOR = 'key-of-the-operator'

/** API keys, of which one is the operator's. */
const apiKeyService = {
  authenticate: async (key: string) => ({ key: { purpose: key } }),
  isOperatorKey: (key: string) => key === OPERATOR,
  isOperator: ({ purpose }: { purpose: string }) => purpose === OPERATOR,
  revoke: async ({ purpose }: { purpose: string }) => purpose !== OPERATOR,
}
const domainService = { open: async () => ({ name: 'x.test' }), checkStillOpen: async () => {} }
const as = (key: string, init: RequestInit = {}) => ({ ...init, headers: { 'X-API-Key': key } })

describe('health', () => {
  const asked = (check: () => Promise<void>) => ask({ check }, [health], '/api/health')

  test('is ok if the store answers', async () => {
    expect(await asked(async () => {})).toMatchObject({ status: 200, body: { success: true, status: 'ok' } })
  })

  test('of a store that fails is unavailable for some seconds, without the text of the fault', async () => {
    const { status, headers, body } = await asked(async () => {
      throw new Error('SQLITE_IOERR')
    })
    expect([status, headers.get('Retry-After')]).toEqual([503, '5'])
    expect(body).toMatchObject({
      code: 'unavailable',
      detail: 'The store does not answer. Try again shortly.',
    })
  })

  test('of a store that says what is wrong is its own problem', async () => {
    const { status, headers, body } = await asked(async () => {
      throw new Problem('unavailable', 'The disk is full.')
    })
    expect([status, headers.get('Retry-After'), body.detail]).toEqual([503, null, 'The disk is full.'])
  })
})

describe('the information about the service', () => {
  const asked = async (baseUrl: string | undefined, isForEveryone: boolean, key?: string) => {
    const service = {
      apiKeyService,
      linkChecker: { isForEveryone },
      info: {
        version: '1',
        baseUrl,
        smtp: { host: 'h', port: 25 },
        mxHost: 'mx',
        retentionMs: 5_400_000,
        maxMessageBytes: 7,
        hasAllMail: true,
      },
    }
    return (await ask(service, [info], '/api/info', key === undefined ? {} : as(key))).body
  }

  test('has the public URL, or that of the request', async () => {
    expect(await asked('https://box.example', true)).toEqual({
      success: true,
      version: '1',
      base_url: 'https://box.example',
      smtp: { host: 'h', port: 25 },
      mx: 'mx',
      retention_hours: 1.5,
      max_message_bytes: 7,
      link_check: true,
      all_mail: true,
    })
    expect((await asked(undefined, true)).base_url).toBe('http://localhost')
  })

  test('says whether the caller may check links', async () => {
    const may = async (...call: [boolean, string?]) => (await asked(undefined, ...call)).link_check
    expect(await Promise.all([may(true), may(false), may(false, 'a key'), may(false, OPERATOR)])).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})

test('a key is revoked, except the operator’s, which is a part of the configuration', async () => {
  const revoke = (key: string) =>
    ask({ apiKeyService }, [revokeKey], '/api/keys/current', as(key, { method: 'DELETE' }))
  expect(await revoke('k')).toMatchObject({ status: 200, body: { success: true } })
  const refused = await revoke(OPERATOR)
  expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  expect(refused.body).toMatchObject({
    code: 'method_not_allowed',
    detail: "An operator's key is part of the configuration. Remove it there.",
    request_id: refused.headers.get('X-Request-Id'),
  })
})

test('links are checked for the operator, or for everyone, and for the client that asks', async () => {
  const check = async (isForEveryone: boolean, key: string) => {
    const service = {
      apiKeyService,
      domainService,
      mailbox: { find: async (_: object, id: string) => ({ links: [`https://a.example/${id}`] }) },
      linkChecker: {
        isForEveryone,
        check: async (links: string[], client: string) => links.map((url) => ({ url, client })),
      },
    }
    const path = '/api/emails/a@x.test/7/link-check'
    return ask(service, [checkLinks], path, as(key, { method: 'POST' }))
  }
  const links = [{ url: 'https://a.example/7', client: CLIENT }]
  for (const [isForEveryone, key] of [
    [true, 'k'],
    [true, OPERATOR],
    [false, OPERATOR],
  ] as const)
    expect(await check(isForEveryone, key)).toMatchObject({ status: 200, body: { success: true, links } })
  expect(await check(false, 'k')).toMatchObject({ status: 403, body: { code: 'link_check_refused' } })
})

test('a test mail is sent to the address in the body', async () => {
  const sent: string[] = []
  const send = (body: object) =>
    ask({ sendTestMail: async (address: string) => void sent.push(address) }, [testMail], '/api/test-mail', {
      method: 'POST',
      body: JSON.stringify(body),
    })
  expect(await send({ address: 'Bot@X.test' })).toMatchObject({ status: 200, body: { success: true } })
  expect(await send({ address: 'no address' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_address' },
  })
  expect(await send({})).toMatchObject({ status: 400, body: { code: 'invalid_body' } })
  expect(sent).toEqual(['bot@x.test'])
})

test('the requests of an inbox have the times and answers that are known', async () => {
  const startedAt = Date.UTC(2026, 10, 21)
  const activity = {
    of: (address: string) => [
      { method: 'GET', target: `/of/${address}`, startedAt },
      { method: 'GET', target: '', startedAt, answer: { status: 200, ms: 1.6 } },
      // A clock that was set back.
      { method: 'GET', target: '', startedAt, answer: { status: 200, ms: -1 } },
    ],
  }
  const lists: unknown[] = []
  const mailbox = { list: async (_: object, request: object) => ({ emails: lists.push(request) && [] }) }
  const { body } = await ask({ domainService, activity, mailbox }, [inboxActivity], '/api/activity/A@X.test')
  expect(lists).toEqual([{ limit: 50 }])
  const common = { method: 'GET', target: '', started_at: '2026-11-21T00:00:00.000Z' }
  expect(body).toEqual({
    success: true,
    requests: [
      { ...common, target: '/of/a@x.test', status: null, ms: null },
      { ...common, status: 200, ms: 2 },
      { ...common, status: 200, ms: 0 },
    ].map((request) => ({ ...request, wait: null })),
    emails: [],
  })
})

test('a request that waits names the emails that it did not accept', async () => {
  const startedAt = Date.UTC(2026, 10, 21)
  const email = {
    ...sampleContent({ subject: 'Welcome' }),
    id: 'a',
    receivedAt: startedAt + 1000,
    read: false,
  }
  const wait = { filter: { subject: 'invoice' }, timeoutMs: 30_400 }
  const activity = { of: () => [{ method: 'GET', target: '/wait', startedAt, wait }] }
  const mailbox = { list: async () => ({ emails: [email] }) }
  const { body } = await ask({ domainService, activity, mailbox }, [inboxActivity], '/api/activity/A@X.test')
  const reason = { filter: 'subject', text: '“Welcome” does not contain “invoice”' }
  const shown = { id: 'a', subject: 'Welcome', received_at: '2026-11-21T00:00:01.000Z' }
  expect(body.emails).toEqual([expect.objectContaining(shown)])
  expect(body.requests[0].wait).toMatchObject({
    filter: wait.filter,
    since: null,
    timeout: 30,
    found: null,
    missed: [{ ...shown, reasons: [reason] }],
  })
})

test('a request that has found an email names it, and from which id on it has waited', async () => {
  const startedAt = Date.UTC(2026, 10, 21)
  const from = { name: '', address: 'ann@x.example' }
  const found = { id: 'b', from, subject: 'Welcome', receivedAt: startedAt + 1000 }
  const wait = { filter: {}, after: 'a', timeoutMs: 5000, found, missed: [] }
  const activity = { of: () => [{ method: 'GET', target: '/wait', startedAt, wait }] }
  const mailbox = { list: async () => ({ emails: [] }) }
  const { body } = await ask({ domainService, activity, mailbox }, [inboxActivity], '/api/activity/A@X.test')
  expect(body.requests[0].wait).toEqual({
    filter: {},
    since: 'a',
    timeout: 5,
    found: { id: 'b', from, subject: 'Welcome', received_at: '2026-11-21T00:00:01.000Z' },
    missed: [],
  })
})
