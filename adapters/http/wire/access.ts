import * as v from 'valibot'
import type { Domain as StoredDomain, ApiKey as StoredKey } from '../../../core/access/ports.ts'
import { count, domain, ok, time } from './fields.ts'

/** The JSON of domains, usernames and API keys. */

export const Domain = v.object({ domain, status: v.literal('verified'), private: v.boolean() })

export const UsernameAnswer = v.object({ username: v.pipe(v.string(), v.regex(/^[a-z]+[0-9]+$/)) })
export const DomainsAnswer = v.object({ success: ok, domains: v.array(Domain) })
export const RandomDomainAnswer = v.object({ success: ok, domain, domains: v.array(Domain) })
export const VerificationAnswer = v.object({
  success: ok,
  domain,
  verified: v.boolean(),
  mx: v.string(),
  status: v.picklist(['verified', 'pending', 'unverified']),
  private: v.boolean(),
  records: v.array(
    v.object({
      type: v.picklist(['MX', 'TXT', 'CNAME']),
      name: v.string(),
      value: v.string(),
      purpose: v.string(),
      found: v.boolean(),
    }),
  ),
})

export const QuotaAnswer = v.object({ success: ok, limit: count, remaining: count, resets_at: time })

const keyFields = { purpose: v.string(), created_at: time, expires_at: time }
export const KeyAnswer = v.object({ success: ok, ...keyFields })
export const CreatedKeyAnswer = v.object({
  success: ok,
  key: v.string(),
  ...keyFields,
  rate_limit: v.object({ limit: count, window_seconds: count }),
  remaining: count,
})
export const SessionAnswer = v.object({
  success: ok,
  expires_at: time,
  rate_limit: v.object({ limit: count, window_seconds: count }),
})
export const DoneAnswer = v.object({ success: ok })
export const HealthAnswer = v.object({ success: ok, status: v.literal('ok') })

/** A verified domain. */
export function domainOf({ name, keyHash: key_hash }: StoredDomain): v.InferOutput<typeof Domain> {
  return { domain: name, status: 'verified', private: key_hash !== null }
}

/** The properties of a key, without the key itself. */
export function keyOf(key: Omit<StoredKey, 'hash'>) {
  return {
    purpose: key.purpose,
    created_at: new Date(key.createdAt).toISOString(),
    expires_at: new Date(key.expiresAt).toISOString(),
  }
}
