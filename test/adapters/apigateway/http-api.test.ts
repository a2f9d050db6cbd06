import { ReadableStream } from 'node:stream/web'
import { describe, expect, test } from '@jest/globals'
import { type HttpApiEvent, requestOf, resultOf } from '../../../adapters/apigateway/http-api.ts'

const event = (change: Partial<HttpApiEvent> & { method?: string } = {}): HttpApiEvent => ({
  rawQueryString: '',
  headers: {},
  isBase64Encoded: false,
  requestContext: { requestId: 'r1', http: { method: change.method ?? 'GET' } },
  ...change,
})

const never = () => Promise.reject(new Error('put aside'))

describe('an event of an HTTP API', () => {
  test('becomes a request for the path in the form that the client sent', () => {
    const request = requestOf(event({ rawQueryString: 'a=%20b&c=d+e' }), '/api/emails/a%2Fb%2540%3F+x')
    expect(new URL(request.url).pathname).toBe('/api/emails/a%2Fb%2540%3F+x')
    expect(new URL(request.url).search).toBe('?a=%20b&c=d+e')
  })

  test('has its body as text or as base64', async () => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
    expect(await requestOf(event({ ...post, body: '{"ü":1}' }), '/').json()).toEqual({ ü: 1 })
    const body = Buffer.from('{"b":2}').toString('base64')
    expect(await requestOf(event({ ...post, body, isBase64Encoded: true }), '/').json()).toEqual({ b: 2 })
  })

  test('may have headers that are not ASCII', () => {
    const request = requestOf(event({ headers: { 'x-domain-key': 'schlüssel', gone: undefined } }), '/')
    expect(Buffer.from(request.headers.get('x-domain-key')!, 'latin1').toString()).toBe('schlüssel')
    expect(request.headers.has('gone')).toBe(false)
  })

  test.each(['GET', 'HEAD'])('of %s has no body, whatever the client sent', async (method) => {
    const request = requestOf(event({ method, body: 'x' }), '/')
    expect([request.method, await request.text()]).toEqual([method, ''])
  })

  test('is for the host of the client, and has its headers that CloudFront renames', () => {
    const headers = { authorization: 'of CloudFront', 'x-mayfly-authorization': 'Bearer k' }
    const request = requestOf(event({ headers }), '/p', 'inbox.example')
    expect(request.url).toBe('https://inbox.example/p')
    expect(request.headers.get('authorization')).toBe('Bearer k')
    expect(request.headers.has('accept-encoding')).toBe(false)
    expect(request.headers.has('cookie')).toBe(false)
    const zipped = requestOf(event({ headers: { 'x-mayfly-accept-encoding': 'gzip' } }), '/')
    expect(zipped.headers.get('accept-encoding')).toBe('gzip')
  })

  test('has a list of cookies, which become one header of the request', () => {
    const request = requestOf(event({ cookies: ['a=1', 'b=2'] }), '/')
    expect(request.headers.get('cookie')).toBe('a=1; b=2')
  })
})

describe('the result', () => {
  test('has a separate entry for each cookie', async () => {
    const answer = new Response('', { headers: { 'X-One': '1' } })
    answer.headers.append('Set-Cookie', 'a=1; Path=/')
    answer.headers.append('Set-Cookie', 'b=2, 3')
    const { cookies, headers } = await resultOf(answer, never)
    expect(cookies).toEqual(['a=1; Path=/', 'b=2, 3'])
    expect(headers).toEqual({ 'content-type': expect.any(String), 'x-one': '1' })
    expect((await resultOf(new Response(''), never)).cookies).toBeUndefined()
  })

  test('contains the response, whatever its bytes', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    const result = await resultOf(new Response(bytes, { status: 201, headers: { 'X-One': '1' } }), never)
    expect(result).toMatchObject({ statusCode: 201, isBase64Encoded: true, headers: { 'x-one': '1' } })
    expect(Buffer.from(result.body, 'base64').equals(bytes)).toBe(true)
  })

  test('fits the limit of Lambda if it is not put into the bucket', async () => {
    const result = await resultOf(new Response(new Uint8Array(4_500_000)), never)
    expect(JSON.stringify(result).length).toBeLessThan(6 * 1024 * 1024)
    await expect(resultOf(new Response(new Uint8Array(4_500_001)), never)).rejects.toThrow('put aside')
  })

  test('is a redirect to the bucket if it is too large, and loses nothing', async () => {
    const chunk = new Uint8Array(1_000_000).fill(7)
    async function* body() {
      for (let i = 0; i < 12; i++) yield chunk
    }
    const headers = {
      'Content-Type': 'application/json',
      'X-Request-Id': 'r1',
      'Content-Length': '12000000',
      'Content-Encoding': 'gzip',
    }
    let stored = 0
    const result = await resultOf(
      new Response(ReadableStream.from(body()) as never, { headers }),
      async (content, { 'content-type': type, 'content-encoding': encoding }) => {
        for await (const part of content) stored += part.length
        return `https://bucket.example/${type}/${encoding}`
      },
    )
    expect(stored).toBe(12_000_000)
    expect(result).toEqual({
      statusCode: 302,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'x-request-id': 'r1',
        location: 'https://bucket.example/application/json/gzip',
      },
      body: '',
      isBase64Encoded: false,
    })
  })

  test('without a body still has its status and a content type', async () => {
    const result = await resultOf(new Response(null, { status: 204 }), never)
    expect(result).toMatchObject({
      statusCode: 204,
      body: '',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
  })
})
