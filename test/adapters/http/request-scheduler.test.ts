import { expect, test } from '@jest/globals'
import { RequestScheduler } from '../../../adapters/http/request-scheduler.ts'

/** Keeps the thread for longer than what a turn of the event loop is for. */
function toil(): void {
  for (const end = performance.now() + 12; performance.now() < end; );
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('what is little begins at once', () => {
  const scheduler = new RequestScheduler()
  const begun: number[] = []
  for (let n = 0; n < 50; n++) scheduler.run('a', () => begun.push(n))
  expect(begun).toHaveLength(50)
})

test('where it is much, each client has a turn after the other, however many requests it has', async () => {
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
  while (begun.length < 8) await turn()
  expect(begun.join('')).toBe('aabcabaa')
  // And at once again, when all is done.
  await turn()
  ask('d')
  expect(begun.at(-1)).toBe('d')
})

test('connections that keep coming hold up nobody for ever', async () => {
  const scheduler = new RequestScheduler()
  scheduler.connectionAccepted()
  scheduler.run('a', toil)
  await turn()
  let begun = false
  scheduler.run('a', () => {
    begun = true
  })
  while (!begun) {
    scheduler.connectionAccepted()
    await turn()
  }
})

test('work in pieces lets connections be taken and others begin between two of them', async () => {
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
  // As long as there are more, and less than a slice has passed, one is taken in each turn of the
  // event loop.
  const connect = () => {
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

test('who pauses gives up the thread, also where there is little', async () => {
  const scheduler = new RequestScheduler()
  let others = false
  setImmediate(() => {
    others = true
  })
  await scheduler.next('a')
  expect(others).toBe(true)
})

/**
 * How many of `works` begin in each turn of the event loop in which any does, behind one that takes
 * long.
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

test('of what is quick more and more begins in a turn, but not everything', async () => {
  const byTurn = await begunByTurn(Array.from({ length: 2000 }, () => () => undefined))
  expect(byTurn[0]).toBe(1)
  expect(Math.max(...byTurn)).toBe(64)
})

test('of what takes long less and less, and one at least', async () => {
  const quick = Array.from({ length: 7 }, () => () => undefined)
  const byTurn = await begunByTurn([...quick, ...Array.from({ length: 24 }, () => toil)])
  expect(Math.max(...byTurn)).toBeGreaterThan(1)
  expect(byTurn.slice(-3)).toEqual([1, 1, 1])
})

test('a connection that is taken makes nobody wait whose turn was short', async () => {
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

test('what waits begins in the next turns, where no more connections come', async () => {
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
