import { afterEach, describe, expect, test } from '@jest/globals'
import { Keys, PageKeyStore } from '../../../packages/client/src/keys.ts'

/** A store that keeps nothing, as where there is no folder for a key file. */
function keysOf(create: (attempt: number) => string) {
  let attempts = 0
  const keys = new Keys(undefined, async () => create(++attempts))
  return { keys, attempts: () => attempts }
}

describe('the key of a client', () => {
  test('is replaced once, however many requests it was rejected for', async () => {
    const { keys, attempts } = keysOf((attempt) => `key-${attempt}`)
    const rejected = await keys.current()
    await Promise.all([keys.renew(rejected), keys.renew(rejected)])
    await keys.renew(rejected)
    expect([await keys.current(), attempts()]).toEqual(['key-2', 2])
  })

  test('that could not be created is requested again by the next call', async () => {
    const { keys } = keysOf((attempt) => {
      if (attempt === 1) throw new Error('The service starts.')
      return 'key'
    })
    await expect(keys.current()).rejects.toThrow('The service starts.')
    expect(await keys.current()).toBe('key')
  })

  test('is not replaced while none can be created', async () => {
    const { keys, attempts } = keysOf((attempt) => {
      if (attempt === 2) throw new Error('The service starts.')
      return `key-${attempt}`
    })
    await expect(keys.renew(await keys.current())).rejects.toThrow('The service starts.')
    expect([await keys.current(), attempts()]).toEqual(['key-3', 3])
  })

  test('is not replaced if the caller gave it', async () => {
    const keys = new Keys('given', async () => 'another')
    expect([await keys.renew('given'), await keys.current()]).toEqual([false, 'given'])
  })
})

/** In browsers and Workers. */
describe('the keys of a page', () => {
  const URL_A = 'http://a'

  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'window')
  })

  function withStorage(): Map<string, string> {
    const values = new Map<string, string>()
    const localStorage = {
      getItem: (name: string) => values.get(name) ?? null,
      setItem: (name: string, value: string) => values.set(name, value),
    }
    Object.assign(globalThis, { window: { localStorage } })
    return values
  }

  const create = () => {
    let created = 0
    return async () => `key-${++created}`
  }

  test.each(['in memory', 'in localStorage'])('are kept %s, one for each service', async (where) => {
    const values = where === 'in localStorage' ? withStorage() : new Map()
    const store = new PageKeyStore()
    const next = create()
    const both = await Promise.all([store.get(URL_A, next, undefined), store.get(URL_A, next, undefined)])
    expect([both, await store.get(URL_A, next, undefined)]).toEqual([['key-1', 'key-1'], 'key-1'])
    expect(await store.get('http://b', next, undefined)).toBe('key-2')
    expect(await store.get(URL_A, next, 'key-1')).toBe('key-3')
    expect(await store.get(URL_A, next, 'key-1')).toBe('key-3')
    const stored = [
      ['mayfly.client-key http://a', 'key-3'],
      ['mayfly.client-key http://b', 'key-2'],
    ]
    expect([...values]).toEqual(where === 'in localStorage' ? stored : [])
    expect(await new PageKeyStore().get(URL_A, next, undefined)).toBe(
      where === 'in localStorage' ? 'key-3' : 'key-4',
    )
  })

  test('are created also when an unknown one was rejected', async () => {
    expect(await new PageKeyStore().get(URL_A, create(), 'key-0')).toBe('key-1')
  })

  test('that could not be created are requested again', async () => {
    const store = new PageKeyStore()
    const failing = () => Promise.reject(new Error('The service starts.'))
    await expect(store.get(URL_A, failing, undefined)).rejects.toThrow('The service starts.')
    expect(await store.get(URL_A, create(), undefined)).toBe('key-1')
  })

  const sandboxed = {
    get localStorage(): Storage {
      throw new DOMException('The page is sandboxed.', 'SecurityError')
    },
  }
  const full = {
    localStorage: {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('The storage is full.', 'QuotaExceededError')
      },
    },
  }

  test.each([
    ['the page may not use its storage', sandboxed],
    ['the storage is full', full],
  ])('are kept in memory where %s', async (_what, window) => {
    Object.assign(globalThis, { window })
    const store = new PageKeyStore()
    const next = create()
    expect(await store.get(URL_A, next, undefined)).toBe('key-1')
    expect(await store.get(URL_A, next, undefined)).toBe('key-1')
  })
})
