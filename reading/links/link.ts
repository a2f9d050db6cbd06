import type { ActionKind } from '../message.ts'

/** Where a link stands in the mail. */
export interface Mention {
  /** The words of the link; none in a text. */
  words: string
  /** The sentence that it stands in, or where it stands alone, the two lines above. */
  around: string
}

export interface Link {
  url: string
  /** Every place where it stands, at most MENTIONS_MAX of them. */
  mentions: Mention[]
}

/** A link that is mentioned more often says no more. */
export const MENTIONS_MAX = 4

/** What the mail as a whole says. */
export interface MailIntent {
  /** What its subject asks for. */
  subject: Set<ActionKind>
  /** The subject reports a past event and asks for nothing, or the mail is part of a conversation. */
  reports: boolean
  invites: boolean
  /** The subject is about an order, a booking or the like, or about a code to type. */
  isElse: boolean
}
