import { type readSettings, retentionMsOf, STORE_SETTINGS } from '../adapters/aws/settings.ts'
import type { RequestRecord } from '../adapters/http/app.ts'
import { Queue } from '../adapters/sqs/queue.ts'
import type { OperatorKeys } from '../core/access/api-keys.ts'
import type { MailProvider } from '../core/access/ports.ts'
import { MESSAGE_BYTES } from '../core/limits.ts'
import { type Assembled, assembleService, type VerifierSettings, type WebhookSettings } from './assemble.ts'
import { log } from './aws-log.ts'
import type { AwsStore } from './aws-store.ts'
import { enqueue } from './webhook-jobs.ts'

/** Settings of every program that answers requests or verifies domains; a program adds its own. */
export const SERVICE_SETTINGS = [...STORE_SETTINGS, 'mxHost', 'retentionHours'] as const
export const OPTIONAL_SETTINGS = [
  'dnsServer',
  'mailProvider',
  'identityOwner',
  'operatorKeysArn',
  'webhookQueueUrl',
] as const

export type ServiceSettings = ReturnType<
  typeof readSettings<(typeof SERVICE_SETTINGS)[number], (typeof OPTIONAL_SETTINGS)[number]>
>

/** For programs without SES: they have no endpoint that verifies. */
const UNUSED_PROVIDER: MailProvider = {
  claim: () => Promise.reject(new Error('this program verifies no domains')),
  release: () => Promise.reject(new Error('this program verifies no domains')),
}

/** Returns the use cases behind the endpoints. @throws SettingsError */
export function assembleAwsService(
  settings: ServiceSettings,
  store: AwsStore,
  operatorKeys: OperatorKeys | undefined,
  provider = UNUSED_PROVIDER,
): Assembled {
  return assembleService(store, {
    ...verifierSettings(settings, provider),
    ...webhookSettings(operatorKeys, settings.webhookQueueUrl),
    info: {
      baseUrl: undefined,
      smtp: null,
      retentionMs: retentionMsOf(settings.retentionHours),
      maxMessageBytes: MESSAGE_BYTES,
      hasAllMail: false,
    },
  })
}

export function verifierSettings(
  { mxHost, dnsServer = '' }: Pick<ServiceSettings, 'mxHost' | 'dnsServer'>,
  provider: MailProvider,
): VerifierSettings {
  return {
    // CloudFormation returns a load balancer's name with upper-case letters.
    mxHost: mxHost.toLowerCase(),
    dnsServers: dnsServer.split(',').filter((server) => server !== ''),
    provider,
  }
}

/**
 * Targets must be on the public internet, because anyone can have an API key.
 * @param queueUrl of the webhook jobs; undefined in a program that creates no webhooks
 */
export function webhookSettings(
  operatorKeys: OperatorKeys | undefined,
  queueUrl: string | undefined,
): WebhookSettings {
  return {
    operatorKeys,
    isLoopback: false,
    async beginPing(ping) {
      if (queueUrl === undefined) throw new Error('this program creates no webhooks')
      await enqueue(new Queue(queueUrl), ping)
    },
  }
}

/** Logs failures only: the HTTP API and the load balancer count all requests. */
export function logFailed({ error, ms, ...record }: RequestRecord): void {
  if (record.status >= 500) log('error', 'request', { ...record, ms: Math.round(ms), error })
}
