import * as v from 'valibot'
import { FILTERS, type FilterName, HAS_VALUES, type Has } from '../../../core/inbox/filter.ts'
import {
  LIST_DEFAULT,
  LIST_MAX,
  PURPOSE_MAX_CHARACTERS,
  STREAM_ADDRESSES_MAX,
  SUMMARY_TEXT_BYTES,
  WAIT_DEFAULT_SECONDS,
  WAIT_MAX_SECONDS,
} from '../../../core/limits.ts'
import { addressForm, domainForm, id, TIME, ULID } from './fields.ts'

/** The schemas that validate requests, and from which the OpenAPI document is made. */

const ULID_OR_TIME = new RegExp(`${ULID.source}|${TIME.source}`)

const part = v.pipe(
  v.string('must be a text'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(200, 'is too long'),
)
const has = v.picklist(HAS_VALUES, `must be one of ${HAS_VALUES.join(', ')}`)

type FilterEntries = {
  [Name in FilterName]: v.OptionalSchema<v.GenericSchema<Name extends 'has' ? Has : string>, undefined>
}

/** The filters of lists, waits and webhooks. */
export const filterEntries = Object.fromEntries(
  Object.keys(FILTERS).map((name) => [name, v.optional(name === 'has' ? has : part)]),
) as unknown as FilterEntries

const filterFields = {
  since: v.optional(
    v.pipe(
      v.string(),
      v.regex(ULID_OR_TIME, 'must be an email id or an RFC 3339 time, whose + is written %2B in a URL'),
    ),
  ),
  ...filterEntries,
}

function whole(min: number, max: number, fallback: number) {
  const text = `must be a whole number from ${min} to ${max}`
  const number = v.pipe(v.number(text), v.integer(text), v.minValue(min, text), v.maxValue(max, text))
  return v.optional(number, fallback)
}

export const FilterQuery = v.object(filterFields)
export const InboxQuery = v.object({
  limit: whole(1, LIST_MAX, LIST_DEFAULT),
  text_limit: whole(0, SUMMARY_TEXT_BYTES, SUMMARY_TEXT_BYTES),
  cursor: v.optional(v.pipe(v.string(), v.regex(ULID, 'must be a next_cursor'))),
  ...filterFields,
})
export const WaitQuery = v.object({
  timeout: whole(1, WAIT_MAX_SECONDS, WAIT_DEFAULT_SECONDS),
  /**
   * The response to a request with `order` states it, so that a client notices a service that does
   * not know it.
   */
  order: v.optional(v.picklist(['newest', 'oldest'], 'must be newest or oldest')),
  ...filterFields,
})
/** The event types of a stream. */
export const EVENT_TYPES = ['new-email', 'email-read', 'email-deleted', 'inbox-cleared'] as const

const eventTypes = `(${EVENT_TYPES.join('|')})`
export const StreamQuery = v.object({
  last_event_id: v.optional(id),
  /** The same, as EventSource polyfills send it when they reconnect. */
  lastEventId: v.optional(id),
  events: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        new RegExp(`^${eventTypes}(,${eventTypes})*$`),
        `must be some of ${EVENT_TYPES.join(', ')}, with commas between`,
      ),
    ),
    'new-email',
  ),
})
/** A stream follows at most STREAM_ADDRESSES_MAX addresses: that of the path and these. */
export const AddressStreamQuery = v.object({
  also: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), addressForm)),
      v.maxLength(
        STREAM_ADDRESSES_MAX - 1,
        `is given too often: a stream follows at most ${STREAM_ADDRESSES_MAX} addresses`,
      ),
    ),
    [],
  ),
  ...StreamQuery.entries,
})
export const KeyedStreamQuery = v.object({ ...StreamQuery.entries, key: v.optional(v.string()) })
export const NoQuery = v.object({})

const purpose = v.pipe(
  v.string('must be a text'),
  // The flag u counts characters, not halves of them.
  v.regex(
    new RegExp(`^[\\s\\S]{0,${PURPOSE_MAX_CHARACTERS}}$`, 'u'),
    `has at most ${PURPOSE_MAX_CHARACTERS} characters`,
  ),
)
export const NewKeyBody = v.strictObject({ purpose: v.optional(purpose, '') })

/** An address and a domain in a body. */
export const givenAddress = v.pipe(v.string('must be a text'), addressForm)
export const givenDomain = v.pipe(v.string('must be a text'), domainForm)

export const TestMailBody = v.strictObject({ address: givenAddress })
