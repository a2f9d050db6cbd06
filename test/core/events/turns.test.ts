import { expect, test } from '@jest/globals'
import { type Turn, Turns } from '../../../core/events/turns.ts'

/** Takes a turn, and notes when it comes. */
function takers(turns: Turns) {
  const came: string[] = []
  const take = (client: string, name = client): Turn => {
    const turn = turns.take(client)
    Promise.resolve(turn.came).then(() => came.push(name))
    return turn
  }
  return { came, take }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('clients take turns, however much one of them wants', async () => {
  const { came, take } = takers(new Turns(2))
  const first = take('a', 'a1')
  const others = ['a2', 'a3', 'b1'].map((name) => take(name[0]!, name))
  await settled()
  expect(came).toEqual(['a1'])
  first.end()
  first.end()
  await settled()
  // One of two places is all that a client can have while others may come.
  expect(came).toEqual(['a1', 'a2'])
  others[0]!.end()
  await settled()
  expect(came).toEqual(['a1', 'a2', 'b1'])
})

test('a turn that is given up while it waits is nobody’s', async () => {
  const { came, take } = takers(new Turns(2))
  const first = take('a', 'a1')
  take('a', 'a2').end()
  const last = take('a', 'a3')
  await settled()
  first.end()
  await settled()
  expect(came).toEqual(['a1', 'a2', 'a3'])
  last.end()
  const next = take('b')
  await settled()
  expect(came.at(-1)).toBe('b')
  next.end()
})
