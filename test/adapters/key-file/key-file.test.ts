import { chmod, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { KeyFile, keyFilePath } from '../../../adapters/key-file/key-file.ts'

let folder: string
let file: string
let failures: unknown[]

const entries = async () => JSON.parse(await readFile(file, 'utf8')) as Record<string, { key: string }>
/** Waits longer than any busy machine needs, so that a call returns after its change. */
const keyFile = () => new KeyFile(file, (error) => failures.push(error), 60_000)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-keys-'))
  file = join(folder, 'mayfly', 'keys.json')
  failures = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the key file', () => {
  test('is in the cache folder of the user', () => {
    expect(keyFilePath({ XDG_CACHE_HOME: '/cache' })).toBe('/cache/mayfly/keys.json')
    expect(keyFilePath({})).toMatch(/\/\.cache\/mayfly\/keys\.json$/)
  })

  test('gets an entry for each URL, is readable by its owner only, and loses the entries again', async () => {
    await keyFile().add(['http://a', 'http://b'], 'key')
    expect(await entries()).toEqual({
      'http://a': { key: 'key', taken_at: expect.any(Number) },
      'http://b': { key: 'key', taken_at: expect.any(Number) },
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
    await keyFile().remove(['http://a', 'http://b'], 'key')
    expect(await entries()).toEqual({})
    expect(failures).toEqual([])
  })

  test('keeps the entries of twenty services that start and stop at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => keyFile().add([`http://${i}`], `key-${i}`)))
    expect(Object.keys(await entries())).toHaveLength(20)
    await Promise.all(Array.from({ length: 19 }, (_, i) => keyFile().remove([`http://${i}`], `key-${i}`)))
    expect(await entries()).toMatchObject({ 'http://19': { key: 'key-19' } })
    expect(Object.keys(await entries())).toHaveLength(1)
  })

  test('keeps the key that another service wrote for the same URL since', async () => {
    await keyFile().add(['http://a'], 'old')
    await keyFile().add(['http://a'], 'new')
    await keyFile().remove(['http://a'], 'old')
    expect(await entries()).toMatchObject({ 'http://a': { key: 'new' } })
  })

  test.each(['', '{"http://a": ', '[]', 'null', '"text"'])(
    'with the content %j is replaced',
    async (content) => {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
      await keyFile().add(['http://a'], 'key')
      expect(await entries()).toMatchObject({ 'http://a': { key: 'key' } })
    },
  )

  test('of mode 0644 becomes 0600', async () => {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, '{}')
    await chmod(file, 0o644)
    await keyFile().add(['http://a'], 'key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('that cannot be written is reported, without the key, and nothing is thrown', async () => {
    await writeFile(join(folder, 'mayfly'), 'a file where the folder should be')
    await keyFile().add(['http://a'], 'secret-key')
    expect(failures).toHaveLength(1)
    expect(String(failures[0])).not.toContain('secret-key')
  })

  test('is written past a lock that a killed process left', async () => {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.lock`, '')
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(`${file}.lock`, longAgo, longAgo)
    await keyFile().add(['http://a'], 'key')
    expect(await entries()).toMatchObject({ 'http://a': { key: 'key' } })
  })

  test('that is locked delays no service, and is written when the lock is free', async () => {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.lock`, '')
    await new KeyFile(file, (error) => failures.push(error), 50).add(['http://a'], 'key')
    await expect(entries()).rejects.toMatchObject({ code: 'ENOENT' })
    await rm(`${file}.lock`)
    await keyFile().add(['http://b'], 'key')
    await expect(entries()).resolves.toMatchObject({ 'http://b': { key: 'key' } })
  })
})
