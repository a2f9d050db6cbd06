import { Buffer } from 'node:buffer'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { Clock } from '../../core/clock.ts'
import type { EmailTemplates } from '../../core/inbox/templates.ts'
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
  /** Reads the body and frees its memory in the budget after `handle`. @throws SendError */
  withBody<T>(handle: (body: Uint8Array) => Promise<T>): Promise<T>
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
 * The JSON body of a request, validated.
 * @throws SendError `invalid`, which names the first field at fault
 */
export function jsonBody<S extends v.GenericSchema>(c: ProviderContext, schema: S): v.InferOutput<S> {
  return validated(schema, parseJson(Buffer.from(c.var.body).toString('utf8'), 'The request body'))
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

/** Base64 content of an attachment or a raw message. */
export const Base64 = v.pipe(
  v.string(),
  v.check((text) => /^[A-Za-z0-9+/_\-\s]*={0,2}\s*$/.test(text), 'expected base64'),
  v.transform((text): Uint8Array => Buffer.from(text, 'base64')),
)

export const TextMap = v.record(v.string(), v.string())

/** A JSON object, such as the data of a template. */
export const JsonObject = v.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
)

/** The operations of a provider, as `METHOD /path`. */
export function operationsOf(routes: Hono<ProviderEnv>): string {
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

/**
 * Subject and text of a mail whose template only the provider has: one line for each value of its
 * data, so that a test still finds codes and links.
 */
export function describeTemplate(
  id: string,
  data: Record<string, unknown>,
): { subject: string; text: string } {
  const lines: string[] = []
  const add = (path: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) add(path === '' ? name : `${path}.${name}`, inner)
    } else lines.push(`${path}: ${value}`)
  }
  add('', data)
  const { subject } = data
  return { subject: typeof subject === 'string' ? subject : `Template ${id}`, text: `${lines.join('\n')}\n` }
}
