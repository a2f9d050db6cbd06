import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy between a client and a server, which can be cut. */
export interface Cable {
  url: string
  /** Ends every connection without a word, and refuses new ones. */
  cut(): void
  /** Accepts connections again. */
  join(): void
  close(): void
}

export async function startCable(target: string): Promise<Cable> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const upstream = connect({ host: hostname, port: Number(port) })
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from)
          to.destroy()
        })
      from.pipe(to)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    join: () => {
      isCut = false
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
