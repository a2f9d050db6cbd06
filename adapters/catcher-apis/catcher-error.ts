import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** A refusal as Mailpit words it: a status and plain text. MailHog sends the status alone. */
export class CatcherError extends Error {
  readonly status: ContentfulStatusCode

  constructor(status: ContentfulStatusCode, message: string) {
    super(message)
    this.name = 'CatcherError'
    this.status = status
  }
}

export const NOT_FOUND = '404 page not found'
