import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { KeyFile, keyFilePath } from '../../../packages/client/src/key-file.ts'
import { eventually } from '../../support/eventually.ts'

const URL_A = 'http://127.0.0.1:8025'
const NOW = Date.parse('2026-11-23T08:00:00Z')

describe('the key file', () => {
  let cache: string
  let path: string

  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
    path = join(cache, 'below', 'keys.json')
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    delete process.env.XDG_CACHE_HOME
    await rm(cache, { recursive: true })
  })

  const newKey = async () => 'new'

  test('clients that start together share one key', async () => {
    let created = 0
    const create = async () => `key ${created++}`
    const get = () => new KeyFile(path).get(URL_A, create, undefined)
    expect(new Set(await Promise.all(Array.from({ length: 12 }, get)))).toEqual(new Set(['key 0']))
    expect(await new KeyFile(path).get('http://b', create, undefined)).toBe('key 1')
    expect(await readdir(dirname(path))).toEqual(['keys.json'])
    expect(await get()).toBe('key 0')
  })

  test('a rejected key is replaced for all clients', async () => {
    await new KeyFile(path).get(URL_A, async () => 'old', undefined)
    expect(await new KeyFile(path).get(URL_A, newKey, 'old')).toBe('new')
    expect(await new KeyFile(path).get(URL_A, async () => 'another', 'old')).toBe('new')
  })

  test('a rejected key that is no longer in the file is replaced', async () => {
    expect(await new KeyFile(path).get(URL_A, newKey, 'old')).toBe('new')
  })

  test('a key that is there is used while another client has the lock', async () => {
    await new KeyFile(path).get(URL_A, newKey, undefined)
    await writeFile(`${path}.lock`, '')
    expect(await new KeyFile(path, 3_000_000).get(URL_A, async () => 'another', undefined)).toBe('new')
  })

  test('a lock that cannot be removed does not take the key from the client', async () => {
    const create = async () => {
      await rm(`${path}.lock`)
      await mkdir(`${path}.lock`)
      return 'new'
    }
    expect(await new KeyFile(path).get(URL_A, create, undefined)).toBe('new')
  })

  test('the key that a service on this machine has written is used', async () => {
    await mkdir(join(cache, 'below'))
    await writeFile(path, JSON.stringify({ [URL_A]: { key: 'mfo_operator', taken_at: Date.now() } }))
    expect(await new KeyFile(path).get(URL_A, newKey, undefined)).toBe('mfo_operator')
  })

  test('a user without a home folder has no key file', async () => {
    // Node asks the system for the home folder of a user id without an account.
    const script = `import { Mayfly } from ${JSON.stringify(new URL('../../../packages/client/src/node.ts', import.meta.url))}
process.setuid(54321)
console.log(new Mayfly().url)`
    const run = () =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env: {}, encoding: 'utf8' })
    if (process.getuid?.() === 0) expect(run()).toBe('http://127.0.0.1:8025\n')
    else process.stderr.write('LEFT OUT: another user id needs root.\n')
    delete process.env.XDG_CACHE_HOME
    const path = keyFilePath({}, () => {
      throw new Error('no such user')
    })
    const isLocked = async () => String(existsSync(`${path}.lock`))
    expect([path, await new KeyFile(path).get(URL_A, isLocked, undefined)]).toEqual([undefined, 'false'])
  })

  test('only its owner may read it', async () => {
    await new KeyFile(path).get(URL_A, newKey, undefined)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  })

  test('keeps the keys of the 50 services used last, each for 30 days', async () => {
    const day = 24 * 3_600_000
    jest.spyOn(Date, 'now').mockReturnValue(NOW)
    const age = (days: number) => ({ key: 'kept', taken_at: NOW - days * day })
    await mkdir(join(cache, 'below'))
    const others = Array.from({ length: 55 }, (_, n) => [`http://${n}`, age(20 - n / 10)])
    const entries = { 'http://old': age(30.1), ...Object.fromEntries(others), 'http://young': age(0.1) }
    await writeFile(path, JSON.stringify(entries))
    await new KeyFile(path).get(URL_A, newKey, undefined)
    const { [URL_A]: taken, ...kept } = JSON.parse(await readFile(path, 'utf8'))
    expect(taken).toEqual({ key: 'new', taken_at: NOW })
    expect(Object.keys(kept)).toEqual([
      'http://young',
      ...Array.from({ length: 48 }, (_, n) => `http://${54 - n}`),
    ])
    const entry = (ms: number) => ({ key: 'kept', taken_at: NOW - 30 * day + ms })
    await writeFile(path, JSON.stringify({ 'http://month': entry(1), 'http://old': entry(0) }))
    await new KeyFile(path).get(URL_A, newKey, undefined)
    expect(Object.keys(JSON.parse(await readFile(path, 'utf8')))).toEqual([URL_A, 'http://month'])
  })

  test('is in the cache folder of the user', () => {
    const home = () => '/home/ann'
    expect(keyFilePath({}, home)).toBe('/home/ann/.cache/mayfly/keys.json')
    expect(keyFilePath({ XDG_CACHE_HOME: '' }, home)).toBe('/home/ann/.cache/mayfly/keys.json')
    expect(keyFilePath({ XDG_CACHE_HOME: '/cache' }, home)).toBe('/cache/mayfly/keys.json')
  })

  test('of a client is below its home folder', async () => {
    // Jest gives its tests a copy of the environment, which the home folder does not follow.
    const file = new URL('../../../packages/client/src/node.ts', import.meta.url)
    const script = `import { Mayfly } from ${JSON.stringify(file)}
class Own extends Mayfly {
  get store() {
    return this.keyStore
  }
}
await new Own().store.get('http://a', async () => 'new', undefined)`
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env: { HOME: cache } })
    expect(await readdir(join(cache, '.cache/mayfly'))).toEqual(['keys.json'])
  })

  test('is unlocked when no key could be created', async () => {
    const failing = () => Promise.reject(new Error('The service starts.'))
    await expect(new KeyFile(path).get(URL_A, failing, undefined)).rejects.toThrow('The service starts.')
    expect(await readdir(dirname(path))).toEqual([])
  })

  test.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[1]'],
    ['an entry of another type', JSON.stringify({ [URL_A]: 5 })],
    ['an empty entry', JSON.stringify({ [URL_A]: null })],
    ['a key of another type', JSON.stringify({ [URL_A]: { key: 5, taken_at: 5 } })],
    ['a time of another type', JSON.stringify({ [URL_A]: { key: 'x', taken_at: '5' } })],
  ])('a file with %s is replaced', async (_what, text) => {
    await mkdir(join(cache, 'below'))
    await writeFile(path, text)
    expect(await new KeyFile(path).get(URL_A, newKey, undefined)).toBe('new')
    expect(await new KeyFile(path).get(URL_A, async () => 'another', undefined)).toBe('new')
  })

  test('a damaged entry does not harm the others', async () => {
    await mkdir(join(cache, 'below'))
    const kept = { key: 'kept', taken_at: Date.now() }
    await writeFile(path, JSON.stringify({ 'http://a': null, 'http://b': kept, 'http://c': 5 }))
    expect(await new KeyFile(path).get('http://b', newKey, undefined)).toBe('kept')
    expect(await new KeyFile(path).get(URL_A, newKey, undefined)).toBe('new')
    expect(Object.keys(JSON.parse(await readFile(path, 'utf8'))).sort()).toEqual([URL_A, 'http://b'])
  })

  test('a lock that cannot be created is not waited for', async () => {
    const tooLong = join(cache, 'k'.repeat(254))
    expect(await new KeyFile(tooLong, Number.POSITIVE_INFINITY).get(URL_A, newKey, undefined)).toBe('new')
    expect(await readdir(cache)).toEqual([])
  })

  test('the lock of a client that creates a key is waited for', async () => {
    const { promise: created, resolve: create } = Promise.withResolvers<string>()
    const first = new KeyFile(path).get(URL_A, () => created, undefined)
    await eventually('the lock', () => existsSync(`${path}.lock`))
    // The clock is read for the age of the lock.
    const clock = jest.spyOn(Date, 'now')
    const second = new KeyFile(path).get(URL_A, newKey, undefined)
    await eventually('looks at the lock', () => clock.mock.calls.length > 1)
    create('shared')
    expect(await Promise.all([first, second])).toEqual(['shared', 'shared'])
  })

  test('a key is created under a lock', async () => {
    const files = () => readdir(dirname(path))
    expect(await new KeyFile(path).get(URL_A, async () => (await files()).join(), undefined)).toBe(
      'keys.json.lock',
    )
    expect(await files()).toEqual(['keys.json'])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a folder', () => mkdir(path, { recursive: true })],
    ['below a file', () => writeFile(join(cache, 'below'), '')],
    [
      'a named pipe',
      async () => {
        await mkdir(join(cache, 'below'))
        execFileSync('mkfifo', [path])
      },
    ],
    [
      'in a read-only folder',
      async () => {
        await mkdir(join(cache, 'below'))
        await chmod(join(cache, 'below'), 0o500)
      },
    ],
  ])('a path that is %s does not stop a test', async (_what, prepare) => {
    await prepare()
    expect(await new KeyFile(path).get(URL_A, newKey, undefined)).toBe('new')
    const left = await readdir(join(cache, 'below')).catch(() => [])
    expect(left.filter((name) => name !== 'keys.json')).toEqual([])
  })

  test.each([
    // It is older than the time that a client would wait for it.
    ['is old', -3600, 3_000_000],
    ['is from the future', 3600, 200],
  ])('an abandoned lock that %s does not stop a test', async (_what, seconds, lockMaxMs) => {
    await mkdir(join(cache, 'below'))
    const lock = `${path}.lock`
    await writeFile(lock, '')
    const time = Date.now() / 1000 + seconds
    await utimes(lock, time, time)
    expect(await new KeyFile(path, lockMaxMs).get(URL_A, newKey, undefined)).toBe('new')
    await expect(stat(lock)).rejects.toThrow('ENOENT')
    expect(await new KeyFile(path, 200).get(URL_A, async () => 'another', undefined)).toBe('new')
  })
})

describe('the key file of a service', () => {
  let cache: string
  let path: string

  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
    path = join(cache, 'below', 'keys.json')
  })
  afterEach(() => rm(cache, { recursive: true }))

  const entries = async () => JSON.parse(await readFile(path, 'utf8')) as Record<string, { key: string }>

  test('gets an entry for each URL, is readable by its owner only, and loses the entries again', async () => {
    const file = new KeyFile(path)
    await file.put(['http://a', 'http://b'], 'key')
    const entry = { key: 'key', taken_at: expect.any(Number) }
    expect(await entries()).toEqual({ 'http://a': entry, 'http://b': entry })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
    await file.remove(['http://a', 'http://b'], 'key')
    expect(await entries()).toEqual({})
    expect(await readdir(dirname(path))).toEqual(['keys.json'])
  })

  test('keeps the entries of twenty services that start and stop at once, and of a client', async () => {
    const file = () => new KeyFile(path, 60_000)
    const services = Array.from({ length: 20 }, (_, n) => n)
    const starts = services.map((n) => file().put([`http://${n}`], `key-${n}`))
    const client = file().get('http://client', async () => 'own', undefined)
    await Promise.all([...starts, client])
    expect(Object.keys(await entries())).toHaveLength(21)
    await Promise.all(services.slice(1).map((n) => file().remove([`http://${n}`], `key-${n}`)))
    expect(await entries()).toMatchObject({ 'http://0': { key: 'key-0' }, 'http://client': { key: 'own' } })
    expect(Object.keys(await entries())).toHaveLength(2)
  })

  test('keeps the key that another service wrote for the same URL since', async () => {
    const file = new KeyFile(path)
    await file.put(['http://a'], 'old')
    await file.put(['http://a'], 'new')
    await file.remove(['http://a'], 'old')
    expect(await entries()).toMatchObject({ 'http://a': { key: 'new' } })
  })

  test('of mode 0644 becomes 0600', async () => {
    await mkdir(dirname(path))
    await writeFile(path, '{}')
    await chmod(path, 0o644)
    await new KeyFile(path).put(['http://a'], 'key')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('that cannot be written rejects, without the key', async () => {
    await writeFile(join(cache, 'below'), 'a file where the folder should be')
    const put = new KeyFile(path).put(['http://a'], 'secret-key')
    await expect(put).rejects.toMatchObject({
      code: 'EEXIST',
      message: expect.not.stringContaining('secret-key'),
    })
  })

  test('does not exist for a user without a home folder', async () => {
    await new KeyFile(undefined).put(['http://a'], 'key')
    expect(await readdir(cache)).toEqual([])
  })
})
