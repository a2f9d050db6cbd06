import { Duration, Token } from 'aws-cdk-lib'
import { ConfigError } from '../../core/errors.ts'
import { RETENTION_MS } from '../../core/limits.ts'
import type { MayflyProps, MayflyTasks } from '../props.ts'
import { regionFaults } from './region-faults.ts'
import type { Config, Tasks } from './resolved.ts'
import { configFaults } from './validate.ts'

/**
 * Returns the props with defaults, validated.
 *
 * @param region of the deployment, if synthesis knows it
 * @throws ConfigError with all faults together
 */
export function resolveConfig(props: MayflyProps, region?: string): Config {
  const { tasks, smtp, throttle, inboundLimit, retention, silenceAlarm, ...others } = props
  const config: Config = {
    ...others,
    domains: props.domains ?? [],
    retentionHours: hoursOf(retention ?? Duration.millis(RETENTION_MS)),
    silenceHours: silenceAlarm && hoursOf(silenceAlarm),
    inbound: props.inbound ?? ['ses'],
    takeOver: props.takeOver ?? false,
    ingestConcurrency: props.ingestConcurrency ?? 5,
    reservedConcurrency: props.reservedConcurrency ?? {},
    live: props.live ?? 'fargate',
    fanOut: props.fanOut ?? 'direct',
    logRetentionDays: props.logRetentionDays ?? 14,
    accessLogs: props.accessLogs ?? false,
    tasks: resolveTasks(tasks),
    smtp: { ...smtp, tasks: resolveTasks(smtp?.tasks) },
    throttle: { requestsPerSecond: throttle?.requestsPerSecond ?? 200, burst: throttle?.burst ?? 400 },
    inboundLimit: { mailsPerHour: inboundLimit?.mailsPerHour ?? 20_000, stop: inboundLimit?.stop ?? false },
  }
  const faults = [
    ...configFaults(config, props),
    ...(region === undefined || Token.isUnresolved(region) ? [] : regionFaults(config, region)),
  ]
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

function hoursOf(duration: Duration): number {
  return duration.toHours({ integral: false })
}

function resolveTasks(tasks: MayflyTasks = {}): Tasks {
  const { count = 2, cpu = 256, memoryMiB = 512, spot = false } = tasks
  return { count, maxCount: tasks.maxCount ?? count, cpu, memoryMiB, spot }
}
