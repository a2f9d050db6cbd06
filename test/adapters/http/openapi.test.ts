import { describe, expect, test } from '@jest/globals'
import * as v from 'valibot'
import { type Endpoint, endpointsOf } from '../../../adapters/http/endpoint.ts'
import { openApiDocument } from '../../../adapters/http/openapi.ts'
import { Domain } from '../../../adapters/http/wire/access.ts'

const endpoint = endpointsOf<object>()
const handle = () => new Response()
const ALWAYS = ['500', '503']

// biome-ignore lint/suspicious/noExplicitAny: the document may have any shape
type Json = Record<string, any>

function documentOf(...endpoints: Endpoint<never>[]): Json {
  return openApiDocument(endpoints)
}

/** The operation of a minimal endpoint with `declared` merged into it. */
function operationOf(declared: object): Json {
  const least = { method: 'GET', path: '/x', name: 'x', summary: 'X', access: 'public', answers: {}, handle }
  return Object.values(
    Object.values(documentOf(endpoint({ ...least, ...declared } as never)).paths as Json)[0] as Json,
  )[0]
}

/** The problem codes of a status, as the description of the response names them. */
function codesOf(operation: Json, status: string): string[] {
  return [...operation.responses[status].description.matchAll(/`(\w+)`/g)].map(([, code]) => code)
}

describe('the OpenAPI document', () => {
  test('describes the API and its security schemes', () => {
    const { openapi, info, servers, components } = documentOf()
    expect({ openapi, info, servers, securitySchemes: components.securitySchemes }).toEqual({
      openapi: '3.1.0',
      info: {
        title: 'Mayfly',
        version: expect.any(String),
        description: expect.stringContaining('mailbox'),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', description: expect.any(String) },
        domainKey: { type: 'apiKey', in: 'header', name: 'X-Domain-Key' },
        domainKeyInQuery: { type: 'apiKey', in: 'query', name: 'key' },
      },
    })
    expect(Object.keys(components.schemas).sort()).toEqual([
      'ActionLink',
      'Attachment',
      'Domain',
      'Email',
      'Person',
      'Problem',
      'WholeEmail',
    ])
  })

  test('describes a problem', () => {
    const { properties, required } = documentOf().components.schemas.Problem
    expect(properties).toEqual({
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'number' },
      detail: { type: 'string' },
      code: { type: 'string' },
      success: { const: false },
      request_id: { type: 'string' },
    })
    expect(required).toEqual(Object.keys(properties))
  })

  test('groups the methods of a path, with its parameters in braces', () => {
    const least = { summary: 'X', access: 'public', answers: {}, handle } as const
    const { paths } = documentOf(
      endpoint({ ...least, method: 'GET', path: '/api/:address/raw/:id', name: 'read' }),
      endpoint({ ...least, method: 'DELETE', path: '/api/:address/raw/:id', name: 'remove' }),
    )
    expect(Object.keys(paths)).toEqual(['/api/{address}/raw/{id}'])
    const { get, delete: remove } = paths['/api/{address}/raw/{id}']
    expect([get.operationId, remove.operationId]).toEqual(['read', 'remove'])
    expect(get.parameters).toEqual(
      ['address', 'id'].map((name) => ({
        name,
        in: 'path',
        required: true,
        description: expect.any(String),
        schema: { type: 'string' },
      })),
    )
  })

  test('a complete operation', () => {
    const query = v.object({
      limit: v.optional(v.string()),
      timeout: v.string(),
      count: v.optional(v.number(), 20),
    })
    expect(
      operationOf({
        query,
        answers: {
          200: { description: 'A domain', schema: Domain },
          201: { description: 'A mail', type: 'message/rfc822' },
          204: { description: 'Nothing' },
        },
        problems: ['email_not_found'],
      }),
    ).toEqual({
      operationId: 'x',
      summary: 'X',
      security: [{}],
      parameters: [
        {
          name: 'limit',
          in: 'query',
          required: false,
          description: expect.any(String),
          schema: { type: 'string' },
        },
        {
          name: 'timeout',
          in: 'query',
          required: true,
          description: expect.any(String),
          schema: { type: 'string' },
        },
        {
          name: 'count',
          in: 'query',
          required: false,
          description: undefined,
          schema: { type: 'number', default: 20 },
        },
      ],
      responses: {
        200: {
          description: 'A domain',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Domain' } } },
        },
        201: { description: 'A mail', content: { 'message/rfc822': {} } },
        204: { description: 'Nothing' },
        ...Object.fromEntries(
          ['400', '404', ...ALWAYS].map((status) => [
            status,
            {
              description: expect.stringMatching(/^`\w+`: .+/),
              content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
            },
          ]),
        ),
      },
    })
  })

  test('a body is optional', () => {
    expect(operationOf({}).requestBody).toBeUndefined()
    expect(operationOf({ method: 'POST', body: v.object({ url: v.string() }) }).requestBody).toEqual({
      required: false,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
        },
      },
    })
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
        400: ['invalid_address'],
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
      'an endpoint with a query',
      { query: v.object({ limit: v.optional(v.string()) }) },
      { 400: ['invalid_query'] },
    ],
    [
      'an endpoint with a body',
      { method: 'POST', body: v.object({}) },
      { 400: ['invalid_body'], 413: ['body_too_large'] },
    ],
  ])(
    '%s lists its own problem codes and the common ones',
    (_what, declared, expected: Record<string, string[]>) => {
      const operation = operationOf(declared)
      for (const [status, codes] of Object.entries(expected))
        expect(codesOf(operation, status)).toEqual(codes)
      expect([codesOf(operation, '500'), codesOf(operation, '503')]).toEqual([
        ['internal_error'],
        ['unavailable'],
      ])
      const others = Object.keys(operation.responses).filter((status) => !ALWAYS.includes(status))
      if (!('access' in declared && 'inbox' in declared)) expect(others).toEqual(Object.keys(expected))
    },
  )
})
