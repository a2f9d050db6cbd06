import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'

/** Larger than a chunk of the store, and of a type that the service compresses in its own answers. */
const JSON_BYTES = Buffer.from(JSON.stringify(Array.from({ length: 60_000 }, (_, n) => n)))

let service: RunningService
let key: string
const paths: Record<string, string> = {}
const wholes: Record<string, Buffer> = {}

beforeAll(async () => {
  service = await startService()
  const to = freshAddress()
  const attachments = [{ filename: 'numbers.json', contentType: 'application/json', content: JSON_BYTES }]
  await sendMail(service.smtp, { to, subject: 'Ranges', text: 'Hello', attachments })
  key = (await (await fetch(`${service.http}/api/keys`, { method: 'POST' })).json()).key
  const headers = { 'X-API-Key': key }
  const path = `/api/emails/${to}`
  const { email } = await (await fetch(`${service.http}${path}/latest`, { headers })).json()
  paths.raw = `${path}/${email.id}/raw`
  paths.attachment = `${path}/${email.id}/attachments/0`
  wholes.attachment = JSON_BYTES
  wholes.raw = (await ask('GET', paths.raw)).body
})

afterAll(() => service.stop())

/** Node's own client, because `fetch` decompresses and hides it. */
async function ask(method: string, path: string, range?: string, more: Record<string, string> = {}) {
  const headers = {
    'X-API-Key': key,
    'Accept-Encoding': 'gzip',
    ...(range !== undefined && { Range: range }),
    ...more,
  }
  const [answer] = await once(request(service.http + path, { method, headers }).end(), 'response')
  return { status: answer.statusCode as number, headers: pick(answer.headers), body: await buffer(answer) }
}

function pick(headers: IncomingHttpHeaders) {
  const names = ['accept-ranges', 'content-encoding', 'content-length', 'content-range', 'content-type']
  return Object.fromEntries(names.map((name) => [name, headers[name]]))
}

describe.each(['raw', 'attachment'])('the bytes of the %s', (part) => {
  const [size, first, middle, tail] = [
    () => wholes[part]!.length,
    'bytes=0-0',
    'bytes=262000-262300',
    'bytes=-7',
  ]

  test.each([
    [first, () => [0, 0]],
    [middle, () => [262_000, 262_300]],
    ['bytes=262144-', () => [262_144, size() - 1]],
    ['BYTES=5-999999999', () => [5, size() - 1]],
    [tail, () => [size() - 7, size() - 1]],
    ['bytes=-999999999', () => [0, size() - 1]],
  ])('%s', async (range, expected) => {
    const [from, to] = expected() as [number, number]
    const answer = await ask('GET', paths[part]!, range)
    expect(answer.status).toBe(206)
    expect(answer.headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-encoding': undefined,
      'content-length': String(to - from + 1),
      'content-range': `bytes ${from}-${to}/${size()}`,
    })
    expect(answer.body.equals(wholes[part]!.subarray(from, to + 1))).toBe(true)
    const { status, headers, body } = await ask('HEAD', paths[part]!, range)
    expect({ status, headers }).toEqual({ status: 206, headers: answer.headers })
    expect(body).toHaveLength(0)
  })

  test.each([undefined, 'bytes=0-1,5-6', 'bytes=7-5', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes 0-1', ''])(
    'all of them for %p',
    async (range) => {
      const answer = await ask('GET', paths[part]!, range)
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'accept-ranges': 'bytes',
        'content-encoding': undefined,
        'content-length': String(size()),
        'content-range': undefined,
      })
      expect(answer.body.equals(wholes[part]!)).toBe(true)
      const { status, headers } = await ask('HEAD', paths[part]!, range)
      expect({ status, headers }).toEqual({ status: 200, headers: answer.headers })
    },
  )

  test('all of them for a range of another version', async () => {
    const answer = await ask('GET', paths[part]!, first, { 'If-Range': '"a"' })
    expect([answer.status, answer.body.equals(wholes[part]!)]).toEqual([200, true])
  })

  test.each(['bytes=999999999-', 'bytes=999999999-1999999999', 'bytes=-0'])('none for %s', async (range) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await ask(method, paths[part]!, range)
      expect([status, headers['content-range']]).toEqual([416, `bytes */${size()}`])
      if (method === 'GET')
        expect(JSON.parse(body.toString())).toMatchObject({ code: 'range_not_satisfiable' })
    }
  })
})

test('an interrupted download can be continued', async () => {
  const half = await ask('GET', paths.raw!, `bytes=0-${wholes.raw!.length >> 1}`)
  const rest = await ask('GET', paths.raw!, `bytes=${half.body.length}-`)
  expect(Buffer.concat([half.body, rest.body]).equals(wholes.raw!)).toBe(true)
})

test('the OpenAPI document has the answers to a range', async () => {
  const { paths: declared } = await (await fetch(`${service.http}/api/openapi.json`)).json()
  for (const path of ['/api/emails/{address}/{id}/raw', '/api/emails/{address}/{id}/attachments/{n}']) {
    expect(Object.keys(declared[path].get.responses)).toEqual(
      expect.arrayContaining(['200', '206', '302', '416']),
    )
  }
})
