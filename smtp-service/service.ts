import { dynamoClient, s3Client } from '../adapters/aws/clients.ts'
import { numberOf, readSettings } from '../adapters/aws/settings.ts'
import { DynamoDomains } from '../adapters/dynamodb/domains.ts'
import { Table } from '../adapters/dynamodb/table.ts'
import { S3Blobs } from '../adapters/s3/blobs.ts'
import { StoredSecret } from '../adapters/secretsmanager/secret.ts'
import { Authentication } from '../adapters/smtp/authentication.ts'
import { createSmtpListener, type SmtpEvent, type SmtpListener } from '../adapters/smtp/listener.ts'
import { Queue } from '../adapters/sqs/queue.ts'
import { MESSAGE_BYTES } from '../core/limits.ts'
import { log } from '../service/aws-log.ts'
import { deliverTo } from './deliver.ts'

const REQUIRED = ['mailTable', 'bucket', 'queueUrl', 'mxHost', 'smtpPort'] as const
const OPTIONAL = ['tlsSecretArn', 'dnsServer'] as const

/**
 * Resolves when it listens.
 * @throws SettingsError; Error if the secret of the certificate cannot be read
 */
export async function startSmtpService(env: Record<string, string | undefined>): Promise<SmtpListener> {
  const settings = readSettings(env, REQUIRED, OPTIONAL)
  const { bucket, tlsSecretArn } = settings
  const name = settings.mxHost.toLowerCase()
  const dnsServers = (settings.dnsServer ?? '').split(',').filter((server) => server !== '')
  const domains = new DynamoDomains(new Table(dynamoClient(), settings.mailTable), Date.now)
  return createSmtpListener({
    name,
    hosts: ['0.0.0.0'],
    port: numberOf('smtpPort', settings.smtpPort, 0, 65_535),
    domains,
    postmasterDomain: async () => (await domains.list()).find(({ configured }) => configured)?.name,
    maxBytes: MESSAGE_BYTES,
    ...(tlsSecretArn === undefined ? {} : { tls: await certificateOf(tlsSecretArn) }),
    deliver: deliverTo({
      blobs: new S3Blobs(s3Client(), bucket),
      queue: new Queue(settings.queueUrl),
      authentication: new Authentication({ name, dnsServers }),
      bucket,
      clock: Date.now,
    }),
    log: logEvent,
  })
}

async function certificateOf(arn: string): Promise<{ cert: string; key: string }> {
  const { cert, key } = parseJson(await new StoredSecret(arn).current())
  if (typeof cert === 'string' && typeof key === 'string') return { cert, key }
  throw new Error(`the secret ${arn} is not JSON with the texts "cert" and "key"`)
}

/** Discards the error of JSON.parse, because its message quotes the secret. */
function parseJson(text: string): { cert?: unknown; key?: unknown } {
  try {
    return (JSON.parse(text) as object | null) ?? {}
  } catch {
    return {}
  }
}

/** Logs an event without the client's address, which a log of two weeks must not keep. */
function logEvent({ type, client: _, ...event }: SmtpEvent): void {
  log(type === 'failed' ? 'error' : 'info', `smtp: ${type}`, event)
}
