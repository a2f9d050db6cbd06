import {
  type CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation'

/** A deployed stack, as CloudFormation describes it. */
export interface Deployment {
  stackName: string
  /** URL of the API, without a final slash. */
  baseUrl: string
  /** Physical ids by logical ids of the resources of a type. */
  resources(type: string): Map<string, string>
  /** Returns the first domain that the service has. @throws Error if the service has no domain */
  firstDomain(): Promise<string>
}

/** @param url of the API, if it is not the output `BaseUrl` */
export async function findDeployment(
  client: CloudFormationClient,
  stackName: string,
  url?: string,
): Promise<Deployment> {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }))
  const baseUrl = url ?? stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue
  if (baseUrl === undefined) throw new Error(`the stack ${stackName} has no output BaseUrl`)
  const byType = new Map<string, Map<string, string>>()
  for await (const page of paginateListStackResources({ client }, { StackName: stackName }))
    for (const {
      ResourceType = '',
      LogicalResourceId = '',
      PhysicalResourceId = '',
    } of page.StackResourceSummaries ?? [])
      byType.set(
        ResourceType,
        (byType.get(ResourceType) ?? new Map()).set(LogicalResourceId, PhysicalResourceId),
      )
  return {
    stackName,
    baseUrl,
    resources: (type) => byType.get(type) ?? new Map(),
    async firstDomain() {
      const answer = await fetch(`${baseUrl}/api/domains`)
      const { domains = [] } = (await answer.json()) as { domains?: { domain: string }[] }
      const [first] = domains
      if (first === undefined) throw new Error('the service has no domain: name one with --domain')
      return first.domain
    },
  }
}
