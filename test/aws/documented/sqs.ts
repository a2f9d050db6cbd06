/**
 * What AWS documents of Amazon SQS and no emulator shows. Each rule names its page, below
 * docs.aws.amazon.com/AWSSimpleQueueService/latest/.
 */

/** A message in a queue. */
export interface Message {
  /** Minute in which it was sent. */
  sentAt: number
  /** How often it was received so far. */
  receives: number
}

/**
 * `ApproximateAgeOfOldestMessage` in seconds: messages that were received three times or more are
 * left out until they are deleted, also with a redrive policy; no message, no data
 * (SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html).
 */
export function ageOfOldest(messages: Message[], minute: number): number | undefined {
  const counted = messages.filter(({ receives }) => receives < 3)
  if (counted.length === 0) return undefined
  return (minute - Math.min(...counted.map(({ sentAt }) => sentAt))) * 60
}

/** Minutes until a queue that was not used for six hours has metrics again (monitoring-using-cloudwatch.html). */
export const INACTIVE_MINUTES = 15

/**
 * Whether StartMessageMoveTask moves the messages of a dead-letter queue back: only if queues are
 * its sources, not if SNS or Lambda put them there (APIReference/API_StartMessageMoveTask.html).
 *
 * @param sources services that have the queue as their dead-letter queue
 */
export function canRedrive(sources: string[]): boolean {
  return sources.length > 0 && sources.every((source) => source === 'sqs')
}

/** Limits of a queue and of a message (SQSDeveloperGuide/sqs-quotas.html), in seconds and bytes. */
export const SQS_LIMITS = { visibility: 43_200, retention: 1_209_600, delay: 900, messageBytes: 1_048_576 }
