import { Stack } from 'aws-cdk-lib'
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type IReceiptRuleSet, ReceiptRule, ReceiptRuleSet, TlsPolicy } from 'aws-cdk-lib/aws-ses'
import type { Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { PREFIXES } from '../../adapters/aws/env.ts'
import { localName } from '../names.ts'
import type { Storage } from '../storage.ts'

/**
 * A rule has at most 100 recipients, and a domain uses two
 * (docs.aws.amazon.com/ses/latest/dg/quotas.html).
 */
const DOMAINS_PER_RULE = 50
/** SES accepts up to 64 characters. */
const NAME_LENGTH = 60

export interface ReceiptRulesProps {
  storage: Storage
  topic: Topic
  /** An existing rule set: the rules are added to it, for these domains and their subdomains. */
  shared: { name: string; domains: string[] } | undefined
}

/**
 * The rules by which SES writes mail to S3 and then notifies the topic. The stack's own rule set
 * has one rule without recipients, which matches mail for every verified identity and its
 * subdomains.
 */
export class ReceiptRules extends Construct {
  readonly ruleSetName: string
  readonly ruleNames: string[]

  constructor(scope: Construct, id: string, { storage, topic, shared }: ReceiptRulesProps) {
    super(scope, id)
    // Fixed names: the policies name the rules before these exist.
    const name = localName(scope.node.scope!, NAME_LENGTH)
    this.ruleSetName = shared?.name ?? name
    const ruleSet: IReceiptRuleSet = shared
      ? ReceiptRuleSet.fromReceiptRuleSetName(this, 'RuleSet', shared.name)
      : new ReceiptRuleSet(this, 'RuleSet', { receiptRuleSetName: name })
    const recipients = shared === undefined ? [undefined] : chunks(shared.domains.flatMap(withSubdomains))
    this.ruleNames = recipients.map((_, i) => (i === 0 ? name : `${name}-${i + 1}`))
    const policies = this.#allow(storage, topic)
    this.ruleNames.forEach((receiptRuleName, i) => {
      const rule = new ReceiptRule(this, i === 0 ? 'Rule' : `Rule${i + 1}`, {
        ruleSet,
        receiptRuleName,
        recipients: recipients[i],
        // For the verdicts on spam and viruses; mail is accepted whatever they say.
        scanEnabled: true,
        // `Require` would reject senders without TLS.
        tlsPolicy: TlsPolicy.OPTIONAL,
        actions: [
          {
            // CDK's S3 action lets any rule write to the bucket, and does not let SES publish to
            // the topic.
            bind: () => ({
              s3Action: {
                bucketName: storage.bucket.bucketName,
                objectKeyPrefix: PREFIXES.raw,
                topicArn: topic.topicArn,
              },
            }),
          },
        ],
      })
      // SES checks both permissions when the rule is created, and a notification without a
      // subscriber is lost.
      rule.node.addDependency(topic, ...policies)
    })
  }

  #allow(storage: Storage, topic: Topic): Construct[] {
    const stack = Stack.of(this)
    const arns = this.ruleNames.map((rule) =>
      stack.formatArn({
        service: 'ses',
        resource: 'receipt-rule-set',
        resourceName: `${this.ruleSetName}:receipt-rule/${rule}`,
      }),
    )
    const statement = (action: string, resource: string) =>
      new PolicyStatement({
        sid: 'ReceivedMail',
        effect: Effect.ALLOW,
        principals: [new ServicePrincipal('ses.amazonaws.com')],
        actions: [action],
        resources: [resource],
        conditions: { StringEquals: { 'aws:SourceAccount': stack.account, 'aws:SourceArn': arns } },
      })
    const objects = storage.bucket.arnForObjects(`${PREFIXES.raw}*`)
    return [
      storage.bucket.addToResourcePolicy(statement('s3:PutObject', objects)),
      topic.addToResourcePolicy(statement('sns:Publish', topic.topicArn)),
    ].map(({ policyDependable }) => policyDependable as Construct)
  }
}

/**
 * docs.aws.amazon.com/ses/latest/dg/receiving-email-receipt-rules-console-walkthrough.html,
 * recipient conditions.
 */
function withSubdomains(domain: string): string[] {
  return [domain, `.${domain}`]
}

function chunks(recipients: string[]): string[][] {
  const found: string[][] = []
  for (let i = 0; i < recipients.length; i += 2 * DOMAINS_PER_RULE)
    found.push(recipients.slice(i, i + 2 * DOMAINS_PER_RULE))
  return found
}
