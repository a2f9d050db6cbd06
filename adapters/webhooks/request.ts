import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Target, TargetError } from './target.ts'

/** The system's error codes in words for the person who chose the target. */
const ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The target refused the connection.',
  ECONNRESET: 'The target ended the connection.',
  EHOSTUNREACH: 'The target cannot be reached.',
  ENETUNREACH: 'The target cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate of the target has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the target is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the target is not signed by a known authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the target is not signed by a known authority.',
  UPGRADED: 'The target answered 101 Switching Protocols, which is no answer to this request.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the target is for another name.',
  HPE_HEADER_OVERFLOW: 'The headers of the answer are too large.',
}

export interface OutgoingRequest {
  method: 'POST' | 'HEAD' | 'GET'
  headers: Record<string, string | number>
  body?: string
}

export interface TargetAnswer {
  /** Its `destroy` ends the connection, and with it the body. */
  request: ClientRequest
  answer: IncomingMessage
}

/**
 * Resolves with the head of the answer, also of a redirect, which is not followed. Settles on every
 * end of the connection: Node emits neither 'response' nor 'error' for an upgrade. The caller
 * decides how much of the body is read.
 */
export function requestTarget(
  { url, address, family }: Target,
  { method, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<TargetAnswer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers,
      signal,
      // A new connection, to the address that was checked: the name is not resolved again.
      agent: false,
      lookup: (_name, options, done) => {
        if (options.all) done(null, [{ address, family }])
        else done(null, address, family)
      },
    })
    request.on('error', reject)
    request.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(Object.assign(new Error('upgraded'), { code: 'UPGRADED' }))
    })
    request.on('response', (answer) => {
      answer.on('error', () => {})
      resolve({ request, answer })
    })
    request.end(body)
  })
}

/** Settles as the promise does, and rejects when the signal aborts before that. */
export function orTimeout<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('timeout'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    promise.then(resolve, reject)
  })
}

/** Why a request failed, as a sentence. */
export function wordsFor(error: unknown): string {
  if (error instanceof TargetError) return error.message
  return ERRORS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'The request could not be sent.'
}
