/** What a page and the stream hub send to each other; see hub.ts. */

/** `polling`: there is no stream for this inbox, and the page reads its list every few seconds. */
export type LinkState = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'polling'

export interface StreamEvent {
  type: 'new-email' | 'email-read' | 'email-deleted' | 'inbox-cleared' | 'gap'
  /** The inbox that the event belongs to; a gap concerns all of them. */
  address?: string
  /** The summary of a new email. */
  email?: { address: string }
  /** The email that was read or deleted. */
  id?: string
}

export type ToHub =
  /** Replaces what this page followed before. `@domain` as the address follows the whole domain of the key. */
  | { type: 'follow'; address: string; key: string | undefined; visible: boolean }
  | { type: 'visible'; visible: boolean }
  | { type: 'leave' }

export type ToPage =
  | { type: 'state'; state: LinkState }
  /** Every event from now on will be sent; the page reads its list for what happened before. */
  | { type: 'opened' }
  | { type: 'event'; event: StreamEvent }
  /** The stream broke or was refused. The page reads its list, which shows why, and leaves if it is refused. */
  | { type: 'broken' }
