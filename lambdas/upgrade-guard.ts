/** The custom resource that refuses a deployment which would delete mail or keys: its first step. */
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation'
import { STATEFUL_TYPES } from '../adapters/aws/env.ts'
import { customResource } from './cloudformation.ts'

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
    if (RequestType === 'Delete') return
    const pattern = new RegExp(guarded)
    const deployed = (await statefulResources(StackId)).filter((id) => pattern.test(id))
    const lost = deployed.filter((id) => !kept.includes(id))
    if (lost.length > 0) throw new Error(refusal(StackId, lost))
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
