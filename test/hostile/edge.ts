import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Edge {
  url: string
  close(): void
}

/**
 * A proxy in front of the service, so that limits do not end a run of thousands of requests: each
 * request comes from another client address, and the key PLACEHOLDER is replaced by one that has
 * requests left.
 */
export const PLACEHOLDER = 'any-valid-key'

export async function startEdge(http: string): Promise<Edge> {
  const target = new URL(http)
  let serial = 0
  const address = () => `2001:db8:${(++serial & 0xffff).toString(16)}::1`
  let key = ''
  let calls = 0
  async function freshKey(): Promise<string> {
    if (calls++ % 100 === 0) {
      const headers = { 'X-Forwarded-For': address() }
      key = ((await (await fetch(`${http}/api/keys`, { method: 'POST', headers })).json()) as { key: string })
        .key
    }
    return key
  }
  const server = createServer(
    { maxHeaderSize: 64 * 1024, joinDuplicateHeaders: true },
    async (incoming, outgoing) => {
      const headers: IncomingHttpHeaders = { ...incoming.headers, 'x-forwarded-for': address() }
      if (headers['x-api-key'] === PLACEHOLDER) {
        headers['x-api-key'] = await freshKey()
        // An endpoint may revoke the key, so that the next request needs a new one.
        if (incoming.method === 'DELETE') calls = 0
      }
      const {
        host: hostname,
        method,
        url: path,
      } = { host: target.hostname, method: incoming.method, url: incoming.url }
      const forwarded = request({ hostname, port: target.port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      })
      forwarded.on('error', () => outgoing.destroy())
      incoming.pipe(forwarded)
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
