import { Duration } from 'aws-cdk-lib'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { HostedZone, type IHostedZone } from 'aws-cdk-lib/aws-route53'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { ConfigError } from '../core/errors.ts'
import { Fields } from './config-fields.ts'
import { type MayflyProps, type MayflyTasks, settle, type Way } from './props.ts'

const STACK_NAME = /^[A-Za-z][A-Za-z0-9-]{0,39}$/
const ZONE_ID = /^Z[A-Z0-9]{1,31}$/
const CERTIFICATE = /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/
const SECRET = /^arn:aws:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+$/
const ANY = /^/s

/** What the JSON of mayfly.config.json says; docs/aws.md explains each field. */
export interface Config {
  stackName: string
  /** The props of the construct, whose zones, certificates and secrets are looked up under this scope. */
  props(scope: Construct): MayflyProps
}

/**
 * Reads the form of every field here; what fits together is judged by `settle`, for every user of the construct.
 *
 * @param region of the deployment, where it is known at synth
 * @throws ConfigError with every fault at once
 */
export function readConfig(input: unknown, region?: string): Config {
  const faults: string[] = []
  const root = new Fields(input, '', faults)
  const stackName = root.text('stackName', STACK_NAME, 'a name of letters, digits and hyphens', 'Mayfly')
  const domains = root.list('domains').map((fields) => {
    const domain = {
      name: fields.text('name', ANY, 'a domain name'),
      zone: readZone(fields.optionalObject('zone')),
      identity: fields.optionalText('identity', ANY, 'a text') as 'create' | undefined,
    }
    fields.end()
    return domain
  })
  const host = readHost(root.optionalObject('host'))
  const smtp = readSmtp(root.optionalObject('smtp'))
  const plain: MayflyProps = {
    retention: map(root.optionalNumber('retentionHours'), Duration.hours),
    inbound: root.optionalTexts('inbound') as Way[] | undefined,
    receiptRuleSet: root.optionalText('receiptRuleSet', ANY, 'a text'),
    takeOver: root.optionalFlag('takeOver'),
    inboundLimit: readLimit(root.optionalObject('inboundLimit')),
    ingestConcurrency: root.optionalNumber('ingestConcurrency'),
    alarmEmail: root.optionalText('alarmEmail', ANY, 'a text'),
    tasks: readTasks(root.optionalObject('tasks')),
    fanOut: root.optionalText('fanOut', ANY, 'a text') as 'direct' | undefined,
    logRetentionDays: root.optionalNumber('logRetentionDays'),
    throttle: readThrottle(root.optionalObject('throttle')),
    webAcl: readWebAcl(root.optionalObject('webAcl')),
    availabilityZones: root.optionalTexts('availabilityZones'),
  }
  root.end()

  const props = (zone: (of: Zone, id: string) => IHostedZone, scope?: Construct): MayflyProps => ({
    ...plain,
    domains: domains.map((domain, i) => ({ ...domain, zone: domain.zone && zone(domain.zone, `Zone${i}`) })),
    host: host && {
      name: host.name,
      zone: host.zone && zone(host.zone, 'HostZone'),
      // Without a scope only the form is judged.
      certificate: scope
        ? Certificate.fromCertificateArn(scope, 'Certificate', host.certificateArn)
        : (undefined as never),
    },
    smtp: smtp && {
      ...smtp,
      zone: smtp.zone && zone(smtp.zone, 'SmtpZone'),
      certificate:
        smtp.certificate === undefined
          ? undefined
          : scope
            ? Secret.fromSecretCompleteArn(scope, 'SmtpCertificate', smtp.certificate)
            : ({} as never),
    },
  })
  const named = ({ id, name }: Zone) => ({ hostedZoneId: id, zoneName: name }) as IHostedZone
  try {
    settle(props(named), region)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    faults.push(...error.faults)
  }
  if (faults.length > 0) throw new ConfigError([...new Set(faults)])
  return {
    stackName,
    props: (scope) =>
      props(
        ({ id, name }, construct) =>
          HostedZone.fromHostedZoneAttributes(scope, construct, { hostedZoneId: id, zoneName: name }),
        scope,
      ),
  }
}

interface Zone {
  id: string
  name: string
}

function readZone(fields: Fields | undefined): Zone | undefined {
  if (fields === undefined) return undefined
  const zone = {
    id: fields.text('id', ZONE_ID, 'the id of a hosted zone, such as Z0123456789ABCDEFGHIJ'),
    name: fields.text('name', ANY, 'the domain name of the hosted zone'),
  }
  fields.end()
  return zone
}

function readHost(fields: Fields | undefined) {
  if (fields === undefined) return undefined
  const host = {
    name: fields.text('name', ANY, 'a host name'),
    certificateArn: fields.text(
      'certificateArn',
      CERTIFICATE,
      'the ARN of an ACM certificate in us-east-1, the only Region whose certificates CloudFront takes',
    ),
    zone: readZone(fields.optionalObject('zone')),
  }
  fields.end()
  return host
}

function readSmtp(fields: Fields | undefined) {
  if (fields === undefined) return undefined
  const smtp = {
    host: fields.optionalText('host', ANY, 'a host name'),
    zone: readZone(fields.optionalObject('zone')),
    certificate: fields.optionalText(
      'certificateSecretArn',
      SECRET,
      'the complete ARN of a secret with `cert` and `key`',
    ),
    tasks: readTasks(fields.optionalObject('tasks')),
  }
  fields.end()
  return smtp
}

function readTasks(fields: Fields | undefined): MayflyTasks | undefined {
  if (fields === undefined) return undefined
  const tasks = {
    count: fields.optionalNumber('count'),
    maxCount: fields.optionalNumber('maxCount'),
    cpu: fields.optionalNumber('cpu'),
    memoryMiB: fields.optionalNumber('memoryMiB'),
    spot: fields.optionalFlag('spot'),
  }
  fields.end()
  return tasks
}

function readLimit(fields: Fields | undefined): MayflyProps['inboundLimit'] {
  if (fields === undefined) return undefined
  const limit = {
    mailsPerHour: fields.optionalNumber('mailsPerHour') ?? Number.NaN,
    stop: fields.optionalFlag('stop'),
  }
  fields.end()
  return limit
}

function readThrottle(fields: Fields | undefined): MayflyProps['throttle'] {
  if (fields === undefined) return undefined
  const throttle = {
    requestsPerSecond: fields.optionalNumber('requestsPerSecond'),
    burst: fields.optionalNumber('burst'),
  }
  fields.end()
  return throttle
}

function readWebAcl(fields: Fields | undefined): MayflyProps['webAcl'] {
  if (fields === undefined) return undefined
  const webAcl = { requestsPerFiveMinutes: fields.optionalNumber('requestsPerFiveMinutes') ?? 3000 }
  fields.end()
  return webAcl
}

function map<T, R>(value: T | undefined, made: (value: T) => R): R | undefined {
  return value === undefined ? undefined : made(value)
}
