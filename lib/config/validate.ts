import { RETENTION_MAX_HOURS, RETENTION_MIN_HOURS } from '../../core/limits.ts'
import type { MayflyProps } from '../props.ts'
import { Faults } from './faults.ts'
import type { Config, Tasks } from './resolved.ts'

/**
 * Task sizes of Fargate: MiB of memory by CPU units (docs.aws.amazon.com, AmazonECS, task size).
 */
const TASK_SIZES: Record<number, { min: number; max: number; step: number }> = {
  256: { min: 512, max: 2048, step: 512 },
  512: { min: 1024, max: 4096, step: 1024 },
  1024: { min: 2048, max: 8192, step: 1024 },
  2048: { min: 4096, max: 16_384, step: 1024 },
}

/** Values that CloudWatch Logs accepts (API_PutRetentionPolicy), up to a year. */
const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365]
/**
 * A stack has at most 500 resources, one per identity, and at most 200 outputs, one per domain
 * without a zone.
 */
const DOMAINS_MAX = 150
/**
 * An alarm evaluates at most seven days (docs.aws.amazon.com/AmazonCloudWatch, API_PutMetricAlarm).
 */
const SILENCE_HOURS_MAX = 168

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const RULE_SET = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const ZONE = /^[a-z]{2}(-[a-z]+)+-\d[a-z]$/

/** Returns every fault that does not depend on the Region, a sentence each. */
export function configFaults(config: Config, props: MayflyProps): string[] {
  const faults = new Faults()
  domainFaults(config, faults)
  inboundFaults(config, props, faults)
  canaryFaults(config, faults)
  smtpFaults(config, faults)
  limitFaults(config, faults)
  liveFaults(config, props, faults)
  networkFaults(config, faults)
  return faults.list
}

function domainFaults({ domains }: Config, faults: Faults): void {
  domains.forEach(({ name, zone, identity }, i) => {
    faults.domain(name, `domains[${i}].name`)
    faults.zone(zone, name, `domains[${i}].zone`)
    faults.when(
      identity !== undefined && !['create', 'existing'].includes(identity),
      `domains[${i}].identity must be "create" or "existing"`,
    )
  })
  faults.when(
    domains.length > DOMAINS_MAX,
    `domains has ${domains.length} entries; at most ${DOMAINS_MAX} fit into one stack`,
  )
  const names = domains.map((domain) => domain.name).filter((name) => name !== '')
  for (const name of new Set(names.filter((name, i) => names.indexOf(name) !== i)))
    faults.when(true, `domains names ${name} twice`)
}

function inboundFaults(config: Config, { smtp }: MayflyProps, faults: Faults): void {
  const { inbound, receiptRuleSet, takeOver, domains } = config
  const usesSes = inbound.includes('ses')
  faults.when(
    inbound.length === 0 ||
      new Set(inbound).size < inbound.length ||
      inbound.some((way) => way !== 'ses' && way !== 'smtp'),
    'inbound must be ["ses"], ["smtp"], or both; MX records name the first one',
  )
  if (receiptRuleSet !== undefined) {
    faults.when(!RULE_SET.test(receiptRuleSet), 'receiptRuleSet must be the name of a receipt rule set')
    faults.when(!usesSes, 'receiptRuleSet needs "ses" in inbound')
    faults.when(domains.length === 0, 'receiptRuleSet needs domains: the rule is limited to them')
    faults.when(takeOver, 'takeOver has no effect with receiptRuleSet, whose rule set stays as it is')
  }
  faults.when(takeOver && !usesSes, 'takeOver needs "ses" in inbound')
  faults.when(config.inboundLimit.stop && !usesSes, 'inboundLimit.stop needs "ses" in inbound')
  faults.when(smtp !== undefined && !inbound.includes('smtp'), 'smtp needs "smtp" in inbound')
}

function canaryFaults({ canary, domains, inbound }: Config, faults: Faults): void {
  if (canary === undefined) return
  const domain = domains.find(({ name }) => name === canary)
  if (domain === undefined) {
    faults.when(true, `canary must be the name of one of domains, not ${JSON.stringify(canary)}`)
    return
  }
  faults.when(
    !inbound.includes('ses') && domain.identity !== 'existing',
    `canary needs "ses" in inbound, or "identity": "existing" for ${canary}: SES sends its mail`,
  )
}

function smtpFaults({ smtp }: Config, faults: Faults): void {
  if (smtp.host === undefined) {
    faults.when(smtp.zone !== undefined, 'smtp.zone needs smtp.host')
    faults.when(smtp.certificate !== undefined, 'smtp.certificate needs smtp.host, the name that it is for')
  } else {
    faults.domain(smtp.host, 'smtp.host')
    faults.zone(smtp.zone, smtp.host, 'smtp.zone')
  }
  taskFaults('smtp.tasks', smtp.tasks, 20, faults)
}

function limitFaults(config: Config, faults: Faults): void {
  const { reservedConcurrency: reserved, ingestConcurrency } = config
  faults.whole(config.retentionHours, RETENTION_MIN_HOURS, RETENTION_MAX_HOURS, 'retentionHours')
  faults.whole(config.inboundLimit.mailsPerHour, 1, 100_000_000, 'inboundLimit.mailsPerHour')
  if (config.silenceHours !== undefined)
    faults.whole(config.silenceHours, 1, SILENCE_HOURS_MAX, 'silenceHours')
  faults.whole(ingestConcurrency, 2, 1000, 'ingestConcurrency')
  if (reserved.api !== undefined) faults.whole(reserved.api, 1, 10_000, 'reservedConcurrency.api')
  if (reserved.ingest !== undefined) {
    faults.whole(reserved.ingest, 1, 10_000, 'reservedConcurrency.ingest')
    // A throttled receive counts as an attempt, and after 24 of them mail is a dead letter.
    faults.when(
      reserved.ingest < ingestConcurrency,
      `reservedConcurrency.ingest must be at least ingestConcurrency (${ingestConcurrency})`,
    )
  }
  faults.when(
    !LOG_RETENTION_DAYS.includes(config.logRetentionDays),
    `logRetentionDays must be one of ${LOG_RETENTION_DAYS.join(', ')}`,
  )
  faults.whole(config.throttle.requestsPerSecond, 1, 10_000, 'throttle.requestsPerSecond')
  faults.whole(config.throttle.burst, 1, 5000, 'throttle.burst')
  const { arn, requestsPerFiveMinutes: requests } = config.webAcl ?? {}
  if (requests !== undefined) faults.whole(requests, 10, 2_000_000, 'webAcl.requestsPerFiveMinutes')
  faults.when(
    arn !== undefined && requests !== undefined,
    'webAcl has an arn, so requestsPerFiveMinutes has no effect',
  )
  const { alarmEmail } = config
  faults.when(alarmEmail !== undefined && !EMAIL.test(alarmEmail), 'alarmEmail must be an email address')
}

function liveFaults({ live, fanOut, tasks }: Config, props: MayflyProps, faults: Faults): void {
  faults.when(!['direct', 'valkey'].includes(fanOut), 'fanOut must be "direct" or "valkey"')
  faults.when(!['fargate', 'web-function'].includes(live), 'live must be "fargate" or "web-function"')
  if (live === 'web-function') {
    faults.when(fanOut === 'valkey', 'fanOut "valkey" needs live "fargate"')
    faults.when(props.tasks !== undefined, 'tasks needs live "fargate"')
    faults.when(props.image !== undefined, 'image needs live "fargate"')
  }
  taskFaults('tasks', tasks, fanOut === 'valkey' ? 100 : 2, faults)
}

function networkFaults({ host, vpc, availabilityZones: zones, inbound, live }: Config, faults: Faults): void {
  if (host !== undefined) {
    faults.domain(host.name, 'host.name')
    faults.zone(host.zone, host.name, 'host.zone')
  }
  faults.when(
    zones !== undefined &&
      !(zones.length === 2 && zones[0] !== zones[1] && zones.every((zone) => ZONE.test(zone))),
    'availabilityZones must be two different names, such as ["us-east-1a", "us-east-1b"]',
  )
  const hasNetwork = live !== 'web-function' || inbound.includes('smtp')
  faults.when(
    zones !== undefined && !hasNetwork,
    'availabilityZones needs live "fargate" or "smtp" in inbound',
  )
  if (vpc === undefined) return
  faults.when(zones !== undefined, 'availabilityZones has no effect with vpc, whose subnets have zones')
  faults.when(!hasNetwork, 'vpc needs live "fargate" or "smtp" in inbound')
  faults.when(
    inbound.includes('smtp') && vpc.publicSubnets === undefined,
    'vpc.publicSubnets is needed with "smtp" in inbound: senders reach the load balancer there',
  )
}

function taskFaults(field: string, tasks: Tasks, countMax: number, faults: Faults): void {
  const { count, maxCount, cpu, memoryMiB } = tasks
  if (!Number.isInteger(count) || count < 1 || count > countMax) {
    const why =
      countMax === 2 ? ', because without fanOut "valkey" at most two tasks read the table’s stream' : ''
    faults.when(true, `${field}.count must be a whole number from 1 to ${countMax}${why}, not ${count}`)
  } else faults.whole(maxCount, count, countMax, `${field}.maxCount`)
  const size = TASK_SIZES[cpu]
  if (size === undefined) {
    faults.when(true, `${field}.cpu must be one of ${Object.keys(TASK_SIZES).join(', ')}, not ${cpu}`)
    return
  }
  const { min, max, step } = size
  faults.when(
    memoryMiB < min || memoryMiB > max || (memoryMiB - min) % step !== 0,
    `${field}.memoryMiB must be from ${min} to ${max} in steps of ${step} with cpu ${cpu}`,
  )
}
