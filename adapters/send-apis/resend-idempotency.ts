import { createHash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { HOUR_MS } from '../../core/limits.ts'
import type { ProviderContext } from './provider.ts'

/**
 * The refusals, as name: status.
 * @see https://resend.com/docs/api-reference/errors
 */
const REFUSALS = {
  invalid_idempotency_key: 400,
  invalid_idempotent_request: 409,
  concurrent_idempotent_requests: 409,
}

const KEPT_MS = 24 * HOUR_MS
/** Requests and bytes of answers that are remembered; above it the oldest are forgotten. */
const KEPT_MAX = 10_000
const KEPT_BYTES = 8 * 1024 * 1024
const KEY_LENGTH = 256

interface Remembered {
  body: string
  expiresAt: number
  /** The JSON of the answer; undefined while the request is handled. */
  answer?: string
}

/**
 * Requests with an `Idempotency-Key`: a repeated one is answered as the first was, and sends
 * nothing. Kept in memory, for 24 hours as at Resend.
 * @see https://resend.com/docs/dashboard/emails/idempotency-keys
 */
export class IdempotentRequests {
  readonly #clock: Clock
  readonly #requests = new Map<string, Remembered>()
  #bytes = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Answers the request with the JSON that `handle` returns, or with that of an earlier request
   * with the same credential, path and key. A request that failed is handled again. A key that is
   * too long, has another body, or whose first request is still handled is refused.
   */
  async answer(c: ProviderContext, handle: () => Promise<object>): Promise<Response> {
    const key = c.req.header('Idempotency-Key')
    if (key === undefined) return c.json(await handle())
    if (key === '' || key.length > KEY_LENGTH) {
      return refuse('invalid_idempotency_key', `The key must be 1 to ${KEY_LENGTH} characters long.`)
    }
    const id = digest(`${c.req.header('Authorization')}\n${c.req.path}\n${key}`)
    const body = digest(c.var.body)
    const known = this.#find(id)
    if (known === undefined) return this.#first(c, id, body, handle)
    if (known.body !== body) {
      return refuse('invalid_idempotent_request', 'This key was used with another request body.')
    }
    if (known.answer === undefined) {
      return refuse('concurrent_idempotent_requests', 'A request with this key is still in progress.')
    }
    return c.json(JSON.parse(known.answer))
  }

  async #first(c: ProviderContext, id: string, body: string, handle: () => Promise<object>) {
    const request: Remembered = { body, expiresAt: this.#clock() + KEPT_MS }
    this.#requests.set(id, request)
    try {
      const answer = await handle()
      request.answer = JSON.stringify(answer)
      this.#bytes += request.answer.length
      return c.json(answer)
    } catch (error) {
      this.#requests.delete(id)
      throw error
    } finally {
      this.#forget()
    }
  }

  #find(id: string): Remembered | undefined {
    const known = this.#requests.get(id)
    return known !== undefined && known.expiresAt > this.#clock() ? known : undefined
  }

  #forget(): void {
    for (const [id, { answer }] of this.#requests) {
      if (this.#requests.size <= KEPT_MAX && this.#bytes <= KEPT_BYTES) break
      if (answer === undefined) continue
      this.#requests.delete(id)
      this.#bytes -= answer.length
    }
  }
}

function refuse(name: keyof typeof REFUSALS, message: string): Response {
  const statusCode = REFUSALS[name]
  return Response.json({ statusCode, name, message }, { status: statusCode })
}

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url')
}
