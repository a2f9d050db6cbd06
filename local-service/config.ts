import { existsSync, readFileSync } from 'node:fs'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import { createSecureContext } from 'node:tls'
import { parseDomain } from '../core/address.ts'
import { ConfigError } from '../core/errors.ts'
import { HOUR_MS } from '../core/limits.ts'

export interface Config {
  host: string
  httpPort: number
  smtpPort: number
  domains: { name: string; key: string | null }[]
  mxHost: string
  /** Empty for the system's. */
  dnsServers: string[]
  dataDir: string
  retentionMs: number
  maxMessageBytes: number
  /** Undefined for a share of the disk. */
  maxStoredBytes: number | undefined
  smtpFaults: boolean
  trustProxy: BlockList
  tls: { cert: string; key: string } | undefined
  logLevel: string
  /** Origins whose pages may call, `*` for all; undefined for the default. */
  corsOrigins: string[] | undefined
  /** The public URL, without a final slash. */
  baseUrl: string | undefined
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * The configuration from environment variables (contract: Configuration on one machine). A variable that is
 * set to nothing counts as not set.
 * @throws ConfigError with every fault at once
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const faults: string[] = []
  function read<T>(name: string, standard: string, parse: (value: string) => T): T {
    try {
      return parse(env[name] || standard)
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`)
      return undefined as T
    }
  }
  const config: Config = {
    host: read('MAYFLY_HOST', '127.0.0.1', ipAddress),
    httpPort: read('MAYFLY_HTTP_PORT', '8080', (value) => whole(value, 0, 65_535)),
    smtpPort: read('MAYFLY_SMTP_PORT', '2525', (value) => whole(value, 0, 65_535)),
    domains: read('MAYFLY_DOMAINS', 'mayfly.test', domainList),
    mxHost: read('MAYFLY_MX_HOST', `${hostname()}`, mxHost),
    dnsServers: read('MAYFLY_DNS_SERVER', '', (value) => list(value).map(dnsServer)),
    dataDir: read('MAYFLY_DATA_DIR', 'data', (value) => value),
    retentionMs: read('MAYFLY_RETENTION_HOURS', '24', retentionHours) * HOUR_MS,
    maxMessageBytes: read('MAYFLY_MAX_MESSAGE_BYTES', '41943040', (value) => whole(value, 1024, 104_857_600)),
    maxStoredBytes: read('MAYFLY_MAX_STORED_BYTES', '', storedBytes),
    smtpFaults: read(
      'MAYFLY_SMTP_FAULTS',
      isLoopbackHost(env.MAYFLY_HOST || '127.0.0.1') ? 'on' : 'off',
      onOrOff,
    ),
    trustProxy: read('MAYFLY_TRUST_PROXY', '', proxies),
    tls: undefined,
    logLevel: read('MAYFLY_LOG_LEVEL', 'info', logLevel),
    corsOrigins: read('MAYFLY_CORS_ORIGINS', '', corsOrigins),
    baseUrl: read('MAYFLY_BASE_URL', '', baseUrl),
  }
  const { MAYFLY_TLS_CERT: cert, MAYFLY_TLS_KEY: key } = env
  if (Boolean(cert) !== Boolean(key)) faults.push('MAYFLY_TLS_CERT and MAYFLY_TLS_KEY must be set together')
  else if (cert && key) config.tls = read('MAYFLY_TLS_CERT', cert, () => certificate(cert, key))
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function whole(value: string, least: number, most: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
  throw new Error(`must be a whole number from ${least} to ${most}, not "${value}"`)
}

/** Whether nobody but this machine can call. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function corsOrigins(value: string): string[] | undefined {
  if (value === '') return undefined
  return list(value).map((item) => {
    if (item === '*') return item
    const origin = originOf(item)
    if (origin !== undefined) return origin
    throw new Error(`must be * or origins such as https://app.example.com, not "${item}"`)
  })
}

function baseUrl(value: string): string | undefined {
  if (value === '') return undefined
  const origin = originOf(value)
  if (origin !== undefined) return origin
  throw new Error(
    `must be an http or https URL without a path, such as https://mail.example.com, not "${value}"`,
  )
}

/** Scheme, host and port, if the text is a URL of nothing else. */
function originOf(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { origin, href, username, password } = new URL(text)
  // A wildcard has no meaning here, although URLs take it for a name.
  return href === `${origin}/` && !origin.includes('*') && username === '' && password === ''
    ? origin
    : undefined
}

function storedBytes(value: string): number | undefined {
  if (value === '') return undefined
  if (/^\d{8,15}$/.test(value)) return Number(value)
  throw new Error(`must be a whole number of bytes, at least 10000000, not "${value}"`)
}

function onOrOff(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on'
  throw new Error(`must be on or off, not "${value}"`)
}

function retentionHours(value: string): number {
  if (/^\d{1,4}(\.\d{1,6})?$/.test(value) && Number(value) > 0 && Number(value) <= 8760) return Number(value)
  throw new Error(`must be a number of hours above 0 and up to 8760, not "${value}"`)
}

function ipAddress(value: string): string {
  if (isIP(value) !== 0 || value === 'localhost') return value
  throw new Error(`must be an IP address to listen on, not "${value}"`)
}

function dnsServer(value: string): string {
  const [, bracketed, plain] =
    /^(?:\[(.+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+)(?::\d{1,5})?)$/.exec(value) ?? []
  const port = Number(/:(\d+)$/.exec(bracketed === undefined && plain === undefined ? '' : value)?.[1] ?? 53)
  if (isIP(bracketed ?? plain ?? value) !== 0 && port > 0 && port <= 65_535) return value
  throw new Error(`must be addresses such as 192.0.2.53 or 192.0.2.53:5353, not "${value}"`)
}

function mxHost(value: string): string {
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(value))
    return value.toLowerCase()
  throw new Error(`must be a host name, not "${value}"`)
}

function domainList(value: string): Config['domains'] {
  const domains = list(value).map((item) => {
    const equals = item.indexOf('=')
    const text = equals === -1 ? item : item.slice(0, equals)
    const key = equals === -1 ? null : item.slice(equals + 1).trim()
    // The key is a secret, so no message may repeat the whole item.
    if (key === '') throw new Error(`gives "${text}" an empty key`)
    try {
      return { name: parseDomain(text.trim()), key }
    } catch {
      throw new Error(`has "${text}", which is not a domain name of at least two labels`)
    }
  })
  const names = domains.map((domain) => domain.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`names ${twice} twice`)
  return domains
}

function proxies(value: string): BlockList {
  const trusted = new BlockList()
  for (const item of list(value)) {
    const [address = '', bits, ...rest] = item.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    const most = family === 'ipv6' ? 128 : 32
    if (isIP(address) === 0 || rest.length > 0) throw new Error(`has "${item}", which is no address or CIDR`)
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, whole(bits, 0, most), family)
  }
  return trusted
}

function certificate(certFile: string, keyFile: string): { cert: string; key: string } {
  for (const file of [certFile, keyFile]) {
    if (!existsSync(file)) throw new Error(`and MAYFLY_TLS_KEY: there is no file ${file}`)
  }
  const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  try {
    createSecureContext(pair)
  } catch (error) {
    throw new Error(`and MAYFLY_TLS_KEY are no pair in PEM form: ${(error as Error).message}`)
  }
  return pair
}

function logLevel(value: string): string {
  if (LOG_LEVELS.includes(value)) return value
  throw new Error(`must be one of ${LOG_LEVELS.join(', ')}, not "${value}"`)
}
