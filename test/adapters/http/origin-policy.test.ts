import { expect, test } from '@jest/globals'
import { originPolicyOf } from '../../../adapters/http/origin-policy.ts'

const own = {
  isLoopback: true,
  origins: undefined,
  names: ['mail.example'],
  baseUrl: 'https://box.example:8443',
}

test.each([
  ['localhost', true],
  ['LOCALHOST.:3000', true],
  ['box.localhost', true],
  ['127.0.0.1:80', true],
  ['127.12.123.10', true],
  ['[::1]:3000', true],
  ['mail.example', true],
  ['box.example', true],
  ['other.example', false],
  ['xlocalhost', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
  ['127.0.0', false],
])('on loopback, the Host header %s is allowed: %s', (host, allowsHost) => {
  expect(originPolicyOf(own).allowsHost(host)).toBe(allowsHost)
})

test('a service that other machines reach accepts any host', () => {
  expect(originPolicyOf({ ...own, isLoopback: false }).allowsHost('other.example')).toBe(true)
})

test.each([
  ['pages of this machine and of the service', {}, [true, true, true, false, false]],
  ['configured origins too', { origins: ['https://a.example'] }, [true, true, true, true, false]],
  ['every origin, if configured', { origins: ['*'] }, [true, true, true, true, true]],
  [
    'every origin, if other machines reach the service',
    { isLoopback: false },
    [true, true, true, true, true],
  ],
  [
    'only configured origins, if other machines reach the service',
    { isLoopback: false, origins: ['https://a.example'] },
    [false, false, true, true, false],
  ],
])('an origin is allowed: %s', (_name, change, allowed) => {
  const originPolicy = originPolicyOf({ ...own, ...change })
  const origins = [
    'http://localhost:5173',
    'http://[::1]',
    'https://box.example:8443',
    'https://a.example',
    'null',
  ]
  expect(origins.map((origin) => originPolicy.allowsOrigin(origin))).toEqual(allowed)
})
