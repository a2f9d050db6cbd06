import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type { Logger }

/**
 * Logs on standard output: readable on a terminal, which a thread cannot tell by itself, JSON lines elsewhere. No key and no part of a mail is ever
 * given to it; errors are logged with their stack, requests by method, path and status.
 */
export function createLogger(level: string, readable = process.stdout.isTTY): Logger {
  if (!readable) return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
  const stream = pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true })
  return pino({ level, base: undefined }, stream)
}
