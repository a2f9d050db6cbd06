import { countAtThrottle } from './api-gateway.ts'
import type { Metrics, Series } from './cloudwatch.ts'
import { errorsOf } from './lambda.ts'
import { metricOf5xx } from './load-balancer.ts'
import { ageOfOldest, INACTIVE_MINUTES, type Message } from './sqs.ts'

/** What happens in the case of an alarm, and the metrics that AWS then publishes. */
export interface Outage {
  /** For the table in docs/runbook.md. */
  happens: string
  metrics: Metrics
}

const always =
  (value: number): Series =>
  () =>
    value
const none: Series = () => undefined

/** Attempts of a message that meets an outage, by minute (lambdas/ingest.ts): eight within 42 s. */
const QUICK_ATTEMPTS = 8
/** One mail a minute, none of which can be stored. */
export const storeIsAway: Metrics = {
  FailedAttempts: (minute) => (minute < 0 ? 0 : QUICK_ATTEMPTS),
  Errors: () => errorsOf({ throws: false, batchItemFailures: QUICK_ATTEMPTS }),
  // Each message is received eight times in its first minute.
  ApproximateAgeOfOldestMessage: (minute) =>
    ageOfOldest(
      Array.from({ length: minute }, (_, sentAt): Message => ({ sentAt, receives: QUICK_ATTEMPTS })),
      minute,
    ),
}

/** By the name of the alarm: the case for which it exists. */
export const OUTAGES: Record<string, Outage> = {
  'Dead letters': {
    happens: 'a message is in a dead-letter queue',
    // No consumer uses the queue until then.
    metrics: {
      ApproximateNumberOfMessagesVisible: (minute) => (minute < INACTIVE_MINUTES ? undefined : 1),
    },
  },
  'Mail fails': { happens: 'the store does not answer, and a mail arrives', metrics: storeIsAway },
  'Reconciler fails': {
    happens: 'every run within three hours fails',
    metrics: { Errors: (minute) => (minute % 60 === 0 ? 1 : undefined) },
  },
  'Mail waits': {
    happens: 'mail arrives faster than it is stored',
    metrics: {
      ApproximateAgeOfOldestMessage: (minute) => ageOfOldest([{ sentAt: 0, receives: 0 }], minute),
    },
  },
  'Webhooks wait': {
    happens: 'targets hang, and a job waits',
    metrics: {
      ApproximateAgeOfOldestMessage: (minute) => ageOfOldest([{ sentAt: 0, receives: 0 }], minute),
    },
  },
  'Much mail': {
    happens: 'twice as many mails as `inboundLimit.mailsPerHour` arrive',
    metrics: { NumberOfMessagesSent: always((2 * 1000) / 60) },
  },
  'Expensive mail': {
    happens: 'storing takes twice the time of `inboundLimit.mailsPerHour` usual mails',
    metrics: { Duration: always((2 * 1000 * 300) / 60) },
  },
  'No mail': { happens: 'no mail arrives', metrics: { NumberOfMessagesSent: none } },
  'Canary fails': {
    happens: 'no mail of the canary arrives',
    metrics: { Errors: (minute) => (minute % 15 === 0 ? 1 : undefined) },
  },
  'SES cannot hand over mail': {
    happens: 'an action of a receipt rule fails',
    metrics: { PublishFailure: always(1) },
  },
  'SES gave up on mail': {
    happens: 'SES has retried for four hours',
    metrics: { PublishExpired: always(1) },
  },
  'No SMTP task': { happens: 'no SMTP task is healthy', metrics: { HealthyHostCount: always(0) } },
  'Verification fails': {
    happens: 'the tables do not answer',
    metrics: { Errors: (minute) => (minute % 5 === 0 ? 1 : undefined) },
  },
  'REST answers 5xx': { happens: 'the API answers one 5xx a minute', metrics: { '5xx': always(1) } },
  'REST is nearly full': {
    happens: 'callers send what `throttle` lets through',
    metrics: { Count: always(countAtThrottle(200)) },
  },
  'CloudFront answers 5xx': {
    happens: 'CloudFront does not reach an origin',
    metrics: { '5xxErrorRate': always(100) },
  },
  'Streams answer 5xx': {
    happens: 'the load balancer does not reach a task, one request a minute',
    metrics: { [metricOf5xx('balancer')]: always(1), [metricOf5xx('target')]: none },
  },
  'Functions are throttled': { happens: 'a function is throttled', metrics: { Throttles: always(1) } },
  'Tables are throttled': { happens: 'a table is throttled', metrics: { WriteThrottleEvents: always(1) } },
  'Publisher lag': {
    happens: 'Valkey does not answer',
    metrics: { IteratorAge: (minute) => minute * 60_000 },
  },
  'Reader lag': {
    happens: 'the program that reads the stream writes no metric any more, with streams open',
    metrics: { ReaderLag: none, OpenStreams: (minute) => (minute < 1 ? 3 : undefined) },
  },
  'Streams are nearly full': {
    happens: '`"live": "web-function"` has 250 streams',
    metrics: { OpenStreams: always(250) },
  },
  'No healthy task': { happens: 'no stream task is healthy', metrics: { HealthyHostCount: always(0) } },
}
