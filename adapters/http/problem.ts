import { PROBLEMS, Problem } from '../../core/errors.ts'

const WWW_AUTHENTICATE = 'ApiKey realm="mayfly", header="X-API-Key"'
const WWW_AUTHENTICATE_DOMAIN = 'DomainKey realm="mayfly", header="X-Domain-Key"'

/** The answer to a refused request: application/problem+json (RFC 9457). */
export function problemResponse(problem: Problem, requestId: string): Response {
  const { status, title } = PROBLEMS[problem.code]
  const headers = new Headers({ 'Content-Type': 'application/problem+json' })
  if (status === 401) {
    headers.set(
      'WWW-Authenticate',
      problem.code === 'domain_key_missing' ? WWW_AUTHENTICATE_DOMAIN : WWW_AUTHENTICATE,
    )
  }
  if (problem.retryAfter !== undefined) headers.set('Retry-After', String(problem.retryAfter))
  const body = {
    type: `/problems/${problem.code}`,
    title,
    status,
    detail: problem.detail,
    code: problem.code,
    ...problem.extra,
    success: false,
    request_id: requestId,
  }
  return new Response(JSON.stringify(body), { status, headers })
}

/** What a caller is told of anything that was thrown: nothing, unless it is a Problem. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(
    'internal_error',
    'The fault is ours. Try again, and if it stays, report the request_id.',
  )
}

/** A client that leaves in the middle of its request is none of our faults, so it must not be logged as one. */
export function bodyBrokenOff(cause: unknown): Problem {
  return new Problem('invalid_body', 'The body did not come in whole.', { cause })
}
