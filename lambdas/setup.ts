/** The custom resource of a deployment: domains of the configuration, and the receipt rule set. */

import { readSettings } from '../adapters/aws/settings.ts'
import { ReceiptRules } from '../adapters/ses/receipt-rules.ts'
import { log } from './log.ts'
import { joinDomainService, OPTIONAL_SETTINGS, parsed, SERVICE_SETTINGS } from './service.ts'
import { openStore } from './store.ts'

/** What is read of a request of CloudFormation (docs.aws.amazon.com/AWSCloudFormation, crpg-ref-requests.html). */
interface ResourceRequest {
  RequestType: 'Create' | 'Update' | 'Delete'
  ResponseURL: string
  StackId: string
  RequestId: string
  LogicalResourceId: string
  ResourceProperties: { ruleSet: string }
}

const rules = new ReceiptRules()

export async function handler(request: ResourceRequest): Promise<void> {
  let outcome: { Status: 'SUCCESS' } | { Status: 'FAILED'; Reason: string } = { Status: 'SUCCESS' }
  try {
    await apply(request)
  } catch (error) {
    log('error', 'the deployment was not set up', { error })
    outcome = { Status: 'FAILED', Reason: `${error}. More is in the log of the function "Setup".` }
  }
  const { StackId, RequestId, LogicalResourceId, ResponseURL } = request
  const answer = { ...outcome, StackId, RequestId, LogicalResourceId, PhysicalResourceId: 'mayfly-setup' }
  // The URL is signed for an empty content type.
  await fetch(ResponseURL, { method: 'PUT', body: JSON.stringify(answer), headers: { 'Content-Type': '' } })
}

async function apply({ RequestType, ResourceProperties: { ruleSet } }: ResourceRequest): Promise<void> {
  if (RequestType === 'Delete') {
    await rules.deactivate(ruleSet)
    return
  }
  const settings = readSettings(process.env, SERVICE_SETTINGS, OPTIONAL_SETTINGS)
  const { configured } = parsed(settings)
  const domainService = joinDomainService(openStore({ ...settings, configured }))
  // SES may still be waiting for their DNS records; lambdas/verify.ts asks.
  const domains = configured.map((name) => ({ name, key: null }))
  await domainService.configure(domains, 'pending')
  await rules.activate(ruleSet)
}
