/** Reasons for a refusal. Each provider maps them to its own statuses and codes. */
export type SendErrorKind =
  /** The credential is not an operator's key, where one is needed. */
  | 'unauthorized'
  /** A field is missing or has a value that the provider does not accept. */
  | 'invalid'
  /** A recipient's domain is not registered here, or the address requests a permanent fault. */
  | 'rejected'
  /** The address requests a temporary fault, or too many requests wait. */
  | 'throttled'
  | 'too_large'
  /** The store is full or does not answer. */
  | 'unavailable'
  | 'not_found'
  | 'template_not_found'
  | 'template_exists'
  | 'template_invalid'
  /** The data does not fit the template. */
  | 'rendering'
  /** The store of templates is full. */
  | 'limit_exceeded'
  | 'unknown_operation'

/**
 * A refusal in the form of the provider, for its SDK. The message contains no secret and no text of
 * another error.
 */
export class SendError extends Error {
  readonly kind: SendErrorKind
  /** The recipients that caused it, if any. */
  readonly recipients: readonly string[]

  constructor(kind: SendErrorKind, message: string, recipients: readonly string[] = []) {
    super(message)
    this.name = 'SendError'
    this.kind = kind
    this.recipients = recipients
  }
}

/** The address requests that the connection ends without an answer. */
export class DropConnection extends Error {}

/** The HTTP status of each refusal, at providers without statuses of their own. */
export const STATUSES: Record<SendErrorKind, number> = {
  unauthorized: 401,
  invalid: 400,
  rejected: 400,
  throttled: 429,
  too_large: 413,
  unavailable: 503,
  not_found: 404,
  template_not_found: 404,
  template_exists: 409,
  template_invalid: 400,
  rendering: 400,
  limit_exceeded: 429,
  unknown_operation: 404,
}
