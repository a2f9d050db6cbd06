import { Duration, Token } from 'aws-cdk-lib'
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { IHostedZone } from 'aws-cdk-lib/aws-route53'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { ConfigError } from '../core/errors.ts'
import { RECEIVING_REGIONS } from './regions.ts'

/** A domain that is registered from the start. */
export interface MayflyDomain {
  /** In lower case, such as `mail.example.com`. */
  readonly name: string
  /** Where its DNS records are made. Without it they are in `Mayfly.dnsRecords`, to be set by hand. */
  readonly zone?: IHostedZone
  /**
   * `existing`: SES has this identity in the Region already, so it is not made here.
   * @default 'create'
   */
  readonly identity?: 'create' | 'existing'
}

/** The base URL's own host name. */
export interface MayflyHost {
  readonly name: string
  /** Of ACM in us-east-1, the only Region whose certificates CloudFront takes. */
  readonly certificate: ICertificate
  /** Where its alias records are made. Without it, point a CNAME record at `Mayfly.distribution`. */
  readonly zone?: IHostedZone
}

/** How many tasks of a Fargate service there are, and of what size. */
export interface MayflyTasks {
  /** @default 2. The stream service has 2 at most, unless `fanOut` is "valkey". */
  readonly count?: number
  /** Up to how many tasks there are when many streams are open; with `fanOut: 'valkey'` only. @default count */
  readonly maxCount?: number
  /** CPU units, 1024 to a vCPU. @default 256 */
  readonly cpu?: number
  /** @default 512 */
  readonly memoryMiB?: number
  /** On Fargate Spot: about 70 % cheaper, taken away with two minutes' notice; streams resume. @default false */
  readonly spot?: boolean
}

/** The way in by SMTP. */
export interface MayflySmtp {
  /** The host name that MX records are to name. @default the load balancer's own name */
  readonly host?: string
  /** Where the address record of `host` is made. Without it, set an alias record by hand. */
  readonly zone?: IHostedZone
  /** STARTTLS: a secret of JSON with `cert` and `key`, both PEM, for `host`. @default STARTTLS is not offered */
  readonly certificate?: ISecret
  /** @default two tasks of 256 CPU units and 512 MiB */
  readonly tasks?: Omit<MayflyTasks, 'maxCount' | 'spot'>
}

export type Way = 'ses' | 'smtp'

/** What is decided for one deployment. All of it may be left out. */
export interface MayflyProps {
  /** Domains that are registered from the start. @default none: callers register their own */
  readonly domains?: MayflyDomain[]
  /** How long mail is kept: whole hours, up to a year. @default 24 hours */
  readonly retention?: Duration
  /**
   * The ways in. MX records are to name the first one; another one takes mail besides, for a change of ways.
   * `ses`: Amazon SES, which wants proof of ownership of each domain and takes 100 dollars for a million mails.
   * `smtp`: a listener of our own on Fargate, about 45 dollars a month; a domain needs its MX record only.
   * @default ['ses']
   */
  readonly inbound?: Way[]
  /** @default see MayflySmtp */
  readonly smtp?: MayflySmtp
  /**
   * The name of a receipt rule set that the Region has already: the rule is added to it, limited to `domains`.
   * @default a rule set of its own, which is made the active one
   */
  readonly receiptRuleSet?: string
  /**
   * Whether a rule set of its own may take the place of another active one, whose mail then comes here. It is made
   * active again when this is deleted.
   * @default false: such a deployment is refused
   */
  readonly takeOver?: boolean
  /**
   * More mails in an hour than this raise an alarm; with `stop`, SES is told to take no more mail until somebody
   * turns it on again (docs/runbook.md).
   * @default 20,000 mails an hour (about 2.40 dollars), without stopping
   */
  readonly inboundLimit?: { readonly mailsPerHour: number; readonly stop?: boolean }
  /** Mails that are stored at a time, 2 to 1000. @default 5: a new account runs 10 functions at a time */
  readonly ingestConcurrency?: number
  /** Is told of every alarm, and of its end. @default a topic of its own */
  readonly alarmTopic?: ITopic
  /** Is sent a message for every alarm, after confirming the subscription by mail. @default nobody */
  readonly alarmEmail?: string
  /** @default CloudFront's own name */
  readonly host?: MayflyHost
  /** Of the stream service. @default two tasks of 256 CPU units and 512 MiB */
  readonly tasks?: MayflyTasks
  /**
   * How tasks hear of new mail. `direct`: each reads the table's stream, which two may. `valkey`: by ElastiCache
   * Serverless, about 7 dollars a month, for any number of tasks.
   * @default 'direct'
   */
  readonly fanOut?: 'direct' | 'valkey'
  /** @default 14 */
  readonly logRetentionDays?: number
  /** Requests that the REST API takes of all callers together. @default 200 a second, 400 at once */
  readonly throttle?: { readonly requestsPerSecond?: number; readonly burst?: number }
  /** Refuses client addresses that ask more often; us-east-1 only. @default none */
  readonly webAcl?: { readonly requestsPerFiveMinutes: number }
  /** Two availability zones by name. @default the first two that have all that is needed */
  readonly availabilityZones?: string[]
  /** A prebuilt image of the stream service. @default Docker builds it at the deployment */
  readonly image?: string
  /** A prebuilt image of the SMTP service. @default Docker builds it at the deployment */
  readonly smtpImage?: string
  /** `ip` or `ip:port`, comma-separated: asked instead of the system's DNS servers. */
  readonly dnsServer?: string
}

type Filled<T, K extends keyof T> = Required<Omit<T, K>> & Pick<T, K>
export type Tasks = Required<MayflyTasks>

/** The props with every default in place. */
export interface Settled
  extends Filled<
    Omit<MayflyProps, 'retention' | 'tasks' | 'smtp' | 'throttle' | 'inboundLimit'>,
    | 'receiptRuleSet'
    | 'alarmTopic'
    | 'alarmEmail'
    | 'host'
    | 'webAcl'
    | 'availabilityZones'
    | 'image'
    | 'smtpImage'
    | 'dnsServer'
  > {
  retentionHours: number
  tasks: Tasks
  smtp: Omit<MayflySmtp, 'tasks'> & { tasks: Tasks }
  throttle: { requestsPerSecond: number; burst: number }
  inboundLimit: { mailsPerHour: number; stop: boolean }
}

/**
 * @param region of the deployment, where it is known at synth
 * @throws ConfigError with every fault at once
 */
export function settle(props: MayflyProps, region?: string): Settled {
  const { tasks, smtp, throttle, inboundLimit } = props
  const settled: Settled = {
    ...props,
    domains: props.domains ?? [],
    retentionHours: (props.retention ?? Duration.hours(24)).toHours({ integral: false }),
    inbound: props.inbound ?? ['ses'],
    takeOver: props.takeOver ?? false,
    ingestConcurrency: props.ingestConcurrency ?? 5,
    fanOut: props.fanOut ?? 'direct',
    logRetentionDays: props.logRetentionDays ?? 14,
    tasks: settleTasks(tasks),
    smtp: { ...smtp, tasks: settleTasks(smtp?.tasks) },
    throttle: { requestsPerSecond: throttle?.requestsPerSecond ?? 200, burst: throttle?.burst ?? 400 },
    inboundLimit: { mailsPerHour: inboundLimit?.mailsPerHour ?? 20_000, stop: inboundLimit?.stop ?? false },
  }
  const faults = [
    ...faultsOf(settled, props),
    ...(region === undefined || Token.isUnresolved(region) ? [] : regionFaults(settled, region)),
  ]
  if (faults.length > 0) throw new ConfigError(faults)
  return settled
}

function settleTasks(tasks: MayflyTasks = {}): Tasks {
  const { count = 2, cpu = 256, memoryMiB = 512, spot = false } = tasks
  return { count, maxCount: tasks.maxCount ?? count, cpu, memoryMiB, spot }
}

/** The sizes that Fargate has, MiB of memory by CPU units (docs.aws.amazon.com, AmazonECS, task size). */
const TASK_SIZES: Record<number, { min: number; max: number; step: number }> = {
  256: { min: 512, max: 2048, step: 512 },
  512: { min: 1024, max: 4096, step: 1024 },
  1024: { min: 2048, max: 8192, step: 1024 },
  2048: { min: 4096, max: 16_384, step: 1024 },
}

/** What CloudWatch Logs takes (API_PutRetentionPolicy), up to a year. */
const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365]
/** A stack has 500 resources, one for each identity, and an output may tell of each domain without a zone. */
const DOMAINS_MAX = 150

export const DOMAIN =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const RULE_SET = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

function faultsOf(settled: Settled, props: MayflyProps): string[] {
  const { domains, retentionHours, inbound, fanOut, receiptRuleSet, host, smtp } = settled
  const faults: string[] = []
  const fault = (when: boolean, text: string) => {
    if (when) faults.push(text)
  }
  const whole = (value: number, min: number, max: number, name: string) =>
    fault(
      !Number.isInteger(value) || value < min || value > max,
      `${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}`,
    )
  const usesSes = inbound.includes('ses')

  domains.forEach(({ name, zone, identity }, i) => {
    fault(!DOMAIN.test(name), `domains[${i}].name must be a domain name in lower case, not "${name}"`)
    zoneFault(zone, name, `domains[${i}].zone`, faults)
    fault(
      identity !== undefined && !['create', 'existing'].includes(identity),
      `domains[${i}].identity must be "create" or "existing"`,
    )
  })
  fault(domains.length > DOMAINS_MAX, `domains has ${domains.length}; ${DOMAINS_MAX} fit into one stack`)
  const names = domains.map((domain) => domain.name)
  for (const name of new Set(names.filter((name, i) => names.indexOf(name) !== i)))
    faults.push(`domains names ${name} twice`)

  whole(retentionHours, 1, 8760, 'retentionHours')
  fault(
    inbound.length === 0 ||
      new Set(inbound).size < inbound.length ||
      inbound.some((way) => way !== 'ses' && way !== 'smtp'),
    'inbound must be ["ses"], ["smtp"], or both, first the one that MX records name',
  )
  fault(!['direct', 'valkey'].includes(fanOut), 'fanOut must be "direct" or "valkey"')
  if (receiptRuleSet !== undefined) {
    fault(!RULE_SET.test(receiptRuleSet), 'receiptRuleSet must be the name of a receipt rule set')
    fault(!usesSes, 'receiptRuleSet needs "ses" in inbound')
    fault(domains.length === 0, 'receiptRuleSet needs domains: the rule is limited to them')
    fault(settled.takeOver, 'takeOver has no meaning with receiptRuleSet, whose rule set stays what it is')
  }
  fault(settled.takeOver && !usesSes, 'takeOver needs "ses" in inbound')
  fault(props.smtp !== undefined && !inbound.includes('smtp'), 'smtp needs "smtp" in inbound')
  if (smtp.host !== undefined) {
    fault(!DOMAIN.test(smtp.host), `smtp.host must be a host name in lower case, not "${smtp.host}"`)
    zoneFault(smtp.zone, smtp.host, 'smtp.zone', faults)
  } else {
    fault(smtp.zone !== undefined, 'smtp.zone needs smtp.host')
    fault(smtp.certificate !== undefined, 'smtp.certificate needs smtp.host, the name that it is for')
  }
  whole(settled.inboundLimit.mailsPerHour, 1, 100_000_000, 'inboundLimit.mailsPerHour')
  fault(settled.inboundLimit.stop && !usesSes, 'inboundLimit.stop needs "ses" in inbound')
  whole(settled.ingestConcurrency, 2, 1000, 'ingestConcurrency')
  fault(
    settled.alarmEmail !== undefined && !EMAIL.test(settled.alarmEmail),
    'alarmEmail must be an e-mail address',
  )
  if (host !== undefined) {
    fault(!DOMAIN.test(host.name), `host.name must be a host name in lower case, not "${host.name}"`)
    zoneFault(host.zone, host.name, 'host.zone', faults)
  }
  taskFaults('tasks', settled.tasks, fanOut === 'valkey' ? 100 : 2, faults)
  taskFaults('smtp.tasks', smtp.tasks, 20, faults)
  fault(
    !LOG_RETENTION_DAYS.includes(settled.logRetentionDays),
    `logRetentionDays must be one of ${LOG_RETENTION_DAYS.join(', ')}`,
  )
  whole(settled.throttle.requestsPerSecond, 1, 10_000, 'throttle.requestsPerSecond')
  whole(settled.throttle.burst, 1, 5000, 'throttle.burst')
  if (settled.webAcl !== undefined)
    whole(settled.webAcl.requestsPerFiveMinutes, 10, 2_000_000, 'webAcl.requestsPerFiveMinutes')
  const zones = settled.availabilityZones
  fault(
    zones !== undefined &&
      !(
        zones.length === 2 &&
        zones[0] !== zones[1] &&
        zones.every((zone) => /^[a-z]{2}(-[a-z]+)+-\d[a-z]$/.test(zone))
      ),
    'availabilityZones must be two different names, such as ["us-east-1a", "us-east-1b"]',
  )
  return faults
}

function zoneFault(zone: IHostedZone | undefined, name: string, field: string, faults: string[]): void {
  if (zone === undefined || Token.isUnresolved(zone.zoneName)) return
  const zoneName = zone.zoneName.replace(/\.$/, '')
  if (name === zoneName || name.endsWith(`.${zoneName}`)) return
  faults.push(`${field} is the zone ${zoneName}, which does not hold ${name}`)
}

function taskFaults(field: string, tasks: Tasks, countMax: number, faults: string[]): void {
  const { count, maxCount, cpu, memoryMiB } = tasks
  if (!Number.isInteger(count) || count < 1 || count > countMax) {
    const why =
      countMax === 2 ? ', since two tasks read the table’s stream at most without fanOut "valkey"' : ''
    faults.push(`${field}.count must be a whole number from 1 to ${countMax}${why}, not ${count}`)
  } else if (!Number.isInteger(maxCount) || maxCount < count || maxCount > countMax) {
    faults.push(`${field}.maxCount must be a whole number from ${count} to ${countMax}, not ${maxCount}`)
  }
  const size = TASK_SIZES[cpu]
  if (size === undefined) {
    faults.push(`${field}.cpu must be one of ${Object.keys(TASK_SIZES).join(', ')}, not ${cpu}`)
  } else if (memoryMiB < size.min || memoryMiB > size.max || (memoryMiB - size.min) % size.step !== 0) {
    const { min, max, step } = size
    faults.push(`${field}.memoryMiB must be from ${min} to ${max} in steps of ${step} with cpu ${cpu}`)
  }
}

function regionFaults(settled: Settled, region: string): string[] {
  const faults: string[] = []
  if (settled.inbound.includes('ses') && !RECEIVING_REGIONS.includes(region)) {
    faults.push(
      `Amazon SES receives no mail in the Region ${region}; deploy to one of ${RECEIVING_REGIONS.join(', ')}, ` +
        'or let mail in by "smtp"',
    )
  }
  if (settled.webAcl !== undefined && region !== 'us-east-1') {
    faults.push(
      `webAcl needs a deployment in us-east-1, not ${region}: CloudFront takes web ACLs of that Region only`,
    )
  }
  for (const zone of settled.availabilityZones ?? []) {
    if (!zone.startsWith(region)) faults.push(`availabilityZones has ${zone}, which is not in ${region}`)
  }
  return faults
}
