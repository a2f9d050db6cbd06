/**
 * Writes a line of JSON to standard output for CloudWatch Logs. Callers pass no key and no part of
 * a mail.
 */
export function log(
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, unknown> = {},
): void {
  const { error, ...rest } = fields
  const entry = { level, message, ...rest, ...(error === undefined ? {} : { error: described(error) }) }
  console.log(JSON.stringify(entry))
}

/** Returns the stack of an error and of its causes. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? `${error.stack}` : `${error.stack}\ncaused by: ${described(error.cause)}`
}
