import * as v from 'valibot'
import { ADDRESS_PATTERN, DOMAIN_PATTERN } from './patterns.ts'

/** Fields that several shapes share. */

export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
/** RFC 3339, with fields in their ranges; whether the day exists depends on the month. */
export const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

export const time = v.pipe(v.string(), v.isoTimestamp())
export const id = v.pipe(v.string(), v.regex(ULID, 'must be an email id'))
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const ok = v.literal(true)

/** What the OpenAPI document says about a text; the rules of core/address.ts decide. */
const form = (format: string, pattern: string) =>
  v.metadata<string, { format: string; pattern: string }>({ format, pattern })
export const addressForm = form('idn-email', ADDRESS_PATTERN)
export const domainForm = form('idn-hostname', DOMAIN_PATTERN)

export const address = v.pipe(v.string(), addressForm)
export const domain = v.pipe(v.string(), domainForm)
export const webhookId = v.pipe(v.string(), v.metadata({ pattern: '^wh_[0-9a-f]{24}$' }))
