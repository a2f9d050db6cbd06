import { log } from '../service/aws-log.ts'

/** What is read of a request of CloudFormation (docs.aws.amazon.com/AWSCloudFormation, crpg-ref-requests.html). */
export interface ResourceRequest<Properties> {
  RequestType: 'Create' | 'Update' | 'Delete'
  ResponseURL: string
  StackId: string
  RequestId: string
  LogicalResourceId: string
  PhysicalResourceId?: string
  ResourceProperties: Properties
  OldResourceProperties?: Properties
}

/**
 * The handler of a custom resource. Whatever happens is answered: CloudFormation waits for an hour otherwise.
 *
 * @param name of the physical resource; it never changes, so that no update deletes anything
 */
export function customResource<Properties>(
  name: string,
  apply: (request: ResourceRequest<Properties>, remainingMs: () => number) => Promise<void>,
) {
  return async (
    request: ResourceRequest<Properties>,
    context?: { getRemainingTimeInMillis(): number },
  ): Promise<void> => {
    let outcome: { Status: 'SUCCESS' } | { Status: 'FAILED'; Reason: string } = { Status: 'SUCCESS' }
    try {
      await apply(request, () => context?.getRemainingTimeInMillis() ?? Number.POSITIVE_INFINITY)
    } catch (error) {
      log('error', 'the deployment failed here', { resource: request.LogicalResourceId, error })
      outcome = { Status: 'FAILED', Reason: `${(error as Error).message ?? error} (${name})`.slice(0, 3000) }
    }
    const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = name, ResponseURL } = request
    const answer = { ...outcome, StackId, RequestId, LogicalResourceId, PhysicalResourceId }
    // The URL is signed for an empty content type.
    await fetch(ResponseURL, { method: 'PUT', body: JSON.stringify(answer), headers: { 'Content-Type': '' } })
  }
}
