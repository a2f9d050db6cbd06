import { expect, test } from '@jest/globals'
import { Room } from '../../../core/events/room.ts'

test('has so many places, and no more, whoever comes', () => {
  const room = new Room(20)
  for (let n = 0; n < 20; n++) {
    expect(room.has(`client ${n}`)).toBe(true)
    room.enter(`client ${n}`)
  }
  expect(room.taken).toBe(20)
  expect(room.has('one more')).toBe(false)
  room.leave('client 3')
  expect(room.has('one more')).toBe(true)
})

test('gives no client more than is left for the others', () => {
  const room = new Room(16)
  const fill = (client: string) => {
    let count = 0
    for (; room.has(client); count++) room.enter(client)
    return count
  }
  expect(['a', 'b', 'c', 'd'].map(fill)).toEqual([8, 4, 2, 1])
  expect(room.has('e')).toBe(true)
})

test('gives each a usual number while there are any but the last, which are for those who have few', () => {
  const room = new Room(22_000, { usual: 5000, reserved: 2000 })
  const fill = (client: string) => {
    let count = 0
    for (; room.has(client); count++) room.enter(client)
    return count
  }
  expect(['a', 'b', 'c', 'd'].map((client) => Math.min(5000, fill(client)))).toEqual([5000, 5000, 3500, 96])
  for (let n = 0; n < 1000; n++) {
    expect(room.has(`client ${n}`)).toBe(true)
    room.enter(`client ${n}`)
  }

  const four = new Room(22_000, { usual: 5000, reserved: 2000 })
  for (const client of ['a', 'b', 'c', 'd']) {
    for (let n = 0; n < 5000; n++) {
      expect(four.has(client)).toBe(true)
      four.enter(client)
    }
  }
  expect(four.has('a')).toBe(false)
  expect(four.has('e')).toBe(true)
})
