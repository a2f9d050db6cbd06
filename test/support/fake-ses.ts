import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * The receipt rule sets of Amazon SES: the query protocol, the existing rule sets, and the active
 * one.
 */
export interface FakeSes {
  endpoint: string
  /** Names of the rule sets; activating another one fails. */
  ruleSets: Set<string>
  active: string | undefined
  /** Rules by name. */
  rules: Map<string, { enabled: boolean }>
  /** Each call with its rule set or rule. */
  calls: string[]
  close(): Promise<void>
}

export async function startFakeSes(): Promise<FakeSes> {
  const server = createServer(async (request, response) => {
    const parameters = new URLSearchParams(await text(request))
    const action = parameters.get('Action')!
    const ruleSet = parameters.get('RuleSetName') ?? undefined
    const rule = parameters.get('RuleName') ?? parameters.get('Rule.Name') ?? ''
    ses.calls.push([action, ruleSet, rule].filter(Boolean).join(' '))
    let result = ''
    if (action === 'DescribeActiveReceiptRuleSet' && ses.active !== undefined) {
      result = `<Metadata><Name>${ses.active}</Name></Metadata>`
    } else if (action === 'SetActiveReceiptRuleSet') {
      if (ruleSet !== undefined && !ses.ruleSets.has(ruleSet)) {
        response.statusCode = 400
        const error = '<Type>Sender</Type><Code>RuleSetDoesNotExist</Code><Message>no</Message>'
        response.end(`<ErrorResponse><Error>${error}</Error></ErrorResponse>`)
        return
      }
      ses.active = ruleSet
    } else if (action === 'DescribeReceiptRule') {
      const { enabled } = ses.rules.get(rule)!
      const topic = '<TopicArn>arn:t</TopicArn><BucketName>b</BucketName>'
      const actions = `<Actions><member><S3Action>${topic}</S3Action></member></Actions>`
      result = `<Rule><Name>${rule}</Name><Enabled>${enabled}</Enabled>${actions}</Rule>`
    } else if (action === 'UpdateReceiptRule') {
      if (parameters.get('Rule.Actions.member.1.S3Action.BucketName') !== 'b') throw new Error('not whole')
      ses.rules.set(rule, { enabled: parameters.get('Rule.Enabled') === 'true' })
    }
    response.end(`<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ses: FakeSes = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ruleSets: new Set(),
    active: undefined,
    rules: new Map(),
    calls: [],
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return ses
}
