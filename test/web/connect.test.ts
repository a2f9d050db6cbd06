import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { pageStream } from '../../web/stream/connect.ts'
import type { ToPage } from '../../web/stream/messages.ts'

let listeners: Map<string, (event: { persisted: boolean }) => void>
let open: string[]

/** A browser without shared workers, whose page opens the streams itself. */
beforeEach(() => {
  jest.useFakeTimers()
  listeners = new Map()
  open = []
  const addEventListener = (type: string, listener: () => void) => void listeners.set(type, listener)
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
  const document = { visibilityState: 'visible', addEventListener }
  Object.assign(globalThis, {
    addEventListener,
    EventSource,
    document,
    location: { origin: 'http://a.test' },
  })
})
afterEach(() => {
  jest.useRealTimers()
})

test('a page that the browser keeps has a stream again when it is shown, unless it left before', () => {
  const receive = (_: ToPage) => {}
  pageStream().follow({ address: 'bot@mayfly.test', key: undefined, receive })
  const [url] = open
  expect(url).toContain('/api/sse/bot%40mayfly.test')
  listeners.get('pagehide')?.({ persisted: true })
  expect(open).toEqual([])
  listeners.get('pageshow')?.({ persisted: true })
  expect(open).toEqual([url])
  pageStream().leave(receive)
  listeners.get('pageshow')?.({ persisted: true })
  expect(open).toEqual([])
})
