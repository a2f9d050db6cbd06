import { describe, expect, test } from '@jest/globals'
import { inParallel, KeyedMutex } from '../../core/parallel.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Work that ends when the test says so, by its name. */
function controlled() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const work = (name: string) => {
    begun.push(name)
    const end = Promise.withResolvers<string>()
    ends.set(name, end)
    return end.promise
  }
  const end = async (name: string, fault?: Error) => {
    if (fault === undefined) ends.get(name)!.resolve(`${name} done`)
    else ends.get(name)!.reject(fault)
    await settled()
  }
  return { begun, work, end }
}

describe('work in parallel', () => {
  test('runs so many at a time, and returns the results in the order of the items', async () => {
    const { begun, work, end } = controlled()
    const results = inParallel(['a', 'b', 'c', 'd'], 2, work)
    expect(begun).toEqual(['a', 'b'])
    await end('b')
    expect(begun).toEqual(['a', 'b', 'c'])
    await end('c')
    await end('d')
    await end('a')
    expect(await results).toEqual(['a done', 'b done', 'c done', 'd done'])
  })

  test('without items is done', async () => {
    expect(await inParallel([], 5, () => Promise.reject(new Error('no item')))).toEqual([])
  })

  test('begins no more after a failure, and rejects with it when what has begun has ended', async () => {
    const { begun, work, end } = controlled()
    let outcome: unknown
    const results = inParallel(['a', 'b', 'c'], 2, work).catch((error: unknown) => {
      outcome = error
    })
    const fault = new Error('a fault')
    await end('a', fault)
    expect([begun, outcome]).toEqual([['a', 'b'], undefined])
    await end('b')
    await results
    expect([begun, outcome]).toEqual([['a', 'b'], fault])
  })
})

describe('a mutex for names', () => {
  test('runs work that shares a name in sequence, and other work at once', async () => {
    const { begun, work, end } = controlled()
    const mutex = new KeyedMutex()
    const run = (name: string, ...names: string[]) => mutex.run(names, () => work(name))
    const all = [run('1', 'a'), run('2', 'a', 'b'), run('3', 'b'), run('4', 'c')]
    await settled()
    expect(begun).toEqual(['1', '4'])
    await end('1')
    expect(begun).toEqual(['1', '4', '2'])
    await end('2')
    expect(begun).toEqual(['1', '4', '2', '3'])
    await end('3')
    await end('4')
    expect(await Promise.all(all)).toEqual(['1 done', '2 done', '3 done', '4 done'])
  })

  test('runs work after work that failed', async () => {
    const mutex = new KeyedMutex()
    const failed = mutex.run(['a'], () => Promise.reject(new Error('a fault')))
    const next = mutex.run(['a'], async () => 'done')
    await expect(failed).rejects.toThrow('a fault')
    expect(await next).toBe('done')
  })

  test('keeps the order although earlier work ends in between', async () => {
    const { begun, work, end } = controlled()
    const mutex = new KeyedMutex()
    const run = (name: string) => mutex.run(['a'], () => work(name))
    const first = [run('1'), run('2')]
    await settled()
    await end('1')
    const last = run('3')
    await settled()
    expect(begun).toEqual(['1', '2'])
    await end('2')
    await end('3')
    expect(begun).toEqual(['1', '2', '3'])
    await Promise.all([...first, last])
  })
})
