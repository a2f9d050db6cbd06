import type { MailProvider } from '../../core/access/ports.ts'
import { withParents } from './parents.ts'

/**
 * Limits a provider to configured domains and their subdomains, for a receipt rule in an existing
 * rule set. Any other domain stays unconfirmed and gets no identity.
 */
export function limitedTo(
  isConfigured: (domain: string) => Promise<boolean>,
  provider: MailProvider,
): MailProvider {
  const covers = async (name: string) =>
    (await Promise.all(withParents(name).map(isConfigured))).includes(true)
  return {
    claim: async (name) => ((await covers(name)) ? provider.claim(name) : { confirmed: false, records: [] }),
    release: async (name) => {
      if (await covers(name)) await provider.release(name)
    },
  }
}
