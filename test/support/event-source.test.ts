import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { openStream } from './event-source.ts'

type Answer = (outgoing: ServerResponse) => void

const streamOf =
  (...texts: string[]): Answer =>
  (outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const text of texts) outgoing.write(text)
  }
const endedStreamOf =
  (text: string): Answer =>
  (outgoing) => {
    streamOf(text)(outgoing)
    outgoing.end()
  }
const refusal =
  (status: number): Answer =>
  (outgoing) =>
    outgoing.writeHead(status).end('{}')

describe('the event source of the tests', () => {
  let server: Server
  let requests: IncomingMessage[]

  /** Listens, and gives one of these answers to each request. */
  async function listen(answers: Answer[]): Promise<string> {
    requests = []
    server = createServer((incoming, outgoing) => answers[requests.push(incoming) - 1]?.(outgoing))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  const idsSent = () => requests.map(({ headers }) => headers['last-event-id'])

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  test('resumes from the id of the named event until it has received another one', async () => {
    const url = await listen([
      endedStreamOf('retry: 1\nevent: connected\nid: start\ndata: {}\n\n'),
      endedStreamOf('retry: 1\n: connected\n\nid: one\ndata: {}\n\n'),
      streamOf('id: two\ndata: {}\n\n'),
    ])
    const stream = await openStream(url)
    await stream.until(2)
    stream.close()
    expect(idsSent()).toEqual([undefined, 'start', 'one'])
    expect(stream.breaks).toBe(2)
  })

  test('sends the id it was given until it has received an event', async () => {
    const url = await listen([
      endedStreamOf('retry: 1\n: connected\n\n'),
      endedStreamOf('retry: 1\nid: one\ndata: {}\n\n'),
      streamOf('id: two\ndata: {}\n\n'),
    ])
    const stream = await openStream(url, { 'Last-Event-ID': 'given' })
    await stream.until(2)
    stream.close()
    expect(idsSent()).toEqual(['given', 'given', 'one'])
  })

  test('connects again after a 503', async () => {
    const url = await listen([
      endedStreamOf('retry: 1\nevent: connected\nid: start\ndata: {}\n\n'),
      refusal(503),
      streamOf('id: one\ndata: {}\n\n'),
    ])
    const stream = await openStream(url)
    await stream.until(1)
    stream.close()
    expect(idsSent()).toEqual([undefined, 'start', 'start'])
  })

  test('a wait for events fails with the status of a refusal', async () => {
    const url = await listen([endedStreamOf('retry: 1\nid: one\ndata: {}\n\n'), refusal(403)])
    const stream = await openStream(url)
    await expect(stream.until(2)).rejects.toThrow(/has 1 of 2 events: .*403/)
    expect(await stream.refused).toBe(403)
  })
})
