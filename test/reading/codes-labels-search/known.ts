import { readFileSync } from 'node:fs'
import type { Composed } from './compose.ts'

/*
 * Mails that the reader still reads wrong. A fix of the reader removes its entry; at the end there
 * is none left.
 */

/** Forms of mails, whatever the label is. */
const FORMS: Array<(composed: Composed) => boolean> = [
  // A password with a mark: "9%m" counts as a percentage, other marks fail as a heading or after a
  // dash.
  ({ kind, value }) => kind === 'password' && /[^A-Za-z0-9]/.test(value),
  // A password in another paragraph or cell than its label, or after a dash.
  ({ kind, layout }) => kind === 'password' && ['heading', 'dash', 'table'].includes(layout),
  // A token of letters and digits in a sentence with a verb: "Use e79c258f to sign in".
  ({ layout, value }) => layout === 'sentence' && /[a-z]|^(?!G-).*[A-Z]/.test(value),
  // A token with small letters in another cell than its label.
  ({ layout, value }) => layout === 'table' && /[a-z]/.test(value),
  // Digits before letters or letters before digits: "Access code: 2676209c".
  ({ value }) => /^(?:\d+[A-Za-z]+|[A-Za-z]+\d+)$/.test(value),
  // The code of another thing below its label, or in small and capital letters.
  ({ kind, layout, value }) => kind === 'other' && (layout === 'below' || /[a-z]/.test(value)),
  // "Hello,\n\nPIN: 375192": a PIN after a comma is taken for the postal code of India.
  ({ made }) => made[0] === 'PIN',
  // Date and time in the footer, which some mails with a code are refused for.
  ({ kind, mail }) => kind !== 'other' && `${mail.text}${mail.html}`.includes('12.06.2026 14:32'),
]

/** Labels and sentences that fail in some or all of their mails, by language. */
const WORDS: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('known.json', import.meta.url), 'utf8'),
)

/** Whether a mail is one that the reader is known to read wrong. */
export function isKnown(composed: Composed): boolean {
  const words = WORDS[composed.language] ?? []
  return FORMS.some((isOf) => isOf(composed)) || composed.made.some((made) => words.includes(made))
}
