import { Fields } from './config-fields.ts'
import { RECEIVING_REGIONS } from './regions.ts'

/** A hosted zone in Route 53 of the same account: records are made in it where it is given. */
export interface Zone {
  id: string
  name: string
}

/** A domain that is registered from the start. */
export interface DomainConfig {
  name: string
  /** Where the MX record and the proof of ownership are made; without it, they are an output to set by hand. */
  zone?: Zone
  /** `existing`: SES has this identity in the Region already, so the stack must not make it. */
  identity: 'create' | 'existing'
}

/** What is decided for one deployment. docs/aws.md explains each field. */
export interface MailboxConfig {
  stackName: string
  domains: DomainConfig[]
  /** How long mail is kept. */
  retentionHours: number
  /** Is sent a message for every alarm, after confirming the subscription by mail. */
  alarmEmail?: string
  /** The base URL's own host name; CloudFront's without it. */
  host?: { name: string; certificateArn: string; zone?: Zone }
  /** One task of the stream service, and how many there are (never more than two: lib/sse-service.ts). */
  tasks: { count: 1 | 2; cpu: number; memoryMiB: number }
  logRetentionDays: number
  /** Requests that the REST API takes of all callers together. */
  throttle: { requestsPerSecond: number; burst: number }
  /** Requests of one client address in five minutes, after which it is refused for a while; none without it. */
  webAcl?: { requestsPerFiveMinutes: number }
  /** Two availability zones by name, where the first two of the Region do not do (docs/aws.md, Regions). */
  availabilityZones?: [string, string]
}

/** Everything that is wrong with the configuration, a line each. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/** The sizes that Fargate has, MiB of memory by CPU units (docs.aws.amazon.com, AmazonECS, task size). */
const TASK_SIZES: Record<number, { least: number; most: number; step: number }> = {
  256: { least: 512, most: 2048, step: 512 },
  512: { least: 1024, most: 4096, step: 1024 },
  1024: { least: 2048, most: 8192, step: 1024 },
  2048: { least: 4096, most: 16_384, step: 1024 },
}

/** What CloudWatch Logs takes (API_PutRetentionPolicy), up to a year. */
const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365]

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/
const CERTIFICATE = /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/**
 * The configuration from JSON: every field may be left out.
 *
 * @param region where it is to be deployed, if that is known yet; the template checks it once more
 * @throws ConfigError with every fault at once
 */
export function readConfig(input: unknown, region?: string): MailboxConfig {
  const faults: string[] = []
  const root = new Fields(input, '', faults)
  const config: MailboxConfig = {
    stackName: root.text(
      'stackName',
      /^[A-Za-z][A-Za-z0-9-]{0,39}$/,
      'a name of letters, digits and hyphens',
      'Mayfly',
    ),
    domains: root.list('domains').map(readDomain),
    retentionHours: root.number('retentionHours', 1, 8760, 24),
    alarmEmail: root.optionalText('alarmEmail', EMAIL, 'an e-mail address'),
    host: readHost(root.optionalObject('host')),
    tasks: readTasks(root.object('tasks'), faults),
    logRetentionDays: root.number('logRetentionDays', 1, 365, 14),
    throttle: readThrottle(root.object('throttle')),
    webAcl: readWebAcl(root.optionalObject('webAcl')),
    availabilityZones: readZones(root, faults),
  }
  root.end()
  if (!LOG_RETENTION_DAYS.includes(config.logRetentionDays)) {
    faults.push(`logRetentionDays must be one of ${LOG_RETENTION_DAYS.join(', ')}`)
  }
  const names = config.domains.map((domain) => domain.name)
  for (const name of new Set(names.filter((name, i) => names.indexOf(name) !== i))) {
    faults.push(`domains names ${name} twice`)
  }
  if (region !== undefined) checkRegion(config, region, faults)
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

function readDomain(fields: Fields): DomainConfig {
  const domain: DomainConfig = {
    name: fields.text('name', DOMAIN, 'a domain name in lower case'),
    zone: readZone(fields.optionalObject('zone'), fields, 'name'),
    identity: fields.text('identity', /^(create|existing)$/, '"create" or "existing"', 'create') as 'create',
  }
  fields.end()
  return domain
}

function readZone(fields: Fields | undefined, of: Fields, nameField: string): Zone | undefined {
  if (fields === undefined) return undefined
  const zone = {
    id: fields.text('id', /^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone, such as Z0123456789ABCDEFGHIJ'),
    name: fields.text('name', DOMAIN, 'the domain name of the hosted zone'),
  }
  fields.end()
  const name = of.value(nameField)
  if (typeof name === 'string' && name !== zone.name && !name.endsWith(`.${zone.name}`)) {
    fields.fault(`is the zone ${zone.name}, which does not hold ${name}`)
  }
  return zone
}

function readHost(fields: Fields | undefined): MailboxConfig['host'] {
  if (fields === undefined) return undefined
  const host = {
    name: fields.text('name', DOMAIN, 'a host name in lower case'),
    certificateArn: fields.text(
      'certificateArn',
      CERTIFICATE,
      'the ARN of an ACM certificate in us-east-1, the only Region whose certificates CloudFront takes',
    ),
    zone: readZone(fields.optionalObject('zone'), fields, 'name'),
  }
  fields.end()
  return host
}

function readTasks(fields: Fields, faults: string[]): MailboxConfig['tasks'] {
  const tasks = {
    count: fields.number('count', 1, 2, 2) as 1 | 2,
    cpu: fields.number('cpu', 256, 2048, 256),
    memoryMiB: fields.number('memoryMiB', 512, 16_384, 512),
  }
  fields.end()
  const size = TASK_SIZES[tasks.cpu]
  if (size === undefined) faults.push(`tasks.cpu must be one of ${Object.keys(TASK_SIZES).join(', ')}`)
  else if (
    tasks.memoryMiB < size.least ||
    tasks.memoryMiB > size.most ||
    (tasks.memoryMiB - size.least) % size.step !== 0
  ) {
    faults.push(
      `tasks.memoryMiB must be from ${size.least} to ${size.most} in steps of ${size.step} with cpu ${tasks.cpu}`,
    )
  }
  return tasks
}

function readThrottle(fields: Fields): MailboxConfig['throttle'] {
  const throttle = {
    requestsPerSecond: fields.number('requestsPerSecond', 1, 10_000, 200),
    burst: fields.number('burst', 1, 5000, 400),
  }
  fields.end()
  return throttle
}

function readWebAcl(fields: Fields | undefined): MailboxConfig['webAcl'] {
  if (fields === undefined) return undefined
  const webAcl = { requestsPerFiveMinutes: fields.number('requestsPerFiveMinutes', 10, 2_000_000, 3000) }
  fields.end()
  return webAcl
}

function readZones(root: Fields, faults: string[]): [string, string] | undefined {
  const zones = root.value('availabilityZones')
  if (zones === undefined) return undefined
  const isPair =
    Array.isArray(zones) &&
    zones.length === 2 &&
    zones[0] !== zones[1] &&
    zones.every((zone) => typeof zone === 'string' && /^[a-z]{2}(-[a-z]+)+-\d[a-z]$/.test(zone))
  if (!isPair)
    faults.push('availabilityZones must be two different names, such as ["us-east-1a", "us-east-1b"]')
  return zones as [string, string]
}

function checkRegion(config: MailboxConfig, region: string, faults: string[]): void {
  if (!RECEIVING_REGIONS.includes(region)) {
    faults.push(
      `Amazon SES receives no mail in the Region ${region}; deploy to one of ${RECEIVING_REGIONS.join(', ')}`,
    )
  }
  if (config.webAcl !== undefined && region !== 'us-east-1') {
    faults.push(
      `webAcl needs a deployment in us-east-1, not ${region}: CloudFront takes web ACLs of that Region only`,
    )
  }
  for (const zone of config.availabilityZones ?? []) {
    if (!zone.startsWith(region)) faults.push(`availabilityZones has ${zone}, which is not in ${region}`)
  }
}
