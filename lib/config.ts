import { Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { ConfigError } from '../core/errors.ts'
import { Fields } from './config-fields.ts'
import { FORM_ONLY, type Lookup, lookupIn } from './config-lookup.ts'
import {
  readHost,
  readInboundLimit,
  readReservedConcurrency,
  readSmtp,
  readTasks,
  readThrottle,
  readVpc,
  readWebAcl,
  readZone,
  SECRET,
} from './config-objects.ts'
import type { MayflyProps, Way } from './props.ts'
import { resolveConfig } from './resolve.ts'

const STACK_NAME = /^[A-Za-z][A-Za-z0-9-]{0,39}$/
const POLICY = /^arn:aws[a-z-]*:iam::(aws|\d{12}):policy\/[\w+=,.@/-]+$/
const KEY = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/
const TAG = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u

/** The content of mayfly.config.json; docs/aws.md describes each field. */
export interface ConfigFile {
  stackName: string
  /** Applied to every resource of the stack. */
  tags: Record<string, string>
  /** ARN of a policy that limits every role of the stack. */
  permissionsBoundary: string | undefined
  terminationProtection: boolean
  /**
   * Returns the props of the construct; zones, certificates, keys and networks are looked up under
   * this scope.
   */
  props(scope: Construct): MayflyProps
}

/**
 * Reads the configuration file. This function checks the form of every field; `resolveConfig`
 * checks how they fit together, for every user of the construct.
 *
 * @param region of the deployment, if synthesis knows it
 * @throws ConfigError with all faults together
 */
export function readConfig(input: unknown, region?: string): ConfigFile {
  const faults: string[] = []
  const root = new Fields(input, '', faults)
  const stack = {
    stackName: root.text('stackName', STACK_NAME, 'a name of letters, digits and hyphens', 'Mayfly'),
    tags: readTags(root),
    permissionsBoundary: root.optionalText('permissionsBoundary', POLICY, 'the ARN of an IAM policy'),
    terminationProtection: root.optionalFlag('terminationProtection') ?? false,
  }
  const props = readProps(root)
  root.end()
  try {
    resolveConfig(props(FORM_ONLY), region)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    faults.push(...error.faults.filter((fault) => !isAbout(fault, faults)))
  }
  if (faults.length > 0) throw new ConfigError([...new Set(faults)])
  return { ...stack, props: (scope) => props(lookupIn(scope)) }
}

/** Reads the fields of MayflyProps. */
function readProps(root: Fields): (lookup: Lookup) => MayflyProps {
  const plain = readPlain(root)
  const domains = root.list('domains').map(readDomain)
  const host = readHost(root.optionalObject('host'))
  const smtp = readSmtp(root.optionalObject('smtp'))
  const vpc = readVpc(root.optionalObject('vpc'))
  const meaning = 'the complete ARN of a secret with API keys'
  const operatorKeys = root.optionalText('operatorKeysSecretArn', SECRET, meaning)
  const encryptionKey = root.optionalText('encryptionKey', KEY, 'the ARN of a KMS key')
  return (lookup) => ({
    ...plain,
    domains: domains.map(({ zone, ...domain }, i) => ({
      ...domain,
      zone: zone && lookup.zone(`Zone${i}`, zone),
    })),
    host: host && {
      name: host.name,
      zone: host.zone && lookup.zone('HostZone', host.zone),
      certificate: lookup.certificate(host.certificateArn),
    },
    smtp: smtp && {
      ...smtp,
      zone: smtp.zone && lookup.zone('SmtpZone', smtp.zone),
      certificate: map(smtp.certificate, (arn) => lookup.secret('SmtpCertificate', arn)),
    },
    vpc: vpc && lookup.vpc(vpc),
    operatorKeys: map(operatorKeys, (arn) => lookup.secret('OperatorKeys', arn)),
    encryptionKey: map(encryptionKey, (arn) => lookup.key(arn)),
  })
}

/** Reads the fields that name nothing outside of the stack. */
function readPlain(root: Fields): MayflyProps {
  return {
    retention: map(root.optionalNumber('retentionHours'), Duration.hours),
    canary: root.optionalString('canary'),
    silenceAlarm: map(root.optionalNumber('silenceHours'), Duration.hours),
    inbound: root.optionalTexts('inbound') as Way[] | undefined,
    receiptRuleSet: root.optionalString('receiptRuleSet'),
    takeOver: root.optionalFlag('takeOver'),
    inboundLimit: readInboundLimit(root.optionalObject('inboundLimit')),
    ingestConcurrency: root.optionalNumber('ingestConcurrency'),
    reservedConcurrency: readReservedConcurrency(root.optionalObject('reservedConcurrency')),
    alarmEmail: root.optionalString('alarmEmail'),
    live: root.optionalString('live') as 'fargate' | undefined,
    tasks: readTasks(root.optionalObject('tasks')),
    fanOut: root.optionalString('fanOut') as 'direct' | undefined,
    logRetentionDays: root.optionalNumber('logRetentionDays'),
    throttle: readThrottle(root.optionalObject('throttle')),
    webAcl: readWebAcl(root.optionalObject('webAcl')),
    accessLogs: root.optionalFlag('accessLogs'),
    availabilityZones: root.optionalTexts('availabilityZones'),
  }
}

function readDomain(fields: Fields) {
  const domain = {
    name: fields.string('name'),
    zone: readZone(fields.optionalObject('zone')),
    identity: fields.optionalString('identity') as 'create' | undefined,
  }
  fields.end()
  return domain
}

function readTags(root: Fields): Record<string, string> {
  const fields = root.optionalObject('tags')
  if (fields === undefined) return {}
  const tags: Record<string, string> = {}
  for (const name of fields.names()) {
    if (!TAG.test(name)) fields.fault(` has the name "${name}", which AWS does not accept`)
    tags[name] = fields.text(name, /^.{0,256}$/s, 'a text of at most 256 characters')
  }
  return tags
}

function map<T, R>(value: T | undefined, change: (value: T) => R): R | undefined {
  return value === undefined ? undefined : change(value)
}

/** Returns whether a fault is about a field whose form is already a fault. */
function isAbout(fault: string, formFaults: string[]): boolean {
  const [field = ''] = fault.split(' ')
  return formFaults.some((known) => {
    const [wrong = ''] = known.split(' ')
    return field === wrong || field.startsWith(`${wrong}.`)
  })
}
