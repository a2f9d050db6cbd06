import { Annotations, Duration, Stack } from 'aws-cdk-lib'
import {
  Alarm,
  AlarmStatusWidget,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaAction, SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import { METRICS } from '../adapters/aws/env.ts'
import type { Inbound } from './inbound.ts'
import type { Settled } from './props.ts'
import type { Receiving } from './receiving.ts'
import type { RestApi } from './rest-api.ts'
import type { SmtpService } from './smtp-service.ts'
import type { SseService } from './sse-service.ts'
import type { Storage } from './storage.ts'
import type { Valkey } from './valkey.ts'
import type { Verification } from './verification.ts'

const FIVE_MINUTES = Duration.minutes(5)
const ONE_MINUTE = Duration.minutes(1)
const ONE_HOUR = Duration.hours(1)

export interface OperationsProps {
  storage: Storage
  inbound: Inbound
  restApi: RestApi
  sseService: SseService
  /** Undefined where tasks read the table's stream themselves. */
  valkey: Valkey | undefined
  /** Undefined where SES alone takes mail. */
  smtp: SmtpService | undefined
  verification: Verification
  /** Undefined where an alarm stops nothing. */
  receiving: Receiving | undefined
  config: Pick<Settled, 'alarmEmail' | 'alarmTopic' | 'inboundLimit'>
  /** The dimension of the metrics of its own. */
  name: string
}

interface Watched {
  metric: IMetric
  /** The alarm goes off at this value, or, with `below`, under it. */
  threshold: number
  below?: boolean
  /** Periods in a row. */
  periods?: number
  /** Whether no data at all is as bad; otherwise it is good. */
  missingIsBad?: boolean
}

/**
 * What an operator is told, and where they look. Each alarm names its heading in docs/runbook.md; a test holds
 * the two against each other.
 */
export class Operations extends Construct {
  readonly topic: ITopic
  readonly #name: string
  readonly #alarms: Alarm[] = []

  constructor(scope: Construct, id: string, props: OperationsProps) {
    super(scope, id)
    this.#name = props.name
    this.topic = props.config.alarmTopic ?? this.#topic()
    this.#hearers(props.config)
    this.#mail(props)
    this.#requests(props)
    this.#live(props)
    this.#dashboard(props)
  }

  #hearers({ alarmEmail, alarmTopic }: OperationsProps['config']): void {
    if (alarmEmail !== undefined) this.topic.addSubscription(new EmailSubscription(alarmEmail))
    if (alarmEmail !== undefined || alarmTopic !== undefined) return
    Annotations.of(this).addWarningV2(
      'mayfly:nobody-hears-alarms',
      'Nobody is told of alarms: set alarmEmail or alarmTopic, or subscribe to the topic that the stack makes.',
    )
  }

  #topic(): Topic {
    const topic = new Topic(this, 'Alarms', { enforceSSL: true })
    // The policy that refuses plain HTTP replaces the one by which the account's own services may publish.
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

  #mail({ inbound, verification, receiving, smtp, config }: OperationsProps): void {
    this.#alarm('Dead letters', {
      metric: inbound.deadLetters.metricApproximateNumberOfMessagesVisible({
        period: ONE_MINUTE,
        statistic: Stats.MAXIMUM,
      }),
      threshold: 1,
    })
    this.#alarm('Mail waits', {
      metric: inbound.queue.metricApproximateAgeOfOldestMessage({
        period: ONE_MINUTE,
        statistic: Stats.MAXIMUM,
      }),
      threshold: Duration.minutes(10).toSeconds(),
    })
    const much = this.#alarm('Much mail', {
      metric: inbound.queue.metricNumberOfMessagesSent({ period: ONE_HOUR, statistic: Stats.SUM }),
      threshold: config.inboundLimit.mailsPerHour,
    })
    if (receiving !== undefined) much.addAlarmAction(new LambdaAction(receiving.function))
    if (inbound.receiptRules !== undefined) this.#ses()
    if (smtp !== undefined) {
      this.#alarm('No SMTP task', {
        metric: smtp.targets.metrics.healthyHostCount({ period: ONE_MINUTE, statistic: Stats.MAXIMUM }),
        threshold: 1,
        below: true,
        periods: 3,
        missingIsBad: true,
      })
    }
    this.#alarm('Verification fails', {
      metric: verification.function.metricErrors({ period: FIVE_MINUTES }),
      threshold: 1,
      periods: 3,
    })
  }

  #ses(): void {
    for (const [name, metric] of [
      ['SES cannot hand over mail', 'PublishFailure'],
      ['SES gave up on mail', 'PublishExpired'],
    ] as const) {
      this.#alarm(name, {
        // All rules of the Region: AWS does not document the dimensions of these metrics.
        metric: new MathExpression({
          expression: `SELECT SUM(${metric}) FROM "AWS/SES"`,
          usingMetrics: {},
          label: metric,
          period: FIVE_MINUTES,
        }),
        threshold: 1,
      })
    }
  }

  #requests({ storage, inbound, restApi, sseService }: OperationsProps): void {
    this.#alarm('REST answers 5xx', {
      metric: restApi.api.metricServerError({ period: FIVE_MINUTES, statistic: Stats.SUM }),
      threshold: 5,
    })
    this.#alarm('Streams answer 5xx', {
      metric: sseService.targets.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, {
        period: FIVE_MINUTES,
      }),
      threshold: 5,
    })
    this.#alarm('Functions are throttled', {
      metric: sum({ api: restApi.function.metricThrottles(), ingest: inbound.ingest.metricThrottles() }),
      threshold: 1,
    })
    this.#alarm('Tables are throttled', {
      metric: sum({
        mailRead: throttled(storage.mailTable, 'ReadThrottleEvents'),
        mailWrite: throttled(storage.mailTable, 'WriteThrottleEvents'),
        keysRead: throttled(storage.keysTable, 'ReadThrottleEvents'),
        keysWrite: throttled(storage.keysTable, 'WriteThrottleEvents'),
      }),
      threshold: 1,
    })
  }

  #live({ sseService, valkey }: OperationsProps): void {
    if (valkey !== undefined) {
      this.#alarm('Publisher lag', {
        metric: valkey.publisher.metric('IteratorAge', { period: ONE_MINUTE, statistic: Stats.MAXIMUM }),
        threshold: Duration.seconds(30).toMilliseconds(),
        periods: 3,
      })
    }
    this.#alarm('Reader lag', {
      metric: this.#ownMetric('readerLag', Stats.MAXIMUM),
      threshold: Duration.seconds(30).toMilliseconds(),
      periods: 3,
    })
    this.#alarm('No healthy task', {
      metric: sseService.targets.metrics.healthyHostCount({ period: ONE_MINUTE, statistic: Stats.MAXIMUM }),
      threshold: 1,
      below: true,
      periods: 3,
      missingIsBad: true,
    })
  }

  #alarm(name: string, { metric, threshold, below, periods = 1, missingIsBad }: Watched): Alarm {
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
    this.#alarms.push(alarm)
    return alarm
  }

  #ownMetric(name: 'readerLag' | 'openStreams', statistic: string): Metric {
    return new Metric({
      namespace: METRICS.namespace,
      metricName: METRICS[name],
      dimensionsMap: { [METRICS.dimension]: this.#name },
      statistic,
      period: ONE_MINUTE,
    })
  }

  #dashboard({ storage, inbound, restApi, sseService }: OperationsProps): void {
    const { queue, deadLetters, ingest } = inbound
    const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
      new GraphWidget({ title, left, right, width: 8, height: 6 })
    const rows: IWidget[][] = [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: this.#alarms, width: 24, height: 4 })],
      [
        graph(
          'Mail: received, oldest waiting',
          [queue.metricNumberOfMessagesSent()],
          [queue.metricApproximateAgeOfOldestMessage()],
        ),
        graph(
          'Mail: stored in',
          [
            ingest.metricDuration({ statistic: Stats.p(50) }),
            ingest.metricDuration({ statistic: Stats.p(99) }),
          ],
          [ingest.metricErrors()],
        ),
        graph('Mail: dead letters', [deadLetters.metricApproximateNumberOfMessagesVisible()]),
      ],
      [
        graph('REST: requests, 4xx, 5xx', [
          restApi.api.metricCount(),
          restApi.api.metricClientError(),
          restApi.api.metricServerError(),
        ]),
        graph('REST: latency', [
          restApi.api.metricLatency({ statistic: Stats.p(50) }),
          restApi.api.metricLatency({ statistic: Stats.p(99) }),
        ]),
        graph('Tables: capacity used', [
          storage.mailTable.metricConsumedWriteCapacityUnits(),
          storage.mailTable.metricConsumedReadCapacityUnits(),
          storage.keysTable.metricConsumedWriteCapacityUnits(),
        ]),
      ],
      [
        graph(
          'Live: streams, reader lag',
          [this.#ownMetric('openStreams', Stats.SUM)],
          [this.#ownMetric('readerLag', Stats.MAXIMUM)],
        ),
        graph('Live: healthy tasks', [sseService.targets.metrics.healthyHostCount()]),
        graph('Live: task', [
          sseService.service.metricCpuUtilization(),
          sseService.service.metricMemoryUtilization(),
        ]),
      ],
    ]
    new Dashboard(this, 'Dashboard', { defaultInterval: Duration.hours(12), widgets: rows })
  }
}

function throttled(table: Table, metricName: string): IMetric {
  return table.metric(metricName, { statistic: Stats.SUM, period: FIVE_MINUTES })
}

function sum(metrics: Record<string, IMetric>): MathExpression {
  const expression = Object.keys(metrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ')
  return new MathExpression({ expression, usingMetrics: metrics, period: FIVE_MINUTES })
}
