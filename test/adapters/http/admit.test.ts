import { describe, expect, test } from '@jest/globals'
import { Problem } from '../../../core/errors.ts'
import { ask, CLIENT, endpointOf } from './ask.ts'

const OPERATOR = 'key-of-the-operator'
const RATE = { limit: 120, remaining: 119, reset: 7 }

/** A service that records by which key, session and domain key it was asked. */
function recording({ admitted = true, hasRate = true } = {}) {
  const seen: unknown[] = []
  const authenticated = { key: { purpose: 'test' }, rate: hasRate ? RATE : undefined, admitted }
  const service = {
    keylessRate: { admit: (client: string) => seen.push(['keyless', client]) },
    apiKeyService: {
      isOperatorKey: (key: string) => key === OPERATOR,
      authenticate: async (key: string | undefined) => {
        seen.push(['key', key])
        return authenticated
      },
    },
    pageSessions: {
      authenticate: async (token: string) => {
        seen.push(['session', token])
        return authenticated
      },
    },
    domainService: {
      open: async (domain: string, key: string | undefined, client: string) => {
        seen.push(['domain', domain, key, client])
        return { name: domain }
      },
      checkStillOpen: async (domain: object) => void seen.push(['still open', domain]),
    },
  }
  return { seen, service }
}

describe('the checks of an endpoint', () => {
  test('a request without an API key is counted for its client, except the operator’s', async () => {
    const { seen, service } = recording()
    const keyless = endpointOf({ isKeyless: true })
    await ask(service, [keyless], '/api/x')
    await ask(service, [keyless], '/api/x', { headers: { 'X-API-Key': 'another key' } })
    expect(seen).toEqual([
      ['keyless', CLIENT],
      ['keyless', CLIENT],
    ])
    await ask(service, [keyless], '/api/x', { headers: { 'X-API-Key': OPERATOR } })
    await ask(service, [endpointOf({})], '/api/x')
    expect(seen).toHaveLength(2)
  })

  test('a key’s rate is in the headers, also of a refusal, and a key without a rate is not limited', async () => {
    const keyed = endpointOf({ access: 'api key' }, ({ key }) => key!)
    const headers = { 'X-API-Key': 'k' }
    const accepted = await ask(recording().service, [keyed], '/api/x', { headers })
    const refused = await ask(recording({ admitted: false }).service, [keyed], '/api/x', { headers })
    expect([accepted.status, accepted.body]).toEqual([200, { purpose: 'test' }])
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        detail: 'A key has 120 requests a minute. Wait for the next minute.',
      },
    })
    for (const { headers } of [accepted, refused]) {
      const names = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
      expect(names.map((name) => headers.get(name))).toEqual(['120', '119', '7'])
    }
    expect([accepted.headers.get('Retry-After'), refused.headers.get('Retry-After')]).toEqual([null, '7'])
    const unlimited = await ask(recording({ hasRate: false, admitted: false }).service, [keyed], '/api/x', {
      headers,
    })
    expect([unlimited.status, unlimited.headers.get('RateLimit-Limit')]).toEqual([200, null])
  })

  test('the key is X-API-Key, or at a bearer endpoint the word after Bearer', async () => {
    for (const [access, headers, key] of [
      ['api key', { 'X-API-Key': 'k' }, 'k'],
      ['api key', { Authorization: 'Bearer b' }, undefined],
      ['api key', {}, undefined],
      ['bearer', { Authorization: 'Bearer b', 'X-API-Key': 'k' }, 'b'],
      ['bearer', { 'X-API-Key': 'k' }, undefined],
    ] as const) {
      const { seen, service } = recording()
      await ask(service, [endpointOf({ access })], '/api/x', { headers })
      expect([access, headers, seen]).toEqual([access, headers, [['key', key]]])
    }
  })

  test('a page session replaces a missing API key only at an endpoint of an inbox that needs a key', async () => {
    const inbox = { path: '/api/x/:address', inbox: 'header' } as const
    for (const [declared, headers, asked] of [
      [{ ...inbox, access: 'api key' }, {}, ['session', 'mfs_token']],
      [{ ...inbox, access: 'api key' }, { 'X-API-Key': 'k' }, ['key', 'k']],
      [{ ...inbox, access: 'bearer' }, {}, ['key', undefined]],
      [{ path: '/api/x/:address', access: 'api key' }, {}, ['key', undefined]],
    ] as const) {
      const { seen, service } = recording()
      await ask(service, [endpointOf(declared)], '/api/x/a@x.test', {
        headers: { 'Sec-Fetch-Site': 'same-origin', Cookie: 'mayfly_session=mfs_token', ...headers },
      })
      expect([declared, seen[0]]).toEqual([declared, asked])
    }
  })

  test('the domain key comes from the header, the query, or the header before the query', async () => {
    for (const [inbox, both, queryOnly, none] of [
      ['header', 'h', undefined, undefined],
      ['query', 'q', 'q', undefined],
      ['header or query', 'h', 'q', undefined],
    ] as const) {
      const { seen, service } = recording()
      const endpoint = endpointOf({ path: '/api/x/:address', inbox }, (call) => call.inbox!)
      const headers = { 'X-Domain-Key': 'h' }
      const { body } = await ask(service, [endpoint], '/api/x/A%40X.test?key=q', { headers })
      expect(body).toMatchObject(
        inbox === 'header'
          ? { code: 'invalid_query' }
          : { address: 'a@x.test', domain: 'x.test', registration: { name: 'x.test' } },
      )
      await ask(service, [endpoint], '/api/x/a@x.test?key=q')
      await ask(service, [endpoint], '/api/x/a@x.test')
      const opened = (seen as unknown[][]).filter(([what]) => what === 'domain')
      expect([inbox, opened]).toEqual([
        inbox,
        [both, queryOnly, none].map((key) => ['domain', 'x.test', key, CLIENT]),
      ])
    }
  })

  test('the key is checked before the address and the query, and access again after the answer', async () => {
    const { seen, service } = recording()
    const endpoint = endpointOf({ access: 'api key', path: '/api/x/:address', inbox: 'header' }, () => {
      seen.push(['handled'])
      return {}
    })
    await ask(service, [endpoint], '/api/x/a@x.test')
    expect((seen as unknown[][]).map(([what]) => what)).toEqual(['key', 'domain', 'handled', 'still open'])
    const refusing = {
      ...service,
      apiKeyService: {
        authenticate: async () => {
          throw new Problem('api_key_missing', 'x')
        },
      },
    }
    expect((await ask(refusing, [endpoint], '/api/x/no-address')).body.code).toBe('api_key_missing')
  })

  test('a missing key of the operator keeps its detail, with the advice about keys of operators', async () => {
    const failing = (error: Error) => ({ apiKeyService: { authenticate: () => Promise.reject(error) } })
    const missing = failing(new Problem('api_key_missing', 'Send a key.'))
    const ofOperator = endpointOf({ access: 'operator' })
    const [operator, other] = [
      await ask(missing, [ofOperator], '/api/x'),
      await ask(missing, [endpointOf({ access: 'api key' })], '/api/x'),
    ]
    for (const { status, body } of [operator, other]) {
      expect([status, body.code]).toEqual([401, 'api_key_missing'])
      expect(body.detail).toMatch(/^Send a key\. ./)
    }
    expect(operator.body.detail).toContain('MAYFLY_API_KEYS')
    expect(other.body.detail).not.toContain('MAYFLY_API_KEYS')
    const failed = await ask(failing(new Error('the store is away')), [ofOperator], '/api/x')
    expect([failed.status, failed.body.code]).toEqual([500, 'internal_error'])
  })

  test('a path parameter is decoded once, and the problem names the parameter that cannot be', async () => {
    const endpoint = endpointOf({ path: '/api/:domain/:address/:id' }, ({ param }) => ({
      values: ['domain', 'address', 'id'].map(param),
    }))
    const get = async (path: string) => (await ask({}, [endpoint], `/api/${path}`)).body
    expect((await get('a%2Fb/%2540/%C3%BC')).values).toEqual(['a/b', '%40', 'ü'])
    for (const [path, code, name] of [
      ['%zz/a/b', 'invalid_domain', 'domain'],
      ['a/%ff/b', 'invalid_address', 'address'],
      ['a/b/%', 'invalid_query', 'id'],
    ] as const) {
      expect(await get(path)).toMatchObject({
        code,
        detail: `The path parameter "${name}" is not percent-encoded UTF-8.`,
      })
    }
  })
})
