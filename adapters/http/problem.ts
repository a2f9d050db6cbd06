import { Problem } from '../../core/errors.ts'
import { PROBLEMS } from './problems.ts'

const WWW_AUTHENTICATE = 'ApiKey realm="mayfly", header="X-API-Key"'
const WWW_AUTHENTICATE_DOMAIN = 'DomainKey realm="mayfly", header="X-Domain-Key"'

/** The answer to a refused request: application/problem+json (RFC 9457). */
export interface ProblemAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export function problemAnswer(problem: Problem, requestId: string): ProblemAnswer {
  const { status, title } = PROBLEMS[problem.code]
  const { advice } = PROBLEMS[problem.adviceOf ?? problem.code]
  const headers: Record<string, string> = { 'Content-Type': 'application/problem+json' }
  if (status === 401) {
    headers['WWW-Authenticate'] =
      problem.code === 'domain_key_missing' ? WWW_AUTHENTICATE_DOMAIN : WWW_AUTHENTICATE
  }
  if (problem.retryAfter !== undefined) headers['Retry-After'] = String(problem.retryAfter)
  const body = {
    type: `/problems/${problem.code}`,
    title,
    status,
    detail: advice === undefined ? problem.detail : `${problem.detail} ${advice}`,
    code: problem.code,
    ...problem.extra,
    success: false,
    request_id: requestId,
  }
  return { status, headers, body: JSON.stringify(body) }
}

export function problemResponse(problem: Problem, requestId: string): Response {
  const { status, headers, body } = problemAnswer(problem, requestId)
  return new Response(body, { status, headers })
}

/** A 405 answer, which names the methods that are allowed (RFC 9110, section 15.5.6). */
export function methodNotAllowed(allowed: string[], detail: string, requestId: string): Response {
  const answer = problemResponse(new Problem('method_not_allowed', detail), requestId)
  answer.headers.set('Allow', allowed.join(', '))
  return answer
}

/** The Problem to answer with for anything that was thrown; a fault is not shown to the caller. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(
    'internal_error',
    'The service failed. Try again, and if the failure persists, report the request_id.',
  )
}

/**
 * A client that leaves in the middle of its request is not a fault of the service and must not be
 * logged as one.
 */
export function bodyBrokenOff(cause: unknown): Problem {
  return new Problem('invalid_body', 'The body was not received completely.', { cause })
}
