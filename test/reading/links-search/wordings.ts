import { readdirSync, readFileSync } from 'node:fs'
import type { ActionKind } from '../../../reading/message.ts'

/** How a language asks for one kind of action. */
export interface Asking {
  subjects: string[]
  bodies: string[]
  buttons: string[]
}

/** A mail that reports what happened, and offers a plain page. */
export interface Notice {
  subject: string
  text: string
  offer: string
  button: string
}

/**
 * What services write in one language. `{service}`, `{name}`, `{inviter}`, `{team}`, `{address}` and `{date}` are
 * places for values. The sentences were written without a look at the lexicon of the reader; keep it so.
 */
export interface Wording extends Record<ActionKind, Asking> {
  greetings: string[]
  /** How long the link works. */
  term: string
  /** Lines above the address of a button. */
  copy: string[]
  /** What a reader does who did not ask for the mail. */
  ignore: string[]
  notices: Record<string, Notice>
  /** The name of a link for a reader who did not ask for the mail. */
  denial: string
  /** The name of a link that declines an invitation. */
  decline: string
  /** Names of links: unsubscribe, help, privacy, app. */
  footer: string[]
  closing: string
}

const FOLDER = new URL('wordings/', import.meta.url)

/** The wordings by their language (BCP 47). */
export const WORDINGS: ReadonlyMap<string, Wording> = new Map(
  readdirSync(FOLDER)
    .sort()
    .map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Wording,
    ]),
)
