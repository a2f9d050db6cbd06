import type { BlockList } from 'node:net'
import { hostname } from 'node:os'
import type { SmtpAuth } from '../adapters/smtp/credentials.ts'
import { parseOperatorKeys } from '../core/access/operator-keys.ts'
import { ConfigError } from '../core/errors.ts'
import { HOUR_MS, MESSAGE_BYTES, RETENTION_MS } from '../core/limits.ts'
import { nearestVariable } from '../core/nearest.ts'
import * as parse from './config-values.ts'

/** The resolved configuration of the service on one machine. */
export interface Config {
  host: string
  httpPort: number
  smtpPort: number
  domains: { name: string; key: string | null }[]
  /** Whether mail for every domain is accepted and public. */
  catchAll: boolean
  mxHost: string
  /** Empty for the system's servers. */
  dnsServers: string[]
  dataDir: string
  retentionMs: number
  maxMessageBytes: number
  /** Undefined for a share of the free disk space. */
  maxStoredBytes: number | undefined
  /** The operator's keys from the environment; empty if none is configured. */
  apiKeys: string[]
  smtpAuth: SmtpAuth
  /** Certificate for STARTTLS; undefined if STARTTLS is not offered. */
  tls: parse.Certificate | 'self-signed' | undefined
  smtpFaults: boolean
  sendApis: boolean
  /** Whether the read APIs of Mailpit and MailHog are served; `open`: without a key everywhere. */
  catcherApis: parse.CatcherApis
  trustProxy: BlockList
  logLevel: string
  /** Origins whose pages may call, `*` for all; undefined for the default. */
  corsOrigins: string[] | undefined
  /** Hosts on this machine or in a private network that the link check may request. */
  linkCheckHosts: string[]
  /** The public URL, without a final slash. */
  baseUrl: string | undefined
}

/** Variables that the service reads; docs/configuration.md explains each. */
export const SERVICE_VARIABLES = [
  'MAYFLY_HOST',
  'MAYFLY_HTTP_PORT',
  'MAYFLY_SMTP_PORT',
  'MAYFLY_DOMAINS',
  'MAYFLY_CATCH_ALL',
  'MAYFLY_MX_HOST',
  'MAYFLY_DNS_SERVER',
  'MAYFLY_DATA_DIR',
  'MAYFLY_RETENTION_HOURS',
  'MAYFLY_MAX_MESSAGE_BYTES',
  'MAYFLY_MAX_STORED_BYTES',
  'MAYFLY_API_KEYS',
  'MAYFLY_SMTP_AUTH',
  'MAYFLY_TLS',
  'MAYFLY_TLS_CERT',
  'MAYFLY_TLS_KEY',
  'MAYFLY_SMTP_FAULTS',
  'MAYFLY_SEND_APIS',
  'MAYFLY_CATCHER_APIS',
  'MAYFLY_TRUST_PROXY',
  'MAYFLY_CORS_ORIGINS',
  'MAYFLY_LINK_CHECK_HOSTS',
  'MAYFLY_BASE_URL',
  'MAYFLY_LOG_LEVEL',
] as const
type ServiceVariable = (typeof SERVICE_VARIABLES)[number]

/** Variables of clients, which may be in the environment of the service too. */
const CLIENT_VARIABLES = ['MAYFLY_URL', 'MAYFLY_API_KEY', 'MAYFLY_DOMAIN_KEY', 'MAYFLY_TIMEOUT']

/**
 * Reads the configuration from environment variables (docs/contract.md, "Configuration on one
 * machine"). A variable with an empty value counts as not set.
 * @throws ConfigError with every fault at once
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const faults = unknownVariables(env)
  const read = readerOf(env, faults)
  const isLoopback = parse.isLoopbackHost(env.MAYFLY_HOST || '127.0.0.1')
  const onLoopback = isLoopback ? 'on' : 'off'
  const config: Config = {
    host: read('MAYFLY_HOST', '127.0.0.1', parse.ipAddress),
    httpPort: read('MAYFLY_HTTP_PORT', '8025', parse.port),
    smtpPort: read('MAYFLY_SMTP_PORT', '1025', parse.port),
    domains: read('MAYFLY_DOMAINS', 'mayfly.test', parse.domainList),
    catchAll: read('MAYFLY_CATCH_ALL', onLoopback, parse.onOrOff),
    mxHost: read('MAYFLY_MX_HOST', hostname(), parse.hostName),
    dnsServers: read('MAYFLY_DNS_SERVER', '', parse.dnsServers),
    dataDir: read('MAYFLY_DATA_DIR', 'data', parse.folder),
    retentionMs:
      read('MAYFLY_RETENTION_HOURS', String(RETENTION_MS / HOUR_MS), parse.retentionHours) * HOUR_MS,
    maxMessageBytes: read('MAYFLY_MAX_MESSAGE_BYTES', String(MESSAGE_BYTES), parse.messageBytes),
    maxStoredBytes: read('MAYFLY_MAX_STORED_BYTES', '', parse.storedBytes),
    apiKeys: read('MAYFLY_API_KEYS', '', parseOperatorKeys),
    smtpAuth: read('MAYFLY_SMTP_AUTH', isLoopback ? 'any' : 'off', parse.smtpAuth),
    tls: read('MAYFLY_TLS', '', parse.tls),
    smtpFaults: read('MAYFLY_SMTP_FAULTS', onLoopback, parse.onOrOff),
    sendApis: read('MAYFLY_SEND_APIS', onLoopback, parse.onOrOff),
    catcherApis: read('MAYFLY_CATCHER_APIS', onLoopback, parse.catcherApis),
    trustProxy: read('MAYFLY_TRUST_PROXY', '', parse.proxies),
    logLevel: read('MAYFLY_LOG_LEVEL', 'info', parse.logLevel),
    corsOrigins: read('MAYFLY_CORS_ORIGINS', '', parse.corsOrigins),
    linkCheckHosts: read('MAYFLY_LINK_CHECK_HOSTS', '', parse.hosts),
    baseUrl: read('MAYFLY_BASE_URL', '', parse.baseUrl),
  }
  const { MAYFLY_TLS_CERT: cert, MAYFLY_TLS_KEY: key } = env
  if (cert && key) config.tls = read('MAYFLY_TLS_CERT', '', () => parse.certificate(cert, key))
  faults.push(...combinationFaults(config, isLoopback, env))
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

/** Returns a function that parses one variable. It adds a fault if the value is not valid. */
function readerOf(env: Record<string, string | undefined>, faults: string[]) {
  return <T>(name: ServiceVariable, fallback: string, parseValue: (value: string) => T): T => {
    try {
      return parseValue(env[name] || fallback)
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`)
      return undefined as T
    }
  }
}

/** Returns the faults of variables that do not go together. */
function combinationFaults(
  { catchAll, sendApis, catcherApis }: Config,
  isLoopback: boolean,
  env: Record<string, string | undefined>,
): string[] {
  const faults: string[] = []
  const { MAYFLY_TLS: tls, MAYFLY_TLS_CERT: cert, MAYFLY_TLS_KEY: key } = env
  if (Boolean(cert) !== Boolean(key)) faults.push('MAYFLY_TLS_CERT and MAYFLY_TLS_KEY must be set together')
  if (tls === 'self-signed' && cert) {
    faults.push('MAYFLY_TLS must be off where MAYFLY_TLS_CERT and MAYFLY_TLS_KEY give a certificate')
  }
  const needKeys = {
    MAYFLY_CATCH_ALL: catchAll,
    MAYFLY_SEND_APIS: sendApis,
    MAYFLY_CATCHER_APIS: catcherApis === 'on',
  }
  for (const [name, isOn] of Object.entries(needKeys)) {
    if (isOn && !isLoopback && !env.MAYFLY_API_KEYS) {
      faults.push(`${name} needs MAYFLY_API_KEYS where MAYFLY_HOST is not a loopback address`)
    }
  }
  return faults
}

function unknownVariables(env: Record<string, string | undefined>): string[] {
  const known: string[] = [...SERVICE_VARIABLES, ...CLIENT_VARIABLES]
  return Object.keys(env)
    .filter((name) => name.startsWith('MAYFLY_') && !known.includes(name))
    .map(
      (name) =>
        `${name} is not a variable of this service; did you mean ${nearestVariable(name, SERVICE_VARIABLES, CLIENT_VARIABLES)}?`,
    )
}
