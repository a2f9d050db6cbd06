import { SESv2Client } from '@aws-sdk/client-sesv2'
import type { MailProvider } from '../../core/access/ports.ts'
import { SesMailProvider, type SesParts } from './mail-provider.ts'

/**
 * Returns the mail provider with its own client: SES accepts one identity call a second for the
 * whole account (docs.aws.amazon.com/ses/latest/dg/quotas.html), so the client adapts its rate.
 */
export function openProvider(parts: Omit<SesParts, 'client'>): MailProvider {
  const client = new SESv2Client({
    retryMode: 'adaptive',
    maxAttempts: 5,
    requestHandler: { connectionTimeout: 2000, requestTimeout: 5000, throwOnRequestTimeout: true },
  })
  return new SesMailProvider({ client, ...parts })
}
