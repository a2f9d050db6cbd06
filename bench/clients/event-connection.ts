import { Buffer } from 'node:buffer'
import { connect, type Socket } from 'node:net'

const EVENT_ID = '\nid: '
const ID_CHARACTERS = 26

/**
 * An open event stream that costs its process as little as possible: all streams share one read
 * buffer, and only the ids of events are parsed.
 */
export class EventConnection {
  readonly #socket: Socket

  /**
   * @param target.localAddress source address; one address has a limited number of ports
   * @param received called with the ids of the events of one read
   */
  constructor(
    target: { host: string; port: number; path: string; localAddress: string },
    opened: () => void,
    received: (ids: string[]) => void,
    failed: (error: Error) => void,
  ) {
    let open = false
    this.#socket = connect({
      host: target.host,
      port: target.port,
      localAddress: target.localAddress,
      noDelay: true,
      onread: {
        buffer: SHARED,
        callback: (size, buffer) => {
          const text = `\n${(buffer as Buffer).toString('latin1', 0, size)}`
          if (!open) {
            open = text.startsWith('\nHTTP/1.1 200')
            if (open) opened()
            else failed(new Error(`the stream was refused: ${text.slice(0, 400)}`))
          } else if (text.includes('data: {"type":"new-email"')) {
            received(idsIn(text))
          }
          return true
        },
      },
    })
    this.#socket.on('error', failed)
    this.#socket.write(
      `GET ${target.path} HTTP/1.1\r\nHost: ${target.host}\r\nAccept: text/event-stream\r\n\r\n`,
    )
  }

  close(): void {
    this.#socket.resetAndDestroy()
  }
}

/** Reads are handled one after the other, and nothing that was read is kept. */
const SHARED = Buffer.allocUnsafe(64 * 1024)

function idsIn(text: string): string[] {
  const ids: string[] = []
  for (let at = text.indexOf(EVENT_ID); at !== -1; at = text.indexOf(EVENT_ID, at + 1)) {
    const start = at + EVENT_ID.length
    ids.push(text.slice(start, start + ID_CHARACTERS))
  }
  return ids
}
