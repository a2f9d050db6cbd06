import type { Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { DNS_ANSWER_MS, DNS_QUESTIONS } from '../limits.ts'
import { domainKeyName, type KeyRecord, readKeyRecord } from './domain-key.ts'
import type { Dns, MxRecord, WantedRecord } from './ports.ts'

/** The DNS records of a domain. */
export interface DnsAnswer {
  /** When the queries were sent (Unix ms); unique in this process. */
  askedAt: number
  /** The MX records with the best preference, in lower case without a final dot. */
  mx: MxRecord[]
  key: KeyRecord
}

interface Answered<T> {
  askedAt: number
  records: T[]
}

/**
 * The times of the queries for one domain within DNS_ANSWER_MS, oldest first, and the newest
 * answer.
 */
interface Asked {
  times: number[]
  newest: Promise<Answered<unknown>>
}

/** Domains whose answers are cached. */
const CACHED_DOMAINS = 10_000

/**
 * Queries DNS for all callers: at most DNS_QUESTIONS times for each name within DNS_ANSWER_MS, so
 * that an owner who has corrected a record gets a new answer. Further callers get the newest of
 * these answers, so that strangers cannot cause unlimited queries.
 */
export class DnsAnswers {
  readonly #dns: Dns
  readonly #clock: Clock
  readonly #asked = new Map<string, Asked>()
  #lastAsked = 0

  constructor(dns: Dns, clock: Clock) {
    this.#dns = dns
    this.#clock = clock
  }

  /** @throws Problem `dns_unavailable` if a query has no definite answer */
  async of(name: string): Promise<DnsAnswer> {
    const keyName = domainKeyName(name)
    const [mx, texts] = await Promise.all([
      this.#ask(`MX ${name}`, () => this.#dns.mx(name)),
      this.#ask(`TXT ${keyName}`, () => this.#dns.txt(keyName)),
    ])
    return {
      askedAt: Math.min(mx.askedAt, texts.askedAt),
      mx: bestOf(mx.records),
      key: readKeyRecord(texts.records),
    }
  }

  /** Returns nothing if the look-up fails, because the result is only shown to the owner. */
  async isThere({ type, name, value }: WantedRecord): Promise<boolean> {
    const ask = () => (type === 'TXT' ? this.#dns.txt(name) : this.#dns.cname(name))
    try {
      return (await this.#ask(`${type} ${name}`, ask)).records.includes(value)
    } catch (error) {
      if (isUnanswered(error)) return false
      throw error
    }
  }

  #ask<T>(question: string, ask: () => Promise<T[]>): Promise<Answered<T>> {
    const now = this.#clock()
    const known = this.#asked.get(question)
    const times = known?.times.filter((time) => time > now - DNS_ANSWER_MS && time <= now) ?? []
    if (known !== undefined && times.length >= DNS_QUESTIONS) return known.newest as Promise<Answered<T>>
    const askedAt = Math.max(now, this.#lastAsked + 1)
    this.#lastAsked = askedAt
    const newest = ask().then((records) => ({ askedAt, records }))
    this.#asked.delete(question)
    this.#asked.set(question, { times: [...times, now], newest })
    if (this.#asked.size > CACHED_DOMAINS) this.#asked.delete(this.#asked.keys().next().value!)
    return newest
  }
}

export function isUnanswered(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'dns_unavailable'
}

function bestOf(records: MxRecord[]): MxRecord[] {
  const hosts = records
    .map((record) => ({ ...record, exchange: record.exchange.toLowerCase().replace(/\.$/, '') }))
    // RFC 7505: an MX of "." means that the domain accepts no mail.
    .filter((record) => record.exchange !== '')
  const best = Math.min(...hosts.map((record) => record.preference))
  return hosts.filter(({ preference }) => preference === best)
}
