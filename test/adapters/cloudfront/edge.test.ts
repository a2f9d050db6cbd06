import { describe, expect, test } from '@jest/globals'
import { callerOf, refusal } from '../../../adapters/cloudfront/edge.ts'
import { OriginSecret } from '../../../adapters/cloudfront/origin-secret.ts'

const secret = new OriginSecret(['the secret'])
const callerWith = (headers: Record<string, string>) => callerOf((name) => headers[name], secret)
const callerFrom = (viewer: string) =>
  callerWith({ 'x-mayfly-origin': 'the secret', 'cloudfront-viewer-address': viewer, 'x-mayfly-path': '/p' })

describe('the caller of a request through CloudFront', () => {
  test.each([
    ['198.51.100.10:46532', '198.51.100.10'],
    ['2001:db8:85a3::8a2e:370:7334:46532', '2001:db8:85a3::8a2e:370:7334'],
    ['[2001:db8::1]:46532', '2001:db8::1'],
  ])('%s is %s', (viewer, address) => {
    expect(callerFrom(viewer)).toEqual({ address, path: '/p' })
  })

  test.each(['', 'x', '198.51.100.10', 'host:80', ':80'])('%j is not a valid address', (viewer) => {
    expect(callerFrom(viewer)).toBeUndefined()
  })

  test.each([undefined, '', 'the secre', 'the secret ', 'The secret', 'thé secret'])(
    'a request with the secret %j is refused',
    (sent) => {
      const headers = { 'cloudfront-viewer-address': '198.51.100.10:1', 'x-mayfly-path': '/p' }
      expect(
        callerWith(sent === undefined ? headers : { ...headers, 'x-mayfly-origin': sent }),
      ).toBeUndefined()
    },
  )

  test('a request that bypasses CloudFront gets a problem', async () => {
    const answer = refusal('r1')
    expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
      403,
      { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'x-request-id': 'r1' },
    ])
    expect(await answer.json()).toEqual({
      type: '/problems/wrong_door',
      title: expect.any(String),
      status: 403,
      detail: 'Send requests to the base URL of the service.',
      code: 'wrong_door',
      success: false,
      request_id: 'r1',
    })
  })
})
