/** A line of JSON on standard output, as CloudWatch Logs takes it. No key and no part of a mail is given to it. */
export function log(
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, unknown> = {},
): void {
  const { error, ...rest } = fields
  const entry = { level, message, ...rest, ...(error === undefined ? {} : { error: described(error) }) }
  console.log(JSON.stringify(entry))
}

/** The stack, with those of its causes. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stack = error.stack ?? String(error)
  return error.cause === undefined ? stack : `${stack}\ncaused by: ${described(error.cause)}`
}
