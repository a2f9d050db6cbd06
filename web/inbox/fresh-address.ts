import { ask, type ListedDomain } from '../lib/api.ts'

/** A username that the service has given to no one else. @throws ApiProblem */
export async function freshUsername(): Promise<string> {
  return (await ask<{ username: string }>('/api/random-username')).username
}

/** An unused address on a public domain. @throws ApiProblem */
export async function freshAddress(): Promise<string> {
  const [username, { domain }] = await Promise.all([
    freshUsername(),
    ask<{ domain: string }>('/api/domains/random'),
  ])
  return `${username}@${domain}`
}

/** The domains that receive mail here. @throws ApiProblem */
export async function allDomains(): Promise<ListedDomain[]> {
  return (await ask<{ domains: ListedDomain[] }>('/api/domains')).domains
}
