import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
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

test('at most two parts of an answer are in memory at a time', async () => {
  let [current, most] = [0, 0]
  const slow = await listening(
    createServer(async (request, response) => {
      if (request.method === 'PUT') {
        most = Math.max(most, ++current)
        // A third part would come meanwhile.
        await sleep(100)
        current--
      }
      request.resume().on('end', () => {
        response.writeHead(200, { ETag: '"0"' })
        response.end(request.method === 'POST' ? '<Result><UploadId>1</UploadId></Result>' : '')
      })
    }),
  )
  async function* large() {
    for (let part = 0; part < 4; part++) yield Buffer.alloc(5 * 1024 * 1024)
  }
  const { region, credentials } = client.config
  const patient = new S3Client({ region, credentials, endpoint: slow.url, forcePathStyle: true })
  await new LargeAnswers(patient, 'bucket').put(large(), HEADERS)
  expect(most).toBeLessThanOrEqual(2)
  patient.destroy()
  await slow.close()
})
