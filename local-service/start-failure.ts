import { StoreError } from '../adapters/sqlite/errors.ts'
import { portHolder } from './port-holder.ts'

const PORTS =
  'A service on loopback listens on 127.0.0.1 and ::1, because localhost is both. ' +
  'MAYFLY_HOST, MAYFLY_HTTP_PORT and MAYFLY_SMTP_PORT set the address; port 0 selects a free one.'

/**
 * Returns the sentences for an error that the operator can fix. Any other error is undefined here,
 * and is to be printed with its stack.
 */
export async function startFailure(error: unknown): Promise<string | undefined> {
  if (error instanceof StoreError) return error.message
  return isListenError(error) ? `${error.message}${await holderOf(error)}\n${PORTS}` : undefined
}

function isListenError(error: unknown): error is Error {
  return (error as NodeJS.ErrnoException).syscall === 'listen'
}

/** Returns which program has the port that could not be opened, if the system tells. */
async function holderOf({ message }: Error): Promise<string> {
  const port = Number(/EADDRINUSE.*:(\d+)$/.exec(message)?.[1])
  const holder = Number.isNaN(port) ? undefined : await portHolder(port)
  return holder === undefined ? '' : `\nPort ${port} is held by ${holder.name} (process ${holder.pid}).`
}
