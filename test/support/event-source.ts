import { EventSource } from 'eventsource'

export interface StreamEvent {
  id: string
  type: string
  data: { type: string; domain?: string; email?: Record<string, unknown>; missed_before?: string }
}

export interface OpenStream {
  events: StreamEvent[]
  /** Resolves when this many events have arrived. */
  until(count: number): Promise<StreamEvent[]>
  /** Resolves with the status when the server refuses. */
  refused: Promise<number | undefined>
  close(): void
}

/** A real EventSource; resolves when the stream is open or refused. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const events: StreamEvent[] = []
  const waiting: { count: number; resolve: (events: StreamEvent[]) => void }[] = []
  const refused = Promise.withResolvers<number | undefined>()
  const opened = Promise.withResolvers<void>()
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...headers } }),
  })
  source.onopen = () => opened.resolve()
  source.onerror = (error) => {
    if (source.readyState === EventSource.CLOSED) {
      refused.resolve(error.code)
      opened.resolve()
    }
  }
  source.onmessage = (message) => {
    events.push({ id: message.lastEventId, type: message.type, data: JSON.parse(message.data) })
    for (const waiter of waiting) if (events.length >= waiter.count) waiter.resolve(events)
  }
  await opened.promise
  return {
    events,
    until: (count) =>
      events.length >= count
        ? Promise.resolve(events)
        : new Promise((resolve) => waiting.push({ count, resolve })),
    refused: refused.promise,
    close: () => source.close(),
  }
}
