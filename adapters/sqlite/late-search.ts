import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { EmailSummary, Findings } from '../../reading/message.ts'
import type { Searchable } from '../../reading/read.ts'
import type { Database } from './database.ts'
import { unavailable } from './errors.ts'
import type { Search } from './findings.ts'
import { rowOf, TEXT_OF_HTML, UNSEARCHED } from './message-rows.ts'
import { bitsOf } from './store-emails.ts'
import type { CommandSet, Transaction } from './transaction.ts'

/** Messages are searched unasked when none has come for this long, */
const QUIET_MS = 1000
/** and this many wait for that, about 0.1 KB each. Others are searched when somebody reads them. */
const WAITING_MAX = 10_000
/** After searching for this long in a row, */
const FREE_MS = 50
/** it takes at most half of the thread's time: it rests as long as it worked each time that it worked this long. */
const SLICE_MS = 5

interface Request {
  left: string[]
  found: Record<string, Findings>
  resolve(found: Record<string, Findings>): void
  reject(error: unknown): void
}

/** Looks for the codes and links of a message. It must not throw. */
export type Find = (searchable: Searchable) => Findings
/** Loads that function. */
export type LoadFind = () => Promise<Find>

export interface LateSearchOptions {
  /** Returns undefined if the message was searched, or does not exist. */
  searchableOf(messageId: string): Searchable | undefined
  /** Resolves when the findings are stored. */
  store(messageId: string, findings: Findings): Promise<void>
}

/**
 * Looks for the codes and links of messages that were stored without them: at once when somebody
 * reads the emails, and otherwise when no mail comes. Requests have a message searched each in turn,
 * so a long one does not delay the others.
 */
export class LateSearch {
  readonly #options: LateSearchOptions
  #load: LoadFind | undefined
  #find: Find | undefined
  readonly #requests: Request[] = []
  /** The newest last, which is searched first. */
  #waiting: string[] = []
  /** What was found and is not committed yet. */
  readonly #unsaved = new Map<string, Findings>()
  #lastMail = 0
  #quiet: NodeJS.Timeout | undefined
  #isRunning = false
  #isStopped = false

  constructor(options: LateSearchOptions) {
    this.#options = options
  }

  /** Sets what loads the function that looks for codes and links, before it is used first. */
  use(load: LoadFind): void {
    this.#load = load
    this.#find = undefined
  }

  /** @throws Problem `unavailable` when it was stopped */
  readonly search: Search = (messageIds) =>
    new Promise((resolve, reject) => {
      if (this.#isStopped) return reject(unavailable(new Error('the store is closing')))
      this.#requests.push({ left: [...messageIds].reverse(), found: {}, resolve, reject })
      this.#start()
    })

  /** Has a message searched when no mail comes. */
  later(messageId: string): void {
    if (this.#isStopped) return
    this.#lastMail = performance.now()
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(messageId)
    this.#wait()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#quiet)
    this.#waiting = []
    for (const { reject } of this.#requests.splice(0)) reject(unavailable(new Error('the store is closing')))
  }

  #wait(): void {
    if (this.#isRunning) return
    this.#quiet ??= setTimeout(() => this.#start(), QUIET_MS)
    this.#quiet.refresh()
  }

  #start(): void {
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // Requests of one message come together.
    await turn()
    this.#find ??= await this.#load!()
    let total = 0
    let slice = 0
    for (;;) {
      const began = performance.now()
      if (!this.#searchNext()) break
      slice += performance.now() - began
      if (slice < SLICE_MS) continue
      total += slice
      await (total > FREE_MS ? sleep(slice) : turn())
      slice = 0
    }
    this.#isRunning = false
    if (this.#waiting.length > 0) this.#wait()
  }

  /** Searches one message. Returns false if none is due. */
  #searchNext(): boolean {
    const request = this.#requests.shift()
    if (request === undefined) {
      if (performance.now() - this.#lastMail < QUIET_MS) return false
      const next = this.#waiting.pop()
      if (next === undefined) return false
      try {
        this.#searchOne(next)
      } catch {
        // It is searched when somebody reads it, who gets the error.
      }
      return true
    }
    const { left, found, resolve, reject } = request
    try {
      const messageId = left.pop()
      const findings = messageId === undefined ? undefined : this.#searchOne(messageId)
      if (findings !== undefined) found[messageId!] = findings
      if (left.length > 0) this.#requests.push(request)
      else resolve(found)
    } catch (error) {
      reject(error)
    }
    return true
  }

  #searchOne(messageId: string): Findings | undefined {
    const unsaved = this.#unsaved.get(messageId)
    if (unsaved !== undefined) return unsaved
    const searchable = this.#options.searchableOf(messageId)
    if (searchable === undefined) return undefined
    const findings = this.#find!(searchable)
    this.#unsaved.set(messageId, findings)
    // If it cannot be stored, the message is searched again when somebody reads it.
    const forget = () => this.#unsaved.delete(messageId)
    this.#options.store(messageId, findings).then(forget, forget)
    return findings
  }
}

/** Returns what codes and links are looked for in; undefined if the message was searched, or does not exist. */
export function searchableOf(db: Database, messageId: string): Searchable | undefined {
  const row = db.get<{ has: number; summary: string; body: Uint8Array }>(
    `SELECT has, summary, body FROM messages m WHERE id = ? AND has & ${UNSEARCHED} <> 0
       AND summary IS NOT NULL AND body IS NOT NULL AND NOT EXISTS (SELECT 1 FROM findings WHERE message = m.id)`,
    rowOf(messageId),
  )
  if (row === undefined) return undefined
  const { subject, bodyText } = JSON.parse(row.summary) as EmailSummary
  // The form of core/inbox/message-body.ts.
  const [, text = '', html = ''] = Buffer.from(row.body.buffer, row.body.byteOffset, row.body.length)
    .toString()
    .split('\n')
  return {
    subject,
    text: text === '' ? bodyText : JSON.parse(text),
    html: JSON.parse(html),
    isTextOfHtml: (row.has & TEXT_OF_HTML) !== 0,
  }
}

/** Commands that keep what was found. */
export const findingsCommands = {
  putFindings({ db }: Transaction, messageId: string, findings: Findings): void {
    db.run(
      `INSERT OR REPLACE INTO findings (message, has, findings)
         SELECT id, ?, ? FROM messages WHERE id = ? AND summary IS NOT NULL`,
      bitsOf({ ...findings, attachmentCount: 0 }),
      JSON.stringify(findings),
      rowOf(messageId),
    )
  },
} satisfies CommandSet

/** For a command: removes what was found in a message that has no copy any more. */
export function removeFindings(db: Database, message: number): void {
  db.run('DELETE FROM findings WHERE message = ?', message)
}
