import { Annotations, Aws, CfnCondition, Fn, Stack, Token, Validations } from 'aws-cdk-lib'
import { Alarm, CfnAlarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaAction, SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import type { Config } from '../config/resolved.ts'
import type { ReceiptSwitch } from '../mail-in/receipt-switch.ts'
import { addDashboard } from './dashboard.ts'
import { type AlarmConfig, type AlarmProps, type Watched, watchedMetrics } from './watched.ts'

export interface OperationsProps extends Watched {
  /** Undefined if no alarm stops receiving. */
  receiptSwitch: ReceiptSwitch | undefined
  config: AlarmConfig & Pick<Config, 'alarmEmail' | 'alarmTopic' | 'encryptionKey'>
}

/** The Region of CloudFront's metrics. */
const GLOBAL_REGION = 'us-east-1'

/**
 * Alarms, the topic that receives them, and a dashboard. A test compares the alarms with
 * docs/runbook.md.
 */
export class Operations extends Construct {
  readonly topic: ITopic
  readonly #globalAlarms = new Map<string, AlarmProps>()

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id)
    const { config, receiptSwitch } = props
    this.topic = config.alarmTopic ?? this.#topic(config)
    this.#subscribe(config)
    this.#warnOfSilence(config, props.canary !== undefined)
    const alarms = new Map<string, Alarm>()
    for (const [name, alarm] of Object.entries(watchedMetrics(props, config))) {
      if (alarm.isGlobal) this.#globalAlarms.set(name, alarm)
      else alarms.set(name, this.#alarm(this, name, alarm))
    }
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

  #warnOfSilence({ silenceHours }: OperationsProps['config'], hasCanary: boolean): void {
    if (silenceHours !== undefined || hasCanary) return
    Annotations.of(this).addWarningV2(
      'mayfly:silence',
      'No alarm goes off if mail stops arriving, for example because another receipt rule set is active: ' +
        'set canary or silenceHours.',
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

  /**
   * Creates the alarms on metrics of us-east-1 if the deployment is there: an alarm and its metric
   * must be in one Region. The dashboard does not show them, because they may not exist.
   *
   * @param scope no other resource may depend on it, because its alarms may not exist
   */
  addGlobalAlarms(scope: Construct): void {
    const { region } = Stack.of(this)
    if (!Token.isUnresolved(region) && region !== GLOBAL_REGION) return
    const condition = Token.isUnresolved(region)
      ? new CfnCondition(scope, 'IsGlobalRegion', {
          expression: Fn.conditionEquals(Aws.REGION, GLOBAL_REGION),
        })
      : undefined
    Validations.of(Stack.of(this)).acknowledge({
      id: 'CloudFormation-Validate::W9053',
      reason: 'The zones of us-east-1 and its alarms are different questions.',
    })
    for (const [name, props] of this.#globalAlarms) {
      const { defaultChild } = this.#alarm(scope, name, props).node
      if (condition !== undefined && defaultChild instanceof CfnAlarm)
        defaultChild.cfnOptions.condition = condition
    }
  }

  #alarm(
    scope: Construct,
    name: string,
    { metric, threshold, below, periods = 1, bad, missingIsBad }: AlarmProps,
  ): Alarm {
    const alarm = new Alarm(scope, name.replaceAll(' ', ''), {
      alarmDescription: `${name}. What to do: docs/runbook.md#${name.toLowerCase().replaceAll(' ', '-')}`,
      metric,
      threshold,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      ...(bad !== undefined && { datapointsToAlarm: bad }),
      treatMissingData: missingIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    })
    alarm.addAlarmAction(new SnsAction(this.topic))
    alarm.addOkAction(new SnsAction(this.topic))
    return alarm
  }
}
