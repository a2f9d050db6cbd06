/** A mailbox in a header (RFC 5322, section 3.4). */
export interface Person {
  name: string | null
  address: string | null
}

/** A code of a mail, and why it is one. */
export interface CodeDetail {
  value: string
  /** A one-time code, a password that the mail states, one of recovery codes, or an invitation. */
  kind: 'one_time' | 'password' | 'recovery' | 'invitation'
  /** The words of the mail that show it. */
  reason: string
}

/** What is found in a mail, for programs that act on it. */
export interface Findings {
  codes: string[]
  /** The codes, with their kinds and reasons. */
  codeDetails: CodeDetail[]
  links: string[]
  /** null if no link is clearly the action. */
  actionLink: ActionLink | null
}

export const NOTHING_FOUND: Findings = { codes: [], codeDetails: [], links: [], actionLink: null }

export type ActionKind = 'confirm' | 'sign_in' | 'reset' | 'invite'

/**
 * The link that does what the mail asks for (contract: Email object). `url` is one of its links.
 */
export interface ActionLink {
  url: string
  /** The text of the link, or of its line in a text mail. */
  text: string
  kind: ActionKind
}

/**
 * The part of an email that lists and events contain; it is the same for every recipient of a
 * message.
 */
export interface EmailSummary extends Omit<Findings, 'codeDetails'> {
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  bodyText: string
  bodyTextTruncated: boolean
  attachmentCount: number
  /** The first of them: SUMMARY_ATTACHMENTS_MAX. */
  attachments: AttachmentSummary[]
  /** Bytes of the raw message. */
  size: number
}

/** RFC 8601 results as SES reports them; null if no check was made. */
export type Verdict = 'pass' | 'fail' | 'gray' | 'processing_failed' | null

export interface Verdicts {
  spam: Verdict
  virus: Verdict
  spf: Verdict
  dkim: Verdict
  dmarc: Verdict
}

export const NO_VERDICTS: Verdicts = { spam: null, virus: null, spf: null, dkim: null, dmarc: null }

/** What lists show of an attachment. */
export type AttachmentSummary = Pick<Attachment, 'id' | 'filename' | 'contentType' | 'size' | 'inline'>

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

/**
 * The part of an email that only the single-email endpoint returns, without the bodies, which may
 * be large.
 */
export interface MessageDetails {
  headers: { name: string; value: string }[]
  messageId: string | null
  date: string | null
  attachments: Attachment[]
  verdicts: Verdicts
  mailFrom: string | null
  /** The codes of the summary, with their kinds and reasons. */
  codeDetails: CodeDetail[]
  /** Why the message could not be read completely; absent if it was. */
  parseError?: string
}

/** Both bodies, complete. */
export interface MessageBodies {
  bodyText: string
  bodyHtml: string | null
}
