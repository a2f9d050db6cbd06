import type { MessagePort } from 'node:worker_threads'
import { Caller } from './calls.ts'
import { clockWith } from './clock.ts'
import type { Commands } from './commands.ts'
import { openForReading } from './database.ts'
import { portsOn, type StorePorts } from './ports.ts'
import type { Committed } from './transaction.ts'

/** What another thread needs to use the store; it can be sent there (`port` in the transfer list). */
export interface Connection {
  dir: string
  port: MessagePort
  clockOffset: SharedArrayBuffer | undefined
}

/**
 * Uses a store whose writer is another thread of this process: reads here, writes there. See Writer.connection.
 *
 * @throws StoreError when it cannot be read
 */
export function connectStore({ dir, port, clockOffset }: Connection): StorePorts & { close(): void } {
  const db = openForReading(dir)
  const caller = new Caller(port)
  port.once('close', () => caller.end(new Error('the store was closed')))
  return {
    ...portsOn(db, caller.functions<Committed<Commands>>(), clockWith(clockOffset)),
    close() {
      port.close()
      db.close()
    },
  }
}
