import { beforeEach, describe, expect, test } from '@jest/globals'
import { ApiKeyService, hashKey, mintApiKey, OperatorKeys } from '../../../core/access/api-keys.ts'
import type { ApiKey, Keys } from '../../../core/access/ports.ts'
import { FakeLimits } from './fakes.ts'

const SINCE = 1_790_000_000_000
const LONGEST = 'k'.repeat(200)
const TOO_LONG = 'k'.repeat(201)
const OPERATOR: ApiKey = {
  hash: hashKey('operator-1'),
  purpose: 'operator',
  createdAt: SINCE,
  expiresAt: Date.parse('9999-12-31T23:59:59.999Z'),
}

describe("the operator's keys", () => {
  test.each([
    ['operator-1', true],
    ['operator-2', true],
    [LONGEST, true],
    [TOO_LONG, false],
    ['operator-3', false],
    ['', false],
  ])('whether %s is one: %s', (key, is) => {
    const keys = new OperatorKeys(['operator-1', 'operator-2', LONGEST, TOO_LONG], SINCE)
    expect(keys.match(key)?.hash).toBe(is ? hashKey(key) : undefined)
  })

  test('do not expire', () => {
    expect(new OperatorKeys(['operator-1'], SINCE).match('operator-1')).toEqual(OPERATOR)
  })

  test('are none if none are configured', () => {
    const none = new OperatorKeys([], SINCE)
    expect([none.match('operator-1'), none.find(OPERATOR.hash)]).toEqual([undefined, undefined])
  })
})

describe('a service with operator keys', () => {
  const ISSUED: ApiKey = { hash: 'issued', purpose: 'tests', createdAt: 0, expiresAt: 1 }
  let calls: string[]
  let service: ApiKeyService
  const newService = (operatorKeys?: OperatorKeys) => {
    const keys: Keys = {
      add: async () => {},
      async admit(hash) {
        calls.push(`admit ${hash}`)
        return { outcome: 'unknown' }
      },
      async find(hash) {
        calls.push(`find ${hash}`)
        return hash === ISSUED.hash ? ISSUED : undefined
      },
      async revoke(hash) {
        calls.push(`revoke ${hash}`)
        return true
      },
    }
    const random = (size: number) => new Uint8Array(size)
    return new ApiKeyService(keys, new FakeLimits(), () => SINCE, random, operatorKeys)
  }

  beforeEach(() => {
    calls = []
    service = newService(new OperatorKeys(['operator-1'], SINCE))
  })

  test('admits them without a limit and without the store', async () => {
    expect(await service.authenticate('operator-1')).toEqual({
      key: OPERATOR,
      rate: undefined,
      admitted: true,
    })
    expect(await service.find(OPERATOR.hash)).toEqual(OPERATOR)
    expect(calls).toEqual([])
  })

  test('finds the keys of others in the store', async () => {
    expect(await service.find('issued')).toBe(ISSUED)
    expect(await service.find('unknown')).toBeUndefined()
    expect(calls).toEqual(['find issued', 'find unknown'])
  })

  test('knows which keys are the operator’s', () => {
    expect([service.isOperatorKey('operator-1'), service.isOperatorKey('operator-2')]).toEqual([true, false])
    expect([service.isOperator(OPERATOR), service.isOperator(ISSUED)]).toEqual([true, false])
  })

  test('revokes every key except those', async () => {
    expect(await service.revoke(OPERATOR)).toBe(false)
    expect(calls).toEqual([])
    expect(await service.revoke(ISSUED)).toBe(true)
    expect(calls).toEqual(['revoke issued'])
  })

  test('looks no text up that has not the form of a key', async () => {
    for (const text of ['operator-2', 'mf_short', `${mintApiKey((size) => new Uint8Array(size))}0`])
      await expect(service.authenticate(text)).rejects.toMatchObject({ code: 'api_key_invalid' })
    expect(calls).toEqual([])
  })

  test('without any refuses an unknown key, finds keys in the store and revokes them', async () => {
    service = newService()
    const key = mintApiKey((size) => new Uint8Array(size))
    await expect(service.authenticate(key)).rejects.toMatchObject({ code: 'api_key_invalid' })
    expect([service.isOperatorKey('operator-1'), service.isOperator(ISSUED)]).toEqual([false, false])
    expect(await service.find('issued')).toBe(ISSUED)
    expect(await service.revoke(ISSUED)).toBe(true)
    expect(calls).toEqual([`admit ${hashKey(key)}`, 'find issued', 'revoke issued'])
  })
})
