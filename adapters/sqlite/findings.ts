import { Buffer } from 'node:buffer'
import { type Email, emailOf } from '../../core/inbox/email.ts'
import type { StoredEmail } from '../../core/inbox/ports.ts'
import { ulidTime } from '../../core/ulid.ts'
import { type EmailSummary, type Findings, NOTHING_FOUND } from '../../reading/message.ts'
import { type Row, UNSEARCHED } from './message-rows.ts'

/**
 * Codes and links of messages that were stored before anybody looked for them. A search keeps them
 * in the table findings. A reader never shows an email without them: it has the message searched,
 * and reads again.
 */

/**
 * Looks for the codes and links of messages, by their `messageId`. Resolves with what was found in
 * those that are not stored as searched.
 */
export type Search = (messageIds: string[]) => Promise<Record<string, Findings>>

/** Messages that one call searches at most. */
const SEARCHED_AT_ONCE = 200

/**
 * Reads until everything is found in the emails that `read` makes of rows. `read` begins at `end`,
 * and sets it.
 */
export async function searched<T>(search: Search, read: (emails: SearchedEmails) => T): Promise<T> {
  const emails = new SearchedEmails()
  for (;;) {
    const result = read(emails)
    if (emails.missing.size === 0) return result
    await emails.find(search)
  }
}

/** Makes emails of rows, and notes the messages that have to be searched first. */
export class SearchedEmails {
  readonly missing = new Set<string>()
  /**
   * Where the first reading began: below an id. Later ones begin there too; otherwise a reading would not end while
   * mail comes.
   */
  readonly end: { id?: string } = {}
  /** What was found since the rows were read first: it may not be stored, such as on a full disk. */
  readonly #found = new Map<string, Found>()

  /** Whether a search is due, before more rows are read. */
  get isDue(): boolean {
    return this.missing.size >= SEARCHED_AT_ONCE
  }

  async find(search: Search): Promise<void> {
    const ids = [...this.missing]
    this.missing.clear()
    const found = await search(ids)
    // The others are stored as searched by now, or do not exist any more.
    for (const id of ids) {
      const findings = found[id] ?? NOTHING_FOUND
      this.#found.set(id, { findings, json: JSON.stringify(findings) })
    }
  }

  /**
   * Returns what was found in the message of a row, as JSON; '' if the summary has it, or if the message has to be
   * searched first.
   */
  json(row: Row): string {
    return row.findings ?? this.#searched(row)?.json ?? ''
  }

  /** Bytes of a row that lists contain, as far as its message was searched. */
  bytes(row: Row): number {
    const findings = row.findings ?? this.#found.get(row.messageId)?.json ?? ''
    return Buffer.byteLength(row.summary) + Buffer.byteLength(findings)
  }

  email(row: Row): Email {
    return this.stored(row).email
  }

  stored(row: Row): StoredEmail {
    const { messageId } = row
    const findings =
      row.findings === null ? this.#searched(row)?.findings : (JSON.parse(row.findings) as Findings)
    const email = emailIn(row)
    if (findings === undefined) return { email, messageId }
    const { codeDetails, ...inSummary } = findings
    return { email: { ...email, ...inSummary }, messageId, codeDetails }
  }

  #searched(row: Row): Found | undefined {
    if (!isUnsearched(row)) return undefined
    const found = this.#found.get(row.messageId)
    if (found === undefined) this.missing.add(row.messageId)
    return found
  }
}

interface Found {
  findings: Findings
  json: string
}

/** Whether the message of a row must be searched before its email is shown. */
export function isUnsearched({ has, findings }: Row): boolean {
  return (has & UNSEARCHED) !== 0 && findings === null
}

function emailIn(row: Row): Email {
  const retentionMs = row.expiresAt - ulidTime(row.id)
  return {
    ...emailOf(JSON.parse(row.summary) as EmailSummary, row.address, row.id, retentionMs),
    read: row.read === 1,
  }
}
