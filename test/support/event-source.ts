import { EventSource, type FetchLike } from 'eventsource'
import { eventually } from './eventually.ts'

export interface StreamEvent {
  id: string
  type: string
  data: { type: string; domain?: string; email?: Record<string, unknown>; missed_before?: string }
}

export interface OpenStream {
  events: StreamEvent[]
  /**
   * Resolves when this many events have arrived.
   * @throws Error at once if the server has refused the stream
   */
  until(count: number): Promise<StreamEvent[]>
  /** Resolves with the status when the server refuses. */
  refused: Promise<number | undefined>
  /** How often the connection ended, so that the client connected again. */
  readonly breaks: number
  close(): void
}

/** A real EventSource; resolves when the stream is open or refused. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const events: StreamEvent[] = []
  const refused = Promise.withResolvers<number | undefined>()
  const source = new EventSource(url, { fetch: resuming(headers) })
  let isOpened = false
  let breaks = 0
  let refusal: string | undefined
  source.onopen = () => {
    isOpened = true
  }
  source.onerror = ({ code, message }) => {
    if (source.readyState !== EventSource.CLOSED) {
      breaks++
      return
    }
    refusal = message
    refused.resolve(code)
  }
  source.onmessage = (message) => {
    events.push({ id: message.lastEventId, type: message.type, data: JSON.parse(message.data) })
  }
  await eventually(`an answer of ${url}`, () => isOpened || refusal !== undefined)
  return {
    events,
    async until(count) {
      await eventually(
        `${count} events of ${url}`,
        () => events,
        ({ length }) => length >= count || refusal !== undefined,
      )
      if (events.length < count) throw new Error(`${url} has ${events.length} of ${count} events: ${refusal}`)
      return events
    },
    refused: refused.promise,
    get breaks() {
      return breaks
    },
    close: () => source.close(),
  }
}

/**
 * Returns a `fetch` for an EventSource. A 503 counts as a broken connection, because a service on a
 * busy machine may need longer for its store than it waits. The SDKs retry then as well; a browser
 * does not.
 */
export function resuming(headers: Record<string, string> = {}): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, { ...init, headers: { ...headers, ...init.headers } })
    if (response.status === 503) throw new Error(`503: ${await response.text()}`)
    return response
  }
}
