import * as v from 'valibot'
import {
  LINKS_MAX,
  LIST_DEFAULT,
  LIST_MAX,
  PURPOSE_MAX_CHARACTERS,
  WAIT_DEFAULT_SECONDS,
  WAIT_MAX_SECONDS,
} from '../../core/limits.ts'

/** Every shape of the API, once: requests are validated with these, and the OpenAPI document is made of them. */

export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
const ULID_OR_TIME = new RegExp(`${ULID.source}|${TIME.source}`)

const time = v.pipe(v.string(), v.isoTimestamp())
const id = v.pipe(v.string(), v.regex(ULID, 'must be an email id'))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const ok = v.literal(true)

// ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────

export const Person = v.object({ name: v.nullable(v.string()), address: v.nullable(v.string()) })

const emailFields = {
  id,
  address: v.string(),
  from: Person,
  to: v.array(Person),
  cc: v.array(Person),
  subject: v.string(),
  body_text: v.string(),
  body_text_truncated: v.boolean(),
  codes: v.array(v.string()),
  links: v.pipe(v.array(v.string()), v.maxLength(LINKS_MAX)),
  action_link: v.nullable(
    v.object({
      url: v.string(),
      text: v.string(),
      kind: v.picklist(['confirm', 'sign_in', 'reset', 'invite']),
    }),
  ),
  attachment_count: count,
  size: count,
  received_at: time,
  expires_at: time,
  read: v.boolean(),
}

export const Email = v.object(emailFields)

export const Attachment = v.object({
  id: v.string(),
  filename: v.nullable(v.string()),
  content_type: v.string(),
  size: count,
  inline: v.boolean(),
  content_id: v.nullable(v.string()),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  url: v.string(),
})

const verdict = v.nullable(v.picklist(['pass', 'fail', 'gray', 'processing_failed']))

export const WholeEmail = v.object({
  ...emailFields,
  body_html: v.nullable(v.string()),
  headers: v.array(v.object({ name: v.string(), value: v.string() })),
  message_id: v.nullable(v.string()),
  date: v.nullable(time),
  attachments: v.array(Attachment),
  verdicts: v.object({ spam: verdict, virus: verdict, spf: verdict, dkim: verdict, dmarc: verdict }),
  mail_from: v.nullable(v.string()),
  parse_error: v.optional(v.string()),
  raw_url: v.string(),
})

export const Domain = v.object({ domain: v.string(), status: v.literal('verified'), private: v.boolean() })

export const UsernameAnswer = v.object({ username: v.pipe(v.string(), v.regex(/^[a-z]+[0-9]+$/)) })
export const DomainsAnswer = v.object({ success: ok, domains: v.array(Domain) })
export const RandomDomainAnswer = v.object({ success: ok, domain: v.string(), domains: v.array(Domain) })
export const VerificationAnswer = v.object({
  success: ok,
  domain: v.string(),
  verified: v.boolean(),
  mx: v.string(),
  status: v.picklist(['verified', 'pending', 'unverified']),
  private: v.boolean(),
  records: v.array(
    v.object({
      type: v.picklist(['MX', 'TXT', 'CNAME']),
      name: v.string(),
      value: v.string(),
      purpose: v.string(),
      found: v.boolean(),
    }),
  ),
})
export const InboxAnswer = v.object({
  success: ok,
  address: v.string(),
  emails: v.array(Email),
  next_cursor: v.nullable(id),
})
export const MaybeEmailAnswer = v.object({ success: ok, email: v.nullable(Email) })
export const WholeEmailAnswer = v.object({ success: ok, email: WholeEmail })
export const DeletedAnswer = v.object({ success: ok, id })
export const ClearedAnswer = v.object({ success: ok, deleted: count })
export const QuotaAnswer = v.object({ success: ok, limit: count, remaining: count, resets_at: time })
export const NewKeyAnswer = v.object({
  success: ok,
  key: v.string(),
  purpose: v.string(),
  created_at: time,
  expires_at: time,
  rate_limit: v.object({ limit: count, window_seconds: count }),
  remaining: count,
})
export const KeyAnswer = v.object({ success: ok, purpose: v.string(), created_at: time, expires_at: time })
export const DoneAnswer = v.object({ success: ok })
export const HealthAnswer = v.object({ success: ok, status: v.literal('ok') })

export const ProblemAnswer = v.object({
  type: v.string(),
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  code: v.string(),
  success: v.literal(false),
  request_id: v.string(),
})

// ── Requests ────────────────────────────────────────────────────────────────────────────────────────────

const part = v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(200, 'is too long'))

const filterFields = {
  since: v.optional(v.pipe(v.string(), v.regex(ULID_OR_TIME, 'must be an email id or an RFC 3339 time'))),
  from: v.optional(part),
  subject: v.optional(part),
  has: v.optional(
    v.picklist(
      ['code', 'link', 'action_link', 'attachment'],
      'must be code, link, action_link or attachment',
    ),
  ),
}

function whole(least: number, most: number, standard: number) {
  const text = `must be a whole number from ${least} to ${most}`
  const number = v.pipe(v.number(text), v.integer(text), v.minValue(least, text), v.maxValue(most, text))
  return v.optional(number, standard)
}

export const FilterQuery = v.object(filterFields)
export const InboxQuery = v.object({
  limit: whole(1, LIST_MAX, LIST_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.regex(ULID, 'must be a next_cursor'))),
  ...filterFields,
})
export const WaitQuery = v.object({
  timeout: whole(1, WAIT_MAX_SECONDS, WAIT_DEFAULT_SECONDS),
  ...filterFields,
})
export const StreamQuery = v.object({ last_event_id: v.optional(id) })
export const KeyedStreamQuery = v.object({ key: v.optional(v.string()), last_event_id: v.optional(id) })
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
