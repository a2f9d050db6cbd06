import { describe, expect, test } from '@jest/globals'
import * as v from 'valibot'
import { type Endpoint, endpointsOf } from '../../../adapters/http/endpoint.ts'
import { ALL_MAIL_ENDPOINTS } from '../../../adapters/http/endpoints/all-mail.ts'
import { LIVE_ENDPOINTS, REST_ENDPOINTS } from '../../../adapters/http/endpoints.ts'
import { namedSchemas } from '../../../adapters/http/openapi/components.ts'
import { openApiDocument } from '../../../adapters/http/openapi/document.ts'
import { DomainsAnswer } from '../../../adapters/http/wire/access.ts'
import { McpRequest } from '../../../adapters/http/wire/mcp.ts'
import { NewKeyBody, TestMailBody } from '../../../adapters/http/wire/requests.ts'
import { NewWebhookBody } from '../../../adapters/http/wire/webhooks.ts'

const endpoint = endpointsOf<object>()
/** Statuses of every operation: an unknown query parameter, a foreign host, a fault. */
const ALWAYS = ['400', '421', '500', '503']
const DOMAINS = { 200: { description: 'Domains', schema: DomainsAnswer } }
const LEAST = {
  method: 'GET',
  summary: 'X',
  tag: 'Service',
  description: 'What it does.',
  access: 'public',
  answers: {},
  handle: () => new Response(),
} as const

// biome-ignore lint/suspicious/noExplicitAny: the document may have any shape
type Json = Record<string, any>

function documentOf(...endpoints: Endpoint<never>[]): Json {
  return openApiDocument(endpoints, { version: '1.2.3', baseUrl: undefined })
}

/** The operation of a minimal endpoint with `declared` merged into it. */
function operationOf(declared: object): Json {
  return Object.values(
    Object.values(
      documentOf(endpoint({ ...LEAST, path: '/x', name: 'x', ...declared } as never)).paths as Json,
    )[0] as Json,
  )[0]
}

/** The problem codes of a status, as the description of the response names them. */
function codesOf(operation: Json, status: string): string[] {
  return [...operation.responses[status].description.matchAll(/`(\w+)`/g)].map(([, code]) => code)
}

describe('the OpenAPI document', () => {
  test('has the version of the product, and the public URL if there is one', () => {
    const { info, servers } = documentOf()
    expect([info.version, servers[0].url]).toEqual(['1.2.3', '/'])
    const about = { version: '1.2.3', baseUrl: 'https://example.com/mail' }
    expect(openApiDocument([], about).servers).toEqual([expect.objectContaining({ url: about.baseUrl })])
  })

  test('describes each group of operations in a sentence', () => {
    const { tags } = documentOf(...REST_ENDPOINTS, ...LIVE_ENDPOINTS, ...ALL_MAIL_ENDPOINTS)
    for (const { name, description } of tags)
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].{20,}\.$/)])
    expect(tags.length).toBeGreaterThan(5)
  })

  test('groups the methods of a path, with its parameters in braces', () => {
    const path = '/api/:address/raw/:id'
    const { paths } = documentOf(
      endpoint({ ...LEAST, method: 'GET', path, name: 'read' }),
      endpoint({ ...LEAST, method: 'DELETE', path, name: 'remove' }),
    )
    expect(Object.keys(paths)).toEqual(['/api/{address}/raw/{id}'])
    const { get, delete: remove } = paths['/api/{address}/raw/{id}']
    expect([get.operationId, remove.operationId]).toEqual(['read', 'remove'])
    expect(
      get.parameters.map((parameter: Json) => [parameter.name, parameter.in, parameter.required]),
    ).toEqual([
      ['address', 'path', true],
      ['id', 'path', true],
    ])
  })

  test('has the schemas and headers that its operations refer to, and no others', () => {
    const { components } = documentOf(endpoint({ ...LEAST, path: '/x', name: 'x', answers: DOMAINS }))
    expect(Object.keys(components.schemas)).toEqual(['Domain', 'DomainsAnswer', 'Problem'])
    expect(Object.keys(components.headers)).toEqual(['Retry-After', 'X-Request-Id'])
    expect(Object.keys(components.securitySchemes)).toEqual([])
  })

  test('an answer has an example, and the headers of its status and of its own', () => {
    const answers = {
      ...DOMAINS,
      206: {
        description: 'A part',
        types: ['message/rfc822'],
        example: 'Subject: x',
        headers: ['Content-Range'],
      },
      302: { description: 'Elsewhere' },
    }
    const { responses } = operationOf({ answers, access: 'api key' })
    const namesOf = (status: number) => Object.keys(responses[status].headers)
    const RATE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
    expect(namesOf(200)).toEqual(['X-Request-Id', ...RATE])
    expect(namesOf(206)).toEqual(['X-Request-Id', ...RATE, 'Content-Range'])
    expect(namesOf(302)).toContain('Location')
    expect(namesOf(401)).toContain('WWW-Authenticate')
    expect(responses[200].content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/DomainsAnswer' },
      example: { success: true, domains: [{ domain: 'example.com', status: 'verified', private: false }] },
    })
    expect(responses[206].content['message/rfc822'].example).toBe('Subject: x')
    expect(responses[302].content).toBeUndefined()
  })

  test('a status with an answer and a refusal has both contents', () => {
    const answers = { 400: { description: 'Not JSON-RPC', schema: v.object({ error: v.string() }) } }
    const { content, description } = operationOf({ answers }).responses[400]
    expect(Object.keys(content)).toEqual(['application/json', 'application/problem+json'])
    expect(description).toMatch(/^Not JSON-RPC\. `invalid_query`: /)
  })

  test('a body is required unless an empty one is valid', () => {
    const isRequired = (body: object) => operationOf({ method: 'POST', body }).requestBody.required
    expect(operationOf({}).requestBody).toBeUndefined()
    expect([isRequired(NewKeyBody), isRequired(TestMailBody), isRequired(NewWebhookBody)]).toEqual([
      false,
      true,
      true,
    ])
  })

  test('a webhook is for an address or for a domain, and not for both', () => {
    const body = { method: 'POST', body: NewWebhookBody } as const
    const { schemas } = documentOf(endpoint({ ...LEAST, ...body, path: '/x', name: 'x' })).components
    expect(schemas.NewWebhookBody).toEqual({
      oneOf: [
        { $ref: '#/components/schemas/AddressWebhook' },
        { $ref: '#/components/schemas/DomainWebhook' },
      ],
    })
    expect(schemas.AddressWebhook).toMatchObject({
      required: ['url', 'address'],
      additionalProperties: false,
    })
    expect(schemas.DomainWebhook).toMatchObject({ required: ['url', 'domain'], additionalProperties: false })
  })

  test('an object with members of any name says so, and no other one', () => {
    const body = { method: 'POST', body: McpRequest } as const
    const { schemas } = documentOf(endpoint({ ...LEAST, ...body, path: '/x', name: 'x' })).components
    expect(schemas.McpRequest).toMatchObject({
      properties: { params: { additionalProperties: true } },
      additionalProperties: false,
    })
  })

  test('no object with members of any name has one that may be null, for OpenAPI Generator', () => {
    const isNullable = ({ anyOf = [] }: Json) => anyOf.some(({ type }: Json) => type === 'null')
    const open = Object.entries(namedSchemas() as Json).filter(
      ([, { additionalProperties }]) => additionalProperties === true,
    )
    expect(open.map(([name]) => name)).toEqual(['McpAnswer', 'OpenApiAnswer'])
    for (const [, { properties }] of open)
      expect(Object.values(properties as Json).some(isNullable)).toBe(false)
    expect(isNullable((namedSchemas() as Json).McpFailure.properties.id)).toBe(true)
  })

  test('links lead to operations of the document', () => {
    const list = endpoint({ ...LEAST, path: '/api/:address', name: 'inbox', answers: DOMAINS })
    const read = endpoint({ ...LEAST, path: '/api/:address/:id', name: 'readEmail', answers: DOMAINS })
    const linksOf = (...endpoints: Endpoint<never>[]) =>
      Object.keys(documentOf(...endpoints).paths['/api/{address}'].get.responses[200].links)
    expect(linksOf(list)).toEqual(['nextPage'])
    expect(linksOf(list, read)).toEqual(['readEmail', 'nextPage'])
  })

  test('a link gives the parameters that its operation needs, and is named like it or by its relation', () => {
    const { paths } = documentOf(...LIVE_ENDPOINTS, ...REST_ENDPOINTS, ...ALL_MAIL_ENDPOINTS)
    const operations = Object.values(paths as Json).flatMap((path: Json): Json[] => Object.values(path))
    const byId = new Map(operations.map((operation) => [operation.operationId, operation]))
    const links = operations
      .flatMap(({ responses }): Json[] => Object.values(responses))
      .flatMap((response) => Object.entries<Json>(response.links ?? {}))
    expect(links.length).toBeGreaterThan(20)
    for (const [name, { operationId, parameters }] of links) {
      if (name !== 'nextPage' && name !== 'nextEmail') expect(operationId).toBe(name)
      const declared: Json[] = byId.get(operationId)!.parameters
      const given = Object.keys(parameters)
      expect(declared.map((parameter) => parameter.name)).toEqual(expect.arrayContaining(given))
      const inPath = declared.filter((parameter) => parameter.in === 'path')
      expect(given).toEqual(expect.arrayContaining(inPath.map((parameter) => parameter.name)))
    }
  })

  test.each([
    [{ access: 'public' }, [{}]],
    [{ access: 'api key' }, [{ apiKey: [] }]],
    [{ access: 'bearer' }, [{ bearer: [] }]],
    [{ access: 'bearer', domainKey: true }, [{ bearer: [] }, { bearer: [], domainKey: [] }]],
    [{ access: 'api key', inbox: 'header' }, [{ apiKey: [] }, { apiKey: [], domainKey: [] }]],
    [{ access: 'public', inbox: 'query' }, [{}, { domainKeyInQuery: [] }]],
    [{ access: 'public', inbox: 'header or query' }, [{}, { domainKey: [] }, { domainKeyInQuery: [] }]],
  ])('%j requires %j', (declared, expected) => {
    expect(operationOf(declared).security).toEqual(expected)
  })

  test.each([
    ['every endpoint', {}, {}],
    ['an endpoint that declares a common problem', { problems: ['unavailable'] }, {}],
    [
      'an endpoint with an API key',
      { access: 'api key' },
      { 401: ['api_key_missing', 'api_key_invalid', 'api_key_expired'], 429: ['rate_limited'] },
    ],
    ['an endpoint without a key', { isKeyless: true }, { 429: ['rate_limited'] }],
    [
      'an endpoint of an inbox',
      { inbox: 'header' },
      {
        400: ['invalid_query', 'invalid_body', 'invalid_address'],
        401: ['domain_key_missing'],
        403: ['domain_key_invalid'],
        404: ['domain_not_found'],
        429: ['rate_limited'],
      },
    ],
    [
      'an endpoint of an inbox with an API key',
      { access: 'api key', inbox: 'header' },
      { 429: ['rate_limited'] },
    ],
    [
      'an endpoint that is not read with GET',
      { method: 'POST' },
      { 400: ['invalid_query', 'invalid_body'], 403: ['cross_site'], 413: ['body_too_large'] },
    ],
    ['an endpoint that a GET changes', { changesState: true }, { 403: ['cross_site'] }],
    [
      'an endpoint of a domain',
      { path: '/x/:domain' },
      { 400: ['invalid_query', 'invalid_body', 'invalid_domain'] },
    ],
  ])(
    '%s lists its own problem codes and the common ones',
    (_what, declared, expected: Record<string, string[]>) => {
      const operation = operationOf(declared)
      for (const [status, codes] of Object.entries(expected))
        expect(codesOf(operation, status)).toEqual(codes)
      expect(codesOf(operation, '400')).toContain('invalid_query')
      expect(['421', '500', '503'].map((status) => codesOf(operation, status))).toEqual([
        ['misdirected_request'],
        ['internal_error'],
        ['unavailable'],
      ])
      const others = Object.keys(operation.responses).filter((status) => !ALWAYS.includes(status))
      const wanted = Object.keys(expected).filter((status) => !ALWAYS.includes(status))
      if (!('access' in declared && 'inbox' in declared)) expect(others).toEqual(wanted)
    },
  )
})
