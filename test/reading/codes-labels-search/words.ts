import { readdirSync, readFileSync } from 'node:fs'

/** Labels of codes that prove nothing, with the subject and a sentence of such a mail. */
export interface Others {
  /** `order`, `parcel`, `booking`, `promo`, `work` or `place`. */
  topic: string
  subject: string
  sentence: string
  labels: string[]
}

/**
 * What mails with codes say in one language. The words were written without a look at the lexicon
 * of the reader, so that a search with them finds what the lexicon lacks. `{code}`, `{label}` and
 * `{brand}` are places to fill.
 */
export interface Words {
  language: string
  /** Labels of codes, as before a colon. */
  codes: string[]
  /** Labels with a possessive or an article, which may also be the subject of a sentence. */
  yourCodes: string[]
  /** Sentences that state the value of one of `yourCodes`. */
  states: string[]
  /** Labels of stated passwords. */
  passwords: string[]
  /** Whole sentences with a code. */
  sentences: string[]
  subjects: string[]
  /** Sentences before a code. */
  before: string[]
  /** Sentences after a code. */
  after: string[]
  /** Sentences before a password. */
  accounts: string[]
  greetings: string[]
  closings: string[]
  others: Others[]
}

const FOLDER = new URL('languages/', import.meta.url)

/** Returns the words of all languages. */
export function readWords(): Words[] {
  return readdirSync(FOLDER)
    .sort()
    .map((name) => ({
      language: name.replace('.json', ''),
      ...JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')),
    }))
}
