import type { TestDns } from '../support/dns-server.ts'

/** A running service of any kind, as the HTTP suite needs it. */
export interface Host {
  /** Base URL without a final slash. */
  url: string
  /** Headers that make a request come from this client address. */
  from(ip: string): Record<string, string>
  /**
   * Hands a raw message to the service for these envelope recipients, as its host receives mail.
   */
  deliver(raw: string | Buffer, recipients: string[], mailFrom?: string): Promise<void>
  /** A domain that is registered and public. */
  domain: string
  /** Two domains that are registered and private, with the same key. */
  privateDomains: [string, string]
  domainKey: string
  /** What verified domains must name as their MX. */
  mxHost: string
  /** Where it takes mail by SMTP, where that is its own. */
  smtp: { host: string; port: number } | null
  /** The DNS server that the service asks. */
  dns: TestDns
  /**
   * Where the mail provider says at once that a domain is its owner's, so that none stays pending.
   */
  confirmsAtOnce: boolean
  close(): Promise<void>
}
