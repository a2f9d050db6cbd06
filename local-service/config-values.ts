/**
 * Parsers for the values of environment variables. Each throws an Error whose message continues a
 * sentence that begins with the name of the variable.
 */

import { existsSync, readFileSync } from 'node:fs'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { SmtpAuth } from '../adapters/smtp/credentials.ts'
import { isLoopback } from '../core/access/client.ts'
import { isDomainKey } from '../core/access/domain-key.ts'
import { isLoopbackName } from '../core/access/loopback.ts'
import { parseDomain } from '../core/address.ts'
import { RETENTION_MAX_HOURS } from '../core/limits.ts'

/** A certificate and its private key, both PEM. */
export interface Certificate {
  cert: string
  key: string
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export const port = (value: string): number => wholeNumber(value, 0, 65_535)
export const messageBytes = (value: string): number => wholeNumber(value, 1024, 104_857_600)

/** Whether only processes of this machine can connect to the host. */
export function isLoopbackHost(host: string): boolean {
  return isIP(host) === 0 ? isLoopbackName(host) : isLoopback(host)
}

/** Addresses that `localhost` means; a service on one of them listens on both. */
const LOCALHOST = ['127.0.0.1', '::1']

/**
 * The addresses to listen on, the configured one first. Another program on the other address of `localhost` would get the
 * requests, with their keys, of clients that call the service by that name.
 */
export function listenAddresses(host: string): string[] {
  if (!ownsLocalhost(host)) return [host]
  return host === '::1' ? LOCALHOST.toReversed() : [...LOCALHOST]
}

/** Whether the service listens on every address that `localhost` means. */
export function ownsLocalhost(host: string): boolean {
  return host === 'localhost' || LOCALHOST.includes(host)
}

/** An address to listen on that no client can connect to. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** A shell replaces `~`; a file of variables, such as .env, has it as it is. */
export function folder(value: string): string {
  return /^~(?:\/|$)/.test(value) ? join(homedir(), value.slice(1)) : value
}

export function onOrOff(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on'
  throw new Error(`must be on or off, not "${value}"`)
}

/** `open`: nothing is asked for, wherever the service listens. */
export type CatcherApis = 'on' | 'off' | 'open'

export function catcherApis(value: string): CatcherApis {
  if (value === 'on' || value === 'off' || value === 'open') return value
  throw new Error(`must be on, off or open, not "${value}"`)
}

export function storedBytes(value: string): number | undefined {
  if (value === '') return undefined
  if (/^\d{8,15}$/.test(value)) return Number(value)
  throw new Error(`must be a whole number of bytes, at least 10000000, not "${value}"`)
}

export function retentionHours(value: string): number {
  const hours = /^\d{1,4}(\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN
  if (hours > 0 && hours <= RETENTION_MAX_HOURS) return hours
  throw new Error(`must be a number of hours above 0 and up to ${RETENTION_MAX_HOURS}, not "${value}"`)
}

export function ipAddress(value: string): string {
  if (isIP(value) !== 0 || value === 'localhost') return value
  throw new Error(`must be an IP address to listen on, not "${value}"`)
}

export function hostName(value: string): string {
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(value))
    return value.toLowerCase()
  throw new Error(`must be a host name, not "${value}"`)
}

export const dnsServers = (value: string): string[] => list(value).map(dnsServer)

function dnsServer(value: string): string {
  const [, bracketed, plain] =
    /^(?:\[(.+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+)(?::\d{1,5})?)$/.exec(value) ?? []
  const number = Number(
    /:(\d+)$/.exec(bracketed === undefined && plain === undefined ? '' : value)?.[1] ?? 53,
  )
  if (isIP(bracketed ?? plain ?? value) !== 0 && number > 0 && number <= 65_535) return value
  throw new Error(`must be addresses such as 192.0.2.53 or 192.0.2.53:5353, not "${value}"`)
}

/** Domains with their keys. No message repeats a key. */
export function domainList(value: string): { name: string; key: string | null }[] {
  const domains = list(value).map((item) => {
    const equals = item.indexOf('=')
    const text = equals === -1 ? item : item.slice(0, equals)
    const key = equals === -1 ? null : item.slice(equals + 1).trim()
    if (key === '') throw new Error(`gives "${text}" an empty key`)
    if (key !== null && !isDomainKey(key)) {
      throw new Error(`gives "${text}" a key that is not 1 to 256 characters of ASCII`)
    }
    try {
      return { name: parseDomain(text.trim()), key }
    } catch {
      throw new Error(`has "${text}", which is not a domain name of at least two labels`)
    }
  })
  const names = domains.map((domain) => domain.name)
  const duplicate = names.find((name, i) => names.indexOf(name) !== i)
  if (duplicate !== undefined) throw new Error(`names ${duplicate} twice`)
  return domains
}

/** The message never repeats the value, because it may contain a password. */
export function smtpAuth(value: string): SmtpAuth {
  if (value === 'any' || value === 'off') return value
  const [, user, password] = /^([^:]+):(.+)$/.exec(value) ?? []
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no client can send these in AUTH
  if (user !== undefined && password !== undefined && !/[\x00-\x1f\x7f-\x9f]/.test(value)) {
    return { user, password }
  }
  throw new Error('must be any, off or user:password')
}

export function tls(value: string): 'self-signed' | undefined {
  if (value === '' || value === 'off') return undefined
  if (value === 'self-signed') return value
  throw new Error(
    `must be self-signed or off, not "${value}"; MAYFLY_TLS_CERT and MAYFLY_TLS_KEY name your own certificate`,
  )
}

/** Reads the two PEM files. */
export function certificate(certFile: string, keyFile: string): Certificate {
  for (const file of [certFile, keyFile]) {
    if (!existsSync(file)) throw new Error(`and MAYFLY_TLS_KEY: there is no file ${file}`)
  }
  try {
    const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    createSecureContext(pair)
    return pair
  } catch (error) {
    throw new Error(
      `and MAYFLY_TLS_KEY must be a certificate and its key in PEM form: ${(error as Error).message}`,
    )
  }
}

export function proxies(value: string): BlockList {
  const trusted = new BlockList()
  for (const item of list(value)) {
    const [address = '', bits, ...rest] = item.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0 || rest.length > 0) {
      throw new Error(`has "${item}", which is not an IP address or CIDR`)
    }
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, wholeNumber(bits, 0, family === 'ipv6' ? 128 : 32), family)
  }
  return trusted
}

export function corsOrigins(value: string): string[] | undefined {
  if (value === '') return undefined
  return list(value).map((item) => {
    const origin = item === '*' ? item : originOf(item)
    if (origin !== undefined) return origin
    throw new Error(`must be * or origins such as https://app.example.com, not "${item}"`)
  })
}

/** A URL whose path, if it has one, is where a proxy serves the service. Without a slash at its end. */
export function baseUrl(value: string): string | undefined {
  if (value === '') return undefined
  const [, root = '', path = ''] = /^([^:]+:\/\/[^/]+)((?:\/[\w~-][\w.~-]*)*)\/?$/.exec(value) ?? []
  const origin = originOf(root)
  if (origin !== undefined) return origin + path
  throw new Error(`must be an http or https URL, such as https://example.com/mail, not "${value}"`)
}

/** The origin of a URL that consists of scheme, host and port only. */
function originOf(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { origin, href } = new URL(text)
  // URLs accept `*` in a host name, but here it would never match anything.
  return href === `${origin}/` && !origin.includes('*') ? origin : undefined
}

/** Hosts with or without a port, in the form of a URL's host. */
export function hosts(value: string): string[] {
  return list(value).map((item) => {
    const url = URL.parse(`http://${item}`)
    // A URL leaves out the port of its scheme.
    if (url !== null && url.href === `http://${url.host}/`)
      return /:80$/.test(item) ? `${url.host}:80` : url.host
    throw new Error(`must be hosts such as app.local or localhost:3000, not "${item}"`)
  })
}

export function logLevel(value: string): string {
  if (LOG_LEVELS.includes(value)) return value
  throw new Error(`must be one of ${LOG_LEVELS.join(', ')}, not "${value}"`)
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function wholeNumber(value: string, least: number, most: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
  throw new Error(`must be a whole number from ${least} to ${most}, not "${value}"`)
}
