import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { ToHub, ToPage } from '../../web/stream/messages.ts'

type Listener = (event: object) => void

let listeners: Map<string, Listener>
let open: string[]
let document: { visibilityState: string }

/** A browser; each test decides whether it has shared workers and locks. */
beforeEach(() => {
  jest.useFakeTimers()
  jest.resetModules()
  listeners = new Map()
  open = []
  const addEventListener = (type: string, listener: Listener) => void listeners.set(type, listener)
  class EventSource {
    readonly url: string
    constructor(url: string) {
      this.url = url
      open.push(url)
    }
    close() {
      open = open.filter((url) => url !== this.url)
    }
  }
  document = Object.assign({ visibilityState: 'visible' }, { addEventListener })
  Object.assign(globalThis, {
    addEventListener,
    EventSource,
    document,
    location: { origin: 'http://a.test' },
    SharedWorker: undefined,
    STREAM_WORKER: '/worker.js',
  })
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true, writable: true })
})
afterEach(() => {
  jest.useRealTimers()
})

const happens = (type: string, event: object = {}) => listeners.get(type)?.(event)
function turn(visibilityState: 'visible' | 'hidden'): void {
  document.visibilityState = visibilityState
  happens('visibilitychange')
}
const follow = async (address: string, receive: (message: ToPage) => void = () => {}) => {
  const { pageStream } = await import('../../web/stream/connect.ts')
  pageStream().follow({ address, key: undefined, receive })
  return pageStream()
}

describe('a page of a browser without shared workers', () => {
  test('that the browser keeps has a stream again when it is shown, unless it left before', async () => {
    const receive = (_: ToPage) => {}
    const stream = await follow('bot@mayfly.test', receive)
    const [url] = open
    expect(url).toContain('/api/sse/bot%40mayfly.test')
    happens('pagehide', { persisted: true })
    expect(open).toEqual([])
    happens('pageshow', { persisted: false })
    expect(open).toEqual([])
    happens('pageshow', { persisted: true })
    expect(open).toEqual([url])
    stream.leave(receive)
    happens('pageshow', { persisted: true })
    expect(open).toEqual([])
  })

  test('has a stream only while it is visible', async () => {
    await follow('bot@mayfly.test')
    turn('hidden')
    expect(open).toEqual([])
    const stream = await follow('other@mayfly.test')
    expect(open).toEqual([])
    turn('visible')
    expect(open).toEqual([expect.stringContaining('other')])
    // An inbox that was closed after another one was opened ends nothing.
    stream.leave(() => {})
    expect(open).toHaveLength(1)
  })
})

/** A port as a message channel has it, without the delay. */
function port() {
  const sent: object[] = []
  return { sent, postMessage: (message: object) => void sent.push(message), onmessage: (_: object) => {} }
}

describe('a page of a browser with shared workers', () => {
  test('follows by the worker, tells it whether the page is visible, and holds a lock until it ends', async () => {
    const [{ sent, ...channel }, workers] = [port(), [] as unknown[]]
    class SharedWorker {
      port = channel
      constructor(...given: unknown[]) {
        workers.push(given)
      }
    }
    const held: { name: string; until: unknown }[] = []
    const locks = { request: (name: string, hold: () => unknown) => held.push({ name, until: hold() }) }
    Object.assign(globalThis, { SharedWorker, navigator: { locks } })
    const received: ToPage[] = []
    document.visibilityState = 'hidden'
    const stream = await follow('bot@mayfly.test', (message) => received.push(message))
    expect(workers).toEqual([['/worker.js', { name: 'mayfly', type: 'module' }]])
    const [{ name, until }] = held as [(typeof held)[0]]
    expect(until).toBeInstanceOf(Promise)
    const followed = { type: 'follow', address: 'bot@mayfly.test', key: undefined, visible: false }
    expect(sent).toEqual([{ type: 'lock', name }, followed])
    turn('visible')
    happens('pagehide')
    happens('pageshow', { persisted: true })
    expect(sent.slice(2)).toEqual([
      { type: 'visible', visible: true },
      { type: 'leave' },
      { ...followed, visible: true },
    ])
    channel.onmessage({ data: { type: 'opened' } })
    const last = received.splice(0)
    stream.leave(() => {})
    expect(sent).toHaveLength(5)
    await follow('other@mayfly.test')
    channel.onmessage({ data: { type: 'opened' } })
    expect([last, received, workers.length, open]).toEqual([[{ type: 'opened' }], [], 1, []])
  })

  test('has a name for its lock that no other page has, and needs no locks', async () => {
    const names = new Set<string>()
    for (const locks of [
      { request: (name: string) => names.add(name) },
      { request: (name: string) => names.add(name) },
      undefined,
    ]) {
      jest.resetModules()
      Object.assign(globalThis, {
        SharedWorker: class {
          port = port()
        },
        navigator: { locks },
      })
      await follow('bot@mayfly.test')
    }
    expect(names.size).toBe(2)
  })
})

describe('the shared worker', () => {
  const connected = async () => {
    await import('../../web/stream/worker.ts')
    const channel = port()
    happens('connect', { ports: [channel] })
    const say = (data: ToHub | { type: 'lock'; name: string }) => channel.onmessage({ data })
    say({ type: 'follow', address: 'bot@mayfly.test', key: undefined, visible: true })
    return { sent: channel.sent, say }
  }

  test('answers each page by its port', async () => {
    const one = await connected()
    happens('connect', { ports: [] })
    const two = await connected()
    expect([one.sent, two.sent]).toEqual([
      [{ type: 'state', state: 'connecting' }],
      [{ type: 'state', state: 'connecting' }],
    ])
    expect(open).toHaveLength(1)
    one.say({ type: 'leave' })
    expect(open).toHaveLength(1)
    two.say({ type: 'leave' })
    expect(open).toEqual([])
  })

  test('closes the stream of a page that ended without a message, whose lock it then gets', async () => {
    const waiting = new Map<string, () => void>()
    const request = (name: string, granted: () => void) => void waiting.set(name, granted)
    Object.assign(globalThis, { navigator: { locks: { request } } })
    const { say } = await connected()
    say({ type: 'lock', name: 'page-1' })
    expect([[...waiting.keys()], open.length]).toEqual([['page-1'], 1])
    waiting.get('page-1')?.()
    expect(open).toEqual([])
  })
})
