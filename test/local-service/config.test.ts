import { describe, expect, test } from '@jest/globals'
import type { ConfigError } from '../../core/errors.ts'
import { readConfig } from '../../local-service/config.ts'

function faults(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

describe('the configuration of one machine', () => {
  test('the defaults', () => {
    expect(readConfig({ MAYFLY_HTTP_PORT: '' })).toMatchObject({
      host: '127.0.0.1',
      httpPort: 8080,
      smtpPort: 2525,
      domains: [{ name: 'mayfly.test', key: null }],
      dataDir: 'data',
      retentionMs: 86_400_000,
      maxMessageBytes: 41_943_040,
      maxStoredBytes: undefined,
      smtpFaults: true,
      dnsServers: [],
      tls: undefined,
      logLevel: 'info',
    })
  })

  test('every fault is reported at once', () => {
    const found = faults({
      MAYFLY_HOST: 'nowhere',
      MAYFLY_HTTP_PORT: '70000',
      MAYFLY_SMTP_PORT: 'smtp',
      MAYFLY_DOMAINS: 'localhost',
      MAYFLY_MX_HOST: 'a b',
      MAYFLY_DNS_SERVER: 'dns.example',
      MAYFLY_RETENTION_HOURS: '0',
      MAYFLY_MAX_MESSAGE_BYTES: '1e6',
      MAYFLY_MAX_STORED_BYTES: '80%',
      MAYFLY_SMTP_FAULTS: 'yes',
      MAYFLY_TRUST_PROXY: '10.0.0.0/33',
      MAYFLY_TLS_CERT: 'cert.pem',
      MAYFLY_LOG_LEVEL: 'loud',
      MAYFLY_CORS_ORIGINS: 'nobody',
      MAYFLY_BASE_URL: 'nowhere',
    })
    expect(found.map((fault) => fault.split(' ')[0])).toEqual([
      'MAYFLY_HOST',
      'MAYFLY_HTTP_PORT',
      'MAYFLY_SMTP_PORT',
      'MAYFLY_DOMAINS',
      'MAYFLY_MX_HOST',
      'MAYFLY_DNS_SERVER',
      'MAYFLY_RETENTION_HOURS',
      'MAYFLY_MAX_MESSAGE_BYTES',
      'MAYFLY_MAX_STORED_BYTES',
      'MAYFLY_SMTP_FAULTS',
      'MAYFLY_TRUST_PROXY',
      'MAYFLY_LOG_LEVEL',
      'MAYFLY_CORS_ORIGINS',
      'MAYFLY_BASE_URL',
      'MAYFLY_TLS_CERT',
    ])
  })

  test.each([
    [{}, true],
    [{ MAYFLY_HOST: '::1' }, true],
    [{ MAYFLY_HOST: '0.0.0.0' }, false],
    [{ MAYFLY_HOST: '0.0.0.0', MAYFLY_SMTP_FAULTS: 'on' }, true],
    [{ MAYFLY_SMTP_FAULTS: 'off' }, false],
  ])('faults on demand: with %j %s', (env, on) => {
    expect(readConfig(env).smtpFaults).toBe(on)
  })

  test('domains, with keys that no message repeats', () => {
    expect(readConfig({ MAYFLY_DOMAINS: 'A.example, b.example=k=1 ' }).domains).toEqual([
      { name: 'a.example', key: null },
      { name: 'b.example', key: 'k=1' },
    ])
    for (const bad of ['a.example=', 'a.example,a.example=x', 'bad=secret']) {
      expect(faults({ MAYFLY_DOMAINS: bad })).toHaveLength(1)
      expect(faults({ MAYFLY_DOMAINS: bad }).join()).not.toContain('secret')
    }
  })

  test.each([
    ['192.0.2.53', true],
    ['192.0.2.53:5353', true],
    ['::1', true],
    ['[::1]:53', true],
    ['192.0.2.53:0', false],
    ['192.0.2.53:99999', false],
    ['999.0.2.53', false],
    ['[::1]:', false],
  ])('DNS server %s', (value, valid) => {
    expect(faults({ MAYFLY_DNS_SERVER: value })).toHaveLength(valid ? 0 : 1)
  })

  test.each([
    ['MAYFLY_BASE_URL', 'https://mail.example.com', true],
    ['MAYFLY_BASE_URL', 'https://mail.example.com/', true],
    ['MAYFLY_BASE_URL', 'http://192.0.2.1:8025', true],
    ['MAYFLY_BASE_URL', 'mail.example.com', false],
    ['MAYFLY_BASE_URL', 'ftp://mail.example.com', false],
    ['MAYFLY_BASE_URL', 'https://mail.example.com/path', false],
    ['MAYFLY_BASE_URL', 'https://a:b@mail.example.com', false],
    ['MAYFLY_CORS_ORIGINS', '*', true],
    ['MAYFLY_CORS_ORIGINS', 'https://a.example, http://localhost:3000', true],
    ['MAYFLY_CORS_ORIGINS', 'a.example', false],
    ['MAYFLY_CORS_ORIGINS', 'https://a.example/app', false],
    ['MAYFLY_CORS_ORIGINS', 'https://*.a.example', false],
  ])('%s %s is valid: %s', (name, value, valid) => {
    expect(faults({ [name]: value })).toHaveLength(valid ? 0 : 1)
  })

  test('URLs and origins are kept in one form', () => {
    const config = readConfig({
      MAYFLY_BASE_URL: 'HTTPS://Mail.Example.com:443/',
      MAYFLY_CORS_ORIGINS: 'HTTP://A.example:80,*',
    })
    expect(config.baseUrl).toBe('https://mail.example.com')
    expect(config.corsOrigins).toEqual(['http://a.example', '*'])
  })

  test('trusted proxies', () => {
    const { trustProxy } = readConfig({ MAYFLY_TRUST_PROXY: '10.0.0.0/8, ::1' })
    expect([
      trustProxy.check('10.9.9.9'),
      trustProxy.check('11.0.0.1'),
      trustProxy.check('::1', 'ipv6'),
    ]).toEqual([true, false, true])
  })

  test('a certificate that cannot be read', () => {
    expect(faults({ MAYFLY_TLS_CERT: 'no.pem', MAYFLY_TLS_KEY: 'no.key' })).toHaveLength(1)
    expect(faults({ MAYFLY_TLS_CERT: 'package.json', MAYFLY_TLS_KEY: 'package.json' })).toHaveLength(1)
  })
})
