import { type Logger, pino } from 'pino'

export type { Logger }

/**
 * Logs on standard output: readable on a terminal, which a thread cannot tell by itself, JSON lines elsewhere. No key
 * and no part of a mail is ever given to it; errors are logged with their stack, requests by method, path and status.
 */
export async function createLogger(level: string, readable = process.stdout.isTTY): Promise<Logger> {
  if (!readable) return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
  // Here and not above: where nobody looks, every thread would carry it for nothing.
  const { default: pretty } = await import('pino-pretty')
  const stream = pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true })
  return pino({ level, base: undefined }, stream)
}
