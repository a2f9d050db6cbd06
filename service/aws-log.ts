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
  writeLine(JSON.stringify(entry))
}

/**
 * Writes a line to standard output as it is. Lambda Web Functions put what `console` prints into a
 * JSON event of their own; CloudWatch then finds neither the level nor a metric of the line
 * (docs.aws.amazon.com/lambda/latest/dg/web-functions-logging.html, web-functions-emf.html).
 */
export function writeLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Returns the stack of an error and of its causes. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? `${error.stack}` : `${error.stack}\ncaused by: ${described(error.cause)}`
}
