import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

export interface ListenOptions {
  /** IP addresses or names, all with the same port. One that this machine does not have is left out. */
  hosts: string[]
  /** 0 selects a port that is free on all of them. */
  port: number
  backlog: number
}

export interface Listening {
  servers: Server[]
  /** The addresses that are listened on, in the order of `hosts`. */
  hosts: string[]
  port: number
}

/** Another program may take the selected port on one of the other addresses. */
const ATTEMPTS = 20
/** The errors of an address that this machine does not have, such as ::1 without IPv6. */
const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/**
 * Listens on every address with the same port, by a server for each.
 * @throws Error `EADDRINUSE` if the port is in use on one of them; then none is listened on. An error
 *   that says so if the machine has none of the addresses. Both are of the system call `listen`.
 */
export async function listenOnAll(create: () => Server, options: ListenOptions): Promise<Listening> {
  for (let attempt = 1; ; attempt++) {
    const listening: Listening = { servers: [], hosts: [], port: options.port }
    try {
      for (const host of options.hosts) await listenOn(create(), host, listening, options.backlog)
      if (listening.servers.length > 0) return listening
      throw noSuchAddress(options.hosts)
    } catch (error) {
      for (const server of listening.servers) server.close()
      const isSelected = options.port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isSelected || attempt === ATTEMPTS) throw error
    }
  }
}

function noSuchAddress(hosts: string[]): Error {
  const message = `This machine has no address ${hosts.join(' or ')}.`
  return Object.assign(new Error(message), { code: 'EADDRNOTAVAIL', syscall: 'listen' })
}

async function listenOn(server: Server, host: string, listening: Listening, backlog: number): Promise<void> {
  server.listen({ host, port: listening.port, backlog })
  try {
    await once(server, 'listening')
  } catch (error) {
    if (NO_SUCH_ADDRESS.has((error as NodeJS.ErrnoException).code ?? '')) return
    throw error
  }
  const { address, port } = server.address() as AddressInfo
  listening.servers.push(server)
  listening.hosts.push(address)
  listening.port = port
}
