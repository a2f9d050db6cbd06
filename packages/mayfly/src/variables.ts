import type { SERVICE_VARIABLES } from '../../../local-service/config.ts'

interface Variable {
  /** The kind of value, for the help; `on|off` makes the option a flag. */
  value: string
  help: string
}

/**
 * The configuration of the service: option `--http-port` is variable MAYFLY_HTTP_PORT, and so on.
 */
export const VARIABLES = {
  MAYFLY_HOST: { value: 'IP', help: 'address that both listeners bind; 127.0.0.1 and ::1' },
  MAYFLY_HTTP_PORT: { value: 'PORT', help: 'port of the API and the pages; 8025, 0 selects a free one' },
  MAYFLY_SMTP_PORT: { value: 'PORT', help: 'port that accepts mail; 1025, 0 selects a free one' },
  MAYFLY_DOMAINS: {
    value: 'NAMES',
    help: 'comma-separated domains; mayfly.test (`name=key` of a private one only as a variable)',
  },
  MAYFLY_CATCH_ALL: { value: 'on|off', help: 'accept mail for every domain; the default on loopback' },
  MAYFLY_MX_HOST: { value: 'HOST', help: 'host that the MX records of verified domains name' },
  MAYFLY_DNS_SERVER: { value: 'IP[:PORT]', help: 'DNS servers for MX and TXT queries, comma-separated' },
  MAYFLY_DATA_DIR: { value: 'FOLDER', help: 'folder of the database' },
  MAYFLY_RETENTION_HOURS: { value: 'HOURS', help: 'how long mail is kept; 24' },
  MAYFLY_MAX_MESSAGE_BYTES: { value: 'BYTES', help: 'largest message; 41943040' },
  MAYFLY_MAX_STORED_BYTES: { value: 'BYTES', help: 'most bytes of stored mail; 80 % of the free space' },
  MAYFLY_API_KEYS: { value: 'KEYS', help: 'operator’s API keys without limits, comma-separated' },
  MAYFLY_SMTP_AUTH: { value: 'MODE', help: 'any or off; any on loopback (user:password only as a variable)' },
  MAYFLY_TLS: { value: 'MODE', help: 'self-signed offers STARTTLS and SMTPS with a generated certificate' },
  MAYFLY_TLS_CERT: { value: 'FILE', help: 'certificate for STARTTLS and SMTPS (PEM)' },
  MAYFLY_TLS_KEY: { value: 'FILE', help: 'its private key (PEM)' },
  MAYFLY_SMTP_FAULTS: { value: 'on|off', help: 'faults on demand, such as bot+smtp.451@…; on on loopback' },
  MAYFLY_SEND_APIS: { value: 'on|off', help: 'HTTP APIs of mail providers; on on loopback' },
  MAYFLY_CATCHER_APIS: {
    value: 'on|off|open',
    help: 'read APIs of Mailpit and MailHog; the default on loopback',
  },
  MAYFLY_TRUST_PROXY: { value: 'CIDRS', help: 'proxies whose X-Forwarded-For is trusted' },
  MAYFLY_CORS_ORIGINS: { value: 'ORIGINS', help: 'origins whose pages may call the API' },
  MAYFLY_LINK_CHECK_HOSTS: { value: 'HOSTS', help: 'hosts of this network whose links may be checked' },
  MAYFLY_BASE_URL: { value: 'URL', help: 'public URL of the service' },
  MAYFLY_LOG_LEVEL: { value: 'LEVEL', help: 'fatal, error, warn, info, debug, trace or silent; info' },
} as const satisfies Record<(typeof SERVICE_VARIABLES)[number], Variable>

export type VariableName = keyof typeof VARIABLES

/** Variables of docs/configuration.md with their values as text. */
export type MayflyConfig = { [name in VariableName]?: string }

/** The variables of the service in an environment; empty ones count as not set. */
export function configIn(env: Record<string, string | undefined>): MayflyConfig {
  const names = Object.keys(VARIABLES) as VariableName[]
  return Object.fromEntries(names.filter((name) => env[name]).map((name) => [name, env[name]]))
}
