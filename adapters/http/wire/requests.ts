import * as v from 'valibot'
import {
  LIST_DEFAULT,
  LIST_MAX,
  PURPOSE_MAX_CHARACTERS,
  STREAM_ADDRESSES_MAX,
  SUMMARY_TEXT_BYTES,
  WAIT_DEFAULT_SECONDS,
  WAIT_MAX_SECONDS,
} from '../../../core/limits.ts'
import { id, ULID } from './fields.ts'

/** The schemas that validate requests, and from which the OpenAPI document is made. */

const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
const ULID_OR_TIME = new RegExp(`${ULID.source}|${TIME.source}`)

export const part = v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(200, 'is too long'))

export const HAS = v.picklist(
  ['code', 'link', 'action_link', 'attachment'],
  'must be code, link, action_link or attachment',
)

const filterFields = {
  since: v.optional(v.pipe(v.string(), v.regex(ULID_OR_TIME, 'must be an email id or an RFC 3339 time'))),
  from: v.optional(part),
  subject: v.optional(part),
  q: v.optional(part),
  has: v.optional(HAS),
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
      v.array(v.string()),
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
export const NewKeyBody = v.object({ purpose: v.optional(purpose, '') })

export const TestMailBody = v.object({ address: v.string('must be a text') })
