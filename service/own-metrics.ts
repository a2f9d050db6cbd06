import { METRICS } from '../adapters/aws/env.ts'
import { writeLine } from './aws-log.ts'

type Name = Exclude<keyof typeof METRICS, 'namespace' | 'dimension'>

const UNITS: Record<Name, string> = {
  readerLag: 'Milliseconds',
  openStreams: 'Count',
  failedAttempts: 'Count',
}

/**
 * Writes metrics to the log, from which CloudWatch extracts them
 * (docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html).
 *
 * @param stackName value of the dimension
 * @param now Unix ms
 */
export function writeOwnMetrics(
  values: Partial<Record<Name, number>>,
  { stackName, now, write = writeLine }: { stackName: string; now: number; write?: (line: string) => void },
): void {
  const names = (Object.keys(UNITS) as Name[]).filter((name) => values[name] !== undefined)
  const Metrics = names.map((name) => ({ Name: METRICS[name], Unit: UNITS[name] }))
  write(
    JSON.stringify({
      _aws: {
        Timestamp: now,
        CloudWatchMetrics: [{ Namespace: METRICS.namespace, Dimensions: [[METRICS.dimension]], Metrics }],
      },
      [METRICS.dimension]: stackName,
      ...Object.fromEntries(names.map((name) => [METRICS[name], values[name]])),
    }),
  )
}
