import { Annotations, Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaAction, SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import { addDashboard } from './dashboard.ts'
import type { ReceiptSwitch } from './receipt-switch.ts'
import type { Config } from './resolved.ts'
import { type AlarmConfig, type AlarmProps, type Watched, watchedMetrics } from './watched.ts'

export interface OperationsProps extends Watched {
  /** Undefined if no alarm stops receiving. */
  receiptSwitch: ReceiptSwitch | undefined
  config: AlarmConfig & Pick<Config, 'alarmEmail' | 'alarmTopic' | 'encryptionKey'>
}

/**
 * Alarms, the topic that receives them, and a dashboard. A test compares the alarms with
 * docs/runbook.md.
 */
export class Operations extends Construct {
  readonly topic: ITopic

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id)
    const { config, receiptSwitch } = props
    this.topic = config.alarmTopic ?? this.#topic(config)
    this.#subscribe(config)
    const alarms = new Map<string, Alarm>()
    for (const [name, alarm] of Object.entries(watchedMetrics(props, config)))
      alarms.set(name, this.#alarm(name, alarm))
    if (receiptSwitch !== undefined)
      alarms.get('Much mail')?.addAlarmAction(new LambdaAction(receiptSwitch.function))
    addDashboard(this, [...alarms.values()], props)
  }

  #subscribe({ alarmEmail, alarmTopic }: OperationsProps['config']): void {
    if (alarmEmail !== undefined) this.topic.addSubscription(new EmailSubscription(alarmEmail))
    if (alarmEmail !== undefined || alarmTopic !== undefined) return
    Annotations.of(this).addWarningV2(
      'mayfly:alarms-without-receiver',
      'Alarms have no receiver: set alarmEmail or alarmTopic, or subscribe to the topic that the stack creates.',
    )
  }

  #topic({ encryptionKey }: OperationsProps['config']): Topic {
    const topic = new Topic(this, 'Alarms', {
      enforceSSL: true,
      ...(encryptionKey && { masterKey: encryptionKey }),
    })
    // enforceSSL replaces the default policy, by which services of the account may publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Alarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    )
    return topic
  }

  #alarm(name: string, { metric, threshold, below, periods = 1, missingIsBad }: AlarmProps): Alarm {
    const alarm = new Alarm(this, name.replaceAll(' ', ''), {
      alarmDescription: `${name}. What to do: docs/runbook.md#${name.toLowerCase().replaceAll(' ', '-')}`,
      metric,
      threshold,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: missingIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    })
    alarm.addAlarmAction(new SnsAction(this.topic))
    alarm.addOkAction(new SnsAction(this.topic))
    return alarm
  }
}
