import { expect, test } from '@jest/globals'
import { ByTurns } from '../../../adapters/http/by-turns.ts'

/** Keeps the thread for longer than what a turn of the event loop is for. */
function toil(): void {
  for (const end = performance.now() + 12; performance.now() < end; );
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('what is little begins at once', () => {
  const turns = new ByTurns()
  const begun: number[] = []
  for (let n = 0; n < 50; n++) turns.run('a', () => begun.push(n))
  expect(begun).toHaveLength(50)
})

test('where it is much, each client has a turn after the other, however many requests it has', async () => {
  const turns = new ByTurns()
  const begun: string[] = []
  const ask = (client: string) =>
    turns.run(client, () => {
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
  const turns = new ByTurns()
  turns.taken()
  turns.run('a', toil)
  await turn()
  let begun = false
  turns.run('a', () => {
    begun = true
  })
  while (!begun) {
    turns.taken()
    await turn()
  }
})

test('work in pieces lets connections be taken and others begin between two of them', async () => {
  const turns = new ByTurns()
  const order: string[] = []
  const work = (async () => {
    for (let piece = 0; piece < 5; piece++) {
      order.push('a')
      toil()
      await turns.next('a')
    }
  })()
  expect(order).toEqual(['a'])
  turns.taken()
  let taken = 0
  // As long as there are more, and less than a slice has passed, one is taken in each turn of the
  // event loop.
  const connect = () => {
    if (++taken < 5) {
      turns.taken()
      setImmediate(connect)
    } else turns.run('b', () => order.push('b'))
  }
  setImmediate(connect)
  await work
  expect(order.indexOf('b')).toBeGreaterThan(0)
  expect(order.indexOf('b')).toBeLessThan(4)
})

test('who pauses gives up the thread, also where there is little', async () => {
  const turns = new ByTurns()
  let others = false
  setImmediate(() => {
    others = true
  })
  await turns.next('a')
  expect(others).toBe(true)
})

/**
 * How many of `works` begin in each turn of the event loop in which any does, behind one that takes
 * long.
 */
async function begunByTurn(works: (() => void)[]): Promise<number[]> {
  const turns = new ByTurns()
  const byTurn: number[] = []
  let begun = 0
  turns.run('a', toil)
  for (const work of works) {
    turns.run('a', () => {
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
  const turns = new ByTurns()
  turns.taken()
  turns.run('a', () => undefined)
  await turn()
  let begun = false
  turns.run('b', () => {
    begun = true
  })
  expect(begun).toBe(true)
})

test('what waits begins in the next turns, where no more connections come', async () => {
  const turns = new ByTurns()
  turns.taken()
  turns.run('a', toil)
  let begun = false
  turns.run('a', () => {
    begun = true
  })
  for (let n = 0; n < 5; n++) await turn()
  expect(begun).toBe(true)
})
