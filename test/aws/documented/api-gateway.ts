/**
 * What AWS documents of HTTP APIs and no emulator shows
 * (docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html).
 */

/** Longest integration, in seconds. */
export const INTEGRATION_SECONDS = 30
/** Routes of an API. */
export const ROUTES_MAX = 300

/**
 * `Count` of a minute in which callers send more than the throttle lets through: an HTTP API may
 * leave its answers with 429 out of metrics and logs (http-api-monitor.html).
 */
export function countAtThrottle(requestsPerSecond: number): number {
  return requestsPerSecond * 60
}
