import { Duration, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { ConfigError } from '../../core/errors.ts'
import type { MayflyProps } from '../props.ts'
import { WEB_ACL_REGION } from '../regions.ts'
import { CONFIG_FILE, type ConfigFileFields } from './file.ts'
import { type FormFault, nameOf, readForm, withoutFaults } from './form.ts'
import { lookUpCertificate, lookUpKey, lookUpSecret, lookUpVpc, lookUpZone } from './lookup.ts'
import { resolveConfig } from './resolve.ts'

/** The content of mayfly.config.json; docs/aws.md describes each field. */
export interface ConfigFile {
  stackName: string
  /** Applied to every resource of the stack. */
  tags: Record<string, string>
  /** ARN of a policy that limits every role of the stack. */
  permissionsBoundary: string | undefined
  terminationProtection: boolean
  /** The stack in us-east-1 that creates the web ACL; undefined: no web ACL, or this stack does. */
  webAclStack: { name: string; requestsPerFiveMinutes: number | undefined } | undefined
  /**
   * Returns the props of the construct; zones, certificates, keys and networks are looked up under
   * this scope.
   */
  props(scope: Construct): MayflyProps
}

/**
 * Reads the configuration file. The form of every field is in file.ts; `resolveConfig` checks how
 * the fields fit together, for every user of the construct.
 *
 * @param region of the deployment, if synthesis knows it
 * @throws ConfigError with all faults together
 */
export function readConfig(input: unknown, region?: string): ConfigFile {
  const read = readForm(CONFIG_FILE, input)
  if ('faults' in read) throw new ConfigError(allFaults(input, read.faults, region))
  const fields = read.value
  const faults = meaningFaults(fields, region)
  if (faults.length > 0) throw new ConfigError(faults)
  const { stackName, tags, permissionsBoundary, terminationProtection } = fields
  return {
    stackName,
    tags,
    permissionsBoundary,
    terminationProtection,
    webAclStack: webAclStackOf(fields, region),
    props: (scope) => propsOf(fields, scope, region),
  }
}

/** Returns the faults of the form, and those of how all other fields fit together. */
function allFaults(input: unknown, faults: FormFault[], region: string | undefined): string[] {
  const texts = [...new Set(faults.map(({ text }) => text))]
  let rest = input
  for (let found = faults; found.length > 0; ) {
    rest = withoutFaults(rest, found)
    if (rest === undefined) break
    const read = readForm(CONFIG_FILE, rest)
    if ('faults' in read) found = read.faults
    else {
      const wrong = faults.map(({ path }) => nameOf(path))
      const others = meaningFaults(read.value, region).filter((fault) => !isAbout(fault, wrong))
      return [...texts, ...others]
    }
  }
  return texts
}

/** Returns the faults of how the fields fit together. */
function meaningFaults(fields: ConfigFileFields, region: string | undefined): string[] {
  try {
    resolveConfig(propsOf(fields, new Stack(), region), region)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

/** Returns whether a fault is about a field whose form is already a fault, or a field within it. */
function isAbout(fault: string, wrong: string[]): boolean {
  const [field = ''] = fault.split(' ')
  return wrong.some((name) => field === name || field.startsWith(`${name}.`))
}

/** Its name has the Region: deployments of all Regions share us-east-1. */
function webAclStackOf(
  { webAcl, stackName }: ConfigFileFields,
  region: string | undefined,
): ConfigFile['webAclStack'] {
  if (webAcl === undefined || webAcl.arn !== undefined) return undefined
  if (region === undefined || region === WEB_ACL_REGION) return undefined
  return {
    name: `${stackName}-WebAcl-${region}`,
    requestsPerFiveMinutes: webAcl.requestsPerFiveMinutes,
  }
}

function propsOf(fields: ConfigFileFields, scope: Construct, region: string | undefined): MayflyProps {
  const { stackName: _n, tags: _t, permissionsBoundary: _b, terminationProtection: _p, ...own } = fields
  const { retentionHours, silenceHours, operatorKeysSecretArn, domains, host, smtp, vpc, ...others } = own
  return {
    ...others,
    webAcl: map(own.webAcl, (webAcl) => ({ ...webAcl, stackName: webAclStackOf(fields, region)?.name })),
    retention: map(retentionHours, Duration.hours),
    silenceAlarm: map(silenceHours, Duration.hours),
    domains: domains.map(({ zone, ...domain }, i) => ({
      ...domain,
      zone: zone && lookUpZone(scope, `Zone${i}`, zone),
    })),
    host: host && {
      name: host.name,
      zone: host.zone && lookUpZone(scope, 'HostZone', host.zone),
      certificate: lookUpCertificate(scope, host.certificateArn),
    },
    smtp: smtp && {
      host: smtp.host,
      tasks: smtp.tasks,
      zone: smtp.zone && lookUpZone(scope, 'SmtpZone', smtp.zone),
      certificate: map(smtp.certificateSecretArn, (arn) => lookUpSecret(scope, 'SmtpCertificate', arn)),
    },
    vpc: vpc && lookUpVpc(scope, vpc),
    operatorKeys: map(operatorKeysSecretArn, (arn) => lookUpSecret(scope, 'OperatorKeys', arn)),
    encryptionKey: map(own.encryptionKey, (arn) => lookUpKey(scope, arn)),
  }
}

function map<T, R>(value: T | undefined, change: (value: T) => R): R | undefined {
  return value === undefined ? undefined : change(value)
}
