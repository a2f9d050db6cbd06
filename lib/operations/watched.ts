import { Duration } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { HttpCodeElb, HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { METRICS, TABLES } from '../../adapters/aws/env.ts'
import type { RestApi } from '../api/rest-api.ts'
import type { Verification } from '../api/verification.ts'
import type { Webhooks } from '../api/webhooks.ts'
import type { Config } from '../config/resolved.ts'
import type { SseService } from '../live/sse-service.ts'
import type { Valkey } from '../live/valkey.ts'
import type { LiveWebFunction } from '../live/web-function.ts'
import type { Inbound } from '../mail-in/inbound.ts'
import type { SmtpService } from '../mail-in/smtp-service.ts'
import type { Storage } from '../storage.ts'
import type { Canary } from './canary.ts'

const FIVE_MINUTES = Duration.minutes(5)
const ONE_MINUTE = Duration.minutes(1)
const ONE_HOUR = Duration.hours(1)
/** Twice what storing a mail of 100 KB takes. */
const USUAL_STORE_MS = 300
/** Holds at least one run of the canary, usually two. */
const CANARY_PERIOD = Duration.minutes(30)
/** Holds at least two runs of the reconciler: the alarm goes off if all of them failed. */
const RECONCILER_PERIOD = Duration.hours(3)

/**
 * For an expression that fills what is missing, with periods of a minute: CloudWatch may publish a
 * metric two minutes late, and until then the newest periods have the filling only. An alarm that
 * looks at those alone never changes its state
 * (docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html, FILL).
 */
const LATE_METRICS = { periods: 5, bad: 1 }

/** The part of a capacity at which an operator is warned. */
const NEARLY_FULL = 0.8

/** The settings that alarms depend on. */
export type AlarmConfig = Pick<Config, 'inboundLimit' | 'silenceHours' | 'throttle'>

/** An alarm: its name is a heading in docs/runbook.md. */
export interface AlarmProps {
  metric: IMetric
  /** The alarm goes off at this value, or, with `below`, under it. */
  threshold: number
  below?: boolean
  /** Consecutive periods. */
  periods?: number
  /** How many of them must be at the threshold. @default all */
  bad?: number
  /** Whether missing data is a fault; otherwise it is good. */
  missingIsBad?: boolean
  /** Whether the metric exists in us-east-1 only. */
  isGlobal?: boolean
}

/** The parts of the service that alarms and the dashboard show. */
export interface Watched {
  storage: Storage
  inbound: Inbound
  webhooks: Webhooks
  restApi: RestApi
  /** Undefined if a web function serves the live endpoints. */
  sseService: SseService | undefined
  /** Undefined if tasks on Fargate serve the live endpoints. */
  webFunction: LiveWebFunction | undefined
  /** Undefined if tasks read the table's stream themselves. */
  valkey: Valkey | undefined
  /** Undefined if only SES receives mail. */
  smtp: SmtpService | undefined
  verification: Verification
  /** Undefined if the configuration has no canary. */
  canary: Canary | undefined
  distribution: Distribution
  /** Functions that run between deployments. */
  functions: LambdaFunction[]
  /** Value of the dimension of this project's metrics. */
  name: string
}

/** Returns the alarms by name. */
export function watchedMetrics(watched: Watched, config: AlarmConfig): Record<string, AlarmProps> {
  return {
    ...mailAlarms(watched, config),
    ...canaryAlarm(watched),
    ...requestAlarms(watched, config),
    ...liveAlarms(watched),
  }
}

function mailAlarms(
  { inbound, webhooks, verification, smtp, name }: Watched,
  { inboundLimit, silenceHours }: AlarmConfig,
): Record<string, AlarmProps> {
  const { queue, deadLetters, subscriptionDeadLetters, ingest, reconciler } = inbound
  const maximum = { period: ONE_MINUTE, statistic: Stats.MAXIMUM }
  const received = queue.metricNumberOfMessagesSent({ period: ONE_HOUR, statistic: Stats.SUM })
  return {
    'Dead letters': {
      metric: sum(
        [deadLetters, subscriptionDeadLetters, webhooks.deadLetters]
          .filter((of) => of !== undefined)
          .map((of) => of.metricApproximateNumberOfMessagesVisible(maximum)),
        ONE_MINUTE,
      ),
      threshold: 1,
      ...LATE_METRICS,
    },
    // SQS leaves messages that were received three times out of the age of the oldest one, and
    // Lambda counts no error for messages of a batch that failed: an outage shows here only.
    'Mail fails': {
      metric: sum(
        [
          ownMetric('failedAttempts', name, Stats.SUM, FIVE_MINUTES),
          ingest.metricErrors({ period: FIVE_MINUTES }),
        ],
        FIVE_MINUTES,
      ),
      threshold: 5,
    },
    ...(reconciler !== undefined && {
      'Reconciler fails': {
        metric: reconciler.metricErrors({ period: RECONCILER_PERIOD, statistic: Stats.MINIMUM }),
        threshold: 1,
      },
    }),
    'Mail waits': {
      metric: queue.metricApproximateAgeOfOldestMessage(maximum),
      threshold: Duration.minutes(10).toSeconds(),
    },
    'Webhooks wait': {
      metric: webhooks.queue.metricApproximateAgeOfOldestMessage(maximum),
      // A job that is due later returns to the queue every 15 minutes, so a healthy queue is
      // younger.
      threshold: Duration.minutes(30).toSeconds(),
    },
    'Much mail': { metric: received, threshold: inboundLimit.mailsPerHour },
    // A mail of 40 MB, or of five hundred attachments, costs as much as a hundred usual ones.
    'Expensive mail': {
      metric: inbound.ingest.metricDuration({ period: ONE_HOUR, statistic: Stats.SUM }),
      threshold: inboundLimit.mailsPerHour * USUAL_STORE_MS,
    },
    ...(silenceHours !== undefined && {
      'No mail': { metric: received, threshold: 1, below: true, periods: silenceHours, missingIsBad: true },
    }),
    ...(inbound.receiptRules !== undefined && {
      'SES cannot hand over mail': { metric: sesMetric('PublishFailure'), threshold: 1 },
      'SES gave up on mail': { metric: sesMetric('PublishExpired'), threshold: 1 },
    }),
    ...(smtp !== undefined && { 'No SMTP task': noHealthyTask(smtp.targets.metrics) }),
    'Verification fails': {
      metric: verification.function.metricErrors({ period: FIVE_MINUTES }),
      threshold: 1,
      periods: 3,
    },
  }
}

/** Every run failed, or none took place: a single lost run raises no alarm. */
function canaryAlarm({ canary }: Watched): Record<string, AlarmProps> {
  if (canary === undefined) return {}
  const metric = canary.function.metricErrors({ period: CANARY_PERIOD, statistic: Stats.MINIMUM })
  return { 'Canary fails': { metric, threshold: 1, missingIsBad: true } }
}

function requestAlarms(
  { storage, restApi, sseService, webFunction, functions, distribution }: Watched,
  { throttle }: AlarmConfig,
): Record<string, AlarmProps> {
  const throttles = functions.map((of) => of.metricThrottles({ period: FIVE_MINUTES }))
  return {
    'REST answers 5xx': {
      metric: restApi.api.metricServerError({ period: FIVE_MINUTES, statistic: Stats.SUM }),
      threshold: 5,
    },
    // Above the throttle, an HTTP API refuses any caller with 429, and may count none of these answers
    // (docs.aws.amazon.com/apigateway/latest/developerguide/http-api-monitor.html). The requests that
    // it lets through are counted.
    'REST is nearly full': {
      metric: restApi.api.metricCount({ period: FIVE_MINUTES, statistic: Stats.SUM }),
      threshold: Math.floor(throttle.requestsPerSecond * FIVE_MINUTES.toSeconds() * NEARLY_FULL),
    },
    ...(sseService !== undefined && {
      'Streams answer 5xx': { metric: balancerErrors(sseService), threshold: 5 },
    }),
    ...(webFunction !== undefined && {
      'Streams answer 5xx': { metric: webFunctionErrors(webFunction.name), threshold: 5 },
    }),
    // The only alarm that sees a broken way from CloudFront to an origin.
    'CloudFront answers 5xx': {
      metric: distribution.metric5xxErrorRate({ period: FIVE_MINUTES }),
      threshold: 5,
      periods: 2,
      isGlobal: true,
    },
    'Functions are throttled': { metric: sum(throttles, FIVE_MINUTES), threshold: 1 },
    'Tables are throttled': {
      metric: sum(
        [
          throttlesOf(storage.mailTable),
          throttlesOfIndex(storage.mailTable),
          throttlesOf(storage.keysTable),
        ].flat(),
        FIVE_MINUTES,
      ),
      threshold: 1,
    },
  }
}

function liveAlarms({ sseService, webFunction, valkey, name }: Watched): Record<string, AlarmProps> {
  const threshold = Duration.seconds(30).toMilliseconds()
  return {
    ...(valkey !== undefined && {
      'Publisher lag': {
        metric: valkey.publisher.metric('IteratorAge', { period: ONE_MINUTE, statistic: Stats.MAXIMUM }),
        threshold,
        periods: 3,
      },
    }),
    'Reader lag': sseService === undefined ? lagOfWebFunction(name, threshold) : lagOfTasks(name, threshold),
    ...(webFunction !== undefined && {
      'Streams are nearly full': {
        metric: ownMetric('openStreams', name, Stats.SUM),
        threshold: Math.floor(webFunction.capacity * NEARLY_FULL),
        periods: 3,
      },
    }),
    ...(sseService !== undefined && { 'No healthy task': noHealthyTask(sseService.targets.metrics) }),
  }
}

/** A task writes its lag every minute: a missing one is a fault. */
function lagOfTasks(name: string, threshold: number): AlarmProps {
  return { metric: ownMetric('readerLag', name, Stats.MAXIMUM), threshold, periods: 3, missingIsBad: true }
}

/**
 * No environment of the web function runs without a request, so a missing lag is a fault only while
 * streams are open: after the last known number of streams was not 0. An environment that ends
 * writes 0.
 */
function lagOfWebFunction(name: string, threshold: number): AlarmProps {
  const metric = new MathExpression({
    expression: `IF(FILL(streams, REPEAT) > 0, FILL(lag, ${threshold}), 0)`,
    usingMetrics: {
      streams: ownMetric('openStreams', name, Stats.SUM),
      lag: ownMetric('readerLag', name, Stats.MAXIMUM),
    },
    period: ONE_MINUTE,
  })
  return { metric, threshold, periods: 5, bad: 3 }
}

function noHealthyTask(targets: {
  healthyHostCount(options: { period: Duration; statistic: string }): IMetric
}): AlarmProps {
  return {
    metric: targets.healthyHostCount({ period: ONE_MINUTE, statistic: Stats.MAXIMUM }),
    threshold: 1,
    below: true,
    periods: 3,
    missingIsBad: true,
  }
}

/** Returns a metric that a program writes to its log. */
export function ownMetric(
  metric: 'readerLag' | 'openStreams' | 'failedAttempts',
  name: string,
  statistic: string,
  period = ONE_MINUTE,
): Metric {
  return new Metric({
    namespace: METRICS.namespace,
    metricName: METRICS[metric],
    dimensionsMap: { [METRICS.dimension]: name },
    statistic,
    period,
  })
}

/** Sums over all rules of the Region: AWS does not document the dimensions of these metrics. */
function sesMetric(name: string): MathExpression {
  return new MathExpression({
    expression: `SELECT SUM(${name}) FROM "AWS/SES"`,
    usingMetrics: {},
    label: name,
    period: FIVE_MINUTES,
  })
}

/**
 * Sums the answers of the tasks and those of the balancer itself, which are the only ones if a
 * security group or a listener is wrong (docs.aws.amazon.com/elasticloadbalancing/latest/application,
 * load-balancer-cloudwatch-metrics.html).
 */
function balancerErrors({ targets, loadBalancer }: SseService): MathExpression {
  const options = { period: FIVE_MINUTES, statistic: Stats.SUM }
  return sum(
    [
      targets.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, options),
      loadBalancer.metrics.httpCodeElb(HttpCodeElb.ELB_5XX_COUNT, options),
    ],
    FIVE_MINUTES,
  )
}

/**
 * Sums over the endpoints of a web function
 * (docs.aws.amazon.com/lambda/latest/dg/web-functions-monitoring-metrics.html).
 */
function webFunctionErrors(name: string): MathExpression {
  return new MathExpression({
    expression: `SELECT SUM(HTTPResponseStatusClass5XX) FROM "AWS/Lambda/Web" WHERE FunctionName = '${name}'`,
    usingMetrics: {},
    label: 'HTTPResponseStatusClass5XX',
    period: FIVE_MINUTES,
  })
}

function throttlesOf(table: Table, dimensionsMap = {}): IMetric[] {
  return ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
    table
      .metric(name, { statistic: Stats.SUM, period: FIVE_MINUTES })
      .with({ dimensionsMap: { TableName: table.tableName, ...dimensionsMap } }),
  )
}

/**
 * The metrics of a table leave out its index, whose throttling refuses writes to the table
 * (docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html).
 */
function throttlesOfIndex(table: Table): IMetric[] {
  return throttlesOf(table, { GlobalSecondaryIndexName: TABLES.mail.index.name })
}

/**
 * At most ten metrics: the limit of an alarm (docs.aws.amazon.com/AmazonCloudWatch,
 * API_PutMetricAlarm).
 */
function sum(metrics: IMetric[], period: Duration): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric]))
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ')
  return new MathExpression({ expression, usingMetrics, period })
}
