import { gunzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { compressed, json, jsonText } from '../../../adapters/http/answer.ts'
import { COMPRESSED_BYTES } from '../../../core/limits.ts'

const LONG = 'x'.repeat(COMPRESSED_BYTES)

test('an answer is compressed in one piece, with its length and what it depends on', async () => {
  const answer = await compressed(json({ text: LONG }, 201), 'gzip')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([answer.status, JSON.parse(gunzipSync(bytes).toString())]).toEqual([201, { text: LONG }])
  expect(Object.fromEntries(answer.headers)).toEqual({
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': String(bytes.length),
    vary: 'Accept-Encoding',
  })
})

test('a shorter answer, and one whose body is a stream, are sent as they are', async () => {
  const short = jsonText(LONG.slice(1))
  expect(short.headers.get('Content-Length')).toBe(String(COMPRESSED_BYTES - 1))
  const streamed = Response.json({ text: LONG })
  for (const answer of [short, streamed]) expect(await compressed(answer, 'gzip')).toBe(answer)
  expect((await compressed(jsonText(LONG), 'gzip')).headers.get('Content-Encoding')).toBe('gzip')
})

test.each([
  ['gzip', true],
  ['GZIP', true],
  ['br, gzip', true],
  ['br , gzip , deflate', true],
  ['gzip;q=1', true],
  ['gzip;q=0.5', true],
  ['gzip;q=0.001', true],
  ['gzip ; q=0.10', true],
  ['gzip;x;q=0', true],
  ['gzip;xq=0', true],
  ['gzip;q=0', false],
  ['gzip; q=0', false],
  ['gzip;  q=0 , br', false],
  ['gzip;Q=0', false],
  ['gzip;q=0  ', false],
  ['gzip;q=0.', false],
  ['gzip;q=0.000', false],
  ['gzip;q=0, gzip', true],
  ['x-gzip', false],
  ['br', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding %j accepts gzip: %s', async (header, isAccepted) => {
  const { headers } = await compressed(jsonText(LONG), header)
  expect(headers.has('Content-Encoding')).toBe(isAccepted)
})
