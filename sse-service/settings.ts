import { readSettings } from '../adapters/aws/settings.ts'
import { OPTIONAL_SETTINGS, SERVICE_SETTINGS } from '../service/aws.ts'

const REQUIRED = [...SERVICE_SETTINGS, 'originSecretArn', 'stackName'] as const
const OPTIONAL = [
  ...OPTIONAL_SETTINGS,
  'mailStreamArn',
  'valkeyUrl',
  'port',
  'streamPollMs',
  'streamMaxMs',
] as const
export type SseSettings = ReturnType<typeof readSseSettings>

/** Reads the settings of the stream service. @throws SettingsError */
export function readSseSettings(env: Record<string, string | undefined>) {
  return readSettings(env, REQUIRED, OPTIONAL)
}
