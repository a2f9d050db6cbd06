const CERTIFICATE_SECRET = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:mx-tls-a1B2c3'

/** A configuration with every option. */
export const FULL = {
  stackName: 'Mailbox',
  domains: [
    { name: 'mail.example.com', zone: { id: 'Z0123456789', name: 'example.com' } },
    { name: 'other.example' },
    { name: 'sending.example', identity: 'existing' },
  ],
  retentionHours: 48,
  inbound: ['ses', 'smtp'],
  takeOver: true,
  smtp: {
    host: 'mx.example.com',
    zone: { id: 'Z0123456789', name: 'example.com' },
    certificateSecretArn: CERTIFICATE_SECRET,
    tasks: { count: 1 },
  },
  inboundLimit: { mailsPerHour: 1000, stop: true },
  ingestConcurrency: 20,
  reservedConcurrency: { api: 100, ingest: 20 },
  silenceHours: 12,
  canary: 'mail.example.com',
  operatorKeysSecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:operator-a1B2c3',
  accessLogs: true,
  alarmEmail: 'ops@example.com',
  host: {
    name: 'inbox.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0000-11',
    zone: { id: 'Z0123456789', name: 'example.com' },
  },
  tasks: { count: 3, maxCount: 12, cpu: 512, memoryMiB: 1024, spot: true },
  fanOut: 'valkey',
  webAcl: { requestsPerFiveMinutes: 2000 },
  availabilityZones: ['us-east-1a', 'us-east-1b'],
}

/** A configuration with an existing network, a key of the account, and SMTP. */
export const IN_VPC = {
  inbound: ['smtp'],
  vpc: {
    id: 'vpc-0123456789abcdef0',
    subnets: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
    publicSubnets: ['subnet-0123456789abcdef2', 'subnet-0123456789abcdef3'],
  },
  encryptionKey: 'arn:aws:kms:us-east-1:123456789012:key/00000000-1111-2222-3333-444444444444',
}

/** A configuration without servers: a web function serves streams, waits and MCP. */
export const WEB_FUNCTION = { live: 'web-function' }

/** A configuration with a rule set of others, and bounds on what the tables and the bucket hold. */
export const SHARED_RULES = {
  receiptRuleSet: 'theirs',
  domains: [{ name: 'a.example' }],
  retentionHours: 390,
  throttle: { requestsPerSecond: 100, burst: 150 },
  ingestConcurrency: 30,
  host: { name: FULL.host.name, certificateArn: FULL.host.certificateArn },
}

/** A configuration whose MX records name the SMTP service. */
export const SMTP_FIRST = {
  inbound: ['smtp', 'ses'],
  domains: [{ name: 'mail.example.com', zone: FULL.host.zone }],
  smtp: { host: 'mx.example.com', tasks: { maxCount: 4, spot: true } },
  tasks: { count: 1 },
  throttle: { requestsPerSecond: 300, burst: 600 },
  ingestConcurrency: 7,
}

const IMAGES = '123456789012.dkr.ecr.us-east-1.amazonaws.com/mayfly'
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`

/** Props that no configuration has a field for, for a stack without pages. */
export const PREBUILT = {
  pages: false,
  props: { image: `${IMAGES}/sse:7`, smtpImage: `${IMAGES}/smtp@${DIGEST}`, dnsServer: '192.0.2.53' },
}
