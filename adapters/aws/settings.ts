import { ConfigError } from '../../core/errors.ts'
import { HOUR_MS, RETENTION_MAX_HOURS, RETENTION_MIN_HOURS } from '../../core/limits.ts'
import { ENV, type Setting } from './env.ts'

/** Every environment variable that is missing or not valid, a line each. */
export class SettingsError extends ConfigError {
  constructor(faults: string[]) {
    super(faults, 'The environment is not complete')
    this.name = 'SettingsError'
  }
}

/**
 * The settings that one program needs. A variable that is set to nothing counts as missing.
 *
 * @param required must be set
 * @param optional may be set
 * @throws SettingsError that names everything that is missing at once
 */
export function readSettings<Needed extends Setting, Optional extends Setting = never>(
  env: Record<string, string | undefined>,
  required: readonly Needed[],
  optional: readonly Optional[] = [],
): Record<Needed, string> & Partial<Record<Optional, string>> {
  const missing = required.filter((setting) => !env[ENV[setting]])
  if (missing.length > 0) throw new SettingsError(missing.map((setting) => `${ENV[setting]} is missing`))
  const settings = [...required, ...optional].map((setting) => [setting, env[ENV[setting]] || undefined])
  return Object.fromEntries(settings) as Record<Needed, string> & Partial<Record<Optional, string>>
}

/** The variables without which no store opens. */
export const STORE_SETTINGS = ['mailTable', 'keysTable', 'bucket'] as const

/**
 * A setting that is a number.
 * @throws SettingsError
 */
export function numberOf(setting: Setting, text: string, least: number, most: number): number {
  const value = /^\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new SettingsError([`${ENV[setting]} must be a number from ${least} to ${most}, not "${text}"`])
}

/**
 * Returns how long mail is kept, in ms.
 * @param hours the text of the setting
 * @throws SettingsError
 */
export function retentionMsOf(hours: string): number {
  return numberOf('retentionHours', hours, RETENTION_MIN_HOURS, RETENTION_MAX_HOURS) * HOUR_MS
}
