import { Duration } from 'aws-cdk-lib'
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { ownMetric, type Watched } from './watched.ts'

/** Adds a dashboard of alarms, mail, requests and streams. */
export function addDashboard(scope: Construct, alarms: Alarm[], watched: Watched): void {
  new Dashboard(scope, 'Dashboard', {
    defaultInterval: Duration.hours(12),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 })],
      mailRow(watched),
      requestRow(watched),
      liveRow(watched),
    ],
  })
}

function graph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  return new GraphWidget({ title, left, right, width: 8, height: 6 })
}

function mailRow({
  inbound: { queue, deadLetters, subscriptionDeadLetters, ingest },
  webhooks,
  name,
}: Watched): IWidget[] {
  const failed = [deadLetters, subscriptionDeadLetters, webhooks.deadLetters].filter((of) => of !== undefined)
  return [
    graph(
      'Mail: received, oldest waiting',
      [queue.metricNumberOfMessagesSent()],
      [queue.metricApproximateAgeOfOldestMessage()],
    ),
    graph(
      'Mail: time to store, errors',
      [ingest.metricDuration({ statistic: Stats.p(50) }), ingest.metricDuration({ statistic: Stats.p(99) })],
      [ingest.metricErrors(), ownMetric('failedAttempts', name, Stats.SUM)],
    ),
    graph(
      'Mail: dead letters',
      failed.map((of) => of.metricApproximateNumberOfMessagesVisible()),
    ),
  ]
}

function requestRow({ restApi: { api }, storage: { mailTable, keysTable } }: Watched): IWidget[] {
  return [
    graph('REST: requests, 4xx, 5xx', [api.metricCount(), api.metricClientError(), api.metricServerError()]),
    graph('REST: latency', [
      api.metricLatency({ statistic: Stats.p(50) }),
      api.metricLatency({ statistic: Stats.p(99) }),
    ]),
    graph('Tables: capacity used', [
      mailTable.metricConsumedWriteCapacityUnits(),
      mailTable.metricConsumedReadCapacityUnits(),
      keysTable.metricConsumedWriteCapacityUnits(),
    ]),
  ]
}

function liveRow({ sseService, name }: Watched): IWidget[] {
  const live = graph(
    'Live: streams, reader lag',
    [ownMetric('openStreams', name, Stats.SUM)],
    [ownMetric('readerLag', name, Stats.MAXIMUM)],
  )
  if (sseService === undefined) return [live]
  const { service, targets } = sseService
  return [
    live,
    graph('Live: healthy tasks', [targets.metrics.healthyHostCount()]),
    graph('Live: task', [service.metricCpuUtilization(), service.metricMemoryUtilization()]),
  ]
}
