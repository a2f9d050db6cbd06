import type { ProblemCode } from '../../core/errors.ts'

/** A request that failed, in the service's own words where it gave any. */
export class ApiProblem extends Error {
  readonly code: ProblemCode | 'unreachable' | 'unexpected'
  readonly title: string
  readonly detail: string
  readonly status: number
  readonly requestId: string | undefined
  /** Seconds after which a new try makes sense. */
  readonly retryAfter: number | undefined

  constructor(
    code: ApiProblem['code'],
    title: string,
    detail: string,
    rest: { status?: number; requestId?: string; retryAfter?: number } = {},
  ) {
    super(`${code}: ${detail}`)
    this.code = code
    this.title = title
    this.detail = detail
    this.status = rest.status ?? 0
    this.requestId = rest.requestId
    this.retryAfter = rest.retryAfter
  }

  /** Whether the same request may succeed later on. */
  get passing(): boolean {
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

export async function problemOf(response: Response): Promise<ApiProblem> {
  const rest = {
    status: response.status,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: Number(response.headers.get('Retry-After')) || undefined,
  }
  if (/problem\+json/.test(response.headers.get('Content-Type') ?? '')) {
    const said = await response.json().catch(() => undefined)
    if (said)
      return new ApiProblem(said.code, said.title, said.detail, { ...rest, requestId: said.request_id })
  }
  // It broke off, or something between this page and the service answered.
  const detail = `Status ${response.status} without an explanation. Try again in a moment.`
  return new ApiProblem('unexpected', 'An unexpected answer', detail, rest)
}
