import { randomInt } from 'node:crypto'
import { Problem } from '../../../core/errors.ts'
import { answers, json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { DomainsAnswer, domainOf, RandomDomainAnswer, VerificationAnswer } from '../wire/access.ts'

export const listDomains = endpoint({
  method: 'GET',
  path: '/api/domains',
  name: 'listDomains',
  tag: 'Addresses and domains',
  description:
    'Returns the verified domains, sorted by name. Private domains are listed by name, without their key. Every address on one of them receives mail.',
  summary: 'All verified domains',
  access: 'public',
  answers: answers('Sorted by name', DomainsAnswer),
  handle: async ({ service }) =>
    json({ success: true, domains: (await service.domainService.verified()).map(domainOf) }),
})

export const randomDomain = endpoint({
  method: 'GET',
  path: '/api/domains/random',
  name: 'randomDomain',
  tag: 'Addresses and domains',
  description:
    'Returns the public domains in random order, and the name of the first one as `domain`, for clients that need any domain.',
  summary: 'The public verified domains in random order',
  access: 'public',
  answers: answers('`domain` is the first one’s name', RandomDomainAnswer),
  problems: ['domain_not_found'],
  handle: async ({ service }) => {
    const verified = await service.domainService.verified()
    const domains = shuffled(verified.filter((domain) => domain.keyHash === null)).map(domainOf)
    if (domains[0] === undefined) throw new Problem('domain_not_found', 'No public domain is registered.')
    return json({ success: true, domain: domains[0].domain, domains })
  },
})

export const verifyDomain = endpoint({
  method: 'GET',
  path: '/api/domain/verify/:domain',
  name: 'verifyDomain',
  tag: 'Addresses and domains',
  description:
    'Asks DNS for the MX and TXT records of the domain. If its MX record points to this service, the domain is registered and every address on it receives mail. A TXT record at `_mayfly.<domain>` makes it private.',
  summary: 'Checks the DNS records of a domain, and registers it if its MX record points here',
  access: 'public',
  domainKey: true,
  changesState: true,
  answers: answers('The records that were found, and those that are still required', VerificationAnswer),
  problems: ['invalid_domain', 'rate_limited', 'domain_quota_exceeded', 'dns_unavailable'],
  handle: async ({ service, head, param }) => {
    const caller = { client: head.client, key: head.header('X-Domain-Key') }
    return json({ success: true, ...(await service.verifier.verify(param('domain'), caller)) })
  },
})

/** Fisher-Yates. */
function shuffled<T>(items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[items[i], items[j]] = [items[j]!, items[i]!]
  }
  return items
}
