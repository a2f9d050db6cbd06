import type { ActionKind } from '../message.ts'

/** One occurrence of a link. */
export interface Mention {
  /** The words of the link; empty in a text. */
  words: string
  /** The sentence around it, or the two lines above a link on its own line. */
  around: string
}

export interface Link {
  url: string
  /** Its occurrences, at most MENTIONS_MAX. */
  mentions: Mention[]
}

/** Further occurrences of a link are ignored. */
export const MENTIONS_MAX = 4

/** Properties of the whole mail. */
export interface MailIntent {
  /** The action that its subject requests. */
  subject: Set<ActionKind>
  /**
   * The subject reports a past event and asks for nothing, or the mail is part of a conversation.
   */
  reports: boolean
  /** Whether it invites. A function, because most links do not need the answer. */
  invites(): boolean
  /** Whether the subject names an address, an account or a subscription. */
  isAboutAddress(): boolean
  /** Whether the subject is about an order, a booking or the like, or about a code to type. */
  isElse(): boolean
}
