import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { KeyFile } from '../../../packages/client/src/key-file.ts'

const URL_A = 'http://127.0.0.1:8080'

describe('the key file', () => {
  let cache: string
  let path: string

  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
    path = join(cache, 'below', 'keys.json')
  })
  afterEach(() => rm(cache, { recursive: true }))

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
    if (process.getuid?.() === 0) expect(run()).toBe('http://127.0.0.1:8080\n')
    else process.stderr.write('LEFT OUT: another user id needs root.\n')
  })

  test('only its owner may read it', async () => {
    await new KeyFile(path).get(URL_A, newKey, undefined)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  })

  test('keeps the keys of the 50 services used last, each for 30 days', async () => {
    const day = 24 * 3_600_000
    const age = (days: number) => ({ key: 'kept', taken_at: Date.now() - days * day })
    await mkdir(join(cache, 'below'))
    const others = Array.from({ length: 55 }, (_, n) => [`http://${n}`, age(20 - n / 10)])
    const entries = { 'http://old': age(30.1), ...Object.fromEntries(others), 'http://young': age(0.1) }
    await writeFile(path, JSON.stringify(entries))
    const startedAt = Date.now()
    await new KeyFile(path).get(URL_A, newKey, undefined)
    const { [URL_A]: taken, ...kept } = JSON.parse(await readFile(path, 'utf8'))
    expect(taken).toEqual({ key: 'new', taken_at: expect.any(Number) })
    expect(taken.taken_at).toBeGreaterThanOrEqual(startedAt)
    expect(taken.taken_at).toBeLessThanOrEqual(Date.now())
    expect(Object.keys(kept)).toEqual([
      'http://young',
      ...Array.from({ length: 48 }, (_, n) => `http://${54 - n}`),
    ])
    await writeFile(path, JSON.stringify({ 'http://month': age(29.9), 'http://old': age(30.1) }))
    await new KeyFile(path).get(URL_A, newKey, undefined)
    expect(Object.keys(JSON.parse(await readFile(path, 'utf8')))).toEqual([URL_A, 'http://month'])
  })

  test.each([
    ['XDG_CACHE_HOME', (folder: string) => ({ XDG_CACHE_HOME: folder, HOME: '/nowhere' }), 'mayfly'],
    ['the home folder', (folder: string) => ({ XDG_CACHE_HOME: '', HOME: folder }), '.cache/mayfly'],
  ])('is in the cache folder of the user, by %s', async (_what, env, folder) => {
    // Jest gives its tests a copy of the environment, which the home folder does not follow.
    const file = new URL('../../../packages/client/src/key-file.ts', import.meta.url)
    const script = `import { KeyFile } from ${JSON.stringify(file)}
await new KeyFile().get('http://a', async () => 'new', undefined)`
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env: env(cache) })
    expect(await readdir(join(cache, folder))).toEqual(['keys.json'])
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
  ])('a file with %s is replaced', async (_what, text) => {
    await mkdir(join(cache, 'below'))
    await writeFile(path, text)
    expect(await new KeyFile(path).get(URL_A, newKey, undefined)).toBe('new')
    expect(await new KeyFile(path).get(URL_A, async () => 'another', undefined)).toBe('new')
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
    ['is old', -3600],
    ['is from the future', 3600],
  ])('an abandoned lock that %s does not stop a test', async (_what, seconds) => {
    await mkdir(join(cache, 'below'))
    const lock = `${path}.lock`
    await writeFile(lock, '')
    const time = Date.now() / 1000 + seconds
    await utimes(lock, time, time)
    expect(await new KeyFile(path, 200).get(URL_A, newKey, undefined)).toBe('new')
    await expect(stat(lock)).rejects.toThrow('ENOENT')
    expect(await new KeyFile(path, 200).get(URL_A, async () => 'another', undefined)).toBe('new')
  })
})
