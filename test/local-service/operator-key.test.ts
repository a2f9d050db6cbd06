import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { pino } from 'pino'
import { DAY_MS } from '../../core/limits.ts'
import { readConfig } from '../../local-service/config.ts'
import { publishOperatorKey } from '../../local-service/operator-key.ts'
import { eventually } from '../support/eventually.ts'

const KEY = 'mfo_key-of-this-test'
const SERVICE = { httpUrls: ['http://127.0.0.1:8099', 'http://[::1]:8099'], operatorKey: KEY }
const URLS = [...SERVICE.httpUrls, 'http://localhost:8099']

describe("the key file of a service's user", () => {
  let folder: string
  let path: string
  let lines: string[]
  const log = pino({}, { write: (line) => void lines.push(line) })

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-key-'))
    path = join(folder, 'keys.json')
    lines = []
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await rm(folder, { recursive: true })
  })

  const entries = async () =>
    JSON.parse(await readFile(path, 'utf8')) as Record<string, { key: string; taken_at: number }>

  test('has the key under every name of the service, refreshed daily, until the service stops', async () => {
    const schedule = jest.spyOn(globalThis, 'setInterval')
    const clearing = jest.spyOn(globalThis, 'clearInterval')
    const config = readConfig({ MAYFLY_BASE_URL: 'http://mail.example' })
    const unpublish = await publishOperatorKey(config, SERVICE, path, log)
    expect(Object.keys(await entries())).toEqual([...URLS, 'http://mail.example'])
    expect(new Set(Object.values(await entries()).map(({ key }) => key))).toEqual(new Set([KEY]))

    const daily = schedule.mock.calls.findIndex(([, ms]) => ms === DAY_MS)
    await writeFile(path, '{}')
    const [refresh] = schedule.mock.calls[daily]!
    ;(refresh as () => void)()
    await eventually('the refreshed entries', async () => Object.keys(await entries()).length === 4)

    const plain = join(folder, '8099.key')
    expect([await readFile(plain, 'utf8'), (await stat(plain)).mode & 0o777]).toEqual([KEY, 0o600])
    await unpublish()
    expect(await entries()).toEqual({})
    await expect(readFile(plain)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(clearing).toHaveBeenCalledWith(schedule.mock.results[daily]!.value as NodeJS.Timeout)
  })

  test('is complete when the service is announced, also where a write takes long', async () => {
    const plain = join(folder, '8099.key')
    // A write to a pipe ends when it is read.
    execFileSync('mkfifo', [plain])
    const done: string[] = []
    const publishing = publishOperatorKey(readConfig({}), SERVICE, path, log).then((unpublish) => {
      done.push('published')
      return unpublish
    })
    await eventually('the entries', async () => Object.keys(await entries().catch(() => ({}))).length > 0)
    await eventually('the end of their change', async () => (await readdir(folder)).length === 2)
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    const before = [...done]
    // First, because a failed test would otherwise leave the write waiting.
    expect(await readFile(plain, 'utf8')).toBe(KEY)
    expect(before).toEqual([])
    const unpublish = await publishing
    await rm(plain)
    await unpublish()
  })

  test.each([
    ['http://mayfly.localhost:8099', true],
    ['http://localhost:8099/mail', true],
    ['http://localhost:9000', false],
    ['http://mayfly.localhost', false],
    ['http://127.0.0.2:8099', false],
  ])('the base URL %s is named: %s, because another user may have its port', async (baseUrl, isNamed) => {
    const config = readConfig({ MAYFLY_BASE_URL: baseUrl })
    const unpublish = await publishOperatorKey(config, SERVICE, path, log)
    expect(Object.keys(await entries())).toEqual(isNamed ? [...URLS, baseUrl] : URLS)
    await unpublish()
  })

  test('does not name localhost where another user may listen at its port', async () => {
    const httpUrls = ['http://127.0.0.2:8099']
    const config = readConfig({ MAYFLY_HOST: '127.0.0.2' })
    const unpublish = await publishOperatorKey(config, { ...SERVICE, httpUrls }, path, log)
    expect(Object.keys(await entries())).toEqual(httpUrls)
    await unpublish()
  })

  test.each([
    { what: 'the operator has configured keys', env: { MAYFLY_API_KEYS: 'key-of-the-operator' } },
    { what: 'other machines reach the service', env: { MAYFLY_HOST: '0.0.0.0' } },
    { what: 'the service has no key', env: {}, service: { ...SERVICE, operatorKey: undefined } },
  ])('is not written where $what', async ({ env, service = SERVICE }) => {
    const unpublish = await publishOperatorKey(readConfig(env), service, path, log)
    await unpublish()
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('does not exist for a user without a home folder, which is no fault', async () => {
    const unpublish = await publishOperatorKey(readConfig({}), SERVICE, undefined, log)
    await unpublish()
    expect(lines).toEqual([])
  })

  test('that cannot be written is a warning that says what programs need', async () => {
    await writeFile(path, '')
    await publishOperatorKey(readConfig({}), SERVICE, join(path, 'keys.json'), log)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, err: { code: 'EEXIST' }, msg: expect.stringContaining('MAYFLY_API_KEY') },
    ])
    expect(lines.join()).not.toContain(KEY)
  })

  test('that is locked delays no service, and is written when the lock is free', async () => {
    await writeFile(`${path}.lock`, '')
    await publishOperatorKey(readConfig({}), SERVICE, path, log, 50)
    await expect(entries()).rejects.toMatchObject({ code: 'ENOENT' })
    await rm(`${path}.lock`)
    await eventually('the entries', async () => Object.keys(await entries()).length === URLS.length)
  })
})
