import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { Live } from '../../core/events/live.ts'
import type { Sink } from '../../core/events/sink.ts'
import { ShortStreams } from '../../sse-service/short-streams.ts'

const MAX_MS = 60_000

describe('a stream with a maximum age', () => {
  let live: ShortStreams
  let ends: unknown[][]
  let sink: Sink

  beforeEach(() => {
    jest.useFakeTimers()
    const changeFeed = { subscribe: () => () => {} }
    live = new ShortStreams(changeFeed, {} as never, Date.now).limitTo(MAX_MS)
    ends = []
    sink = { email: () => {}, gap: () => {}, ready: () => undefined, end: (...call) => ends.push(call) }
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const follow = () =>
    live.follow({ topic: { addresses: ['a@x.example'], domains: [] }, after: undefined, client: 'c' }, sink)

  test('ends at that age, and its clients reconnect within five seconds', () => {
    follow()
    jest.advanceTimersByTime(MAX_MS - 1)
    expect([ends, live.count]).toEqual([[], 1])
    jest.advanceTimersByTime(1)
    expect([ends, live.count]).toEqual([[['stopping', 5_000]], 0])
  })

  test.each([
    { what: 'its client has disconnected', end: () => follow()(), count: 0 },
    {
      what: 'the service has ended it',
      end: () => {
        follow()
        live.stop()
      },
      count: 1,
    },
    {
      what: 'it was refused',
      end: () => {
        live.stop()
        expect(follow).toThrow(/unavailable/)
      },
      count: 0,
    },
  ])('leaves no timer behind when $what', ({ end, count }) => {
    end()
    expect(jest.getTimerCount()).toBe(0)
    jest.advanceTimersByTime(MAX_MS)
    expect(ends).toHaveLength(count)
  })

  test('passes everything to its client', () => {
    const following = jest.spyOn(Live.prototype, 'follow')
    const received: unknown[][] = []
    const note =
      (name: string) =>
      (...call: unknown[]) => {
        received.push([name, ...call])
        return undefined
      }
    const names = ['email', 'change', 'gap', 'ready', 'end'] as const
    sink = Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as Sink
    follow()
    const inner = following.mock.calls[0]![1] as unknown as Record<string, (...call: unknown[]) => unknown>
    for (const name of names) inner[name]!(`${name} 1`, `${name} 2`)
    expect(received).toEqual([
      ['email', 'email 1'],
      ['change', 'change 1'],
      ['gap', 'gap 1'],
      ['ready'],
      ['end', 'end 1', 'end 2'],
    ])
    following.mockRestore()
  })
})
