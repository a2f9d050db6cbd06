import { describe, expect, test } from '@jest/globals'
import { FairQueue, type Place } from '../../core/fair-queue.ts'

/** Enters a queue under names, the first letter of which is the client, and notes who may begin. */
function entering(queue: FairQueue) {
  const begun: string[] = []
  const enter = (name: string): Place => {
    const place = queue.enter(name.slice(0, 1))
    if (place.ready === undefined) begun.push(name)
    else void place.ready.then(() => begun.push(name))
    return place
  }
  return { begun, enter }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a fair queue', () => {
  test('leaves a place to a client that has none, whatever another client asks for', async () => {
    const { begun, enter } = entering(new FairQueue(2))
    const places = ['a1', 'a2', 'a3', 'b1'].map(enter)
    await settled()
    expect(begun).toEqual(['a1', 'b1'])
    places[0]?.leave()
    places[0]?.leave()
    await settled()
    expect(begun).toEqual(['a1', 'b1', 'a2'])
  })

  test('lets clients take turns, and keeps the order of each', async () => {
    const { begun, enter } = entering(new FairQueue(1))
    const places = new Map(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => [name, enter(name)]))
    for (let n = 0; n < 6; n++) {
      await settled()
      places.get(begun.at(-1) ?? '')?.leave()
    }
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  test('starts everything that may start when a place becomes free', async () => {
    const queue = new FairQueue(4)
    const { begun, enter } = entering(queue)
    const [first, second] = ['a1', 'a2', 'a3', 'b1', 'c1'].map(enter)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
    first?.leave()
    await settled()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
    second?.leave()
    await settled()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
    expect(queue.running).toBe(3)
  })

  test('skips work that was abandoned while it waited', async () => {
    const { begun, enter } = entering(new FairQueue(1))
    const first = enter('a1')
    const given = enter('a2')
    enter('a3')
    given.leave()
    await given.ready
    first.leave()
    await settled()
    expect(begun).toEqual(['a1', 'a2', 'a3'])
  })

  test('gives the place back when the work has ended, even if it failed', async () => {
    const queue = new FairQueue(1)
    const failed = queue.run('a', () => Promise.reject(new Error('no')))
    const worked = queue.run('b', () => 'done')
    await expect(failed).rejects.toThrow('no')
    await expect(worked).resolves.toBe('done')
    expect(queue.running).toBe(0)
  })
})
