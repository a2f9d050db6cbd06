import { Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { METRICS } from '../adapters/aws/env.ts'
import type { Canary } from './canary.ts'
import type { Inbound } from './inbound.ts'
import type { LiveWebFunction } from './live-web-function.ts'
import type { Config } from './resolved.ts'
import type { RestApi } from './rest-api.ts'
import type { SmtpService } from './smtp-service.ts'
import type { SseService } from './sse-service.ts'
import type { Storage } from './storage.ts'
import type { Valkey } from './valkey.ts'
import type { Verification } from './verification.ts'
import type { Webhooks } from './webhooks.ts'

const FIVE_MINUTES = Duration.minutes(5)
const ONE_MINUTE = Duration.minutes(1)
const ONE_HOUR = Duration.hours(1)
/** Twice what storing a mail of 100 KB takes. */
const USUAL_STORE_MS = 300
/** Holds at least one run of the canary, usually two. */
const CANARY_PERIOD = Duration.minutes(30)

/** The settings that alarms depend on. */
export type AlarmConfig = Pick<Config, 'inboundLimit' | 'silenceHours'>

/** An alarm: its name is a heading in docs/runbook.md. */
export interface AlarmProps {
  metric: IMetric
  /** The alarm goes off at this value, or, with `below`, under it. */
  threshold: number
  below?: boolean
  /** Consecutive periods. */
  periods?: number
  /** Whether missing data is a fault; otherwise it is good. */
  missingIsBad?: boolean
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
    ...requestAlarms(watched),
    ...liveAlarms(watched),
  }
}

function mailAlarms(
  { inbound, webhooks, verification, smtp }: Watched,
  { inboundLimit, silenceHours }: AlarmConfig,
): Record<string, AlarmProps> {
  const { queue, deadLetters } = inbound
  const maximum = { period: ONE_MINUTE, statistic: Stats.MAXIMUM }
  const received = queue.metricNumberOfMessagesSent({ period: ONE_HOUR, statistic: Stats.SUM })
  return {
    'Dead letters': { metric: deadLetters.metricApproximateNumberOfMessagesVisible(maximum), threshold: 1 },
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

function requestAlarms({
  storage,
  restApi,
  sseService,
  webFunction,
  functions,
}: Watched): Record<string, AlarmProps> {
  const throttles = functions.map((of) => of.metricThrottles({ period: FIVE_MINUTES }))
  return {
    'REST answers 5xx': {
      metric: restApi.api.metricServerError({ period: FIVE_MINUTES, statistic: Stats.SUM }),
      threshold: 5,
    },
    ...(sseService !== undefined && {
      'Streams answer 5xx': {
        metric: sseService.targets.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, {
          period: FIVE_MINUTES,
        }),
        threshold: 5,
      },
    }),
    ...(webFunction !== undefined && {
      'Streams answer 5xx': { metric: webFunctionErrors(webFunction.name), threshold: 5 },
    }),
    'Functions are throttled': { metric: sum(throttles), threshold: 1 },
    'Tables are throttled': {
      metric: sum(
        [storage.mailTable, storage.keysTable].flatMap((table) => [
          throttled(table, 'ReadThrottleEvents'),
          throttled(table, 'WriteThrottleEvents'),
        ]),
      ),
      threshold: 1,
    },
  }
}

function liveAlarms({ sseService, valkey, name }: Watched): Record<string, AlarmProps> {
  const threshold = Duration.seconds(30).toMilliseconds()
  return {
    ...(valkey !== undefined && {
      'Publisher lag': {
        metric: valkey.publisher.metric('IteratorAge', { period: ONE_MINUTE, statistic: Stats.MAXIMUM }),
        threshold,
        periods: 3,
      },
    }),
    'Reader lag': { metric: ownMetric('readerLag', name, Stats.MAXIMUM), threshold, periods: 3 },
    ...(sseService !== undefined && { 'No healthy task': noHealthyTask(sseService.targets.metrics) }),
  }
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

/** Returns a metric that the stream service writes. */
export function ownMetric(metric: 'readerLag' | 'openStreams', name: string, statistic: string): Metric {
  return new Metric({
    namespace: METRICS.namespace,
    metricName: METRICS[metric],
    dimensionsMap: { [METRICS.dimension]: name },
    statistic,
    period: ONE_MINUTE,
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

function throttled(table: Table, metricName: string): IMetric {
  return table.metric(metricName, { statistic: Stats.SUM, period: FIVE_MINUTES })
}

/**
 * At most ten metrics: the limit of an alarm (docs.aws.amazon.com/AmazonCloudWatch,
 * API_PutMetricAlarm).
 */
function sum(metrics: IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric]))
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ')
  return new MathExpression({ expression, usingMetrics, period: FIVE_MINUTES })
}
