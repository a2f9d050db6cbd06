import { runSimulation } from '@cloud-copilot/iam-simulate'
import { ACCOUNT, type Policies, type Role, type Statement } from './policies.ts'
import type { IamRequest } from './requests.ts'

/** Who makes a request: a role of the stack, or a service of AWS for a resource of the stack. */
export type Principal = Pick<Role, 'arn' | 'statements' | 'managed'> | { service: string }

/** Services that encrypt with the key by themselves; docs/aws.md names them. */
export const KEY_SERVICES = ['cloudwatch', 'ses', 'sns']

/**
 * The policy of a key that docs/aws.md asks for: the roles of the account, by their own policies,
 * and the services that encrypt for others.
 */
const KEY_POLICY = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` }, Action: 'kms:*', Resource: '*' },
    {
      Effect: 'Allow',
      Principal: { Service: KEY_SERVICES.map((service) => `${service}.amazonaws.com`) },
      Action: ['kms:GenerateDataKey*', 'kms:Decrypt'],
      Resource: '*',
    },
  ],
}

/**
 * Whether IAM allows a request, with the policies of its role, of its resource and of the key.
 * @throws Error if the engine does not know the action, the resource or a condition key
 */
export async function isAllowed(
  { action, resource, context }: IamRequest,
  principal: Principal,
  policies: Policies,
): Promise<boolean> {
  const isRole = 'arn' in principal
  const result = await runSimulation(
    {
      request: {
        principal: isRole ? principal.arn : principal.service,
        action,
        resource: { resource, accountId: ACCOUNT },
        // Every client of this project speaks TLS.
        contextVariables: { 'aws:SecureTransport': 'true', ...context },
      },
      identityPolicies: isRole
        ? [{ name: 'role', policy: policyOf([...principal.statements, ...principal.managed]) }]
        : [],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      resourcePolicy: action.startsWith('kms:') ? KEY_POLICY : policies.resourcePolicy(resource),
    },
    {},
  )
  if (result.resultType === 'error')
    throw new Error(`${action} on ${resource}: ${JSON.stringify(result.errors)}`)
  return result.overallResult === 'Allowed'
}

function policyOf(statements: Statement[]) {
  return { Version: '2012-10-17', Statement: statements }
}

/** Whether a pattern of a policy, with `*`, matches. Actions differ in case only by mistake. */
export function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${escaped}$`, 'i').test(text)
}
