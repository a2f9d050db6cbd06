import { EventSource } from 'eventsource'
import { eventually } from './eventually.ts'

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
  }
  await opened.promise
  return {
    events,
    until: (count) =>
      eventually(
        `${count} events of ${url}`,
        () => events,
        ({ length }) => length >= count,
      ),
    refused: refused.promise,
    close: () => source.close(),
  }
}
