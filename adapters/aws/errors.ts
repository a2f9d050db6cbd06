import { Problem } from '../../core/errors.ts'

/**
 * Seconds after which a caller may try again: throttling and faults of a service end within
 * seconds.
 */
const RETRY_AFTER_SECONDS = 2

/**
 * The names of transient faults.
 * docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html,
 * docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, and the common errors of SES.
 */
const PASSING = new Set([
  'InternalServerError',
  'InternalFailure',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestTimeout',
  'RequestTimeoutException',
  'ServiceUnavailable',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
])

/** System errors of Node for a peer that cannot be reached or went away. */
const NETWORK = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** The fields of an SDK error that identify its kind. */
interface SdkError extends Error {
  code?: string
  $metadata?: { httpStatusCode?: number; attempts?: number }
}

/** Whether a later attempt may succeed. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, code, $metadata } = error as SdkError
  return PASSING.has(name) || NETWORK.has(code ?? '') || ($metadata?.httpStatusCode ?? 0) >= 500
}

/** The refusal when a store cannot answer. `cause` is for the log only. */
export function unavailable(cause: unknown): Problem {
  return new Problem('unavailable', 'The service cannot reach its store just now. Try again in a moment.', {
    retryAfter: RETRY_AFTER_SECONDS,
    cause,
  })
}

/** Throttling and unreachable services as Problem `unavailable`; any other error as it is. */
export function translated(error: unknown): unknown {
  return isPassing(error) ? unavailable(error) : error
}

/** The SDK's own requests for one call, with its retries. */
export function attemptsOf(error: unknown): number {
  return (error as SdkError).$metadata?.attempts ?? 1
}
