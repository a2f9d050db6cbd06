import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'

/** Listens on a free port; `close` also ends open connections. */
export async function listening(server: Server): Promise<{ url: string; close(): Promise<void> }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A connection of this server from an address that no machine here has; returns the client's end. */
export function connectionFrom(remoteAddress: string, server: Server): Duplex {
  const [client, socket] = duplexPair()
  socket.on('close', () => client.destroy())
  server.emit('connection', Object.assign(socket, { remoteAddress }))
  return client
}
