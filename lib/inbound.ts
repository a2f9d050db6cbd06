import { Duration, Stack, Validations } from 'aws-cdk-lib'
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { ReceiptRule, ReceiptRuleSet, TlsPolicy } from 'aws-cdk-lib/aws-ses'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { PREFIXES } from '../adapters/aws/env.ts'
import { grantStorage } from './grants.ts'
import { HandlerFunction, type HandlerSettings } from './handler-function.ts'
import type { Storage } from './storage.ts'

/** A 40 MB message takes 2 s; the rest is room for a slow store. */
const INGEST_TIMEOUT = Duration.seconds(60)
/** docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html: six times the function's timeout. */
const VISIBILITY_TIMEOUT = Duration.seconds(360)
/** With the visibility timeout: half an hour of tries. */
const MAX_RECEIVE_COUNT = 5

export interface InboundProps {
  storage: Storage
  handlers: HandlerSettings
  environment: Record<string, string>
}

/** Mail in: SES rule → S3 → SNS → SQS → lambdas/ingest.ts. */
export class Inbound extends Construct {
  readonly topic: Topic
  readonly queue: Queue
  readonly deadLetters: Queue
  readonly ingest: LambdaFunction
  readonly ruleSet: ReceiptRuleSet
  readonly rule: ReceiptRule

  constructor(scope: Construct, id: string, { storage, handlers, environment }: InboundProps) {
    super(scope, id)
    // Not enforceSSL alone: its Deny becomes the whole policy of the topic, and SES may not publish any more.
    this.topic = new Topic(this, 'Received', { enforceSSL: true })
    this.deadLetters = new Queue(this, 'DeadLetters', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    })
    this.topic.addSubscription(
      new SqsSubscription(this.queue, { rawMessageDelivery: true, deadLetterQueue: this.deadLetters }),
    )

    this.ingest = new HandlerFunction(this, 'Ingest', {
      ...handlers,
      handler: 'ingest',
      description: 'Stores mail that Amazon SES received',
      memoryMiB: 1536,
      timeout: INGEST_TIMEOUT,
      environment,
    }).function
    grantStorage(this.ingest, storage, {
      mailTable: 'read and write',
      keysTable: 'read and write',
      read: ['raw'],
      write: ['parts'],
      delete: ['raw', 'parts'],
    })
    this.ingest.addEventSource(
      // One at a time: a message that takes the process down would take its batch along (docs/decisions).
      new SqsEventSource(this.queue, { batchSize: 1, reportBatchItemFailures: true }),
    )

    const { rule, ruleSet } = this.#receive(storage)
    this.rule = rule
    this.ruleSet = ruleSet

    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue itself.',
    })
  }

  /**
   * The one receipt rule. It names no recipients, so that it takes mail for every verified identity and its
   * subdomains; several rules that fit would each store the message.
   */
  #receive(storage: Storage): { rule: ReceiptRule; ruleSet: ReceiptRuleSet } {
    const stack = Stack.of(this)
    // Fixed names, so that the policies can name the rule that they are for before it exists.
    const name = stack.stackName
    const fromRule = {
      StringEquals: {
        'aws:SourceAccount': stack.account,
        'aws:SourceArn': stack.formatArn({
          service: 'ses',
          resource: 'receipt-rule-set',
          resourceName: `${name}:receipt-rule/${name}`,
        }),
      },
    }
    const ses = [new ServicePrincipal('ses.amazonaws.com')]
    const policies = [
      storage.bucket.addToResourcePolicy(
        new PolicyStatement({
          sid: 'ReceivedMail',
          effect: Effect.ALLOW,
          principals: ses,
          actions: ['s3:PutObject'],
          resources: [storage.bucket.arnForObjects(`${PREFIXES.raw}*`)],
          conditions: fromRule,
        }),
      ),
      this.topic.addToResourcePolicy(
        new PolicyStatement({
          sid: 'ReceivedMail',
          effect: Effect.ALLOW,
          principals: ses,
          actions: ['sns:Publish'],
          resources: [this.topic.topicArn],
          conditions: fromRule,
        }),
      ),
    ]
    const ruleSet = new ReceiptRuleSet(this, 'RuleSet', { receiptRuleSetName: name })
    const rule = new ReceiptRule(this, 'Rule', {
      ruleSet,
      receiptRuleName: name,
      // The verdicts on spam and viruses; nothing is refused for them.
      scanEnabled: true,
      // `Require` would bounce senders without TLS.
      tlsPolicy: TlsPolicy.OPTIONAL,
      actions: [
        {
          // The S3 action of CDK grants SES the bucket without naming the rule, and nothing on the topic.
          bind: () => ({
            s3Action: {
              bucketName: storage.bucket.bucketName,
              objectKeyPrefix: PREFIXES.raw,
              topicArn: this.topic.topicArn,
            },
          }),
        },
      ],
    })
    // SES tries both permissions when the rule is made.
    for (const { policyDependable } of policies)
      if (policyDependable) rule.node.addDependency(policyDependable)
    return { rule, ruleSet }
  }
}
