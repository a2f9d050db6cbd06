import * as v from 'valibot'
import type { Email as StoredEmail } from '../../../core/inbox/email.ts'
import { LINKS_MAX, SUMMARY_ATTACHMENTS_MAX, SUMMARY_TEXT_BYTES } from '../../../core/limits.ts'
import type { MessageDetails, AttachmentSummary as StoredAttachment } from '../../../reading/message.ts'
import { cut } from '../../../reading/mime/text.ts'
import { address, count, id, ok, time } from './fields.ts'

/**
 * The JSON of emails: each shape, and the function that creates it from the domain model.
 */

export const Person = v.object({ name: v.nullable(v.string()), address: v.nullable(v.string()) })

export const ActionLink = v.object({
  url: v.string(),
  text: v.string(),
  kind: v.picklist(['confirm', 'sign_in', 'reset', 'invite']),
})

const attachmentFields = {
  id: v.string(),
  filename: v.nullable(v.string()),
  content_type: v.string(),
  size: count,
  inline: v.boolean(),
}

/** What lists show of an attachment. */
export const AttachmentSummary = v.object(attachmentFields)

const fields = {
  id,
  address,
  from: Person,
  to: v.array(Person),
  cc: v.array(Person),
  subject: v.string(),
  body_text: v.string(),
  body_text_truncated: v.boolean(),
  codes: v.array(v.string()),
  links: v.pipe(v.array(v.string()), v.maxLength(LINKS_MAX)),
  action_link: v.nullable(ActionLink),
  attachment_count: count,
  attachments: v.pipe(v.array(AttachmentSummary), v.maxLength(SUMMARY_ATTACHMENTS_MAX)),
  size: count,
  received_at: time,
  expires_at: time,
  read: v.boolean(),
}

export const Email = v.object(fields)

export const CodeDetail = v.object({
  value: v.string(),
  kind: v.picklist(['one_time', 'password', 'recovery', 'invitation']),
  reason: v.string(),
})

export const Attachment = v.object({
  ...attachmentFields,
  content_id: v.nullable(v.string()),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  url: v.string(),
})

export const Header = v.object({ name: v.string(), value: v.string() })

const verdict = v.nullable(v.picklist(['pass', 'fail', 'gray', 'processing_failed']))
export const Verdicts = v.object({
  spam: verdict,
  virus: verdict,
  spf: verdict,
  dkim: verdict,
  dmarc: verdict,
})

export const WholeEmail = v.object({
  ...fields,
  body_html: v.nullable(v.string()),
  headers: v.array(Header),
  message_id: v.nullable(v.string()),
  date: v.nullable(time),
  attachments: v.array(Attachment),
  verdicts: Verdicts,
  mail_from: v.nullable(v.string()),
  code_details: v.array(CodeDetail),
  parse_error: v.optional(v.string()),
  raw_url: v.string(),
})

export const InboxAnswer = v.object({
  success: ok,
  address,
  emails: v.array(Email),
  next_cursor: v.nullable(id),
})
export const AllMailAnswer = v.object({
  success: ok,
  emails: v.array(Email),
  next_cursor: v.nullable(id),
})
export const MaybeEmailAnswer = v.object({ success: ok, email: v.nullable(Email) })
export const WaitAnswer = v.object({
  ...MaybeEmailAnswer.entries,
  order: v.optional(v.picklist(['newest', 'oldest'])),
})
export const WholeEmailAnswer = v.object({ success: ok, email: WholeEmail })
export const DeletedAnswer = v.object({ success: ok, id })
export const MarkedAnswer = v.object({ success: ok, marked: count })
export const ClearedAnswer = v.object({ success: ok, deleted: count })

/**
 * An email in lists, latest, wait and stream events.
 * @param textBytes maximum size of the text in bytes
 */
export function summary(email: StoredEmail, textBytes = SUMMARY_TEXT_BYTES): v.InferOutput<typeof Email> {
  const body_text = cut(email.bodyText, textBytes)
  return {
    id: email.id,
    address: email.address,
    from: email.from,
    to: email.to,
    cc: email.cc,
    subject: email.subject,
    body_text,
    body_text_truncated: email.bodyTextTruncated || body_text.length < email.bodyText.length,
    codes: email.codes,
    links: email.links,
    action_link: email.actionLink,
    attachment_count: email.attachmentCount,
    attachments: email.attachments.map(attachmentSummary),
    size: email.size,
    received_at: new Date(email.receivedAt).toISOString(),
    expires_at: new Date(email.expiresAt).toISOString(),
    read: email.read,
  }
}

function attachmentSummary({ id, filename, contentType, size, inline }: StoredAttachment) {
  return { id, filename, content_type: contentType, size, inline }
}

/**
 * The fields of the single-email endpoint except for the two bodies, which the store provides as
 * JSON.
 */
export function wholeWithoutBodies(
  email: StoredEmail,
  details: MessageDetails,
): Omit<v.InferOutput<typeof WholeEmail>, 'body_text' | 'body_html'> {
  const path = `/api/emails/${encodeURIComponent(email.address)}/${email.id}`
  const { body_text: _, ...rest } = summary(email)
  return {
    ...rest,
    body_text_truncated: false,
    headers: details.headers,
    message_id: details.messageId,
    date: details.date,
    attachments: details.attachments.map((attachment) => ({
      ...attachmentSummary(attachment),
      content_id: attachment.contentId,
      sha256: attachment.sha256,
      url: `${path}/attachments/${attachment.id}`,
    })),
    verdicts: details.verdicts,
    mail_from: details.mailFrom,
    code_details: details.codeDetails,
    ...(details.parseError === undefined ? {} : { parse_error: details.parseError }),
    raw_url: `${path}/raw`,
  }
}
