import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { ConfigError } from '../../core/errors.ts'
import { readConfig } from '../../local-service/config.ts'
import { TLS } from '../adapters/smtp/smtp-certificate.ts'

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
      httpPort: 8025,
      smtpPort: 1025,
      domains: [{ name: 'mayfly.test', key: null }],
      dataDir: 'data',
      retentionMs: 86_400_000,
      maxMessageBytes: 41_943_040,
      maxStoredBytes: undefined,
      catchAll: true,
      apiKeys: [],
      smtpAuth: 'any',
      smtpFaults: true,
      sendApis: true,
      catcherApis: 'on',
      dnsServers: [],
      tls: undefined,
      logLevel: 'info',
    })
  })

  test('the defaults where other machines can connect', () => {
    expect(readConfig({ MAYFLY_HOST: '0.0.0.0' })).toMatchObject({
      smtpAuth: 'off',
      catchAll: false,
      smtpFaults: false,
      sendApis: false,
      catcherApis: 'off',
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
      MAYFLY_CATCH_ALL: 'all',
      MAYFLY_API_KEYS: 'short',
      MAYFLY_SMTP_AUTH: 'user',
      MAYFLY_TLS: 'on',
      MAYFLY_SEND_APIS: '1',
      MAYFLY_CATCHER_APIS: '1',
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
      'MAYFLY_CATCH_ALL',
      'MAYFLY_MX_HOST',
      'MAYFLY_DNS_SERVER',
      'MAYFLY_RETENTION_HOURS',
      'MAYFLY_MAX_MESSAGE_BYTES',
      'MAYFLY_MAX_STORED_BYTES',
      'MAYFLY_API_KEYS',
      'MAYFLY_SMTP_AUTH',
      'MAYFLY_TLS',
      'MAYFLY_SMTP_FAULTS',
      'MAYFLY_SEND_APIS',
      'MAYFLY_CATCHER_APIS',
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

  test('domains with their keys, which no message repeats', () => {
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
    ['MAYFLY_BASE_URL', 'https://mail.example.com/path/of.it/', true],
    ['MAYFLY_BASE_URL', 'https://mail.example.com/../path', false],
    ['MAYFLY_BASE_URL', 'https://mail.example.com/a?b', false],
    ['MAYFLY_BASE_URL', 'https://mail.example.com/"><b>', false],
    ['MAYFLY_BASE_URL', 'https://a:b@mail.example.com', false],
    ['MAYFLY_CORS_ORIGINS', '*', true],
    ['MAYFLY_CORS_ORIGINS', 'https://a.example, http://localhost:3000', true],
    ['MAYFLY_CORS_ORIGINS', 'a.example', false],
    ['MAYFLY_CORS_ORIGINS', 'https://a.example/app', false],
    ['MAYFLY_CORS_ORIGINS', 'https://*.a.example', false],
  ])('%s %s is valid: %s', (name, value, valid) => {
    expect(faults({ [name]: value })).toHaveLength(valid ? 0 : 1)
  })

  test('URLs and origins are normalized', () => {
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

  test.each([
    ['MAYFLY_SMPT_PORT', 'MAYFLY_SMTP_PORT'],
    ['MAYFLY_DOMAIN', 'MAYFLY_DOMAINS'],
    ['MAYFLY_APIKEYS', 'MAYFLY_API_KEYS'],
    ['MAYFLY_PORT', 'MAYFLY_HTTP_PORT'],
    ['MAYFLY_KEYS', 'MAYFLY_API_KEYS'],
    ['MAYFLY_', 'MAYFLY_TLS'],
  ])('the unknown variable %s is a fault that suggests %s', (name, suggestion) => {
    expect(faults({ [name]: '', MAYFLY_URL: 'x', MAYFLY_API_KEY: 'x', OTHER: 'x' })).toEqual([
      `${name} is not a variable of this service; did you mean ${suggestion}?`,
    ])
  })

  test.each(['MAYFLY_URL', 'MAYFLY_API_KEY', 'MAYFLY_DOMAIN_KEY', 'MAYFLY_TIMEOUT'])(
    'the variable %s of clients is ignored',
    (name) => expect(faults({ [name]: '?' })).toEqual([]),
  )

  test("operator's keys, which no message repeats", () => {
    const key = 'abcdefgh-IJKL_0123'
    expect(readConfig({ MAYFLY_API_KEYS: ` ${key},${key}x, ` }).apiKeys).toEqual([key, `${key}x`])
    for (const wrong of ['fifteen-letters', 'x'.repeat(201), 'no spaces in a key']) {
      const [fault] = faults({ MAYFLY_API_KEYS: `${key},${wrong}` })
      expect(fault).toContain('key 2')
      expect(fault).not.toContain(wrong)
    }
  })

  test.each([
    ['any', 'any'],
    ['off', 'off'],
    ['app:se:cret', { user: 'app', password: 'se:cret' }],
  ])('SMTP AUTH %s', (value, expected) => {
    expect(readConfig({ MAYFLY_SMTP_AUTH: value }).smtpAuth).toEqual(expected)
  })

  test.each(['user:', ':secret', 'on', 'us\u0000er:secret'])(
    'SMTP AUTH %j is a fault that does not repeat it',
    (value) => {
      expect(faults({ MAYFLY_SMTP_AUTH: value })).toEqual([
        'MAYFLY_SMTP_AUTH must be any, off or user:password',
      ])
    },
  )

  test('a self-signed certificate', () => {
    expect(readConfig({ MAYFLY_TLS: 'self-signed' }).tls).toBe('self-signed')
    expect(readConfig({ MAYFLY_TLS: 'off' }).tls).toBe(undefined)
  })

  test.each([
    [{}, false],
    [{ MAYFLY_HOST: '0.0.0.0' }, true],
    [{ MAYFLY_HOST: '0.0.0.0', MAYFLY_API_KEYS: 'abcdefgh-IJKL_0123' }, false],
    [{ MAYFLY_HOST: '::1' }, false],
  ])('catch-all with %j is a fault: %s', (env, isFault) => {
    expect(faults({ MAYFLY_CATCH_ALL: 'on', ...env })).toHaveLength(isFault ? 1 : 0)
    expect(faults({ MAYFLY_SEND_APIS: 'on', ...env })).toHaveLength(isFault ? 1 : 0)
    expect(faults({ MAYFLY_CATCHER_APIS: 'on', ...env })).toHaveLength(isFault ? 1 : 0)
    expect(faults({ MAYFLY_CATCHER_APIS: 'open', ...env })).toEqual([])
    if (!isFault) expect(readConfig({ MAYFLY_CATCH_ALL: 'on', ...env }).catchAll).toBe(true)
  })

  test('a certificate and its key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-'))
    const files = { MAYFLY_TLS_CERT: join(folder, 'cert.pem'), MAYFLY_TLS_KEY: join(folder, 'key.pem') }
    await writeFile(files.MAYFLY_TLS_CERT, TLS.cert)
    await writeFile(files.MAYFLY_TLS_KEY, TLS.key)
    expect(readConfig(files).tls).toEqual(TLS)
    expect(faults({ ...files, MAYFLY_TLS: 'self-signed' })).toHaveLength(1)
    await rm(folder, { recursive: true })
  })

  test('a certificate that cannot be read', () => {
    expect(faults({ MAYFLY_TLS_CERT: 'no.pem', MAYFLY_TLS_KEY: 'no.key' })).toHaveLength(1)
    expect(faults({ MAYFLY_TLS_CERT: 'package.json', MAYFLY_TLS_KEY: 'package.json' })).toHaveLength(1)
  })
})
