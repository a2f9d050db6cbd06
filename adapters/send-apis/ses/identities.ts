import type { Hono } from 'hono'
import * as v from 'valibot'
import { jsonBody, type ProviderEnv } from '../provider.ts'

/** Identities that a list names; above it the oldest are forgotten. */
const LISTED_MAX = 1000
/** An address or a domain. */
export const IDENTITY = v.pipe(v.string(), v.minLength(1), v.maxLength(320))

/**
 * The identities of senders. Every sender may send here, so each identity is verified, whether it
 * was created or not. Lists name those that were created since the service started.
 */
export class SesIdentities {
  readonly #created = new Set<string>()

  get created(): string[] {
    return [...this.#created]
  }

  create(identity: string): void {
    this.#created.add(identity)
    if (this.#created.size > LISTED_MAX) this.#created.delete(this.created[0]!)
  }
}

/**
 * The operations of version 2 on identities.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetEmailIdentity.html
 */
export function identityRoutes(routes: Hono<ProviderEnv>, identities: SesIdentities): void {
  routes.post('/v2/email/identities', (c) => {
    const { EmailIdentity } = jsonBody(c, v.object({ EmailIdentity: IDENTITY }))
    identities.create(EmailIdentity)
    const { IdentityType, VerifiedForSendingStatus, DkimAttributes } = verified(EmailIdentity)
    return c.json({ IdentityType, VerifiedForSendingStatus, DkimAttributes })
  })
  // Newer SDKs list by POST.
  routes.get('/v2/email/identities', (c) => c.json(listed(identities)))
  routes.post('/v2/email/list-identities', (c) => c.json(listed(identities)))
  routes.get('/v2/email/identities/:identity', (c) => c.json(verified(c.req.param('identity'))))
}

function listed(identities: SesIdentities) {
  return {
    EmailIdentities: identities.created.map((IdentityName) => ({
      IdentityName,
      IdentityType: typeOf(IdentityName),
      SendingEnabled: true,
      VerificationStatus: 'SUCCESS',
    })),
  }
}

function verified(identity: string) {
  return {
    IdentityType: typeOf(identity),
    FeedbackForwardingStatus: true,
    VerifiedForSendingStatus: true,
    VerificationStatus: 'SUCCESS',
    DkimAttributes: { SigningEnabled: true, Status: 'SUCCESS', Tokens: [] },
    Policies: {},
    Tags: [],
  }
}

function typeOf(identity: string): string {
  return identity.includes('@') ? 'EMAIL_ADDRESS' : 'DOMAIN'
}
