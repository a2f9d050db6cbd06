import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../service/aws-log.ts'

/**
 * The fields of a request that these handlers read (docs.aws.amazon.com/AWSCloudFormation,
 * crpg-ref-requests.html).
 */
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

/** Attempts to answer CloudFormation, and the pause after the first one. */
const TRIES = 5
const PAUSE_MS = 500
const ANSWER_TIMEOUT_MS = 5000

type Outcome = { Status: 'SUCCESS' } | { Status: 'FAILED'; Reason: string }

/**
 * Returns the handler of a custom resource. It always answers, because CloudFormation waits an hour
 * for an answer.
 *
 * @param name of the physical resource; it never changes, so no update deletes anything
 */
export function customResource<Properties>(
  name: string,
  apply: (request: ResourceRequest<Properties>, remainingMs: () => number) => Promise<void>,
) {
  return async (
    request: ResourceRequest<Properties>,
    context?: { getRemainingTimeInMillis(): number },
  ): Promise<void> => {
    let outcome: Outcome
    try {
      const remainingMs = () => context?.getRemainingTimeInMillis() ?? Number.POSITIVE_INFINITY
      await apply(request, remainingMs)
      outcome = { Status: 'SUCCESS' }
    } catch (error) {
      log('error', 'the deployment failed here', { resource: request.LogicalResourceId, error })
      outcome = { Status: 'FAILED', Reason: `${(error as Error).message ?? error} (${name})`.slice(0, 3000) }
    }
    const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = name, ResponseURL } = request
    await answer(ResponseURL, { ...outcome, StackId, RequestId, LogicalResourceId, PhysicalResourceId })
  }
}

/**
 * Sends the answer until the signed URL accepts it.
 * @throws Error when all attempts failed, so that Lambda retries
 */
async function answer(url: string, body: object): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const { ok, status } = await fetch(url, {
        method: 'PUT',
        body: JSON.stringify(body),
        // The URL is signed for an empty content type.
        headers: { 'Content-Type': '' },
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      })
      if (ok) return
      throw new Error(`the answer to CloudFormation was refused with status ${status}`)
    } catch (error) {
      log('warn', 'CloudFormation did not accept the answer', { tries, error })
      if (tries === TRIES) throw error
      await sleep(PAUSE_MS * 2 ** (tries - 1))
    }
  }
}
