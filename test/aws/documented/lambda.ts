/**
 * What AWS documents of AWS Lambda and no emulator shows. Each rule names its page, below
 * docs.aws.amazon.com/lambda/latest/dg/.
 */

/**
 * `Errors` of an invocation: one if the function throws or runs out of time or memory. Items that it
 * returns in `batchItemFailures` are none (monitoring-metrics-types.html, services-sqs-errorhandling.html).
 */
export function errorsOf(invocation: { throws: boolean; batchItemFailures: number }): number {
  return invocation.throws ? 1 : 0
}

/** Environment variables of a function together, in bytes (gettingstarted-limits.html). */
export const ENVIRONMENT_BYTES = 4096
/** A queue's visibility time-out is at least six times the function's (services-sqs-configure.html). */
export const VISIBILITY_FACTOR = 6
