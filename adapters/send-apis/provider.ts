import { Buffer } from 'node:buffer'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { Clock } from '../../core/clock.ts'
import type { EmailTemplates } from '../../core/inbox/templates.ts'
import { checkJsonSize } from './body-size.ts'
import { free } from './growing-bytes.ts'
import type { Outbox } from './outbox.ts'
import { SendError } from './send-error.ts'

/** The parts that the routes of a provider use. */
export interface ProviderTools {
  outbox: Pick<Outbox, 'send'>
  templates: EmailTemplates
  clock: Clock
}

/** The properties of a request that the host provides. */
export interface ProviderCall {
  /** IP address. */
  client: string
  requestId: string
  body: Uint8Array | SendError
  /** Reports an error that is not a refusal. */
  failed(error: unknown): void
}

/** `body` is set before the routes of a provider run. */
export interface ProviderEnv {
  Bindings: ProviderCall
  Variables: { body: Uint8Array }
}

/** The routes of a provider and the form of its errors. */
export interface Provider {
  routes: Hono<ProviderEnv>
  /** The answer to a refused request. `path` is the path below the provider's base URL. */
  refusal(error: SendError, requestId: string, path: string): Response
}

export type ProviderContext = Context<ProviderEnv>

/**
 * The JSON body of a request, validated. May be called once, because it frees the bytes.
 * @throws SendError `invalid`, which names the first field at fault
 */
export function jsonBody<S extends v.GenericSchema>(c: ProviderContext, schema: S): v.InferOutput<S> {
  const { buffer, byteOffset, byteLength } = c.var.body
  const body = Buffer.from(buffer, byteOffset, byteLength)
  checkJsonSize(body)
  const text = body.toString('utf8')
  free(buffer)
  return validated(schema, parseJson(text, 'The request body'))
}

/** @throws SendError `invalid` */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SendError('invalid', `${what} is not valid JSON.`)
  }
}

/** @throws SendError `invalid`, which names the first field at fault */
export function validated<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const field = v.getDotPath(issue)
  if (field === null) throw new SendError('invalid', `The request body is not valid: ${issue.message}.`)
  if (issue.input === undefined) throw new SendError('invalid', `Missing required field: ${field}.`)
  throw new SendError('invalid', `Invalid value of the field ${field}: ${issue.message}.`)
}

/** Each expression searches for one character, so the time is linear and no stack is used. */
function isBase64(text: string): boolean {
  const at = text.indexOf('=')
  const digits = at === -1 ? text : text.slice(0, at)
  const padding = at === -1 ? '' : text.slice(at).replace(/\s/g, '')
  return !/[^A-Za-z0-9+/_\-\s]/.test(digits) && ['', '=', '=='].includes(padding)
}

/** Base64 content of an attachment or a raw message. */
export const Base64 = v.pipe(
  v.string(),
  v.check(isBase64, 'expected base64'),
  v.transform((text): Uint8Array => Buffer.from(text, 'base64')),
)

export const TextMap = v.record(v.string(), v.string())

/** A JSON object, such as the data of a template. */
export const JsonObject = v.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
)

/** The operations of a provider, as `METHOD /path`. */
function operationsOf(routes: Hono<ProviderEnv>): string {
  const operations = routes.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`)
  return [...new Set(operations)].join(', ')
}

/** Adds the answer to all other requests: an error that lists the operations that exist. */
export function refuseOthers(routes: Hono<ProviderEnv>): Hono<ProviderEnv> {
  const operations = operationsOf(routes)
  return routes.all('*', (c) => {
    throw new SendError(
      'unknown_operation',
      `${c.req.method} ${c.req.path} does not exist. Operations: ${operations}.`,
    )
  })
}
