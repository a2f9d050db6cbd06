import type { MayflyProps, MayflySmtp, MayflyTasks } from '../props.ts'

export type Tasks = Required<MayflyTasks>

type WithDefault =
  | 'domains'
  | 'inbound'
  | 'takeOver'
  | 'ingestConcurrency'
  | 'reservedConcurrency'
  | 'live'
  | 'fanOut'
  | 'logRetentionDays'
  | 'accessLogs'

/** The props with every default filled in. */
export interface Config
  extends Required<Pick<MayflyProps, WithDefault>>,
    Omit<
      MayflyProps,
      WithDefault | 'retention' | 'silenceAlarm' | 'tasks' | 'smtp' | 'throttle' | 'inboundLimit'
    > {
  retentionHours: number
  /** Hours without mail after which an alarm goes off; undefined: there is no such alarm. */
  silenceHours: number | undefined
  tasks: Tasks
  smtp: Omit<MayflySmtp, 'tasks'> & { tasks: Tasks }
  throttle: { requestsPerSecond: number; burst: number }
  inboundLimit: { mailsPerHour: number; stop: boolean }
}
