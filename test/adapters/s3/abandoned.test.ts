import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createApp } from '../../../adapters/http/app.ts'
import { REST_ENDPOINTS } from '../../../adapters/http/endpoints.ts'
import { type HttpListener, listenHttp } from '../../../adapters/http/node-server.ts'
import type { LiveService } from '../../../adapters/http/service.ts'
import { S3Blobs } from '../../../adapters/s3/blobs.ts'
import { emailOf } from '../../../core/inbox/email.ts'
import { Mailbox } from '../../../core/inbox/mailbox.ts'
import { encodeMessageBody } from '../../../core/inbox/message-body.ts'
import type { MessageStore } from '../../../core/inbox/ports.ts'
import { NO_VERDICTS } from '../../../reading/message.ts'
import { sampleContent } from '../../contract/sample.ts'
import { eventually } from '../../support/eventually.ts'
import type { ServiceParts } from '../http/ask.ts'

const ID = '01K9ZZZZZZZZZZZZZZZZZZZZZZ'
const PATH = `/api/emails/bot@x.test/${ID}`

/**
 * S3 that begins each response and then sends nothing; the value is the number of busy connections.
 */
let s3: Server
let busy = 0
let http: HttpListener
let client: S3Client
/** Resolves when the store may answer. */
let store = Promise.withResolvers<void>()

beforeAll(async () => {
  const detail = {
    headers: [],
    messageId: null,
    date: null,
    attachments: [],
    verdicts: NO_VERDICTS,
    mailFrom: null,
    codeDetails: [],
  }
  const content = encodeMessageBody(
    detail,
    { bodyText: 'x'.repeat(1000), bodyHtml: null },
    sampleContent({ bodyTextTruncated: true }),
  )
  s3 = createServer((_, response) => {
    busy++
    response.once('close', () => busy--)
    response.writeHead(200, { 'Content-Length': 40_000_000 })
    response.write(content.subarray(0, -10))
  })
  await once(s3.listen(0, '127.0.0.1'), 'listening')
  client = new S3Client({
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    endpoint: `http://127.0.0.1:${(s3.address() as AddressInfo).port}`,
    forcePathStyle: true,
  })
  const email = emailOf(sampleContent(), 'bot@x.test', ID, 1e12)
  const stored = async () => {
    await store.promise
    return { email, messageId: 'message' }
  }
  const emails = { markRead: stored, find: stored } satisfies Partial<MessageStore> as unknown as MessageStore
  const registration = { name: 'x.test', keyHash: null, visibleAfter: '' }
  const service = {
    mailbox: new Mailbox(emails, new S3Blobs(client, 'bucket')),
    domainService: {
      address: async (address: string) => ({ address, domain: 'x.test' }),
      open: async () => registration,
      checkStillOpen: async () => {},
    },
    apiKeyService: {
      authenticate: async () => ({ key: {}, rate: { limit: 120, remaining: 1, reset: 1 }, admitted: true }),
    },
  } satisfies ServiceParts as unknown as LiveService
  const app = createApp({ service, endpoints: REST_ENDPOINTS, clientAddress: () => '192.0.2.1' })
  http = await listenHttp((request, env) => app.fetch(request, env as object), {
    hosts: ['127.0.0.1'],
    port: 0,
  })
})
beforeEach(() => {
  store = Promise.withResolvers<void>()
})
afterAll(async () => {
  await http.stop(0)
  client.destroy()
  s3.closeAllConnections()
  s3.close()
})

/** Sends a request, and returns its socket. */
async function ask(method: string) {
  const socket = createConnection({ host: '127.0.0.1', port: http.port })
  await once(socket, 'connect')
  socket.write(`${method} ${PATH} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: k\r\n\r\n`)
  return socket
}

test('HEAD leaves no object open', async () => {
  store.resolve()
  const socket = await ask('HEAD')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1.1 200/)
  await eventually(
    'no busy connection',
    () => busy,
    (count) => count === 0,
  )
  socket.destroy()
})

test.each([
  ['before the store has answered', false],
  ['when the first bytes are there', true],
])('a client that disconnects %s leaves no object open', async (_when, isAnswered) => {
  if (isAnswered) store.resolve()
  const socket = await ask('GET')
  if (isAnswered) {
    await once(socket, 'data')
    expect(busy).toBe(1)
  } else await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  await once(socket, 'close')
  if (!isAnswered) await new Promise((resolve) => setTimeout(resolve, 50))
  store.resolve()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await eventually(
    'no busy connection',
    () => busy,
    (count) => count === 0,
  )
})
