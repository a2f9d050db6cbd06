import { type Logger, pino } from 'pino'

export type { Logger }

/** A duration as a log shows it: to a tenth of a millisecond. */
export function shownMs(ms: number): number {
  return Math.round(ms * 10) / 10
}

/**
 * Returns a logger on standard output: readable on a terminal, which a thread cannot detect itself,
 * and JSON lines elsewhere. It never receives a key or a part of a mail; of an envelope it receives
 * the addresses (mail-log.ts). Errors are logged with
 * their stack, requests with method, path and status.
 */
export async function createLogger(level: string, readable = process.stdout.isTTY): Promise<Logger> {
  if (!readable) return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
  // Imported only here, because every thread would otherwise load it without a terminal.
  const { default: pretty } = await import('pino-pretty')
  const stream = pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'mail', sync: true })
  return pino({ level, base: undefined }, stream)
}
