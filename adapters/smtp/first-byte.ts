import type { Socket } from 'node:net'

/** The type of a TLS record that begins a handshake (RFC 8446, section 5.1). */
const TLS_HANDSHAKE = 0x16

/**
 * Returns whether the client begins with TLS; undefined if it leaves before. A client of plain SMTP
 * waits for the greeting (RFC 5321, section 3.1), so silence for `ms` means plain SMTP. What was
 * read stays in the socket.
 */
export async function beginsWithTls(socket: Socket, ms: number): Promise<boolean | undefined> {
  await firstByteOrTime(socket, ms)
  if (socket.destroyed) return undefined
  const chunk = socket.read() as Buffer | null
  if (chunk === null) return socket.readableEnded ? undefined : false
  socket.unshift(chunk)
  return chunk[0] === TLS_HANDSHAKE
}

function firstByteOrTime(socket: Socket, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      socket.off('readable', done).off('close', done)
      // The bytes may be read in this turn: after a long turn its timers come before its reads.
      setImmediate(resolve)
    }
    const timer = setTimeout(done, ms)
    socket.once('readable', done).once('close', done)
  })
}
