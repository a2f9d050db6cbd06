import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { withSqlite } from '../../../packages/mayfly/src/platform.ts'
import { startMayfly } from '../../../packages/mayfly/src/start.ts'
import { sendMail } from '../../support/mail.ts'

/** The rest of the package is tested as it is installed (test/packages/all.installed.ts). */
describe('a service inside the process', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'start-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** The folders whose database this process has open. */
  function stores(): string[] {
    const files = readdirSync('/proc/self/fd').flatMap((fd) => {
      const path = readlink(`/proc/self/fd/${fd}`)
      return path?.endsWith('/mayfly.db') ? [dirname(path)] : []
    })
    return [...new Set(files)]
  }

  test('has its store removed at the end of the process until the last one has stopped', async () => {
    const removals = () => process.listeners('exit').filter(({ name }) => name === 'removeAll').length
    const services = await Promise.all([startMayfly(), startMayfly()])
    const counts = [removals()]
    for (const service of services) {
      await service.stop()
      counts.push(removals())
    }
    expect(counts).toEqual([1, 1, 0])
  })

  test('has free ports, an unlimited key and a temporary store, and removes all of it', async () => {
    // Empty variables count as not set.
    const empty = { MAYFLY_HTTP_PORT: '', MAYFLY_API_KEYS: '', MAYFLY_DATA_DIR: undefined } as object
    const service = await startMayfly({ MAYFLY_DOMAINS: 'shop.test', ...empty })
    expect(service.apiKey).toMatch(/^mfo_[\w-]{43}$/)
    // The system selects free ports above these.
    expect(Number(new URL(service.url).port)).toBeGreaterThan(8025)
    expect(service.smtp.port).toBeGreaterThan(1025)
    const [store = '', ...others] = stores()
    expect([basename(store), others]).toEqual([expect.stringMatching(/^mayfly-/), []])
    const inbox = await service.inbox({ prefix: 'signup' })
    expect(inbox.address).toMatch(/^signup-.*@shop\.test$/)
    await sendMail(service.smtp, { to: inbox.address, text: 'Your code is 739105.' })
    expect(await inbox.waitForCode({ timeout: 60_000 })).toBe('739105')
    const answer = await fetch(`${service.url}/api/keys/current`, {
      headers: { 'X-API-Key': service.apiKey },
    })
    expect([answer.status, answer.headers.get('RateLimit-Limit')]).toEqual([200, null])
    await Promise.all([service.stop(), service.stop()])
    await service.stop()
    expect([stores(), existsSync(store)]).toEqual([[], false])
    await expect(fetch(service.url)).rejects.toThrow()
  })

  test('keeps a given store, and has the first of the given keys', async () => {
    const data = join(folder, 'data')
    const keys = ' first-key-0123456789 ,second-key-0123456789'
    const addresses = Object.values(networkInterfaces()).flat()
    const host = addresses.some((one) => one?.address === '::1') ? '::1' : '127.0.0.2'
    const config = { MAYFLY_DATA_DIR: data, MAYFLY_API_KEYS: keys, MAYFLY_HOST: host }
    const service = await startMayfly(config)
    expect([service.apiKey, stores()]).toEqual(['first-key-0123456789', [data]])
    expect([service.smtp.host, new URL(service.url).hostname.replace(/[[\]]/g, '')]).toEqual([host, host])
    await service[Symbol.asyncDispose]()
    expect([stores(), existsSync(join(data, 'mayfly.db'))]).toEqual([[], true])
  })

  test('a service for every interface has addresses that a client can connect to', async () => {
    const { url, smtp, stop } = await startMayfly({ MAYFLY_HOST: '0.0.0.0' })
    expect([new URL(url).hostname, smtp.host]).toEqual(['127.0.0.1', '127.0.0.1'])
    expect((await fetch(url)).status).toBe(200)
    await stop()
  })

  test('leaves no listener of the process behind, however many there were', async () => {
    const before = process.listenerCount('exit')
    const services = [await startMayfly(), await startMayfly()]
    expect(process.listenerCount('exit')).toBe(before + 1)
    for (const service of services) await service.stop()
    expect(process.listenerCount('exit')).toBe(before)
  })

  test.each([false, true, 0, 8025, null, ['a.test', 'b.test'], {}])('rejects the value %j', async (value) => {
    await expect(startMayfly({ MAYFLY_CATCH_ALL: value as never })).rejects.toMatchObject({
      name: 'ConfigError',
      faults: [`MAYFLY_CATCH_ALL must be a string, as in the environment, not ${JSON.stringify(value)}`],
    })
    const service = await startMayfly({ MAYFLY_CATCH_ALL: undefined })
    await service.stop()
  })

  test('rejects a wrong configuration with all its faults, and leaves no store behind', async () => {
    const wrong = { MAYFLY_DOMAIN: 'a.test', MAYFLY_PORT: '1' } as object
    await expect(startMayfly(wrong)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/MAYFLY_DOMAIN is not a variable.*MAYFLY_DOMAINS\?.*MAYFLY_PORT/s),
    })
    await expect(startMayfly({ MAYFLY_SMTP_PORT: 'x', MAYFLY_HTTP_PORT: 'y' })).rejects.toMatchObject({
      message: expect.stringMatching(/MAYFLY_(?:SMTP|HTTP)_PORT.*MAYFLY_(?:SMTP|HTTP)_PORT/s),
    })
    for (const [name, meant] of Object.entries({
      port: 'MAYFLY_HTTP_PORT',
      smtpPort: 'MAYFLY_SMTP_PORT',
      domain: 'MAYFLY_DOMAINS',
    })) {
      await expect(startMayfly({ [name]: '1' })).rejects.toMatchObject({
        faults: [`${name} is not a variable of this service; did you mean ${meant}?`],
      })
    }
    for (const wrong of ['a.test', null])
      await expect(startMayfly(wrong as never)).rejects.toThrow(/takes an object such as/)
    expect(stores()).toEqual([])
  })
})

describe('while SQLite is loaded', () => {
  const { emitWarning } = process

  afterEach(() => {
    process.emitWarning = emitWarning
  })

  test('no warning is lost but the one about SQLite', async () => {
    const warnings: unknown[] = []
    const record = (...warning: unknown[]) => warnings.push(warning)
    process.emitWarning = record as never
    const load = async () => {
      process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning')
      process.emitWarning('another', 'Kind')
      return 'loaded'
    }
    expect([await withSqlite(load), warnings]).toEqual(['loaded', [['another', 'Kind']]])
    await expect(withSqlite(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(process.emitWarning).toBe(record)
  })
})

/** Undefined for a file that was closed in the meantime. */
function readlink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
