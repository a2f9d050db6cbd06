import { describe, expect, test } from '@jest/globals'
import { callerOf, knownCallerOf, refusal } from '../../../adapters/cloudfront/edge.ts'
import { OriginSecret } from '../../../adapters/cloudfront/origin-secret.ts'

const secret = await OriginSecret.open({
  kept: { current: async () => 'the secret', values: async () => ['the secret'] },
  clock: () => 0,
  report: () => {},
})
const of = async (headers: Record<string, string>) => {
  const caller = await callerOf((name) => headers[name], secret)
  expect(knownCallerOf((name) => headers[name], secret)).toEqual(caller)
  return caller
}
const from = (viewer: string) =>
  of({ 'x-mayfly-origin': 'the secret', 'cloudfront-viewer-address': viewer, 'x-mayfly-path': '/p' })

describe('the caller, as CloudFront tells it', () => {
  test.each([
    ['198.51.100.10:46532', '198.51.100.10'],
    ['2001:db8:85a3::8a2e:370:7334:46532', '2001:db8:85a3::8a2e:370:7334'],
    ['[2001:db8::1]:46532', '2001:db8::1'],
  ])('%s is %s', async (viewer, address) => {
    expect(await from(viewer)).toEqual({ address, path: '/p' })
  })

  test.each(['', 'x', '198.51.100.10', 'host:80', ':80'])('%j is nobody', async (viewer) => {
    expect(await from(viewer)).toBeUndefined()
  })

  test.each([undefined, '', 'the secre', 'the secret ', 'The secret', 'thé secret'])(
    'the secret %j is wrong',
    async (sent) => {
      const headers = { 'cloudfront-viewer-address': '198.51.100.10:1', 'x-mayfly-path': '/p' }
      expect(await of(sent === undefined ? headers : { ...headers, 'x-mayfly-origin': sent })).toBeUndefined()
    },
  )

  test('others are refused by a problem', async () => {
    const answer = refusal('r1')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'application/problem+json'])
    expect(await answer.json()).toMatchObject({ status: 403, success: false, request_id: 'r1' })
  })
})
