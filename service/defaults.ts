import type { MailProvider } from '../core/access/ports.ts'

/**
 * The mail provider of a service with its own SMTP listener: the MX record is the only proof that a
 * domain needs.
 */
export const NO_PROVIDER: MailProvider = {
  claim: async () => ({ confirmed: true, records: [] }),
  release: async () => {},
}
