import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const HOUR_MS = 3_600_000

/** What the checks read of CloudWatch. */
export interface CloudWatch {
  /** Names of the alarms of a stack that are on. */
  alarmsThatAreOn(stackName: string): Promise<string[]>
  /** Sum of a metric over the last hour. */
  sumOf(namespace: string, name: string, dimensions: Record<string, string>): Promise<number>
  /** Whether a log group has an event of the last hour with this text. */
  hasLine(logGroup: string, text: string): Promise<boolean>
}

/**
 * Returns CloudWatch by the AWS command line, which an operator has.
 * @param program the path of another one
 */
export function cloudWatchOf(program = 'aws'): CloudWatch {
  const aws = async (...command: string[]) => {
    const { stdout } = await run(program, [...command, '--output', 'json'])
    return JSON.parse(stdout)
  }
  const since = () => Date.now() - HOUR_MS
  return {
    async alarmsThatAreOn(stackName) {
      const filter = ['--alarm-name-prefix', `${stackName}-`, '--state-value', 'ALARM']
      const { MetricAlarms } = await aws('cloudwatch', 'describe-alarms', ...filter)
      return MetricAlarms.map(({ AlarmName }: { AlarmName: string }) => AlarmName)
    },
    async sumOf(namespace, name, dimensions) {
      const { Datapoints } = await aws(
        ...['cloudwatch', 'get-metric-statistics', '--namespace', namespace, '--metric-name', name],
        ...['--start-time', new Date(since()).toISOString(), '--end-time', new Date().toISOString()],
        ...['--period', '3600', '--statistics', 'Sum', '--dimensions'],
        ...Object.entries(dimensions).map(([key, value]) => `Name=${key},Value=${value}`),
      )
      return Datapoints.reduce((sum: number, { Sum }: { Sum: number }) => sum + Sum, 0)
    },
    async hasLine(logGroup, text) {
      const filter = [
        '--log-group-name',
        logGroup,
        '--filter-pattern',
        `"${text}"`,
        '--start-time',
        String(since()),
      ]
      const { events } = await aws('logs', 'filter-log-events', ...filter)
      return events.length > 0
    },
  }
}
