import type { RefusedMail } from '../../packages/client/src/wire.ts'
import { ask } from '../lib/api.ts'
import { usePolled } from '../lib/polled.ts'
import { withAccess } from '../lib/session.ts'

export type Refusal = RefusedMail

const POLL_MS = 3000

/** What the operator changes so that such mail is accepted, by the reply of SMTP or of a send API. */
const SETTINGS: [reply: RegExp, setting: string][] = [
  [/accepts? mail for that domain/, 'MAYFLY_CATCH_ALL=on accepts mail for every domain.'],
  // The reply to an announced size, that to a message, that of a send API to one, and that to a whole request.
  [
    /maximum message size|message is larger than \d+ bytes|Message length is more|request body has more than \d+ bytes/,
    'MAYFLY_MAX_MESSAGE_BYTES allows larger messages.',
  ],
  [/A fault, as/, 'The address asked for this reply (faults on demand).'],
  [/Authentication required/, 'MAYFLY_SMTP_AUTH names the credentials that are accepted.'],
  [/needs the parameter SMTPUTF8/, 'The client must send MAIL FROM with SMTPUTF8.'],
  [/was not announced/, 'The client sent a parameter that the service did not offer.'],
]

/** The setting or the change that would accept such mail; undefined if none is known, or if the reply names it. */
export function settingFor({ reply }: Refusal): string | undefined {
  if (reply.includes('MAYFLY_')) return undefined
  return SETTINGS.find(([pattern]) => pattern.test(reply))?.[1]
}

/** Whether a refusal is for this text: every word is in its addresses or its reply. */
export function mentions({ mail_from, recipient, reply }: Refusal, words: string[]): boolean {
  const text = [mail_from, recipient, reply].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The latest refusals, newest first, read again every few seconds while the page is visible. */
export function useRefusals(): Refusal[] {
  return usePolled(latest, POLL_MS) ?? NONE
}

const NONE: Refusal[] = []

/** Reads the latest refusals; returns `before` if there are no others. */
export async function latest(before = NONE): Promise<Refusal[]> {
  const { refusals } = await withAccess((access) => ask<{ refusals: Refusal[] }>('/api/refusals', access))
  return isSame(before, refusals) ? before : refusals
}

function isSame(before: Refusal[], after: Refusal[]): boolean {
  return before.length === after.length && before[0]?.at === after[0]?.at
}
