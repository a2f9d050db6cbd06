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

test('a service that others reach is whatever they call it', () => {
  expect(originPolicyOf({ ...own, isLoopback: false }).allowsHost('other.example')).toBe(true)
})

test.each([
  ['pages of this machine and our own', {}, [true, true, true, false, false]],
  ['pages that are named, too', { origins: ['https://a.example'] }, [true, true, true, true, false]],
  ['all of them', { origins: ['*'] }, [true, true, true, true, true]],
  ['all of them where others reach it', { isLoopback: false }, [true, true, true, true, true]],
  [
    'not those of this machine where others reach it and pages are named',
    { isLoopback: false, origins: ['https://a.example'] },
    [false, false, true, true, false],
  ],
])('may call: %s', (_name, change, allowed) => {
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
