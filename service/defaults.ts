import type { MailProvider } from '../core/access/ports.ts'

/**
 * The mail provider of a service with an SMTP listener of its own: a domain needs no proof but its
 * MX record.
 */
export const NO_PROVIDER: MailProvider = {
  claim: async () => ({ confirmed: true, records: [] }),
  release: async () => {},
}
