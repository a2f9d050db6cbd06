import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { RequestScheduler } from '../../../adapters/http/request-scheduler.ts'
import { eventually } from '../../support/eventually.ts'

/** The time that the scheduler measures. It passes only when a test says so. */
let now = 0
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  jest.restoreAllMocks()
})

/** Work that takes longer than a time slice. */
function toil(): void {
  now += 12
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('work begins at once while the load is low', () => {
  const scheduler = new RequestScheduler()
  const begun: number[] = []
  for (let n = 0; n < 50; n++) scheduler.run('a', () => begun.push(n))
  expect(begun).toHaveLength(50)
})

test('under load the clients take turns, however many requests each of them has', async () => {
  const scheduler = new RequestScheduler()
  const begun: string[] = []
  const ask = (client: string) =>
    scheduler.run(client, () => {
      begun.push(client)
      toil()
    })
  for (let n = 0; n < 5; n++) ask('a')
  ask('b')
  ask('b')
  expect(begun).toEqual(['a'])
  ask('c')
  await eventually(
    '8 requests',
    () => begun,
    ({ length }) => length >= 8,
  )
  expect(begun.join('')).toBe('aabcabaa')
  // When all work is done, new work begins at once again.
  await turn()
  ask('d')
  expect(begun.at(-1)).toBe('d')
})

test('a flood of new connections does not block waiting work forever', async () => {
  const scheduler = new RequestScheduler()
  scheduler.connectionAccepted()
  scheduler.run('a', toil)
  await turn()
  let begun = false
  scheduler.run('a', () => {
    begun = true
  })
  // A connection arrives in every turn. The work begins when a slice has passed.
  for (let n = 0; n < 20; n++) {
    if (n < 10) expect(begun).toBe(false)
    scheduler.connectionAccepted()
    await turn()
    now += 1
  }
  expect(begun).toBe(true)
})

test('a connection of an earlier turn does not make later work wait for more of them', async () => {
  const scheduler = new RequestScheduler()
  scheduler.connectionAccepted()
  scheduler.run('a', () => {})
  await turn()
  scheduler.run('a', toil)
  await turn()
  let begun = false
  scheduler.run('a', () => {
    begun = true
  })
  expect(begun).toBe(true)
})

test('work in pieces lets the service accept connections and begin other work between two pieces', async () => {
  const scheduler = new RequestScheduler()
  const order: string[] = []
  const work = (async () => {
    for (let piece = 0; piece < 5; piece++) {
      order.push('a')
      toil()
      await scheduler.next('a')
    }
  })()
  expect(order).toEqual(['a'])
  scheduler.connectionAccepted()
  let taken = 0
  // Until a slice has passed, the service accepts one connection in each turn of the event loop as
  // long as there are more.
  const connect = () => {
    now += 1
    if (++taken < 5) {
      scheduler.connectionAccepted()
      setImmediate(connect)
    } else scheduler.run('b', () => order.push('b'))
  }
  setImmediate(connect)
  await work
  expect(order.indexOf('b')).toBeGreaterThan(0)
  expect(order.indexOf('b')).toBeLessThan(4)
})

test('work that pauses yields the thread even if the load is low', async () => {
  const scheduler = new RequestScheduler()
  let others = false
  setImmediate(() => {
    others = true
  })
  await scheduler.next('a')
  expect(others).toBe(true)
})

/**
 * Queues `works` behind one that takes long. Returns how many of them begin in each turn of the
 * event loop in which at least one begins.
 */
async function begunByTurn(works: (() => void)[]): Promise<number[]> {
  const scheduler = new RequestScheduler()
  const byTurn: number[] = []
  let begun = 0
  scheduler.run('a', toil)
  for (const work of works) {
    scheduler.run('a', () => {
      begun++
      work()
    })
  }
  for (let before = 0; before < works.length; before = begun) {
    await turn()
    if (begun > before) byTurn.push(begun - before)
  }
  return byTurn
}

test('twice as much of quick work begins in each turn, up to a bound', async () => {
  const byTurn = await begunByTurn(Array.from({ length: 255 }, () => () => undefined))
  expect(byTurn).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64])
})

test('half as much of slow work begins in each turn, but at least one', async () => {
  const quick = Array.from({ length: 7 }, () => () => undefined)
  const byTurn = await begunByTurn([...quick, ...Array.from({ length: 17 }, () => toil)])
  expect(byTurn).toEqual([1, 2, 4, 8, 4, 2, 1, 1, 1])
})

test.each([2.5, 3.5, 5])(
  'as much work begins in the next turn if it takes between half a slice and a slice: %s ms, twice',
  async (ms) => {
    const work = () => {
      now += ms
    }
    expect(await begunByTurn([() => undefined, ...Array.from({ length: 6 }, () => work)])).toEqual([
      1, 2, 2, 2,
    ])
  },
)

test('a new connection does not delay the next request after a short turn', async () => {
  const scheduler = new RequestScheduler()
  scheduler.connectionAccepted()
  scheduler.run('a', () => undefined)
  await turn()
  let begun = false
  scheduler.run('b', () => {
    begun = true
  })
  expect(begun).toBe(true)
})

test('waiting work begins in the next turns if no more connections arrive', async () => {
  const scheduler = new RequestScheduler()
  scheduler.connectionAccepted()
  scheduler.run('a', toil)
  let begun = false
  scheduler.run('a', () => {
    begun = true
  })
  for (let n = 0; n < 5; n++) await turn()
  expect(begun).toBe(true)
})
