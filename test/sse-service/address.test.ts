import { expect, test } from '@jest/globals'
import { listenAddress } from '../../sse-service/address.ts'

test.each([
  [undefined, { host: '0.0.0.0', port: 8080 }],
  ['', { host: '0.0.0.0', port: 8080 }],
  ['127.0.0.1:9001', { host: '127.0.0.1', port: 9001 }],
  ['http://127.0.0.1:9001', { host: '127.0.0.1', port: 9001 }],
  ['[::1]:9001', { host: '::1', port: 9001 }],
])('AWS_LAMBDA_HTTP_ENDPOINT=%s', (endpoint, address) => {
  expect(listenAddress({ AWS_LAMBDA_HTTP_ENDPOINT: endpoint }, 8080)).toEqual(address)
})

test.each(['nonsense', '127.0.0.1', ':', 'http://'])(
  'an endpoint "%s" without a port is rejected',
  (endpoint) => {
    expect(() => listenAddress({ AWS_LAMBDA_HTTP_ENDPOINT: endpoint }, 8080)).toThrow(
      'AWS_LAMBDA_HTTP_ENDPOINT',
    )
  },
)
