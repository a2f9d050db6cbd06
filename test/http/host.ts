import type { TestDns } from '../support/dns-server.ts'

/** The parts of a running service, of any kind, that the HTTP suite needs. */
export interface Host {
  /** Base URL without a final slash. */
  url: string
  /** Headers that make a request come from this client address. */
  from(ip: string): Record<string, string>
  /**
   * Delivers a raw message for these envelope recipients in the way in which the host receives
   * mail.
   */
  deliver(raw: string | Buffer, recipients: string[], mailFrom?: string): Promise<void>
  /** A domain that is registered and public. */
  domain: string
  /** Two domains that are registered and private, with the same key. */
  privateDomains: [string, string]
  domainKey: string
  /** The host name that the MX record of a verified domain must contain. */
  mxHost: string
  /** Address of the SMTP listener, if the service has its own. */
  smtp: { host: string; port: number } | null
  /** The DNS server that the service queries. */
  dns: TestDns
  /** Whether the mail provider verifies ownership at once, so that no domain stays pending. */
  confirmsAtOnce: boolean
  close(): Promise<void>
}
