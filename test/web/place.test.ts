import { beforeEach, expect, test } from '@jest/globals'
import { PlaceStore } from '../../web/lib/place.ts'

/** A browser's location and history, as far as places use them. */
let entries: { hash: string; state: unknown }[]
let arrive: () => void

beforeEach(() => {
  entries = [{ hash: '#a@mayfly.test', state: null }]
  const last = () => entries.at(-1) as (typeof entries)[0]
  Object.assign(globalThis, {
    addEventListener: (type: string, listener: () => void) => {
      if (type === 'hashchange') arrive = listener
    },
    location: {
      get hash() {
        return last().hash
      },
      set hash(hash: string) {
        entries.push({ hash, state: null })
        arrive()
      },
    },
    history: {
      get state() {
        return last().state
      },
      replaceState: (state: unknown, _: string, hash = last().hash) => {
        entries[entries.length - 1] = { hash, state }
      },
      back: () => {
        entries.pop()
        arrive()
      },
    },
  })
})

const hashes = () => entries.map(({ hash }) => hash)

test('an email that was opened from its list is closed by going back, so that Back leaves the inbox', () => {
  const places = new PlaceStore()
  let drawn = 0
  places.subscribe(() => drawn++)
  places.go({ address: 'a@mayfly.test', id: '1' })
  expect([places.current, drawn]).toEqual([{ address: 'a@mayfly.test', id: '1' }, 1])
  // Moving between emails adds no entry, and keeps what the entry knows.
  places.go({ address: 'a@mayfly.test', id: '2' }, { replace: true })
  expect([hashes(), places.current?.id, drawn]).toEqual([['#a@mayfly.test', '#a@mayfly.test/2'], '2', 2])
  places.closeMail()
  expect([hashes(), places.current?.id, drawn]).toEqual([['#a@mayfly.test'], undefined, 3])
  // Going where the page is already changes nothing.
  places.go({ address: 'a@mayfly.test' })
  expect([hashes(), drawn]).toEqual([['#a@mayfly.test'], 3])
})

test('an email that a link opened is closed by going to its list', () => {
  entries = [{ hash: '#b@mayfly.test/1', state: null }]
  const places = new PlaceStore()
  places.closeMail()
  expect(hashes()).toEqual(['#b@mayfly.test/1', '#b@mayfly.test'])
  // Nor does the list of another address count.
  places.go({ address: 'c@mayfly.test', id: '3' })
  places.closeMail()
  expect(hashes().slice(2)).toEqual(['#c@mayfly.test/3', '#c@mayfly.test'])
  entries = [{ hash: '', state: null }]
  new PlaceStore().closeMail()
  expect(hashes()).toEqual([''])
})

test('an email alone has its own place', () => {
  const places = new PlaceStore()
  places.go({ address: 'a@mayfly.test', id: '1', alone: true })
  expect([hashes().at(-1), places.current]).toEqual([
    '#a@mayfly.test/1/alone',
    { address: 'a@mayfly.test', id: '1', alone: true },
  ])
})
