/** A mailbox as headers name it (RFC 5322, section 3.4). */
export interface Person {
  name: string | null
  address: string | null
}

export type ActionKind = 'confirm' | 'sign_in' | 'reset' | 'invite'

/** What a mail wants done (contract: Email object). `url` is one of its links. */
export interface ActionLink {
  url: string
  /** The words of the link, or of its line in a text. */
  text: string
  kind: ActionKind
}

/** What is the same for every recipient of one message, in the size that lists and events carry. */
export interface EmailSummary {
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  bodyText: string
  bodyTextTruncated: boolean
  codes: string[]
  links: string[]
  /** null where no link says plainly what it is for. */
  actionLink: ActionLink | null
  attachmentCount: number
  /** Bytes of the raw message. */
  size: number
}

/** RFC 8601 results as SES reports them; null where nobody checked. */
export type Verdict = 'pass' | 'fail' | 'gray' | 'processing_failed' | null

export interface Verdicts {
  spam: Verdict
  virus: Verdict
  spf: Verdict
  dkim: Verdict
  dmarc: Verdict
}

export const NO_VERDICTS: Verdicts = { spam: null, virus: null, spf: null, dkim: null, dmarc: null }

export interface Attachment {
  /** Its position in the message, from "0". */
  id: string
  filename: string | null
  contentType: string
  size: number
  inline: boolean
  /** Without angle brackets. */
  contentId: string | null
  /** Hex. */
  sha256: string
}

/** What only the single-email endpoint tells, without the two bodies, which may be large. */
export interface MessageDetails {
  headers: { name: string; value: string }[]
  messageId: string | null
  date: string | null
  attachments: Attachment[]
  verdicts: Verdicts
  mailFrom: string | null
  /** Present only when the message could not be parsed as a whole. */
  parseError?: string
}

/** Both bodies whole. */
export interface MessageBodies {
  bodyText: string
  bodyHtml: string | null
}
