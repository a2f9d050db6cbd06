import { ask, type ListedDomain } from '../lib/api.ts'

export async function freshUsername(): Promise<string> {
  return (await ask<{ username: string }>('/api/random-username')).username
}

/** A username that nobody else was given, on a public domain. @throws ApiProblem */
export async function freshAddress(): Promise<string> {
  const [username, { domain }] = await Promise.all([
    freshUsername(),
    ask<{ domain: string }>('/api/domains/random'),
  ])
  return `${username}@${domain}`
}

/** @throws ApiProblem */
export async function allDomains(): Promise<ListedDomain[]> {
  return (await ask<{ domains: ListedDomain[] }>('/api/domains')).domains
}
