/**
 * The contract between the stack (lib/) and the code that runs in it: names of environment
 * variables, and the layout of the tables and of the bucket. This file imports nothing, because
 * both sides import it.
 */

/** Environment variables of the handlers and of the services, by meaning. */
export const ENV = {
  /** Name of the table of emails and domains. */
  mailTable: 'MAYFLY_MAIL_TABLE',
  /** Name of the table of API keys, quotas, sequences and webhooks. */
  keysTable: 'MAYFLY_KEYS_TABLE',
  /** Name of the bucket of messages and their parts. */
  bucket: 'MAYFLY_BUCKET',
  /** ARN of the mail table's stream; the stream service only. */
  mailStreamArn: 'MAYFLY_MAIL_STREAM_ARN',
  /**
   * Where changes are published: `rediss://host:port`. If unset, the stream service reads the
   * table's stream.
   */
  valkeyUrl: 'MAYFLY_VALKEY_URL',
  /** Milliseconds between two reads of an idle stream shard. */
  streamPollMs: 'MAYFLY_STREAM_POLL_MS',
  /** The MX target that a verified domain must name. */
  mxHost: 'MAYFLY_MX_HOST',
  /**
   * DNS servers for MX and TXT queries, `ip` or `ip:port`, comma-separated; if unset, those of the
   * system.
   */
  dnsServer: 'MAYFLY_DNS_SERVER',
  /** Hours for which mail is kept. */
  retentionHours: 'MAYFLY_RETENTION_HOURS',
  /** The program or service that receives mail: see MAIL_PROVIDERS. */
  mailProvider: 'MAYFLY_MAIL_PROVIDER',
  /** Value of the tag that marks SES identities of this deployment (IDENTITY_TAG). */
  identityOwner: 'MAYFLY_IDENTITY_OWNER',
  /**
   * Name of the receipt rule set and, comma-separated, of this deployment's rules in it; the
   * receipt switch only.
   */
  ruleSet: 'MAYFLY_RULE_SET',
  rules: 'MAYFLY_RULES',
  /** ARN of a secret with the operator's API keys, comma-separated. */
  operatorKeysArn: 'MAYFLY_OPERATOR_KEYS_ARN',
  /** ARN of the secret by which origins recognise CloudFront. */
  originSecretArn: 'MAYFLY_ORIGIN_SECRET_ARN',
  /** Value of the dimension of metrics. */
  stackName: 'MAYFLY_STACK_NAME',
  /** URL of the queue of notifications; the SMTP service and the ingest function. */
  queueUrl: 'MAYFLY_QUEUE_URL',
  /** URL of the queue of webhook attempts. */
  webhookQueueUrl: 'MAYFLY_WEBHOOK_QUEUE_URL',
  /** Name of the event bus for received emails; unset if `onReceived` is not used. */
  eventBus: 'MAYFLY_EVENT_BUS',
  /** TCP port of the SMTP service. */
  smtpPort: 'MAYFLY_SMTP_PORT',
  /**
   * ARN of a secret, JSON with `cert` and `key` in PEM; with it the SMTP service offers STARTTLS.
   */
  tlsSecretArn: 'MAYFLY_TLS_SECRET_ARN',
  /** TCP port of the stream service. */
  port: 'MAYFLY_HTTP_PORT',
  /** URL of the API; the canary only. */
  baseUrl: 'MAYFLY_BASE_URL',
  /** The domain to which the canary sends mail. */
  canaryDomain: 'MAYFLY_CANARY_DOMAIN',
  /** Milliseconds after which the stream service ends a stream itself; if unset, never. */
  streamMaxMs: 'MAYFLY_STREAM_MAX_MS',
} as const

export type Setting = keyof typeof ENV

/**
 * The receiver of mail for the domains: `ses`; `ses-shared`, with a rule that is limited to the
 * configured domains; or `smtp`, this project's listener, for which the MX record is the only
 * proof.
 */
const MAIL_PROVIDERS = ['ses', 'ses-shared', 'smtp'] as const
export type MailProviderName = (typeof MAIL_PROVIDERS)[number]

/** Name of the tag on SES identities; its value is ENV.identityOwner. */
export const IDENTITY_TAG = 'mayfly'

/** Resource types whose removal deletes data. */
export const STATEFUL_TYPES = [
  'AWS::DynamoDB::Table',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
  'AWS::SQS::Queue',
]

/** Attribute names of both tables' keys, of the time to live (Unix s), and of the index. */
export const TABLES = {
  mail: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'ttl',
    /** The partition of all domains. */
    domains: 'domains',
    /** Domains by key (`key#<hash>`); projects the keys only. */
    index: { name: 'groups', partitionKey: 'group', sortKey: 'sk' },
  },
  keys: { partitionKey: 'pk', timeToLive: 'ttl' },
} as const

/**
 * Key prefixes in the bucket. SES writes the raw message to `raw` followed by its message id.
 * `answers` holds answers that are too large for a Lambda function.
 */
export const PREFIXES = { raw: 'inbound/', parts: 'parts/', answers: 'answers/' } as const

/** Tag of a raw message whose emails are stored: it expires with them. */
export const STORED_TAG = { name: 'mayfly-stored', value: 'yes' } as const

/**
 * Headers by which CloudFront describes a caller to its origins. It overwrites what a caller sends
 * under these names; origins believe them only together with the secret.
 */
export const EDGE_HEADERS = {
  /** The origin secret. */
  secret: 'x-mayfly-origin',
  /** `ip:port` of the caller, set by CloudFront. */
  viewer: 'cloudfront-viewer-address',
  /** The path as the caller sent it: an HTTP API decodes it. */
  path: 'x-mayfly-path',
  /** The host as the caller sent it: an origin receives its own. */
  host: 'x-mayfly-host',
  /**
   * These two as the caller sent them: CloudFront forwards the originals only where it may cache.
   */
  authorization: 'x-mayfly-authorization',
  acceptEncoding: 'x-mayfly-accept-encoding',
} as const

/** Headers that CloudFront forwards under another name. */
export const RENAMED_HEADERS = [
  ['authorization', EDGE_HEADERS.authorization],
  ['accept-encoding', EDGE_HEADERS.acceptEncoding],
] as const

/** Local part of the canary's sender, and the beginning of that of its recipients. */
export const CANARY_SENDER = 'mayfly-canary'

/** Source and type of events on EventBridge. */
export const EVENTS = { source: 'mayfly', received: 'email.received' } as const

/** Metrics that programs write to their logs, in CloudWatch's embedded metric format. */
export const METRICS = {
  namespace: 'Mayfly',
  /** Its value is the name of the stack. */
  dimension: 'Stack',
  /** Milliseconds by which the stream reader is behind. */
  readerLag: 'ReaderLag',
  openStreams: 'OpenStreams',
  /** Attempts of the ingest function that failed. */
  failedAttempts: 'FailedAttempts',
} as const
