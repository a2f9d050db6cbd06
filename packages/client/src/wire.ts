/** Generated from the service's schemas by `npm run build:wire`; do not edit. */

/** A mailbox in a header field. */
export interface Person {
  name: string | null
  address: string | null
}

/** The link that does what a mail asks for. */
export interface ActionLink {
  url: string
  text: string
  kind: 'confirm' | 'sign_in' | 'reset' | 'invite'
}

/** An attachment in a list. `size` is in bytes. */
export interface AttachmentSummary {
  id: string
  filename: string | null
  content_type: string
  size: number
  inline: boolean
}

/** An email in lists, waits and streams. */
export interface Email {
  id: string
  address: string
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  body_text: string
  body_text_truncated: boolean
  codes: string[]
  links: string[]
  action_link: ActionLink | null
  attachment_count: number
  attachments: AttachmentSummary[]
  size: number
  received_at: string
  expires_at: string
  read: boolean
}

/** A header field. */
export interface Header {
  name: string
  value: string
}

/** One attachment of an email. `size` is in bytes. */
export interface Attachment {
  id: string
  filename: string | null
  content_type: string
  size: number
  inline: boolean
  content_id: string | null
  sha256: string
  url: string
}

/** A code of a mail: its kind, and the words of the mail that show it. */
export interface CodeDetail {
  value: string
  kind: 'one_time' | 'password' | 'recovery' | 'invitation'
  reason: string
}

/** The results of the checks of an email; null if a check was not made. */
export interface Verdicts {
  spam: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
  virus: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
  spf: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
  dkim: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
  dmarc: 'pass' | 'fail' | 'gray' | 'processing_failed' | null
}

/** An email with every field. */
export interface WholeEmail {
  id: string
  address: string
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  body_text: string
  body_text_truncated: boolean
  codes: string[]
  links: string[]
  action_link: ActionLink | null
  attachment_count: number
  attachments: Attachment[]
  size: number
  received_at: string
  expires_at: string
  read: boolean
  body_html: string | null
  headers: Header[]
  message_id: string | null
  date: string | null
  verdicts: Verdicts
  mail_from: string | null
  code_details: CodeDetail[]
  parse_error?: string
  raw_url: string
}

/** A recipient or a message that the service refused. */
export interface RefusedMail {
  at: string
  client: string
  mail_from: string | null
  recipient: string | null
  code: number
  reply: string
}

/** The answer to a request that failed (RFC 9457). */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  success: false
  request_id: string
}

/** The values of the filter `has`, in words. */
export const HAS = {
  code: 'a code',
  link: 'a link',
  action_link: 'an action link',
  attachment: 'an attachment',
} as const

/** The filters that the service applies. Parts are compared without case. */
export interface EmailFilter {
  /** A part of the sender’s name or address. */
  from?: string
  /** A part of the recipient, or of a name or address in To or Cc. */
  to?: string
  /** A part of the subject. */
  subject?: string
  /** A part of sender, subject, codes or the first 16 KiB of the text. */
  q?: string
  /** Code, link, action_link, attachment. */
  has?: keyof typeof HAS
}
