/** What a page and the hub of streams say to each other; see hub.ts. */

export type LinkState = 'connecting' | 'live' | 'reconnecting' | 'offline'

export interface StreamEvent {
  type: 'new-email' | 'email-read' | 'email-deleted' | 'inbox-cleared' | 'gap'
  /** The summary of a new email. */
  email?: unknown
  /** Which email was read or deleted. */
  id?: string
}

export type ToHub =
  | { type: 'follow'; address: string; key: string | undefined; visible: boolean }
  | { type: 'visible'; visible: boolean }
  /** The page has read the list again although there is no stream: it may come back or not. */
  | { type: 'answer'; again: boolean }
  | { type: 'leave' }

export type ToPage =
  | { type: 'state'; state: LinkState }
  /** Whatever happens from now on is told: the list is to be read. Said anew when a stream came back. */
  | { type: 'opened' }
  | { type: 'event'; event: StreamEvent }
  /** The stream broke or was refused. The page finds out why, and answers whether to come back. */
  | { type: 'broken' }
