import type { Change } from '../../core/events/ports.ts'
import type { Email } from '../../core/inbox/email.ts'

/**
 * A change as it crosses threads: an email is JSON, which is only parsed if a listener reads it.
 */
export type PackedChange =
  | Exclude<Change, { type: 'email' }>
  | { type: 'email'; domain: string; address: string; json: string }

export function packed(change: Change): PackedChange {
  if (change.type !== 'email') return change
  const { type, domain, address, email } = change
  return { type, domain, address, json: JSON.stringify(email) }
}

export function unpacked(change: PackedChange): Change {
  if (change.type !== 'email') return change
  const { type, domain, address, json } = change
  let email: Email | undefined
  return {
    type,
    domain,
    address,
    get email() {
      email ??= JSON.parse(json) as Email
      return email
    },
  }
}
