import { afterEach, describe, expect, test } from '@jest/globals'
import { Http } from '../../../packages/client/src/http.ts'
import { Keys } from '../../../packages/client/src/keys.ts'
import { Mayfly } from '../../../packages/client/src/node.ts'
import { readStream } from '../../../packages/client/src/stream.ts'
import { refuse, sendJson, startStub, type TestProxy } from './proxy.ts'

const ids = ['01M7XY78NV3PTPJF56WG3ST561', '01M7XY78NV3PTPJF56WG3ST562', '01M7XY78NV3PTPJF56WG3ST563']
const email = (id: string | undefined) => ({ id, address: 'a@mayfly.test', subject: id })
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const newEmail = (id: string | undefined) => event({ type: 'new-email', email: email(id) })

/**
 * Events that a real service produces too rarely for a test: gaps of a thousand mails, dead
 * connections, repeated events.
 */
describe('a stream', () => {
  let server: TestProxy

  afterEach(() => server.close())

  test('lists the mails of a gap', async () => {
    server = await startStub((response, path) => {
      if (!path.startsWith('/api/sse/')) {
        sendJson(response, { emails: ids.toReversed().map(email), next_cursor: null })
        return
      }
      response.write(`retry: 1\n\n${event({ type: 'gap', missed_before: ids[2] })}${newEmail(ids[2])}`)
    })
    const mayfly = new Mayfly({ url: server.url, apiKey: 'mf_x' })
    const inbox = await mayfly.inbox({ address: 'a@mayfly.test', history: true })
    const received: string[] = []
    for await (const { id } of inbox.stream()) {
      received.push(id)
      if (received.length === 3) break
    }
    expect(received).toEqual(ids)
  })

  test('ends with the error of a service that refuses it', async () => {
    server = await startStub((response) => refuse(response, 403, 'domain_key_invalid', {}))
    const http = new Http(server.url, new Keys('mf_x', async () => ''), 'wrong')
    await expect(readStream(http, 'a@private.test', '0', undefined).next()).rejects.toMatchObject({
      code: 'domain_key_invalid',
    })
  })

  test('connects again when a connection is silent, and drops repeated events', async () => {
    const connections: unknown[] = []
    server = await startStub((response, _path, { headers }) => {
      connections.push(headers['last-event-id'])
      // The first connection stays open without another byte, as after a power cut of a router.
      if (connections.length === 1) response.write(`retry: 1\n\n${newEmail(ids[0])}`)
      else response.write(`${newEmail(ids[0])}${newEmail(ids[1])}`)
    })
    const http = new Http(server.url, new Keys('mf_x', async () => ''), undefined)
    const received: unknown[] = []
    for await (const item of readStream(http, 'a@mayfly.test', '0', undefined, 200)) {
      received.push('email' in item && item.email.id)
      if (received.length === 2) break
    }
    expect(received).toEqual([ids[0], ids[1]])
    expect(connections.slice(0, 2)).toEqual(['0', ids[0]])
  })
})
