import { createServer, type IncomingHttpHeaders } from 'node:http'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { LargeAnswers } from '../../../adapters/s3/large-answers.ts'
import { listening } from '../../support/http-server.ts'

let s3: Awaited<ReturnType<typeof listening>>
let client: S3Client
let status = 200
const stored: { path: string; headers: IncomingHttpHeaders }[] = []

beforeAll(async () => {
  s3 = await listening(
    createServer((request, response) => {
      stored.push({ path: request.url!.split('?')[0]!, headers: request.headers })
      request.resume().on('end', () => response.writeHead(status, { ETag: '"0"' }).end())
    }),
  )
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  client = new S3Client({
    region: 'us-east-1',
    credentials,
    endpoint: s3.url,
    forcePathStyle: true,
    maxAttempts: 1,
  })
})
afterAll(async () => {
  client.destroy()
  await s3.close()
})

async function* body() {
  yield Buffer.from('{}')
}
const HEADERS = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-other': '1' }

test('an answer keeps its type and encoding, is not cached, and can be fetched for five minutes', async () => {
  const answers = new LargeAnswers(client, 'bucket')
  const links = [await answers.put(body(), HEADERS), await answers.put(body(), HEADERS)].map(
    (url) => new URL(url),
  )
  for (const [i, link] of links.entries()) {
    expect(link.pathname).toMatch(/^\/bucket\/answers\/[0-9a-f-]{36}$/)
    expect(link.searchParams.get('X-Amz-Expires')).toBe('300')
    expect(stored[i]!.path).toBe(link.pathname)
    expect(stored[i]!.headers).toMatchObject({
      'content-type': 'application/json',
      'content-encoding': expect.stringContaining('gzip'),
      'cache-control': 'no-store',
    })
  }
  expect(links[0]!.pathname).not.toBe(links[1]!.pathname)
})

test('is unavailable when S3 is', async () => {
  status = 503
  await expect(new LargeAnswers(client, 'bucket').put(body(), HEADERS)).rejects.toMatchObject({
    code: 'unavailable',
  })
})
