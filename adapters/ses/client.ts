import { SESClient } from '@aws-sdk/client-ses'
import type { MailProvider } from '../../core/access/ports.ts'
import { type IdentityNotes, SesMailProvider } from './mail-provider.ts'

/**
 * SES with its own client: the identity operations take one call a second for the whole account
 * (docs.aws.amazon.com/ses/latest/dg/quotas.html), so the client learns how fast it may go.
 */
export function openProvider(notes: IdentityNotes, configured: ReadonlySet<string>): MailProvider {
  const client = new SESClient({
    retryMode: 'adaptive',
    maxAttempts: 5,
    requestHandler: { connectionTimeout: 2000, requestTimeout: 5000, throwOnRequestTimeout: true },
  })
  return new SesMailProvider({ client, notes, configured })
}
