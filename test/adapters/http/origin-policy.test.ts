import { expect, test } from '@jest/globals'
import { misdirected, originPolicyOf } from '../../../adapters/http/origin-policy.ts'

const own = {
  origins: undefined,
  names: ['mail.example', 'mx.example'],
  baseUrl: 'https://box.example:8443',
}

test.each([
  [undefined, true],
  ['localhost', true],
  ['LOCALHOST.:3000', true],
  ['box.localhost', true],
  ['127.0.0.1:80', true],
  ['127.12.123.10', true],
  ['10.0.0.1', true],
  ['203.0.113.9:8025', true],
  ['[::1]:3000', true],
  ['[2001:db8::7]', true],
  ['mayfly:8025', true],
  ['mail_catcher:8025', true],
  ['mayfly.default.svc.cluster.local', true],
  ['printer.local', true],
  ['host.docker.internal:8025', true],
  ['shop.test', true],
  ['nas.lan', true],
  ['nas.home.arpa', true],
  ['mail.example', true],
  ['mx.example', true],
  ['box.example', true],
  ['other.example', false],
  ['a.mail.example', false],
  ['xlocalhost.example', false],
  ['localhost.example', false],
  ['local.example', false],
  ['a.local.example', false],
  ['xlocal.dev', false],
  ['home.arpa.example', false],
  ['127.0.0.1.example', false],
  ['127.0.0.1.nip.io', false],
  ['127.0.0', false],
  ['[evil.example]', false],
  ['evil.example#.local', false],
  ['evil.example/.local', false],
  ['user@evil.local', false],
  ['', false],
])('the Host header %s is allowed: %s', (host, allowsHost) => {
  expect(originPolicyOf(own).allowsHost(host)).toBe(allowsHost)
  expect(misdirected(originPolicyOf(own), host, undefined)?.code).toBe(
    allowsHost ? undefined : 'misdirected_request',
  )
})

test.each([
  ['pages of the service itself only', {}, [false, false, true, true, true, false, false, false]],
  [
    'configured ones too',
    { origins: ['https://a.example'] },
    [false, false, true, true, true, true, false, false],
  ],
  ['every one, if configured', { origins: ['*'] }, [true, true, true, true, true, true, true, true]],
])('an origin is allowed: %s', (_name, change, allowed) => {
  const originPolicy = originPolicyOf({ ...own, ...change })
  const origins = [
    'http://localhost:5173',
    'http://127.0.0.1:8025',
    'http://localhost:8025',
    'https://localhost:8025',
    'https://box.example:8443',
    'https://a.example',
    'null',
    'chrome-extension://LOCALHOST:8025',
  ]
  expect(origins.map((origin) => originPolicy.allowsOrigin(origin, 'LOCALHOST:8025'))).toEqual(allowed)
})

test('a page of the default port is of the service, and no page is of a request without Host', () => {
  const originPolicy = originPolicyOf(own)
  expect(originPolicy.allowsOrigin('http://mayfly', 'mayfly:80')).toBe(true)
  expect(originPolicy.allowsOrigin('https://mail.example', 'mail.example')).toBe(true)
  expect(originPolicy.allowsOrigin('http://mayfly', undefined)).toBe(false)
  expect(originPolicy.allowsOrigin('http://mayfly', 'may fly')).toBe(false)
})
