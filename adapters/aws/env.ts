/**
 * What the stack (lib/) and the code that runs in it agree on: the names of environment variables, and what the
 * tables and the bucket look like. It imports nothing, since both import it.
 */

/** Environment variables of the handlers and of the stream service, by what they mean. */
export const ENV = {
  /** Name of the table of emails and domains. */
  mailTable: 'MAYFLY_MAIL_TABLE',
  /** Name of the table of API keys, quotas, sequences and deliveries. */
  keysTable: 'MAYFLY_KEYS_TABLE',
  /** Name of the bucket of messages and their parts. */
  bucket: 'MAYFLY_BUCKET',
  /** ARN of the mail table's stream; the stream service only. */
  mailStreamArn: 'MAYFLY_MAIL_STREAM_ARN',
  /** Where changes are published: `rediss://host:port`. The stream service reads the table's stream without it. */
  valkeyUrl: 'MAYFLY_VALKEY_URL',
  /** Milliseconds between two reads of an idle stream shard. */
  streamPollMs: 'MAYFLY_STREAM_POLL_MS',
  /** The MX target that a verified domain must name. */
  mxHost: 'MAYFLY_MX_HOST',
  /** `ip` or `ip:port`, comma-separated, asked for MX and TXT; the system's when unset. */
  dnsServer: 'MAYFLY_DNS_SERVER',
  /** Hours for which mail is kept. */
  retentionHours: 'MAYFLY_RETENTION_HOURS',
  /** Names of the domains of the configuration, comma-separated. */
  domains: 'MAYFLY_DOMAINS',
  /** Who takes the mail: see MAIL_PROVIDERS. */
  mailProvider: 'MAYFLY_MAIL_PROVIDER',
  /** Name of the receipt rule set, and of our rules in it, comma-separated; for turning them off and on only. */
  ruleSet: 'MAYFLY_RULE_SET',
  rules: 'MAYFLY_RULES',
  /** ARN of the secret that CloudFront sends along, so that nobody passes it by. */
  originSecretArn: 'MAYFLY_ORIGIN_SECRET_ARN',
  /** Name of the stack, which metrics are told apart by; the stream service only. */
  stackName: 'MAYFLY_STACK_NAME',
  /** URL of the queue of notifications; the SMTP service only. */
  queueUrl: 'MAYFLY_QUEUE_URL',
  /** URL of the queue of what webhooks are still to be told. */
  webhookQueueUrl: 'MAYFLY_WEBHOOK_QUEUE_URL',
  /** Name of the event bus that received emails are put on; unset where nobody wants to be told. */
  eventBus: 'MAYFLY_EVENT_BUS',
  /** TCP port of the SMTP service. */
  smtpPort: 'MAYFLY_SMTP_PORT',
  /** ARN of a secret, JSON of `cert` and `key` in PEM: with it STARTTLS is offered. */
  tlsSecretArn: 'MAYFLY_TLS_SECRET_ARN',
  /** TCP port of the stream service. */
  port: 'MAYFLY_HTTP_PORT',
} as const

export type Setting = keyof typeof ENV

/**
 * Who takes mail for the domains: `ses`; `ses-shared`, by a rule that is limited to the domains of the
 * configuration; or `smtp`, our own listener, which wants no proof but the MX record.
 */
export const MAIL_PROVIDERS = ['ses', 'ses-shared', 'smtp'] as const
export type MailProviderName = (typeof MAIL_PROVIDERS)[number]

/** Attribute names of both tables' keys, of the time to live (Unix s), and of the index. */
export const TABLES = {
  mail: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'expires_at',
    /** The one partition of all domains. */
    domains: 'domains',
    /** Domains by key (`key#<hash>`); projects the keys only. */
    index: { name: 'groups', partitionKey: 'group', sortKey: 'sk' },
  },
  keys: { partitionKey: 'pk', timeToLive: 'expires_at' },
} as const

/**
 * Key prefixes in the bucket. SES writes the raw message under the first one followed by its message id. Under
 * the last one are answers that are too large for a Lambda function to give itself.
 */
export const PREFIXES = { raw: 'inbound/', parts: 'parts/', answers: 'answers/' } as const

/**
 * Headers by which CloudFront tells its origins what they must know of a caller. It overwrites what a caller
 * sends under these names; they are believed only together with the secret.
 */
export const EDGE_HEADERS = {
  /** The origin secret. */
  secret: 'x-mayfly-origin',
  /** `ip:port` of the caller, by CloudFront itself. */
  viewer: 'cloudfront-viewer-address',
  /** The path as the caller sent it: an HTTP API decodes it on the way. */
  path: 'x-mayfly-path',
  /** The host that the caller sent it to: an origin must be sent its own. */
  host: 'x-mayfly-host',
  /** These two as the caller sent them: CloudFront forwards them by itself only where it may cache. */
  authorization: 'x-mayfly-authorization',
  acceptEncoding: 'x-mayfly-accept-encoding',
} as const

/** What events of EventBridge say of themselves. */
export const EVENTS = { source: 'mayfly', received: 'email.received' } as const

/** Metrics that the stream service writes into its log, in the embedded metric format of CloudWatch. */
export const METRICS = {
  namespace: 'Mayfly',
  /** Its value is the name of the stack. */
  dimension: 'Stack',
  /** Milliseconds by which the stream reader is behind. */
  readerLag: 'ReaderLag',
  openStreams: 'OpenStreams',
} as const
