import { expect, test } from '@jest/globals'
import {
  ConnectionPlaces,
  type Holder,
  openFilesIn,
  openFilesMax,
  placesOf,
} from '../../../adapters/http/connection-places.ts'
import { clientNetwork } from '../../../core/access/client.ts'

const PLACES = 1000

/** A connection of an IP address. */
function holder(address: string, hasAnswered = false) {
  const made = { client: clientNetwork(address), hasAnswered, ended: 0, end: () => void made.ended++ }
  return made satisfies Holder
}

const attackers = (count: number, site: (n: number) => string, hasAnswered = false) =>
  Array.from({ length: count }, (_, n) => holder(`${site(n)}:${n.toString(16)}::1`, hasAnswered))

test('2,000 networks of one /48 leave places to others', () => {
  const places = new ConnectionPlaces(PLACES)
  const entered = attackers(2000, () => '2001:db8:7').filter((one) => places.enter(one))
  expect(entered.length).toBeLessThanOrEqual(PLACES / 2)
  const honest = Array.from({ length: 200 }, (_, n) => holder(`192.0.2.${n}`))
  expect(honest.filter((one) => places.enter(one))).toHaveLength(200)
})

test('if no place is free, a connection of the fullest site without an answer ends', () => {
  const places = new ConnectionPlaces(PLACES)
  const many = Array.from({ length: 200 }, (_, s) => attackers(40, () => `2001:db8:${s.toString(16)}`)).flat()
  const entered = many.filter((one) => places.enter(one))
  const open = () => entered.filter(({ ended }) => ended === 0)
  expect(open()).toHaveLength(PLACES)
  const honest = Array.from({ length: 50 }, (_, n) => holder(`192.0.2.${n}`))
  const served = honest.filter((one) => places.enter(one)).length
  // The search for connections to end has a pause.
  expect(served).toBeGreaterThanOrEqual(48)
  expect(honest.filter(({ ended }) => ended > 0)).toEqual([])
  expect(open()).toHaveLength(PLACES - served)
  // One that was closed for another gives its place back once.
  for (const one of [...entered, ...honest]) places.leave(one)
  expect(places.enter(holder('192.0.2.1'))).toBe(true)
})

test('a connection that got an answer stays', () => {
  const places = new ConnectionPlaces(10)
  const served = Array.from({ length: 10 }, (_, n) => holder(`192.0.2.${n}`, true))
  expect(served.filter((one) => places.enter(one))).toHaveLength(10)
  expect(places.enter(holder('198.51.100.1'))).toBe(false)
  expect(served.reduce((sum, { ended }) => sum + ended, 0)).toBe(0)
})

test('of sites that hold one place each, none loses it', () => {
  const places = new ConnectionPlaces(10)
  const single = Array.from({ length: 10 }, (_, n) => holder(`192.0.${n}.1`))
  expect(single.filter((one) => places.enter(one))).toHaveLength(10)
  expect(places.enter(holder('198.51.100.1'))).toBe(false)
  expect(single.reduce((sum, { ended }) => sum + ended, 0)).toBe(0)
})

test('a client gets half of the free places, or a quarter of all, and a tenth is left to those that hold few', () => {
  const places = new ConnectionPlaces(100)
  const enteredBy = (client: string) =>
    Array.from({ length: 100 }, () => holder(client, true)).filter((one) => places.enter(one)).length
  expect(enteredBy('192.0.2.1')).toBe(50)
  expect(enteredBy('198.51.100.1')).toBe(25)
  // A quarter of all, of which the last tenth is reserved.
  expect(enteredBy('203.0.113.1')).toBe(15)
  expect(enteredBy('203.0.114.1')).toBe(1)
})

test('one client gets 5,500 connections: its 5,000 streams and 500 requests', () => {
  const places = new ConnectionPlaces(placesOf(Number.POSITIVE_INFINITY))
  const all = Array.from({ length: 6000 }, () => holder('192.0.2.1'))
  expect(all.filter((one) => places.enter(one))).toHaveLength(5500)
})

test('HTTP leaves 400 files to SMTP, the store, the threads and the pages', () => {
  expect(placesOf(1024)).toBe(624)
  expect(placesOf(100)).toBe(1)
  expect(placesOf(Number.POSITIVE_INFINITY)).toBe(24_000)
  expect(openFilesMax()).toBeGreaterThan(0)
})

test.each([
  ['1024                 4096', 1024],
  ['unlimited            unlimited', Infinity],
])('the limit of open files is the first number: %s', (limits, most) => {
  const text = `Limit                     Soft Limit           Hard Limit\nMax open files            ${limits}           files\n`
  expect(openFilesIn(text)).toBe(most)
})
