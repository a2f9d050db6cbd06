import type { ProblemCode } from '../../core/errors.ts'

interface ProblemFacts {
  status?: number
  requestId?: string | undefined
  retryAfter?: number | undefined
}

/** A request that failed. `title` and `detail` are the service's own, if it answered with a problem. */
export class ApiProblem extends Error {
  readonly code: ProblemCode | 'unreachable' | 'unexpected' | 'domain_public'
  readonly title: string
  readonly detail: string
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  readonly requestId: string | undefined
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(code: ApiProblem['code'], title: string, detail: string, facts: ProblemFacts = {}) {
    super(`${code}: ${detail}`)
    this.code = code
    this.title = title
    this.detail = detail
    this.status = facts.status ?? 0
    this.requestId = facts.requestId
    this.retryAfter = facts.retryAfter
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

export function unreachable(): ApiProblem {
  return new ApiProblem(
    'unreachable',
    'The service cannot be reached',
    'Check your connection, or try again in a moment.',
  )
}

/** Reads the problem of an answer whose status is not 2xx. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const facts = {
    status: response.status,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: Number(response.headers.get('Retry-After')) || undefined,
  }
  if (/problem\+json/.test(response.headers.get('Content-Type') ?? '')) {
    const body = await response.json().catch(() => undefined)
    if (body)
      return new ApiProblem(body.code, body.title, body.detail, { ...facts, requestId: body.request_id })
  }
  // The answer broke off, or a proxy between this page and the service gave it.
  const detail = `The server answered with status ${response.status}. Try again in a moment.`
  return new ApiProblem('unexpected', 'Unexpected response', detail, facts)
}

/** Returns an ApiProblem, and throws everything else: that is a fault of the page. */
export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  throw error
}
