import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { check, handler as checkEndpoint } from '../../lambdas/endpoint-check.ts'
import { eventually } from '../support/eventually.ts'
import { listening } from '../support/http-server.ts'
import { askCustomResource, type SignedUrl, startSignedUrl } from '../support/signed-url.ts'

let endpoint: Awaited<ReturnType<typeof listening>>
let signedUrl: SignedUrl
/** Answers before the healthy one. */
let statuses: number[]
let requests: number
/** The endpoint answers when it resolves. */
let held: Promise<void> | undefined
const handler = checkEndpoint as never

beforeAll(async () => {
  endpoint = await listening(
    createServer(async (_, response) => {
      requests++
      await held
      response.writeHead(statuses.shift() ?? 200).end('{"healthy":true}')
    }),
  )
  signedUrl = await startSignedUrl()
})
beforeEach(() => {
  statuses = []
  requests = 0
  held = undefined
})
afterAll(async () => {
  await endpoint?.close()
  await signedUrl?.close()
})

/** A clock that passes only in pauses. */
function time() {
  let now = 0
  return {
    clock: () => now,
    pause: async (ms: number) => {
      now += ms
    },
    passed: () => now,
  }
}

test('a revision that answers lets the deployment go on', async () => {
  const ResourceProperties = { url: `${endpoint.url}/healthz`, revision: '1' }
  const answer = await askCustomResource(handler, signedUrl, { RequestType: 'Create', ResourceProperties })
  expect(answer).toMatchObject({ Status: 'SUCCESS' })
  expect(requests).toBe(1)
})

test('the deployment waits for the answer of the revision', async () => {
  const answering = Promise.withResolvers<void>()
  held = answering.promise
  const ResourceProperties = { url: `${endpoint.url}/healthz`, revision: '1' }
  let isAnswered = false
  const asked = askCustomResource(handler, signedUrl, { RequestType: 'Create', ResourceProperties }).then(
    (answer) => {
      isAnswered = true
      return answer
    },
  )
  await eventually('the request', () => requests === 1)
  // An answer that was sent before would arrive before these.
  for (let n = 0; n < 2; n++) await fetch(signedUrl.url, { method: 'PUT', body: '{}' })
  expect([isAnswered, signedUrl.contentTypes.length]).toEqual([false, 2])
  answering.resolve()
  expect(await asked).toMatchObject({ Status: 'SUCCESS' })
})

test('a deletion requests nothing, because the endpoint may be gone', async () => {
  const ResourceProperties = { url: 'http://127.0.0.1:1/healthz', revision: '1' }
  const answer = await askCustomResource(handler, signedUrl, { RequestType: 'Delete', ResourceProperties })
  expect(answer).toMatchObject({ Status: 'SUCCESS' })
})

test('a revision that starts late is waited for', async () => {
  statuses = [502, 502, 429]
  const own = time()
  await check(endpoint.url, own)
  expect([requests, own.passed()]).toEqual([4, 6000])
})

test('a revision that does not answer for a minute fails the deployment, with its last answer', async () => {
  statuses = Array<number>(100).fill(502)
  const own = time()
  await expect(check(endpoint.url, own)).rejects.toThrow(/does not answer at .*: status 502 .*Its log/)
  expect(own.passed()).toBe(60_000)
  const gone = time()
  await expect(check('http://127.0.0.1:1/healthz', gone)).rejects.toThrow(/fetch failed/)
})
