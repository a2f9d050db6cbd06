import { readFileSync } from 'node:fs'
import { ENV } from '../../../adapters/aws/env.ts'
import type { CustomResource, Policies, Role } from './policies.ts'
import type { IamRequest } from './requests.ts'

/** The requests of each program, by the name of its role and by the settings that it had. */
export type Recorded = Record<string, Record<string, string[]>>

export const RECORDED = new URL('../../fixtures/aws/requests.json', import.meta.url)

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(RECORDED, 'utf8'))
}

/** The settings that decide which requests a program makes. */
const DECISIVE = [
  ENV.mailStreamArn,
  ENV.valkeyUrl,
  ENV.operatorKeysArn,
  ENV.eventBus,
  ENV.tlsSecretArn,
  ENV.streamMaxMs,
]
/** The programs that verify domains. */
const WITH_PROVIDER = /^(Verification|Setup)/

/** The settings of a program that decide which requests it makes, as one text. */
export function settingsOf({ name, env = {} }: Role, resources: CustomResource[]): string {
  const set = DECISIVE.filter((variable) => variable in env).map((variable) =>
    variable.slice('MAYFLY_'.length),
  )
  const provider = WITH_PROVIDER.test(name) ? [env[ENV.mailProvider]] : []
  const buckets = resources.map(({ properties }) => properties.bucket ?? properties.ruleSet).filter(Boolean)
  return [...set, ...provider, ...buckets].join(' ') || 'any'
}

/** The custom resources of a template that a function provides. */
export function customResourcesOf(policies: Policies, { runs }: Role): CustomResource[] {
  if (runs === undefined) return []
  return policies
    .customResources()
    .filter(({ properties }) => properties.ServiceToken === policies.arnOf(runs))
    .map(({ type, properties: { ServiceToken: _, ...properties } }) => ({ type, properties }))
}

/** Returns a request as a line; what the settings of the program say is named by the setting. */
export function lineOf({ action, resource, context }: IamRequest, env: Record<string, string>): string {
  const conditions = Object.entries(context).map(([key, value]) => `${key}=${[value].flat().join(',')}`)
  let line = [action, resource, ...conditions].join(' ')
  for (const name of [ENV.identityOwner, ENV.canaryDomain])
    if (env[name] !== undefined) line = line.replaceAll(env[name], `\${${name}}`)
  return line
}

/** Returns the request of a line, for a program with these settings. */
export function requestOf(line: string, env: Record<string, string>): IamRequest {
  const [action, resource, ...conditions] = line
    .replace(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '')
    .split(' ') as [string, string, ...string[]]
  const context = conditions.map((condition) => {
    const [, key, value] = /^([^=]+)=(.*)$/.exec(condition)!
    return [key, key === 'dynamodb:LeadingKeys' ? value!.split(',') : value]
  })
  return { action, resource, context: Object.fromEntries(context) }
}
