/**
 * What AWS documents of Lambda Web Functions and no emulator shows. Each rule names its page, below
 * docs.aws.amazon.com/lambda/latest/dg/.
 */

/**
 * Lambda writes what `console` prints as a JSON event with fields of its own, so the text is a
 * string in `message`. Text written to standard output stays as it is (web-functions-logging.html,
 * "Lambda writes console output as JSON log events"; web-functions-emf.html, step 1).
 *
 * A module that Node loads before the program.
 */
export const CONSOLE_WRAPPER = `
  for (const [name, level] of Object.entries({ log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR', debug: 'DEBUG' }))
    console[name] = (...parts) => {
      const event = { timestamp: new Date().toISOString(), level, message: parts.join(' '), requestId: 'an-id' }
      process.stdout.write(JSON.stringify({ ...event, endpointName: 'live', region: 'us-east-1' }) + '\\n')
    }
`

/**
 * CloudWatch extracts metrics from a log event with a top-level `_aws` only
 * (AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html).
 *
 * @param output lines of a log
 * @returns the values of one metric
 */
export function extractedMetric(output: string, name: string): number[] {
  return output.split('\n').flatMap((line) => {
    const event = parsed(line)
    return event?._aws === undefined ? [] : [Number(event[name])]
  })
}

/** Returns the messages of a level, as `filter level = "error"` of Logs Insights finds them. */
export function messagesOf(output: string, level: string): string[] {
  return output.split('\n').flatMap((line) => {
    const event = parsed(line)
    return event?.level === level ? [String(event.message)] : []
  })
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
