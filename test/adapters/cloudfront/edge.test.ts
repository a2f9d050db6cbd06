import { describe, expect, test } from '@jest/globals'
import { callerOf, refusal } from '../../../adapters/cloudfront/edge.ts'

const of = (headers: Record<string, string>) => callerOf((name) => headers[name], 'the secret')
const from = (viewer: string) =>
  of({ 'x-mayfly-origin': 'the secret', 'cloudfront-viewer-address': viewer, 'x-mayfly-path': '/p' })

describe('the caller, as CloudFront tells it', () => {
  test.each([
    ['198.51.100.10:46532', '198.51.100.10'],
    ['2001:db8:85a3::8a2e:370:7334:46532', '2001:db8:85a3::8a2e:370:7334'],
    ['[2001:db8::1]:46532', '2001:db8::1'],
  ])('%s is %s', (viewer, address) => {
    expect(from(viewer)).toEqual({ address, path: '/p' })
  })

  test.each(['', 'x', '198.51.100.10', 'host:80', ':80'])('%j is nobody', (viewer) => {
    expect(from(viewer)).toBeUndefined()
  })

  test.each([undefined, '', 'the secre', 'the secret ', 'The secret', 'thé secret'])(
    'the secret %j is wrong',
    (secret) => {
      const headers = { 'cloudfront-viewer-address': '198.51.100.10:1', 'x-mayfly-path': '/p' }
      expect(of(secret === undefined ? headers : { ...headers, 'x-mayfly-origin': secret })).toBeUndefined()
    },
  )

  test('others are refused by a problem', async () => {
    const answer = refusal('r1')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'application/problem+json'])
    expect(await answer.json()).toMatchObject({ status: 403, success: false, request_id: 'r1' })
  })
})
