import type { MailProvider } from '../../core/access/ports.ts'

/**
 * SES where our rule takes mail for these domains and the names below them only: it is in somebody else's rule
 * set. Any other domain stays unconfirmed, and no identity is made for it.
 */
export function limitedTo(domains: ReadonlySet<string>, provider: MailProvider): MailProvider {
  const covers = (name: string) =>
    [...domains].some((domain) => name === domain || name.endsWith(`.${domain}`))
  return {
    claim: async (name) => (covers(name) ? provider.claim(name) : { confirmed: false, records: [] }),
    release: async (name) => {
      if (covers(name)) await provider.release(name)
    },
  }
}
