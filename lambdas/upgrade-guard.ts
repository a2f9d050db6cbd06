/**
 * The custom resource that refuses a deployment which would delete mail or keys: its first step.
 * Its attribute `upgradeEndsAt` is a day after the beginning of a deployment over version 0.2.0, in
 * Unix ms, and 0 otherwise.
 */
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation'
import { STATEFUL_TYPES } from '../adapters/aws/env.ts'
import { customResource } from './cloudformation.ts'

/**
 * A deployment takes less than this. Until it ends, or is rolled back, programs of both versions
 * may run.
 */
const UPGRADE_MS = 24 * 60 * 60 * 1000

interface Properties {
  /** Logical ids of the resources with data in the template that is being deployed. */
  kept: string[]
  /** A regular expression for the logical ids of this project's resources. */
  guarded: string
}

const client = new CloudFormationClient({})

export const handler = customResource<Properties>(
  'mayfly-upgrade-guard',
  async ({ RequestType, StackId, ResourceProperties: { kept, guarded } }) => {
    if (RequestType === 'Delete') return undefined
    const pattern = new RegExp(guarded)
    const deployed = (await statefulResources(StackId)).filter((id) => pattern.test(id))
    const lost = deployed.filter((id) => !kept.includes(id))
    if (lost.length > 0) throw new Error(refusal(StackId, lost))
    // Version 0.2.0 has tables, but not this resource.
    const isUpgrade = RequestType === 'Create' && deployed.length > 0
    return { upgradeEndsAt: String(isUpgrade ? Date.now() + UPGRADE_MS : 0) }
  },
)

/** Returns the logical ids of the deployed resources that hold data. */
async function statefulResources(stack: string): Promise<string[]> {
  const ids: string[] = []
  for await (const page of paginateListStackResources({ client }, { StackName: stack })) {
    for (const { LogicalResourceId = '', ResourceType = '', ResourceStatus } of page.StackResourceSummaries ??
      [])
      if (STATEFUL_TYPES.includes(ResourceType) && ResourceStatus !== 'DELETE_COMPLETE')
        ids.push(LogicalResourceId)
  }
  return ids
}

function refusal(stack: string, lost: string[]): string {
  // arn:aws:cloudformation:<region>:<account>:stack/<name>/<id>
  const name = stack.split('/')[1] ?? stack
  return (
    `This deployment would delete ${lost.join(', ')} with all mail and keys, because the stack "${name}" was ` +
    'deployed by an incompatible version. Nothing was changed. To keep the data, deploy this version beside it ' +
    `("stackName": "${name}-2", "takeOver": true in the configuration file), and when the old mail has expired ` +
    `delete the old stack: npx cdk destroy ${name}`
  )
}
