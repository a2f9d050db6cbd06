import type { MessagePort } from 'node:worker_threads'
import { Caller } from './calls.ts'
import { clockWith } from './clock.ts'
import { commandsOver, searchOver } from './commands.ts'
import { openForReading } from './database.ts'
import { portsOn, type StorePorts } from './ports.ts'

/**
 * The data that another thread needs to use the store. It can be sent there with `port` in the
 * transfer list.
 */
export interface Connection {
  dir: string
  port: MessagePort
  clockOffset: SharedArrayBuffer | undefined
}

/**
 * Connects to a store whose writer is another thread of this process: reads happen here, writes
 * there (Writer.connection).
 *
 * @throws StoreError if the store cannot be read
 */
export function connectStore({ dir, port, clockOffset }: Connection): StorePorts & { close(): void } {
  const db = openForReading(dir)
  const caller = new Caller(port)
  port.once('close', () => caller.end(new Error('the store was closed')))
  return {
    ...portsOn(db, commandsOver(caller), clockWith(clockOffset), searchOver(caller)),
    close() {
      port.close()
      db.close()
    },
  }
}
