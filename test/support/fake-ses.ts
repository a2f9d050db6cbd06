import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listening } from './http-server.ts'

/**
 * The receipt rule sets of Amazon SES: the query protocol, the existing rule sets, and the active
 * one.
 */
export interface FakeSes {
  endpoint: string
  /** Names of the rule sets; activating another one fails. */
  ruleSets: Set<string>
  active: string | undefined
  /** The error of each activation of a rule set; undefined: it is accepted. */
  refusal: string | undefined
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
      if (ses.refusal !== undefined && ruleSet !== undefined) return refuse(response, ses.refusal)
      if (ruleSet !== undefined && !ses.ruleSets.has(ruleSet)) {
        return refuse(response, 'RuleSetDoesNotExist')
      }
      ses.active = ruleSet
    } else if (action === 'DescribeReceiptRule') {
      const { enabled } = ses.rules.get(rule)!
      const topic = '<TopicArn>arn:t</TopicArn><BucketName>b</BucketName>'
      const actions = `<Actions><member><S3Action>${topic}</S3Action></member></Actions>`
      result = `<Rule><Name>${rule}</Name><Enabled>${enabled}</Enabled>${actions}</Rule>`
    } else if (action === 'UpdateReceiptRule') {
      // SES replaces the whole rule, so an update without its actions would remove them.
      if (parameters.get('Rule.Actions.member.1.S3Action.BucketName') !== 'b')
        return refuse(response, 'RuleWithoutItsActions')
      ses.rules.set(rule, { enabled: parameters.get('Rule.Enabled') === 'true' })
    }
    response.end(`<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`)
  })
  const { url, close } = await listening(server)
  const ses: FakeSes = {
    endpoint: url,
    ruleSets: new Set(),
    active: undefined,
    refusal: undefined,
    rules: new Map(),
    calls: [],
    close,
  }
  return ses
}

/** An error reaches the test through the SDK; one that the server throws would leave the request without an answer. */
function refuse(response: ServerResponse, code: string): void {
  const error = `<Type>Sender</Type><Code>${code}</Code><Message>no</Message>`
  response.writeHead(400).end(`<ErrorResponse><Error>${error}</Error></ErrorResponse>`)
}
