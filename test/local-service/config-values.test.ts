import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { ConfigError } from '../../core/errors.ts'
import { type Config, readConfig, SERVICE_VARIABLES } from '../../local-service/config.ts'
import { isLoopbackHost, isWildcard } from '../../local-service/config-values.ts'

const KEY_OF_16 = 'abcdefgh-IJKL_01'
const KEY_OF_200 = 'k'.repeat(200)

/** Values at the bounds of each variable, and what the service uses. */
const ACCEPTED: [name: string, value: string, field: keyof Config, used: unknown][] = [
  ['MAYFLY_HOST', '', 'smtpFaults', true],
  ['MAYFLY_HOST', '::', 'host', '::'],
  ['MAYFLY_HOST', 'localhost', 'host', 'localhost'],
  ['MAYFLY_HTTP_PORT', '0', 'httpPort', 0],
  ['MAYFLY_HTTP_PORT', '65535', 'httpPort', 65_535],
  ['MAYFLY_SMTP_PORT', '0', 'smtpPort', 0],
  ['MAYFLY_SMTP_PORT', '65535', 'smtpPort', 65_535],
  ['MAYFLY_DOMAINS', ', a.test ,,b.test = k ', 'domains', [named('a.test'), named('b.test', 'k')]],
  ['MAYFLY_CATCH_ALL', 'on', 'catchAll', true],
  ['MAYFLY_CATCH_ALL', 'off', 'catchAll', false],
  ['MAYFLY_MX_HOST', '', 'mxHost', hostname()],
  ['MAYFLY_MX_HOST', 'MX-1.a', 'mxHost', 'mx-1.a'],
  ['MAYFLY_MX_HOST', 'a', 'mxHost', 'a'],
  ['MAYFLY_DNS_SERVER', '192.0.2.1:1, [::1]:65535', 'dnsServers', ['192.0.2.1:1', '[::1]:65535']],
  ['MAYFLY_DATA_DIR', 'a b', 'dataDir', 'a b'],
  ['MAYFLY_DATA_DIR', '~/a', 'dataDir', join(homedir(), 'a')],
  ['MAYFLY_DATA_DIR', '~a/~/b', 'dataDir', '~a/~/b'],
  ['MAYFLY_RETENTION_HOURS', '8760', 'retentionMs', 8760 * 3_600_000],
  ['MAYFLY_RETENTION_HOURS', '0.015625', 'retentionMs', 56_250],
  ['MAYFLY_MAX_MESSAGE_BYTES', '1024', 'maxMessageBytes', 1024],
  ['MAYFLY_MAX_MESSAGE_BYTES', '104857600', 'maxMessageBytes', 104_857_600],
  ['MAYFLY_MAX_STORED_BYTES', '10000000', 'maxStoredBytes', 10_000_000],
  ['MAYFLY_MAX_STORED_BYTES', '999999999999999', 'maxStoredBytes', 999_999_999_999_999],
  ['MAYFLY_API_KEYS', `${KEY_OF_16}, ${KEY_OF_200}`, 'apiKeys', [KEY_OF_16, KEY_OF_200]],
  ['MAYFLY_SMTP_AUTH', 'u:p', 'smtpAuth', { user: 'u', password: 'p' }],
  ['MAYFLY_TLS', 'self-signed', 'tls', 'self-signed'],
  ['MAYFLY_SMTP_FAULTS', 'off', 'smtpFaults', false],
  ['MAYFLY_SEND_APIS', 'off', 'sendApis', false],
  ['MAYFLY_CATCHER_APIS', 'open', 'catcherApis', 'open'],
  ['MAYFLY_CORS_ORIGINS', '', 'corsOrigins', undefined],
  ['MAYFLY_LINK_CHECK_HOSTS', '', 'linkCheckHosts', []],
  [
    'MAYFLY_LINK_CHECK_HOSTS',
    'App.local, [::1]:3000,a:80',
    'linkCheckHosts',
    ['app.local', '[::1]:3000', 'a:80'],
  ],
  ['MAYFLY_CORS_ORIGINS', 'http://a:1', 'corsOrigins', ['http://a:1']],
  ['MAYFLY_BASE_URL', '', 'baseUrl', undefined],
  ['MAYFLY_BASE_URL', 'http://a:1/', 'baseUrl', 'http://a:1'],
  ...['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map(
    (level) => ['MAYFLY_LOG_LEVEL', level, 'logLevel', level] as [string, string, 'logLevel', string],
  ),
]

/** Values just outside of the bounds, and the rest of the message after the name. */
const REJECTED: [name: string, value: string, message: string][] = [
  ['MAYFLY_HOST', 'a.test', 'must be an IP address to listen on, not "a.test"'],
  ...['a/b', 'u@a', ':80'].map((value): [string, string, string] => [
    'MAYFLY_LINK_CHECK_HOSTS',
    value,
    `must be hosts such as app.local or localhost:3000, not "${value}"`,
  ]),
  ['MAYFLY_HTTP_PORT', '65536', 'must be a whole number from 0 to 65535, not "65536"'],
  ['MAYFLY_SMTP_PORT', '-1', 'must be a whole number from 0 to 65535, not "-1"'],
  ['MAYFLY_SMTP_PORT', '1.5', 'must be a whole number from 0 to 65535, not "1.5"'],
  ['MAYFLY_DOMAINS', 'a', 'has "a", which is not a domain name of at least two labels'],
  ['MAYFLY_DOMAINS', 'a.test= ', 'gives "a.test" an empty key'],
  ['MAYFLY_DOMAINS', 'a.test=clé', 'gives "a.test" a key that is not 1 to 256 characters of ASCII'],
  [
    'MAYFLY_DOMAINS',
    `a.test=${'k'.repeat(257)}`,
    'gives "a.test" a key that is not 1 to 256 characters of ASCII',
  ],
  ['MAYFLY_DOMAINS', 'b.test,a.test,A.test=k', 'names a.test twice'],
  ['MAYFLY_CATCH_ALL', 'ON', 'must be on or off, not "ON"'],
  ['MAYFLY_MX_HOST', 'a..b', 'must be a host name, not "a..b"'],
  ['MAYFLY_MX_HOST', '-a', 'must be a host name, not "-a"'],
  ['MAYFLY_MX_HOST', 'a.b-', 'must be a host name, not "a.b-"'],
  ...['[192.0.2.1', '::1:x', '192.0.2.1:65536', '[a]:53', '1.1.1.1,a'].map(
    (value) =>
      [
        'MAYFLY_DNS_SERVER',
        value,
        `must be addresses such as 192.0.2.53 or 192.0.2.53:5353, not "${value.split(',').at(-1)}"`,
      ] as [string, string, string],
  ),
  ['MAYFLY_RETENTION_HOURS', '0.0', 'must be a number of hours above 0 and up to 8760, not "0.0"'],
  ['MAYFLY_RETENTION_HOURS', '8760.1', 'must be a number of hours above 0 and up to 8760, not "8760.1"'],
  [
    'MAYFLY_RETENTION_HOURS',
    '0.0000001',
    'must be a number of hours above 0 and up to 8760, not "0.0000001"',
  ],
  ['MAYFLY_RETENTION_HOURS', '1.', 'must be a number of hours above 0 and up to 8760, not "1."'],
  ['MAYFLY_MAX_MESSAGE_BYTES', '1023', 'must be a whole number from 1024 to 104857600, not "1023"'],
  ['MAYFLY_MAX_MESSAGE_BYTES', '104857601', 'must be a whole number from 1024 to 104857600, not "104857601"'],
  ['MAYFLY_MAX_STORED_BYTES', '9999999', 'must be a whole number of bytes, at least 10000000, not "9999999"'],
  ['MAYFLY_API_KEYS', `${KEY_OF_16},${KEY_OF_200}k`, wrongKey(2)],
  ['MAYFLY_API_KEYS', KEY_OF_16.slice(1), wrongKey(1)],
  ['MAYFLY_SMTP_AUTH', 'u:p\u009f', 'must be any, off or user:password'],
  [
    'MAYFLY_TLS',
    'on',
    'must be self-signed or off, not "on"; MAYFLY_TLS_CERT and MAYFLY_TLS_KEY name your own certificate',
  ],
  ['MAYFLY_SMTP_FAULTS', '1', 'must be on or off, not "1"'],
  ['MAYFLY_CATCHER_APIS', 'true', 'must be on, off or open, not "true"'],
  ['MAYFLY_SEND_APIS', 'true', 'must be on or off, not "true"'],
  ['MAYFLY_TRUST_PROXY', '10.0.0.0/33', 'must be a whole number from 0 to 32, not "33"'],
  ['MAYFLY_TRUST_PROXY', '::/129', 'must be a whole number from 0 to 128, not "129"'],
  ['MAYFLY_TRUST_PROXY', '10.0.0.0/8/8', 'has "10.0.0.0/8/8", which is not an IP address or CIDR'],
  ['MAYFLY_TRUST_PROXY', '::1,proxy', 'has "proxy", which is not an IP address or CIDR'],
  ...['a', 'http://a/b', 'http://u@a', 'http://:p@a', 'http://*.a', 'ftp://a', 'http://'].map(
    (value) =>
      [
        'MAYFLY_CORS_ORIGINS',
        `*,${value}`,
        `must be * or origins such as https://app.example.com, not "${value}"`,
      ] as [string, string, string],
  ),
  [
    'MAYFLY_BASE_URL',
    'http://a/?b',
    'must be an http or https URL, such as https://example.com/mail, not "http://a/?b"',
  ],
  ['MAYFLY_LOG_LEVEL', 'INFO', 'must be one of fatal, error, warn, info, debug, trace, silent, not "INFO"'],
  ['MAYFLY_TLS_CERT', 'cert.pem', 'and MAYFLY_TLS_KEY must be set together'],
  ['MAYFLY_TLS_KEY', 'key.pem', 'and MAYFLY_TLS_KEY must be set together'],
]

function named(name: string, key: string | null = null) {
  return { name, key }
}

function wrongKey(position: number): string {
  return `must have keys of 16 to 200 letters, digits, _ or -; key ${position} is not one`
}

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

describe('a variable of the service', () => {
  test.each(ACCEPTED)('%s=%s: %s is %j', (name, value, field, used) => {
    expect(readConfig({ [name]: value })[field]).toEqual(used)
  })

  test.each(REJECTED)('%s=%s is rejected: %s', (name, value, message) => {
    const first = message.startsWith('and MAYFLY_TLS_KEY') ? 'MAYFLY_TLS_CERT' : name
    expect(faultsOf({ [name]: value })).toEqual([`${first} ${message}`])
  })

  test('has rows here, whichever it is', () => {
    const withRows = new Set([...ACCEPTED, ...REJECTED].map(([name]) => name))
    expect(SERVICE_VARIABLES.filter((name) => !withRows.has(name))).toEqual([])
  })

  test('with a list of proxies trusts every address of its networks, and no other', () => {
    const { trustProxy } = readConfig({
      MAYFLY_TRUST_PROXY: '10.1.0.0/16,192.0.2.7,2001:db8::/32,0.0.0.0/32',
    })
    const trusted = (address: string) => trustProxy.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
    expect(['10.1.255.255', '192.0.2.7', '2001:db8:ffff::1', '0.0.0.0'].map(trusted)).toEqual(
      Array(4).fill(true),
    )
    expect(['10.2.0.0', '192.0.2.8', '2001:db9::', '0.0.0.1'].map(trusted)).toEqual(Array(4).fill(false))
  })

  test('is a fault if it contradicts another one, with both names', () => {
    const own = { MAYFLY_TLS_CERT: 'no.pem', MAYFLY_TLS_KEY: 'no.key' }
    expect(faultsOf({ ...own, MAYFLY_TLS: 'self-signed' })).toEqual([
      'MAYFLY_TLS_CERT and MAYFLY_TLS_KEY: there is no file no.pem',
      'MAYFLY_TLS must be off where MAYFLY_TLS_CERT and MAYFLY_TLS_KEY give a certificate',
    ])
    expect(faultsOf({ ...own, MAYFLY_TLS_CERT: 'package.json' })).toEqual([
      'MAYFLY_TLS_CERT and MAYFLY_TLS_KEY: there is no file no.key',
    ])
    expect(faultsOf({ MAYFLY_HOST: '0.0.0.0', MAYFLY_CATCH_ALL: 'on' })).toEqual([
      'MAYFLY_CATCH_ALL needs MAYFLY_API_KEYS where MAYFLY_HOST is not a loopback address',
    ])
  })
})

test.each([
  ['127.0.0.1', true, false],
  ['127.9.9.9', true, false],
  ['::1', true, false],
  ['localhost', true, false],
  ['0.0.0.0', false, true],
  ['::', false, true],
  ['192.0.2.1', false, false],
  ['128.0.0.1', false, false],
])('%s is an address of this machine only: %s; of every interface: %s', (host, isLoopback, isEvery) => {
  expect([isLoopbackHost(host), isWildcard(host)]).toEqual([isLoopback, isEvery])
})
