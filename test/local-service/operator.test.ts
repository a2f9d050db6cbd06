import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { API_KEY_REQUESTS_PER_MINUTE } from '../../core/limits.ts'
import { type RunningService, startService } from '../support/service.ts'

const RATE_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
const ADDRESS = '/api/emails/operator@mayfly.test'

describe('the operator of a loopback service', () => {
  let cache: string
  let service: RunningService
  const keys = async () =>
    JSON.parse(await readFile(join(cache, 'mayfly', 'keys.json'), 'utf8')) as Record<string, { key: string }>

  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), 'mayfly-cache-'))
    service = await startService({ XDG_CACHE_HOME: cache, MAYFLY_LOG_LEVEL: 'debug' })
  })
  afterAll(async () => {
    await service.stop()
    await rm(cache, { recursive: true, force: true })
  })

  test('finds a generated key in the key file, under every name of the service', async () => {
    const entries = await keys()
    const { port } = new URL(service.http)
    expect(Object.keys(entries).sort()).toEqual(
      ['127.0.0.1', '[::1]', 'localhost'].map((host) => `http://${host}:${port}`),
    )
    expect(entries[service.http]?.key).toMatch(/^[A-Za-z0-9_-]{16,200}$/)
  })

  test('has no rate limit, no RateLimit headers and no key in the log', async () => {
    const key = (await keys())[service.http]!.key
    for (let n = 0; n <= API_KEY_REQUESTS_PER_MINUTE; n++) {
      const answer = await fetch(service.http + ADDRESS, { headers: { 'X-API-Key': key } })
      expect(answer.status).toBe(200)
      expect(RATE_HEADERS.filter((name) => answer.headers.has(name))).toEqual([])
    }
    expect(service.output()).toContain(ADDRESS)
    expect(service.output()).not.toContain(key)
  })

  test('cannot revoke the key over HTTP', async () => {
    const init = { headers: { 'X-API-Key': (await keys())[service.http]!.key } }
    const answer = await fetch(`${service.http}/api/keys/current`, { ...init, method: 'DELETE' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe('GET, HEAD')
    const current = await fetch(`${service.http}/api/keys/current`, init)
    expect(await current.json()).toMatchObject({
      purpose: 'operator',
      expires_at: '9999-12-31T23:59:59.999Z',
    })
  })

  test('gets a new key at the next start, and a stop removes the key from the file', async () => {
    const first = (await keys())[service.http]!.key
    await service.stop()
    expect(await keys()).toEqual({})
    service = await startService({ XDG_CACHE_HOME: cache })
    expect((await keys())[service.http]!.key).not.toBe(first)
    const answer = await fetch(service.http + ADDRESS, { headers: { 'X-API-Key': first } })
    expect(answer.status).toBe(401)
  })
})

test('all configured keys are accepted, and none is written to the key file', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'mayfly-cache-'))
  const service = await startService({
    XDG_CACHE_HOME: cache,
    MAYFLY_API_KEYS: 'first-key-of-the-operator, second_key_of_the_operator',
  })
  try {
    for (const [key, status] of [
      ['first-key-of-the-operator', 200],
      ['second_key_of_the_operator', 200],
      ['third-key-of-the-operator', 401],
    ] as const) {
      const answer = await fetch(service.http + ADDRESS, { headers: { 'X-API-Key': key } })
      expect([key, answer.status]).toEqual([key, status])
    }
    await expect(readFile(join(cache, 'mayfly', 'keys.json'))).rejects.toMatchObject({ code: 'ENOENT' })
  } finally {
    await service.stop()
    await rm(cache, { recursive: true, force: true })
  }
})
