import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { ACCEPTED } from './accepted.ts'
import { CONFIGURATIONS } from './configurations.ts'
import { DENIED, DENIED_SERVICES } from './denied.ts'
import { isAllowed, KEY_SERVICES, matches } from './evaluation.ts'
import type { Policies, Role, Statement } from './policies.ts'
import { PROGRAMS } from './programs.ts'
import { customResourcesOf, readRecorded, requestOf, settingsOf } from './recording.ts'
import type { IamRequest } from './requests.ts'
import { requestsOfServices } from './resource-policies.ts'
import { requestsForRole } from './services.ts'
import { tableOf } from './table.ts'

const SECURITY = new URL('../../../docs/security.md', import.meta.url)
const AWS_PAGE = new URL('../../../docs/aws.md', import.meta.url)
const BEGIN = '<!-- requests: test/aws/iam/policies.test.ts writes this table -->'
const END = '<!-- end of the requests -->'

const RESOURCE_POLICIES = ['AWS::S3::BucketPolicy', 'AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy']

interface ResourceStatement {
  Effect: 'Allow' | 'Deny'
  Principal: { Service?: string }
  Action: string | string[]
  Resource: string | string[]
}

const recorded = readRecorded()

/** What a role is used for: by its program as recorded, and by services of AWS as documented. */
function requestsOf(role: Role, policies: Policies): IamRequest[] {
  const settings = settingsOf(role, customResourcesOf(policies, role))
  const lines = recorded[role.name]?.[settings]
  if (lines === undefined && PROGRAMS[role.name] !== undefined)
    throw new Error(`${role.name} was not recorded with the settings "${settings}"`)
  const own = (lines ?? []).map((line) => requestOf(line, role.env ?? {}))
  return [...own, ...requestsForRole(role, policies, own)]
}

const told = ({ action, resource, context }: IamRequest) =>
  [action, resource, ...Object.entries(context).map(([key, value]) => `${key}=${value}`)].join(' ')

/**
 * The policies of every documented configuration, against the requests of every program
 * (test/fixtures/aws/requests.json, which iam.deployed.ts compares) and of AWS itself.
 */
describe.each(Object.entries(CONFIGURATIONS))('with %s', (_, policiesOf) => {
  const policies = policiesOf()

  test('every request of a role is allowed', async () => {
    const denied: string[] = []
    for (const role of policies.roles)
      for (const request of requestsOf(role, policies))
        if (!(await isAllowed(request, role, policies))) denied.push(`${role.name}: ${told(request)}`)
    expect(denied).toEqual([])
  })

  test('every request of a service to a resource is allowed', async () => {
    const denied: string[] = []
    for (const { service, ...request } of requestsOfServices(policies))
      if (!(await isAllowed(request, { service: `${service}.amazonaws.com` }, policies)))
        denied.push(`${service}: ${told(request)}`)
    expect(denied).toEqual([])
  })

  test('every statement of a policy of a bucket, queue or topic is needed', () => {
    expect(unusedOfResources(policies)).toEqual([])
  })

  test('every statement of a role is needed', () => {
    const superfluous = superfluousOf(policies)
    expect(superfluous.filter((line) => !ACCEPTED.some(([pattern]) => pattern.test(line)))).toEqual([])
  })
})

describe('requests that must be denied', () => {
  const all = Object.entries(CONFIGURATIONS).map(([name, policiesOf]) => [name, policiesOf()] as const)

  test.each(DENIED.map((one) => [one.would, one] as const))('%s', async (_, { roles, ...request }) => {
    const allowed: string[] = []
    let asked = 0
    for (const [configuration, policies] of all)
      for (const role of policies.roles.filter(({ name }) => roles.test(name))) {
        asked++
        if (await isAllowed(request, role, policies)) allowed.push(`${role.name} with ${configuration}`)
      }
    expect(asked).toBeGreaterThan(0)
    expect(allowed).toEqual([])
  })

  test.each(DENIED_SERVICES.map((one) => [`${one.service}: ${one.would}`, one] as const))(
    '%s',
    async (_, { service, ...request }) => {
      for (const [, policies] of all) {
        if (policies.resourcePolicy(request.resource) === undefined) continue
        expect(await isAllowed(request, { service: `${service}.amazonaws.com` }, policies)).toBe(false)
      }
    },
  )
})

/** Every permission of any configuration that no request needs. */
const SUPERFLUOUS = Object.values(CONFIGURATIONS).flatMap((policiesOf) => superfluousOf(policiesOf()))

describe('the accepted permissions', () => {
  test.each(ACCEPTED)('%s exists: %s', (pattern) => {
    expect(SUPERFLUOUS.filter((line) => pattern.test(line))).not.toEqual([])
  })
})

test('docs/aws.md names the services that need the key, and no others', () => {
  const asking = Object.values(CONFIGURATIONS).flatMap((policiesOf) =>
    requestsOfServices(policiesOf()).filter(({ action }) => action.startsWith('kms:')),
  )
  expect([...new Set(asking.map(({ service }) => service))].sort()).toEqual(KEY_SERVICES)
  const [row = ''] = /^\| `encryptionKey`.*$/m.exec(readFileSync(AWS_PAGE, 'utf8')) ?? []
  const named = [...row.matchAll(/`(\w+)\.amazonaws\.com`/g)].map(([, service]) => service)
  expect(named.sort()).toEqual(KEY_SERVICES)
})

test('the table in docs/security.md', () => {
  const uses = new Map<string, IamRequest[]>()
  for (const policiesOf of Object.values(CONFIGURATIONS)) {
    const policies = policiesOf()
    for (const role of policies.roles)
      uses.set(role.name, [...(uses.get(role.name) ?? []), ...requestsOf(role, policies)])
  }
  const text = readFileSync(SECURITY, 'utf8')
  const [before, rest] = text.split(BEGIN) as [string, string]
  const [table, after] = rest.split(END) as [string, string]
  const wanted = `\n\n${tableOf(uses)}\n\n`
  if (process.env.MAYFLY_WRITE_DOCS) writeFileSync(SECURITY, [before, BEGIN, wanted, END, after].join(''))
  expect(table).toBe(wanted)
})

function superfluousOf(policies: Policies): string[] {
  return policies.roles.flatMap((role) => {
    const requests = requestsOf(role, policies)
    return role.statements
      .flatMap(permissionsOf)
      .filter(([action, resource]) => !requests.some((one) => uses(one, action, resource)))
      .map(([action, resource]) => `${role.name}: ${action} on ${resource}`)
  })
}

/** The actions and resources of statements that let a service in, and that no service uses. */
function unusedOfResources(policies: Policies): string[] {
  const requests = requestsOfServices(policies)
  const own = RESOURCE_POLICIES.flatMap((type) => policies.all(type)).filter(([id]) => /^Mayfly/.test(id))
  return own.flatMap(([id, { PolicyDocument }]) =>
    (PolicyDocument.Statement as ResourceStatement[])
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Principal, Action, Resource }) => {
        const [actions, resources] = [[Action].flat(), [Resource].flat()]
        const its = requests.filter(
          (one) =>
            Principal.Service === `${one.service}.amazonaws.com` &&
            actions.some((action) => resources.some((resource) => uses(one, action, resource))),
        )
        const unused = [
          ...actions.filter((action) => !its.some((one) => matches(action, one.action))),
          ...resources.filter((resource) => !its.some((one) => matches(resource, one.resource))),
        ]
        return unused.map((what) => `${id}: ${what} for ${JSON.stringify(Principal)}`)
      }),
  )
}

function permissionsOf({ Action, Resource }: Statement): [action: string, resource: string][] {
  return Action.flatMap((action) => Resource.map((resource) => [action, resource] as [string, string]))
}

function uses({ action, resource }: IamRequest, pattern: string, of: string): boolean {
  return matches(pattern, action) && matches(of, resource)
}
