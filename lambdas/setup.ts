/** The custom resource of a deployment, its last one: domains of the configuration, and the receipt rule set. */

import { dynamoClient } from '../adapters/aws/clients.ts'
import { readSettings } from '../adapters/aws/settings.ts'
import { s } from '../adapters/dynamodb/attributes.ts'
import { Table } from '../adapters/dynamodb/table.ts'
import { type PreviousRuleSet, ReceiptRules } from '../adapters/ses/receipt-rules.ts'
import { joinDomainService, OPTIONAL_SETTINGS, parsed, SERVICE_SETTINGS } from '../service/aws.ts'
import { log } from '../service/aws-log.ts'
import { openStore } from '../service/aws-store.ts'
import { customResource, type ResourceRequest } from './cloudformation.ts'

/** As CloudFormation sends them: every value is text. */
interface Properties {
  /** The rule set that is to be active; empty when that is none of this deployment's business. */
  ruleSet: string
  takeOver: string
}

export const handler = customResource<Properties>('mayfly-setup', async (request) => {
  const { RequestType, ResourceProperties, OldResourceProperties } = request
  if (RequestType === 'Delete') {
    await giveBack(ResourceProperties.ruleSet)
    return
  }
  await configure()
  const before = OldResourceProperties?.ruleSet ?? ''
  if (before !== ResourceProperties.ruleSet) await giveBack(before)
  await activate(request)
})

async function giveBack(ruleSet: string): Promise<void> {
  if (ruleSet !== '') await new ReceiptRules(previousRuleSet()).giveBack(ruleSet)
}

async function activate({
  ResourceProperties: { ruleSet, takeOver },
  OldResourceProperties: old,
}: ResourceRequest<Properties>): Promise<void> {
  if (ruleSet === '') return
  const rules = new ReceiptRules(previousRuleSet())
  const active = await rules.active()
  const isNew = old?.ruleSet !== ruleSet || old.takeOver !== takeOver
  if (active !== undefined && active !== ruleSet && !isNew) {
    // Somebody has decided so since; and an update that fails for it could not be rolled back either.
    log('warn', 'another receipt rule set is active: no mail comes in by SES', { active, ours: ruleSet })
    return
  }
  await rules.activate(ruleSet, takeOver === 'true')
}

async function configure(): Promise<void> {
  const settings = readSettings(process.env, SERVICE_SETTINGS, OPTIONAL_SETTINGS)
  const { configured } = parsed(settings)
  const domainService = joinDomainService(openStore({ ...settings, configured }))
  // SES may still be waiting for their DNS records; lambdas/verify.ts asks.
  const domains = configured.map((name) => ({ name, key: null }))
  await domainService.configure(domains, 'pending')
}

/** In the keys table, which has no stream: it lives as long as the deployment. */
function previousRuleSet(): PreviousRuleSet {
  const { keysTable } = readSettings(process.env, ['keysTable'])
  const table = new Table(dynamoClient(), keysTable)
  const key = { pk: s('setup#previous-rule-set') }
  return {
    load: async () => (await table.get(key))?.name?.S,
    save: (name) => table.put({ ...key, name: s(name) }).then(() => {}),
  }
}
