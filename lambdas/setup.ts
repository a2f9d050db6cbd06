/**
 * The custom resource that is the last step of a deployment: configured domains, and the active
 * receipt rule set.
 */
import { dynamoClient } from '../adapters/aws/clients.ts'
import { readSettings } from '../adapters/aws/settings.ts'
import { s } from '../adapters/dynamodb/attributes.ts'
import { Table } from '../adapters/dynamodb/table.ts'
import { type PreviousRuleSet, ReceiptRules } from '../adapters/ses/receipt-rules.ts'
import { assembleDomainService } from '../service/assemble.ts'
import { OPTIONAL_SETTINGS, SERVICE_SETTINGS } from '../service/aws.ts'
import { log } from '../service/aws-log.ts'
import { openStore } from '../service/aws-store.ts'
import { customResource, type ResourceRequest } from './cloudformation.ts'

/** CloudFormation sends every value as text. */
interface Properties {
  /** The rule set to activate; empty if this deployment does not decide that. */
  ruleSet: string
  takeOver: string
  /** Names of the configured domains. */
  domains?: string[]
}

export const handler = customResource<Properties>('mayfly-setup', async (request) => {
  const { RequestType, ResourceProperties, OldResourceProperties } = request
  if (RequestType === 'Delete') {
    await giveBack(ResourceProperties.ruleSet)
    return
  }
  await configure(ResourceProperties.domains ?? [])
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
    // An operator activated it after the last deployment. Failing here would fail the rollback too.
    log('warn', 'another receipt rule set is active: no mail arrives by SES', { active, ours: ruleSet })
    return
  }
  await rules.activate(ruleSet, takeOver === 'true')
}

async function configure(names: string[]): Promise<void> {
  const settings = readSettings(process.env, SERVICE_SETTINGS, OPTIONAL_SETTINGS)
  const domains = names.map((name) => ({ name, key: null }))
  // SES may not have seen their DNS records yet; lambdas/verify.ts checks again.
  await assembleDomainService(openStore(settings)).configure(domains, 'pending')
}

/** An item in the keys table, which has no stream; it lives as long as the deployment. */
function previousRuleSet(): PreviousRuleSet {
  const { keysTable } = readSettings(process.env, ['keysTable'])
  const table = new Table(dynamoClient(), keysTable)
  const key = { pk: s('setup#previous-rule-set') }
  return {
    load: async () => (await table.get(key))?.name?.S,
    save: (name) => table.put({ ...key, name: s(name) }).then(() => {}),
  }
}
